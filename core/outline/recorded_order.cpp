// SPDX-License-Identifier: Apache-2.0
#include "core/outline/recorded_order.h"

#include "core/interchange/found_quantizers.h"
#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/scope/facts/scope_facts.h"

#include <algorithm>
#include <functional>
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

bool isSameValue(const SignatureValue& one, const SignatureValue& other)
{
    return one.value == other.value && one.isInput == other.isInput && one.module == other.module;
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
        std::vector<const SignatureValue*> recorded; // what is known to be each; null: one of several
    };

    /// Nothing unless each value has one record of its own; a single one needs none.
    /// @param inputs of values that a call gives: what it takes, where the last value and the last record that are
    /// left must be each other's, for all that is read outside is returned; else null
    [[nodiscard]] std::optional<Places> match(const std::vector<ValueId>& values,
        const std::vector<SignatureValue>& recorded, const std::vector<SignatureValue>* inputs = nullptr) const
    {
        std::unordered_map<std::string, std::size_t> placeOf;
        for (std::size_t v = 0; v < values.size(); ++v) {
            if (!placeOf.try_emplace(told(values[v]), v).second)
                return std::nullopt;
        }
        Places found;
        std::vector<const SignatureValue*> taken(values.size());
        std::vector<const SignatureValue*> left;
        for (const SignatureValue& value : recorded) {
            if (m_telling == byMaker && !value.isRead)
                continue;
            const auto place = placeOf.find(m_telling(value.value, value.isInput, value.module));
            if (place == placeOf.end()) { // not read, or not outside
                const auto isIt = [&](const auto& other) { return isSameValue(other, value); };
                if (inputs != nullptr && value.isRead && std::ranges::none_of(*inputs, isIt)
                    && std::ranges::none_of(left, [&](const auto* other) { return isIt(*other); }))
                    left.push_back(&value);
                continue;
            }
            const SignatureValue*& of = taken[place->second];
            if (of != nullptr && of->value == value.value)
                continue; // given for several parameters
            if (of != nullptr && values.size() == 1) {
                found.formals.front().clear(); // it is one of these
                found.recorded.front() = nullptr;
                continue;
            }
            if (of != nullptr || !mayBeSameType(value.type, m_model.value(values[place->second]).type))
                return std::nullopt;
            of = &value;
            found.places.push_back(place->second);
            found.formals.push_back(value.formal);
            found.recorded.push_back(&value);
        }
        if (left.size() == 1 && found.places.size() + 1 == values.size())
            takeLast(values, *left.front(), taken, found);
        if (values.size() == 1 && found.places.empty())
            found = {{0}, {std::string()}, {nullptr}};
        return found.places.size() == values.size() ? std::optional(std::move(found)) : std::nullopt;
    }

    [[nodiscard]] bool isAmong(ValueId value, const std::vector<SignatureValue>& recorded) const
    {
        return std::ranges::any_of(recorded,
            [&](const SignatureValue& one) { return m_telling(one.value, one.isInput, one.module) == told(value); });
    }

    void takeLast(const std::vector<ValueId>& values, const SignatureValue& recorded,
        const std::vector<const SignatureValue*>& taken, Places& found) const
    {
        const auto value = std::ranges::find(taken, nullptr) - taken.begin();
        if (!mayBeSameType(recorded.type, m_model.value(values[static_cast<std::size_t>(value)]).type))
            return;
        const auto place = std::ranges::lower_bound(found.recorded, &recorded, std::less<>()) - found.recorded.begin();
        found.places.insert(found.places.begin() + place, static_cast<std::size_t>(value));
        found.formals.insert(found.formals.begin() + place, recorded.formal);
        found.recorded.insert(found.recorded.begin() + place, &recorded);
    }

    /// Those of `made` that are recorded, and are none of `values`. Nothing is taken for a record where two are alike.
    [[nodiscard]] std::vector<ValueId> recordedAmong(const std::vector<ValueId>& made,
        const std::vector<ValueId>& values, const std::vector<SignatureValue>& recorded) const
    {
        std::unordered_map<std::string, ValueId> known; // invalid: told already, or not to be told apart
        for (const ValueId value : values)
            known[told(value)] = {};
        for (const ValueId value : made) {
            if (passedOn(m_model, value) == value && !known.try_emplace(told(value), value).second)
                known[told(value)] = {};
        }
        std::vector<ValueId> found;
        for (const SignatureValue& value : recorded) {
            const auto one = known.find(m_telling(value.value, value.isInput, value.module));
            if (one == known.end() || !one->second.valid()
                || !mayBeSameType(value.type, m_model.value(one->second).type))
                continue;
            found.push_back(one->second);
            one->second = {};
        }
        return found;
    }

    /// The value of the model that is recorded; invalid if there is none, or it is a constant.
    [[nodiscard]] ValueId valueOf(const SignatureValue& recorded) const
    {
        const ValueId value = m_model.findValue(recorded.value);
        const bool isIt = value.valid() && !heldTensor(m_model, value).valid()
            && told(value) == m_telling(recorded.value, recorded.isInput, recorded.module)
            && m_model.value(value).isInput == recorded.isInput
            && mayBeSameType(recorded.type, m_model.value(value).type);
        return isIt ? value : ValueId();
    }

private:
    [[nodiscard]] std::string told(ValueId id) const
    {
        const Value& value = m_model.value(passedOn(m_model, id));
        std::string module;
        if (value.producer.valid()) {
            const ScopeId scope = m_scopes.nodes[value.producer.index].executionScope;
            module = scope.valid() ? m_scopes.execution.scope(scope).module : std::string();
        }
        return m_telling(value.name, value.isInput, module);
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const Telling m_telling;
};

/// Inputs that are recorded as outputs, too.
std::vector<PassedInput> passedInputs(
    const Matching::Places& inputs, const Matching::Places& outputs, const std::vector<SignatureValue>& recorded)
{
    std::vector<PassedInput> passed;
    if (std::ranges::find(outputs.recorded, nullptr) != outputs.recorded.end())
        return passed; // before which of them it comes nobody says
    std::vector<bool> isTaken(inputs.places.size());
    std::size_t given = 0;
    for (const SignatureValue& value : recorded) {
        const auto isIt = [&](const SignatureValue* input) { return input != nullptr && isSameValue(*input, value); };
        const auto input
            = static_cast<std::size_t>(std::ranges::find_if(inputs.recorded, isIt) - inputs.recorded.begin());
        if (std::ranges::find(outputs.recorded, &value) != outputs.recorded.end()) {
            ++given;
        } else if (input < isTaken.size() && !isTaken[input]) {
            isTaken[input] = true;
            passed.push_back({given++, input, {}, value.formal});
        }
    }
    return passed;
}

std::vector<ValueId> dataOf(const CallBody& body)
{
    std::vector<ValueId> data;
    for (const CallInput& input : body.inputs) {
        if (input.kind == InputKind::Data)
            data.push_back(input.value);
    }
    return data;
}

} // namespace

ValueId passedOn(const Model& model, ValueId id)
{
    while (model.value(id).producer.valid()) {
        const Node& maker = model.node(model.value(id).producer);
        const bool passes = isQuantizer(maker) || has(maker, mark::kDropped);
        if (!passes || maker.inputs.empty() || !maker.inputs.front().valid())
            break;
        id = maker.inputs.front();
    }
    return id;
}

RecordedOrders::RecordedOrders(const Model& model, const Scopes& scopes, const std::vector<CallSignature>& signatures)
    : m_model(model)
    , m_scopes(scopes)
{
    if (signatures.empty())
        return;
    for (const CallSignature& signature : signatures)
        m_signatures[signature.module].push_back(&signature);
    for (const Scope& scope : scopes.execution.scopes) {
        if (!scope.isBody)
            ++m_calls[scope.module];
    }
}

/// The signature of this call, with the places of its values.
struct RecordedOrders::Match {
    const CallSignature* signature = nullptr;
    Matching::Places inputs;
    Matching::Places outputs;
};

std::optional<RecordedOrders::Match> RecordedOrders::matchOf(ScopeId scope, const CallBody& body) const
{
    const std::string& module = m_scopes.execution.scope(scope).module;
    const auto signatures = m_signatures.find(module);
    if (signatures == m_signatures.end())
        return std::nullopt;
    const bool isOnly
        = signatures->second.size() == 1 && m_calls.at(module) == 1 && signatures->second.front()->isClosed;
    const auto matched = [&](const std::vector<ValueId>& values, const std::vector<SignatureValue>& recorded,
                             const std::vector<SignatureValue>* inputs) {
        auto places = Matching(m_model, m_scopes, byName).match(values, recorded, isOnly ? inputs : nullptr);
        return places || !isOnly ? places : Matching(m_model, m_scopes, byMaker).match(values, recorded, inputs);
    };
    for (const CallSignature* signature : signatures->second) {
        auto inputs = matched(dataOf(body), signature->inputs, nullptr);
        auto outputs = matched(body.outputs, signature->outputs, &signature->inputs);
        if (inputs && outputs)
            return Match{signature, *std::move(inputs), *std::move(outputs)};
    }
    return std::nullopt;
}

std::optional<CallOrder> RecordedOrders::orderOf(ScopeId scope, const CallBody& body) const
{
    auto match = matchOf(scope, body);
    if (!match)
        return std::nullopt;
    auto passed = passedInputs(match->inputs, match->outputs, match->signature->outputs);
    return CallOrder{std::move(match->inputs.places), std::move(match->inputs.formals),
        std::move(match->outputs.places), std::move(match->outputs.formals), std::move(passed)};
}

std::vector<std::string> RecordedOrders::formalsOf(ScopeId scope, const CallBody& body) const
{
    const auto match = matchOf(scope, body);
    if (!match)
        return {};
    std::vector<std::string> formals(body.inputs.size());
    std::unordered_map<std::string, std::string> byKey; // "": given for several
    for (const SignatureValue& value : match->signature->inputs) {
        if (!value.isInput && !value.value.empty()) {
            const auto [entry, isNew] = byKey.try_emplace(value.value, value.formal);
            entry->second = isNew ? value.formal : std::string();
        }
    }
    for (std::size_t i = 0; i < formals.size(); ++i) {
        if (body.inputs[i].kind != InputKind::Foreign)
            continue;
        auto known = byKey.find(body.inputs[i].key);
        if (known == byKey.end())
            known = byKey.find(nameBeforeCodes(m_model.value(passedOn(m_model, body.inputs[i].value)).name));
        if (known != byKey.end())
            formals[i] = known->second;
    }
    return formals;
}

std::string RecordedOrders::whyNot(ScopeId scope, const CallBody& body) const
{
    const auto signatures = m_signatures.find(m_scopes.execution.scope(scope).module);
    if (signatures == m_signatures.end())
        return {};
    const Matching matching(m_model, m_scopes, byName);
    const auto isTold = [&](ValueId value, auto list) {
        return std::ranges::any_of(signatures->second,
            [&](const CallSignature* signature) { return matching.isAmong(value, signature->*list); });
    };
    const auto without = [&](ValueId value, const char* what) {
        return "no record of the call has '" + m_model.value(value).name + "' among what it " + what;
    };
    for (const ValueId value : dataOf(body)) {
        if (!isTold(value, &CallSignature::inputs))
            return without(value, "takes");
    }
    for (const ValueId value : body.outputs) {
        if (!isTold(value, &CallSignature::outputs))
            return without(value, "gives");
    }
    return "no record has all that the call takes and gives, each once and of its type";
}

std::vector<std::string> RecordedOrders::dissolved() const
{
    std::vector<std::string> modules;
    for (const auto& [module, signatures] : m_signatures) {
        if (!m_calls.contains(module))
            modules.push_back(module);
    }
    std::ranges::sort(modules);
    return modules;
}

std::vector<ValueId> RecordedOrders::unreadOutputs(
    ScopeId scope, const CallBody& body, const std::vector<ValueId>& made) const
{
    const auto match = matchOf(scope, body);
    if (!match)
        return {};
    auto unread = Matching(m_model, m_scopes, byName).recordedAmong(made, body.outputs, match->signature->outputs);
    CallBody whole = body;
    whole.outputs.insert(whole.outputs.end(), unread.begin(), unread.end());
    const auto of = matchOf(scope, whole);
    return of && of->signature == match->signature ? unread : std::vector<ValueId>();
}

std::vector<ValueId> RecordedOrders::unreadInputs(ScopeId scope, const CallBody& body) const
{
    const auto match = matchOf(scope, body);
    if (!match)
        return {};
    const auto isAmong = [](const SignatureValue& value, const auto& list) {
        return std::ranges::any_of(list, [&](const auto& other) { return isSameValue(other, value); });
    };
    const auto isMatched = [](const SignatureValue& value, const Matching::Places& places) {
        return std::ranges::any_of(
            places.recorded, [&](const auto* other) { return other != nullptr && isSameValue(*other, value); });
    };
    const Matching matching(m_model, m_scopes, byName);
    std::vector<ValueId> unread;
    for (const SignatureValue& value : match->signature->inputs) {
        if (!isAmong(value, match->signature->outputs) || isMatched(value, match->inputs)
            || isMatched(value, match->outputs))
            continue;
        const ValueId known = matching.valueOf(value);
        if (known.valid() && std::ranges::find(unread, known) == unread.end())
            unread.push_back(known);
    }
    return unread;
}

} // namespace duo
