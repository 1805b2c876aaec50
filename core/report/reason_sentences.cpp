// SPDX-License-Identifier: Apache-2.0
#include "core/report/reason_sentences.h"

#include "core/scope/facts/scope_facts.h"

#include <algorithm>

namespace duo {
namespace {

std::string moduleText(const std::string& name)
{
    return name.empty() ? "the model itself" : "'" + name + "'";
}

/// Writes the sentence of one reason.
class ReasonWriter
{
public:
    ReasonWriter(const Model& model, const Scopes& scopes, NodeId node, const ReasonEvidence& evidence)
        : m_model(model)
        , m_scopes(scopes)
        , m_id(node)
        , m_node(scopes.nodes[node.index])
        , m_evidence(evidence)
    {
    }

    std::string sentence() const
    {
        switch (m_evidence.reason) {
        case Reason::AliasedParameter:
            return aliased();
        case Reason::BypassedCall:
            return bypassed();
        case Reason::ContainerSkipped:
            return quotedList(m_evidence.modules) + (m_evidence.modules.size() > 1 ? " are" : " is")
                + " not called: " + caller() + " calls what is inside one by one";
        case Reason::EqualValues:
            return equalValues();
        case Reason::ExporterMade:
            return exporterMade();
        case Reason::FoldedProducers:
            return folded();
        case Reason::ForeignCall:
            return foreign();
        case Reason::FunctionalUse:
            return functional();
        case Reason::MergedCalls:
            return merged();
        case Reason::RenamedTensor:
            return renamed();
        case Reason::SharedModule:
            return shared();
        case Reason::UnregisteredModule:
            return unregistered();
        }
        return {};
    }

private:
    const Scope& call(ScopeId id) const { return m_scopes.execution.scope(id); }
    std::string guessed() const { return m_evidence.from == Provenance::Guess ? " (a guess)" : ""; }

    std::string caller() const
    {
        if (m_evidence.calls.empty())
            return "the caller";
        const ScopeId parent = call(m_evidence.calls.front()).parent;
        return parent.valid() ? moduleText(call(parent).path) : "the caller";
    }

    std::string callList() const
    {
        std::vector<std::string> paths;
        for (const ScopeId id : m_evidence.calls)
            paths.push_back(call(id).path);
        return quotedList(paths);
    }

    std::string tensorList() const
    {
        std::vector<std::string> names;
        for (const TensorId id : m_evidence.tensors)
            names.push_back(m_model.tensor(id).name);
        return quotedList(names);
    }

    std::string nodeList() const
    {
        std::vector<std::string> names;
        for (const NodeId id : m_evidence.nodes)
            names.push_back(m_model.node(id).name);
        return quotedList(names);
    }

    std::string found() const { return m_evidence.findings.empty() ? "" : ": " + m_evidence.findings.front(); }

    /// "'a' is also 'b', and 'c' is also 'd'": one pair of names per tensor.
    std::string aliasGroups() const
    {
        const Parameters& parameters = m_scopes.facts->parameters;
        std::vector<std::int32_t> firsts;
        for (const ParameterRead& read : parameters.reads[m_id.index]) {
            if (read.key != kNoKey && parameters.hasSeveralKeys(read.key)
                && std::find(firsts.begin(), firsts.end(), parameters.key(read.key).first) == firsts.end())
                firsts.push_back(parameters.key(read.key).first);
        }
        std::string text;
        for (const std::int32_t first : firsts) {
            std::vector<std::string> others;
            for (std::int32_t k = parameters.key(first).next; k != kNoKey; k = parameters.key(k).next)
                others.push_back(parameters.key(k).label);
            text += (text.empty() ? "" : "; ") + moduleText(parameters.key(first).label) + " is also "
                + quotedList(others);
        }
        return text;
    }

    std::string aliased() const
    {
        if (m_evidence.keys.size() > 1)
            return aliasGroups() + ": a tensor with several names belongs to the first of them, so to "
                + quotedList(m_evidence.modules);
        return moduleText(m_node.execution) + " keeps nothing under its own name: it shares "
            + quotedList(m_evidence.keys) + " of " + quotedList(m_evidence.modules) + guessed();
    }

    std::string bypassed() const
    {
        if (m_evidence.modules.empty())
            return "the program calls the forward of the module itself, which leaves no trace of the call; the node "
                   "seems to run in "
                + moduleText(m_node.execution);
        return quotedList(m_evidence.modules) + (m_evidence.modules.size() > 1 ? " were" : " was")
            + " not called, only something inside, from " + caller();
    }

    std::string equalValues() const
    {
        const std::string what = m_evidence.keys.empty() ? "the parameter" : quotedList(m_evidence.keys);
        return what + (m_evidence.keys.size() > 1 ? " have" : " has")
            + " the values of another one, and the file keeps them once, as " + tensorList();
    }

    std::string functional() const
    {
        const std::string what = m_evidence.keys.empty() ? "a parameter" : quotedList(m_evidence.keys);
        const std::string runs = moduleText(m_node.execution) + " runs and works with ";
        const std::string whose = what + " of " + quotedList(m_evidence.modules) + guessed();
        if (!metadataValue(m_evidence.recorded, "pkg.onnxscript.optimizer.folded_from").empty())
            return runs + "what the exporter computed ahead from " + whose;
        return runs + whose + " without calling that module";
    }

    std::string exporterMade() const
    {
        std::string text = "the exporter made this node and says of no module that it runs there";
        if (m_evidence.nodes.empty())
            return text + "; nothing around it tells more";
        return text + "; it is placed with " + nodeList();
    }

    std::string folded() const
    {
        std::string text = "the exporter put several modules into one node: " + quotedList(m_evidence.modules);
        if (!m_evidence.tensors.empty())
            text += " went into " + tensorList();
        return text + guessed() + found();
    }

    std::string foreign() const
    {
        std::string text;
        for (std::size_t i = 0; i < m_evidence.calls.size(); ++i) {
            const ScopeId parent = call(m_evidence.calls[i]).parent;
            text += (i > 0 ? "; " : "") + moduleText(parent.valid() ? call(parent).path : "") + " calls "
                + moduleText(m_evidence.modules[i]) + ", which it does not contain";
        }
        return text;
    }

    std::string merged() const
    {
        const std::string readers = m_evidence.nodes.empty() ? "" : ", which " + nodeList() + " read before";
        if (m_evidence.from == Provenance::Recorded)
            return "it stands for an equal operation too that the exporter dropped" + readers;
        return "it seems to stand for several equal calls that the exporter merged: " + nodeList()
            + (m_evidence.nodes.size() > 1 ? " read" : " reads") + " the result where another one is expected";
    }

    std::string renamed() const
    {
        std::string text = "the exporter renamed, transposed or repacked the parameter";
        if (!m_evidence.tensors.empty())
            text = "the file calls the parameter " + tensorList();
        if (m_evidence.modules.empty())
            return text + "; its owner is not known";
        if (m_evidence.from == Provenance::Guess)
            return text + "; that it belongs to " + quotedList(m_evidence.modules) + " is a guess";
        text += m_evidence.keys.empty() ? "; it belongs to " + quotedList(m_evidence.modules)
                                        : "; it is " + quotedList(m_evidence.keys);
        if (m_evidence.from == Provenance::Dataflow)
            text += ", for the bias beside it does";
        return text + found();
    }

    std::string shared() const
    {
        std::string text = m_evidence.modules.empty() ? "a module around it" : moduleText(m_evidence.modules.back());
        text
            += " runs " + std::to_string(m_evidence.calls.size()) + " times with the same parameters: as " + callList();
        if (m_evidence.modules.size() > 1) {
            const std::vector<std::string> outer(m_evidence.modules.begin(), m_evidence.modules.end() - 1);
            text += "; " + quotedList(outer) + " around it " + (outer.size() > 1 ? "run" : "runs") + " repeatedly, too";
        }
        return text;
    }

    std::string unregistered() const
    {
        if (m_evidence.recorded.empty())
            return "its weight is a constant that no key leads to: the module that ran here is not registered in "
                + quotedList(m_evidence.modules);
        return "one more module ran here than the record names: it is not registered in "
            + quotedList(m_evidence.modules);
    }

    const Model& m_model;
    const Scopes& m_scopes;
    NodeId m_id;
    const NodeScope& m_node;
    const ReasonEvidence& m_evidence;
};

} // namespace

std::string quotedList(const std::vector<std::string>& items, std::size_t most)
{
    std::string text;
    const std::size_t shown = items.size() > most ? most : items.size();
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0)
            text += i + 1 == items.size() ? " and " : ", ";
        text += moduleText(items[i]);
    }
    if (shown < items.size())
        text += " and " + std::to_string(items.size() - shown) + " more";
    return text;
}

std::string_view reasonMeaning(Reason reason)
{
    switch (reason) {
    case Reason::AliasedParameter:
        return "the parameter read has several names";
    case Reason::BypassedCall:
        return "the module was used without being called";
    case Reason::ContainerSkipped:
        return "a container on the way is not called itself";
    case Reason::EqualValues:
        return "several parameters hold equal values, so the owner is one of them";
    case Reason::ExporterMade:
        return "the exporter made this node";
    case Reason::FoldedProducers:
        return "several modules were folded into this node";
    case Reason::ForeignCall:
        return "a module is called by one that does not contain it";
    case Reason::FunctionalUse:
        return "the parameter belongs to a module that is not the one running";
    case Reason::MergedCalls:
        return "several calls were merged into one";
    case Reason::RenamedTensor:
        return "the exporter renamed or repacked the parameter";
    case Reason::SharedModule:
        return "a module that holds parameters runs more than once";
    case Reason::UnregisteredModule:
        return "the module that runs is not registered in its parent";
    }
    return {};
}

std::string reasonSentence(const Model& model, const Scopes& scopes, NodeId node, const ReasonEvidence& evidence)
{
    const bool hasEvidence = !evidence.nodes.empty() || !evidence.tensors.empty() || !evidence.keys.empty()
        || !evidence.modules.empty() || !evidence.calls.empty();
    if (!hasEvidence)
        return std::string(reasonMeaning(evidence.reason));
    return ReasonWriter(model, scopes, node, evidence).sentence();
}

} // namespace duo
