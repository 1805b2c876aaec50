// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/evidence.h"

#include "core/scope/facts/python_text.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/parameters/parameter_origins.h"
#include "core/scope/trees/call_reasons.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

template <typename T> void addOnce(std::vector<T>& items, T item)
{
    if (std::find(items.begin(), items.end(), item) == items.end())
        items.push_back(std::move(item));
}

class ReadEvidence
{
public:
    ReadEvidence(const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources)
        : m_model(model)
        , m_facts(*scopes.facts)
        , m_matches(sources.matches)
        , m_node(node)
    {
    }

    void add(ReasonEvidence& evidence) const
    {
        if (evidence.reason == Reason::MergedCalls)
            return addMerged(evidence);
        if (evidence.reason == Reason::UnregisteredModule)
            return addUnregistered(evidence);
        evidence.from = Provenance::Recorded;
        for (const ParameterRead& read : m_facts.parameters.reads[m_node.index]) {
            if (speaksFor(evidence.reason, read))
                addRead(evidence, read);
        }
        if (evidence.reason == Reason::EqualValues)
            addIdentities(evidence);
        if (evidence.reason == Reason::FoldedProducers || evidence.reason == Reason::RenamedTensor)
            addRecord(evidence, m_model.node(m_node).metadata, "pkg.onnxscript.rewriter.rule_name");
    }

private:
    const Parameters& parameters() const { return m_facts.parameters; }
    PathId running() const { return m_facts.tree.calls[m_facts.tree.callOf[m_node.index].index].module; }

    bool speaksFor(Reason reason, const ParameterRead& read) const
    {
        const bool isForeign = read.owner.valid() && read.owner != running();
        switch (reason) {
        case Reason::RenamedTensor:
            return read.isRenamed;
        case Reason::EqualValues:
            return read.isEqualValues;
        case Reason::FoldedProducers:
            return read.owner.valid();
        case Reason::AliasedParameter:
            return read.key != kNoKey && (parameters().hasSeveralKeys(read.key) || isForeign);
        default:
            return isForeign && !read.isFolded;
        }
    }

    void addRead(ReasonEvidence& evidence, const ParameterRead& read) const
    {
        evidence.from = std::max(evidence.from, read.from);
        if (read.owner.valid())
            addOnce(evidence.modules, m_facts.paths.text(read.owner));
        if (read.key != kNoKey && evidence.reason == Reason::AliasedParameter)
            addAllKeys(evidence, parameters().key(read.key).first);
        else if (read.key != kNoKey)
            addOnce(evidence.keys, parameters().key(read.key).label);
        if (!read.tensor.valid())
            return;
        addOnce(evidence.tensors, read.tensor);
        const ValueId value = m_model.findValue(m_model.tensor(read.tensor).name);
        if (value.valid() && read.isRenamed)
            addRecord(evidence, m_model.value(value).metadata, "pkg.onnxscript.optimizer.folded_from");
        const ContentMatch* match = m_matches != nullptr ? m_matches->find(read.tensor, m_node) : nullptr;
        for (std::size_t i = 0; match != nullptr && i < match->evidence.size(); ++i)
            addOnce(evidence.findings, match->evidence[i]);
    }

    void addAllKeys(ReasonEvidence& evidence, std::int32_t first) const
    {
        for (std::int32_t k = first; k != kNoKey; k = parameters().key(k).next)
            addOnce(evidence.keys, parameters().key(k).label);
    }

    /// Nodes that give the key's name to the values of another.
    void addIdentities(ReasonEvidence& evidence) const
    {
        for (const ValueId input : m_model.node(m_node).inputs) {
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (producer.valid() && isIdentityAlias(m_model, m_model.node(producer)))
                addOnce(evidence.nodes, producer);
        }
    }

    void addMerged(ReasonEvidence& evidence) const
    {
        evidence.from = Provenance::Dataflow;
        for (const MergedRead& read : m_facts.merged) {
            if (read.producer != m_node)
                continue;
            addOnce(evidence.nodes, read.reader);
            if (read.name.empty())
                continue;
            evidence.from = Provenance::Recorded;
            addRecord(evidence, m_model.node(read.reader).metadata, kFxNode);
        }
    }

    void addUnregistered(ReasonEvidence& evidence) const
    {
        for (const ValueId input : m_model.node(m_node).inputs) {
            if (input.valid() && m_model.value(input).initializer.valid())
                addOnce(evidence.tensors, m_model.value(input).initializer);
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (producer.valid() && m_model.node(producer).opType == "Constant")
                addOnce(evidence.nodes, producer);
        }
        evidence.modules.push_back(m_facts.paths.text(running()));
        if (!m_facts.frames[m_node.index].isPastForward)
            return;
        for (const char* key : {"pkg.torch.onnx.stack_trace", "stack_trace"})
            addRecord(evidence, m_model.node(m_node).metadata, key);
    }

    static void addRecord(ReasonEvidence& evidence, const Metadata& metadata, std::string_view key)
    {
        const std::string_view value = metadataValue(metadata, key);
        if (!value.empty())
            addOnce(evidence.recorded, {std::string(key), std::string(value)});
    }

    const Model& m_model;
    const ScopeFacts& m_facts;
    const ContentMatches* m_matches;
    NodeId m_node;
};

/// Fills `evidence` for aliased-parameter, functional-use, folded-producers, renamed-tensor, equal-values,
/// unregistered-module and merged-calls.
void addReadEvidence(
    const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources, ReasonEvidence& evidence)
{
    ReadEvidence(model, scopes, node, sources).add(evidence);
}

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

/// Fills `evidence` for foreign-call, shared-module, container-skipped, bypassed-call and exporter-made.
void addCallEvidence(const Model& model, const Scopes& scopes, NodeId node, ReasonEvidence& evidence)
{
    CallEvidence(model, scopes, node).add(evidence);
}

bool isOfCalls(Reason reason)
{
    return reason == Reason::ForeignCall || reason == Reason::SharedModule || reason == Reason::ContainerSkipped
        || reason == Reason::BypassedCall || reason == Reason::ExporterMade;
}

} // namespace

std::vector<ReasonEvidence> explainDifference(
    const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources)
{
    std::vector<ReasonEvidence> all;
    for (const Reason reason : scopes.nodes[node.index].reasons) {
        ReasonEvidence evidence;
        evidence.reason = reason;
        if (!scopes.facts)
            evidence.from = scopes.nodes[node.index].executionFrom;
        else if (isOfCalls(reason))
            addCallEvidence(model, scopes, node, evidence);
        else
            addReadEvidence(model, scopes, node, sources, evidence);
        all.push_back(std::move(evidence));
    }
    return all;
}

} // namespace duo
