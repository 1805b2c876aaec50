// SPDX-License-Identifier: Apache-2.0
#include "core/outline/call_scopes.h"

#include "core/onnx/outlined_model.h"
#include "core/outline/node_flow.h"
#include "core/outline/recorded_order.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr ScopeId kRoot = ScopeId(0);

/// The calls of a model, as scopes.
class CallsAsScopes
{
public:
    explicit CallsAsScopes(const Model& model)
        : m_model(model)
        , m_ofRegion(model.regions.size(), kRoot)
        , m_depths(1, 0)
        , m_calls(1)
    {
        tree.scopes.emplace_back();
        tree.index.emplace(std::string(), kRoot);
        for (std::size_t r = 1; r < model.regions.size(); ++r) {
            const NodeId owner = model.regions[r].owner;
            const ScopeId around = m_ofRegion[model.node(owner).region.index];
            m_ofRegion[r] = model.node(owner).isCall ? add(owner, around) : around;
        }
    }

    ScopeTree tree;
    FunctionsBefore functions; // but for signatures

    [[nodiscard]] ScopeId around(NodeId node) const { return m_ofRegion[m_model.node(node).region.index]; }
    [[nodiscard]] NodeId callOf(ScopeId scope) const { return m_calls[scope.index]; }

    [[nodiscard]] bool isWithin(ScopeId below, ScopeId above) const { return common(below, above) == above; }

    /// The innermost call around both. O(nesting)
    [[nodiscard]] ScopeId common(ScopeId a, ScopeId b) const
    {
        while (a != b) {
            ScopeId& deeper = m_depths[a.index] >= m_depths[b.index] ? a : b;
            deeper = tree.scope(deeper).parent;
        }
        return a;
    }

private:
    ScopeId add(NodeId call, ScopeId parent)
    {
        const Node& node = m_model.node(call);
        const ScopeId id(tree.scopes.size());
        Scope& scope = tree.scopes.emplace_back();
        const std::string& above = tree.scope(parent).path;
        scope.name = node.localName.empty() ? node.opType : node.localName;
        scope.path = above.empty() ? scope.name : above + "/" + scope.name;
        scope.className = node.domain.empty() ? node.opType : node.domain + "." + node.opType;
        scope.module = node.name; // no key lies below it: parameters are named as they are in all calls
        scope.parent = parent;
        tree.index.emplace(scope.path, id);
        tree.scopes[parent.index].children.push_back(id);
        if (!node.domain.empty())
            functions.names.emplace(scope.className, std::pair(node.domain, node.opType));
        m_depths.push_back(m_depths[parent.index] + 1);
        m_calls.push_back(call);
        return id;
    }

    const Model& m_model;
    std::vector<ScopeId> m_ofRegion; // [regions] the innermost call around
    std::vector<int> m_depths; // [scopes]
    std::vector<NodeId> m_calls; // [scopes]
};

/// Which call each node of a model without calls belongs to.
class Placing
{
public:
    Placing(const Model& model, const Model& before, const CallsAsScopes& calls)
        : m_model(model)
        , m_before(before)
        , m_calls(calls)
        , m_places(model.nodes.size())
    {
    }

    [[nodiscard]] std::vector<ScopeId> run()
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n)
            m_places[n] = known(m_model.nodes[n]);
        const NodeFlow flow(m_model);
        std::vector<std::vector<std::uint32_t>> readers(flow.nodes.size());
        for (std::uint32_t n = 0; n < flow.nodes.size(); ++n)
            flow.eachRead(m_model, n, [&](ValueId value) {
                if (flow.makerOf[value.index])
                    readers[*flow.makerOf[value.index]].push_back(n);
            });
        std::vector<ScopeId> makers; // [NodeFlow::nodes] the call a node stands in, else that of its data
        for (const NodeId id : flow.nodes)
            makers.push_back(m_places[id.index] ? *m_places[id.index] : madeIn(id, flow, makers));
        for (std::size_t n = flow.nodes.size(); n-- > 0;) {
            const NodeId id = flow.nodes[n];
            if (!m_places[id.index])
                m_places[id.index] = placeFor(id, makers[n], around(id, flow, makers), flow, readers[n]);
        }
        std::vector<ScopeId> places;
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n)
            places.push_back(m_places[n].value_or(*m_places[flow.nodes[flow.placeOf[n]].index]));
        return places;
    }

private:
    [[nodiscard]] std::optional<ScopeId> known(const Node& node) const
    {
        if (const NodeId was = nodeBefore(m_before, node); was.valid())
            return m_calls.around(was);
        for (const std::string_view part : fusedNames(node)) {
            if (const NodeId was = m_before.findNode(part); was.valid())
                return m_calls.around(was);
        }
        return std::nullopt;
    }

    /// The call that made the data that a node works on.
    [[nodiscard]] ScopeId madeIn(NodeId id, const NodeFlow& flow, const std::vector<ScopeId>& makers) const
    {
        const Node& node = m_model.node(id);
        const ValueId data = node.inputs.empty() ? ValueId() : node.inputs.front();
        const auto maker = data.valid() ? flow.makerOf[data.index] : std::nullopt;
        return maker && isBeside(flow.nodes[*maker], id) ? makers[*maker] : around(id, flow, makers);
    }

    [[nodiscard]] bool isBeside(NodeId a, NodeId b) const { return m_model.node(a).region == m_model.node(b).region; }

    /// The call that the node stands in to whose body this one belongs.
    [[nodiscard]] ScopeId around(NodeId id, const NodeFlow& flow, const std::vector<ScopeId>& makers) const
    {
        const NodeId owner = m_model.region(m_model.node(id).region).owner;
        return owner.valid() ? makers[flow.placeOf[owner.index]] : kRoot;
    }

    /// @param maker of the data that the node works on @param outside where the graph that it stands in is
    [[nodiscard]] ScopeId placeFor(NodeId id, ScopeId maker, ScopeId outside, const NodeFlow& flow,
        const std::vector<std::uint32_t>& readers) const
    {
        std::vector<ScopeId> wanted;
        for (const std::uint32_t reader : readers) {
            if (isBeside(flow.nodes[reader], id))
                wanted.push_back(*m_places[flow.nodes[reader].index]);
        }
        for (const ValueId output : m_model.node(id).outputs) {
            if (output.valid() && m_model.value(output).isOutput)
                wanted.push_back(outside);
        }
        ScopeId back = outside; // where what is made inside would else come back to
        for (const ScopeId reader : wanted) {
            const ScopeId both = m_calls.common(maker, reader);
            back = m_calls.isWithin(both, back) ? both : back;
        }
        std::optional<ScopeId> place;
        for (const ScopeId reader : wanted) {
            if (m_calls.isWithin(reader, back))
                place = place ? m_calls.common(*place, reader) : reader;
        }
        return place.value_or(maker);
    }

    const Model& m_model;
    const Model& m_before;
    const CallsAsScopes& m_calls;
    std::vector<std::optional<ScopeId>> m_places; // [nodes]
};

/// What calls take and give, by the values that these are now.
class Signatures
{
public:
    Signatures(const Model& model, const Model& before, const CallsAsScopes& calls, const std::vector<ScopeId>& places)
        : m_model(model)
        , m_before(before)
        , m_calls(calls)
        , m_places(places)
    {
        for (std::size_t n = 0; n < model.nodes.size(); ++n) {
            if (const NodeId was = nodeBefore(before, model.nodes[n]); was.valid())
                m_now.emplace(was, NodeId(n));
        }
        for (std::size_t r = 1; r < before.regions.size(); ++r)
            m_bodyOf.emplace(before.regions[r].owner, RegionId(r));
        for (LocalFunction& function : localFunctions(before))
            m_functions.emplace(std::pair(function.domain, function.name), std::move(function));
    }

    [[nodiscard]] std::vector<CallSignature> all()
    {
        std::vector<CallSignature> signatures;
        for (std::size_t s = 1; s < m_calls.tree.scopes.size(); ++s) {
            const Node& call = m_before.node(m_calls.callOf(ScopeId(s)));
            const auto function = m_functions.find({call.domain, call.opType});
            if (function == m_functions.end())
                continue;
            signatures.push_back({m_calls.tree.scopes[s].module, valuesOf(call.inputs, function->second.inputs),
                valuesOf(givenBy(m_calls.callOf(ScopeId(s))), function->second.outputs), true});
        }
        return signatures;
    }

private:
    /// What a call gives; where it leaves an output open, because it is an input given back, that input.
    [[nodiscard]] std::vector<ValueId> givenBy(NodeId id) const
    {
        const Node& call = m_before.node(id);
        const auto& inside = m_before.region(m_bodyOf.at(id)).outputs;
        std::vector<ValueId> given = call.outputs;
        given.resize(inside.size());
        for (std::size_t o = 0; o < given.size(); ++o) {
            const NodeId maker = m_before.value(inside[o]).producer;
            if (given[o].valid() || !maker.valid() || m_before.node(maker).opType != "Identity")
                continue;
            const ValueId input = m_before.node(maker).inputs.front();
            if (std::ranges::find(call.inputs, input) != call.inputs.end())
                given[o] = input;
        }
        return given;
    }

    [[nodiscard]] std::vector<SignatureValue> valuesOf(
        const std::vector<ValueId>& values, const std::vector<std::string>& formals)
    {
        std::vector<SignatureValue> told;
        for (std::size_t v = 0; v < values.size() && v < formals.size(); ++v) {
            if (values[v].valid())
                told.push_back(valueOf(values[v], formals[v]));
        }
        return told;
    }

    [[nodiscard]] SignatureValue valueOf(ValueId id, const std::string& formal)
    {
        const Value* value = &m_before.value(passedOn(m_before, id));
        SignatureValue told;
        told.formal = formal;
        if (!value->producer.valid()) {
            told.value = value->name;
            told.isInput = value->isInput;
            return told;
        }
        const auto maker = m_now.find(value->producer);
        const ValueId now = maker == m_now.end() || value->producerPort >= m_model.node(maker->second).outputs.size()
            ? ValueId()
            : m_model.node(maker->second).outputs[value->producerPort];
        told.value = now.valid() ? m_model.value(now).name : kNoValue + std::to_string(++m_lost);
        if (now.valid())
            told.module = m_calls.tree.scope(m_places[maker->second.index]).module;
        return told;
    }

    const Model& m_model;
    const Model& m_before;
    const CallsAsScopes& m_calls;
    const std::vector<ScopeId>& m_places;
    std::unordered_map<NodeId, NodeId> m_now; // by the node it was
    std::unordered_map<NodeId, RegionId> m_bodyOf; // calls; of other nodes one of their bodies
    std::map<std::pair<std::string, std::string>, LocalFunction> m_functions;
    int m_lost = 0; // values that are no more
};

} // namespace

CallScopes callScopes(const Model& model, const Scopes& scopes, const ModelWithCalls& before)
{
    CallsAsScopes calls(before.model);
    const std::vector<ScopeId> places = Placing(model, before.model, calls).run();
    CallScopes result;
    result.scopes = scopes;
    calls.functions.signatures = Signatures(model, before.model, calls, places).all();
    for (std::size_t n = 0; n < places.size(); ++n)
        result.scopes.nodes[n].executionScope = places[n];
    for (std::size_t s = 1; s < calls.tree.scopes.size(); ++s)
        result.ranIn.emplace(calls.tree.scopes[s].path, before.scopes.nodes[calls.callOf(ScopeId(s)).index].execution);
    result.functions = std::move(calls.functions);
    result.scopes.execution = std::move(calls.tree);
    return result;
}

} // namespace duo
