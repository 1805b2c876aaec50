// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/call_evidence.h"

#include "core/scope/trees/call_reasons.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::size_t kMostNeighbours = 8;

class CallEvidence
{
public:
    CallEvidence(const Model& model, const Scopes& scopes, NodeId node)
        : m_model(model)
        , m_scopes(scopes)
        , m_facts(*scopes.facts)
        , m_node(node)
    {
        for (CallId id = m_facts.tree.callOf[node.index]; call(id).parent.valid(); id = call(id).parent)
            m_stack.push_back(id);
        std::reverse(m_stack.begin(), m_stack.end());
    }

    void add(ReasonEvidence& evidence) const
    {
        evidence.from = m_scopes.nodes[m_node.index].executionFrom;
        switch (evidence.reason) {
        case Reason::ForeignCall:
            addForeign(evidence);
            break;
        case Reason::SharedModule:
            addShared(evidence);
            break;
        case Reason::ExporterMade:
            addNeighbours(evidence);
            return;
        default:
            addSkipped(evidence);
            break;
        }
        addRecord(evidence);
    }

private:
    const Call& call(CallId id) const { return m_facts.tree.calls[id.index]; }
    ScopeId scopeOf(CallId id) const { return m_facts.scopeOfCall[id.index]; }

    void addForeign(ReasonEvidence& evidence) const
    {
        for (const CallId id : m_stack) {
            if (!call(id).isForeign)
                continue;
            evidence.calls.push_back(scopeOf(id));
            evidence.modules.push_back(m_facts.paths.text(call(id).module));
        }
    }

    /// Modules from the outermost; calls of the innermost of them.
    void addShared(ReasonEvidence& evidence) const
    {
        const std::vector<bool> holds = modulesWithParameters(m_facts);
        PathId innermost;
        for (const CallId id : m_stack) {
            const PathId module = call(id).module;
            if (m_facts.tree.runs[module.index] < 2 || !holds[module.index])
                continue;
            innermost = module;
            evidence.modules.push_back(m_facts.paths.text(module));
        }
        for (std::size_t c = 0; c < m_facts.tree.calls.size(); ++c) {
            if (innermost.valid() && m_facts.tree.calls[c].module == innermost)
                evidence.calls.push_back(scopeOf(CallId(c)));
        }
    }

    void addSkipped(ReasonEvidence& evidence) const
    {
        for (const CallId id : m_stack) {
            bool isSpecial = false;
            for (const PathId path : skippedModules(m_facts, call(id))) {
                if (isBypassed(m_facts, path) != (evidence.reason == Reason::BypassedCall))
                    continue;
                evidence.modules.push_back(m_facts.paths.text(path));
                isSpecial = true;
            }
            if (isSpecial)
                evidence.calls.push_back(scopeOf(id));
        }
        if (evidence.calls.empty() && !m_stack.empty())
            evidence.calls.push_back(scopeOf(m_stack.back()));
    }

    /// Who reads the node, else what it reads.
    void addNeighbours(ReasonEvidence& evidence) const
    {
        const Node& node = m_model.node(m_node);
        for (const ValueId output : node.outputs) {
            if (!output.valid())
                continue;
            for (const Use& use : m_model.value(output).uses)
                addNeighbour(evidence, use.node);
        }
        for (const ValueId input : node.inputs) {
            if (evidence.nodes.empty() && input.valid() && m_model.value(input).producer.valid())
                addNeighbour(evidence, m_model.value(input).producer);
        }
        evidence.calls.push_back(m_scopes.nodes[m_node.index].executionScope);
    }

    static void addNeighbour(ReasonEvidence& evidence, NodeId node)
    {
        const bool isNew = std::find(evidence.nodes.begin(), evidence.nodes.end(), node) == evidence.nodes.end();
        if (isNew && evidence.nodes.size() < kMostNeighbours)
            evidence.nodes.push_back(node);
    }

    void addRecord(ReasonEvidence& evidence) const
    {
        static constexpr std::array<std::string_view, 3> kKeys{
            "pkg.torch.onnx.name_scopes", "namespace", "nn_module_stack"};
        for (const std::string_view key : kKeys) {
            const std::string_view value = metadataValue(m_model.node(m_node).metadata, key);
            if (value.empty())
                continue;
            evidence.recorded.emplace_back(key, value);
            return;
        }
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const ScopeFacts& m_facts;
    NodeId m_node;
    std::vector<CallId> m_stack; // outermost first, without the root
};

} // namespace

void addCallEvidence(const Model& model, const Scopes& scopes, NodeId node, ReasonEvidence& evidence)
{
    CallEvidence(model, scopes, node).add(evidence);
}

} // namespace duo
