// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/read_evidence.h"

#include "core/scope/parameters/parameter_origins.h"

#include <algorithm>

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
            addRecord(evidence, m_model.node(read.reader).metadata, "pkg.torch.onnx.fx_node");
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

} // namespace

void addReadEvidence(
    const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources, ReasonEvidence& evidence)
{
    ReadEvidence(model, scopes, node, sources).add(evidence);
}

} // namespace duo
