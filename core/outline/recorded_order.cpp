// SPDX-License-Identifier: Apache-2.0
#include "core/outline/recorded_order.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <utility>

namespace duo {
namespace {

/// Sizes may be those of other samples.
bool mayBeSameType(const ValueType& one, const ValueType& other)
{
    const bool isKnown = one.element != ElementType::Undefined && other.element != ElementType::Undefined;
    return (!isKnown || one.element == other.element)
        && (!one.shape || !other.shape || one.shape->size() == other.shape->size());
}

/// The text that tells a value from others; two values of a call with one text are not told apart.
using Telling = std::string (*)(const std::string& name, bool isInput, const std::string& module);

constexpr char kBetween = '\n';

std::string byName(const std::string& name, bool /*isInput*/, const std::string& module)
{
    return name + kBetween + module;
}

/// Inputs of the model are not told apart: exporters name them, and leave some out.
std::string byMaker(const std::string& /*name*/, bool isInput, const std::string& module)
{
    return isInput ? std::string() : kBetween + module;
}

class Matching
{
public:
    Matching(const Model& model, const Scopes& scopes, Telling telling)
        : m_model(model)
        , m_scopes(scopes)
        , m_telling(telling)
    {
    }

    struct Places {
        std::vector<std::size_t> places; // in the values, as recorded
        std::vector<std::string> formals;
    };

    /// Nothing unless each value has one record of its own; a single one needs none.
    [[nodiscard]] std::optional<Places> match(
        const std::vector<ValueId>& values, const std::vector<SignatureValue>& recorded) const
    {
        std::unordered_map<std::string, std::size_t> placeOf;
        for (std::size_t v = 0; v < values.size(); ++v) {
            if (!placeOf.try_emplace(told(values[v]), v).second)
                return std::nullopt;
        }
        Places found;
        std::vector<const SignatureValue*> taken(values.size());
        for (const SignatureValue& value : recorded) {
            const auto place = placeOf.find(m_telling(value.value, value.isInput, value.module));
            if (place == placeOf.end())
                continue; // not read, or not outside
            const SignatureValue*& of = taken[place->second];
            if (of != nullptr && of->value == value.value)
                continue; // given for several parameters
            if (of != nullptr && values.size() == 1) {
                found.formals.front().clear(); // it is one of these
                continue;
            }
            if (of != nullptr || !mayBeSameType(value.type, m_model.value(values[place->second]).type))
                return std::nullopt;
            of = &value;
            found.places.push_back(place->second);
            found.formals.push_back(value.formal);
        }
        if (values.size() == 1 && found.places.empty())
            found = {{0}, {std::string()}};
        return found.places.size() == values.size() ? std::optional(std::move(found)) : std::nullopt;
    }

private:
    [[nodiscard]] std::string told(ValueId id) const
    {
        const Value& value = m_model.value(passedOn(id));
        std::string module;
        if (value.producer.valid()) {
            const ScopeId scope = m_scopes.nodes[value.producer.index].executionScope;
            module = scope.valid() ? m_scopes.execution.scope(scope).module : std::string();
        }
        return m_telling(value.name, value.isInput, module);
    }

    /// The value before what gives it back: in a quantized model that which codes were made of.
    [[nodiscard]] ValueId passedOn(ValueId id) const
    {
        while (const Node* maker = makerOf(id)) {
            const bool passes = isQuantizer(*maker) || has(*maker, mark::kDropped);
            if (!passes || maker->inputs.empty() || !maker->inputs.front().valid())
                break;
            id = maker->inputs.front();
        }
        return id;
    }

    [[nodiscard]] const Node* makerOf(ValueId id) const
    {
        const NodeId maker = m_model.value(id).producer;
        return maker.valid() ? &m_model.node(maker) : nullptr;
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const Telling m_telling;
};

} // namespace

RecordedOrders::RecordedOrders(const Model& model, const Scopes& scopes, const std::vector<CallSignature>& signatures)
    : m_model(model)
    , m_scopes(scopes)
{
    for (const CallSignature& signature : signatures)
        m_signatures[signature.module].push_back(&signature);
    if (signatures.empty())
        return;
    for (const Scope& scope : scopes.execution.scopes) {
        if (!scope.isBody)
            ++m_calls[scope.module];
    }
}

std::optional<CallOrder> RecordedOrders::orderOf(ScopeId scope, const CallBody& body) const
{
    const std::string& module = m_scopes.execution.scope(scope).module;
    const auto signatures = m_signatures.find(module);
    if (signatures == m_signatures.end())
        return std::nullopt;
    std::vector<ValueId> data;
    for (const CallInput& input : body.inputs) {
        if (input.kind == InputKind::Data)
            data.push_back(input.value);
    }
    const bool isOnly = signatures->second.size() == 1 && m_calls.at(module) == 1;
    const auto matched = [&](const std::vector<ValueId>& values, const std::vector<SignatureValue>& recorded) {
        auto places = Matching(m_model, m_scopes, byName).match(values, recorded);
        return places || !isOnly ? places : Matching(m_model, m_scopes, byMaker).match(values, recorded);
    };
    for (const CallSignature* signature : signatures->second) {
        auto inputs = matched(data, signature->inputs);
        auto outputs = matched(body.outputs, signature->outputs);
        if (inputs && outputs)
            return CallOrder{std::move(inputs->places), std::move(inputs->formals), std::move(outputs->places),
                std::move(outputs->formals)};
    }
    return std::nullopt;
}

} // namespace duo
