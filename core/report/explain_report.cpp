// SPDX-License-Identifier: Apache-2.0
#include "core/report/explain_report.h"

#include "core/quantize/counterfactual.h"
#include "core/report/decision_sentences.h"
#include "core/report/decisions_below.h"
#include "core/report/execution_doubt.h"
#include "core/report/inspect_report.h"
#include "core/report/port_report.h"
#include "core/report/reason_sentences.h"
#include "core/report/scopes_report.h"
#include "core/rules/near_names.h"
#include "core/scope/counterparts.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/trees/evidence.h"

#include <algorithm>
#include <map>
#include <optional>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// Writes what is known of one node or scope.
class Explainer
{
public:
    explicit Explainer(const Known& known)
        : m_model(known.model)
        , m_scopes(known.scopes)
        , m_known(known)
    {
        if (known.placement != nullptr && known.hits != nullptr && known.base != nullptr && known.unruled != nullptr)
            m_counterfactuals.emplace(
                known.model, known.scopes, *known.base, *known.hits, *known.placement, *known.unruled);
    }

    Json node(NodeId id)
    {
        Json json = nodeScopeJson(m_model.node(id), m_scopes.nodes[id.index]);
        if (std::string doubt = executionDoubt(m_model, m_scopes, id); !doubt.empty())
            json["doubt"] = std::move(doubt);
        json["never_runs"] = m_scopes.execution.scope(m_scopes.nodes[id.index].executionScope).neverRuns;
        json["parameters"] = Json::array();
        for (const ParameterRead& read : m_scopes.facts->parameters.reads[id.index])
            json["parameters"].push_back(parameter(read));
        json["inputs"] = portsJson(m_model, m_model.node(id).inputs, m_known.types);
        json["outputs"] = portsJson(m_model, m_model.node(id).outputs, m_known.types);
        json["reasons"] = reasons(id);
        json["decision"] = decision(id);
        json["in_halves"] = inHalves(id);
        return json;
    }

    Json executionScope(ScopeId id)
    {
        const Scope& scope = m_scopes.execution.scope(id);
        Json json = common(scope);
        json["module"] = scope.module;
        json["is_body"] = scope.isBody;
        json["never_runs"] = scope.neverRuns;
        json["counterparts"] = paths(m_scopes.storage, storageCounterparts(m_scopes, id));
        addBelow(json, nodesBelow(m_scopes.execution, id));
        return json;
    }

    Json storageScope(ScopeId id)
    {
        const Scope& scope = m_scopes.storage.scope(id);
        Json json = common(scope);
        json["calls"] = scope.calls;
        json["module"] = scope.module;
        json["other_paths"] = paths(m_scopes.storage, otherPaths(m_scopes, id));
        json["never_executed"] = neverExecutedBelow(m_scopes, id);
        json["keys"] = Json::array();
        const Parameters& parameters = m_scopes.facts->parameters;
        for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
            if (m_scopes.facts->paths.text(parameters.keys[k].owner) == scope.path)
                json["keys"].push_back(key(static_cast<std::int32_t>(k)));
        }
        json["counterparts"] = paths(m_scopes.execution, executionCounterparts(m_scopes, id));
        addBelow(json, nodesBelow(m_scopes.storage, id));
        return json;
    }

private:
    static Json common(const Scope& scope)
    {
        return {{"scope", scope.path}, {"name", scope.name},
            {"class", scope.className.empty() ? Json() : Json(scope.className)}, {"nodes", scope.totalNodes},
            {"parameters", scope.totalParameters}, {"bytes", scope.totalBytes}};
    }

    void addBelow(Json& json, const std::vector<NodeId>& nodes)
    {
        json["node_names"] = names(nodes);
        json["differences"] = differences(nodes);
        json["decisions"] = decisions(nodes);
    }

    Json decision(NodeId id)
    {
        if (m_known.placement == nullptr)
            return {};
        const Decision& decision = m_known.placement->decisions[id.index];
        const int rule = m_known.hits != nullptr ? m_known.hits->ignoredBy[id.index] : RuleHits::kNoRule;
        const bool hasRule = rule != RuleHits::kNoRule;
        return {{"state", nodeStateText(decision.state)}, {"reason", whyText(m_model, *m_known.placement, id)},
            {"rule", hasRule ? Json(ruleText(m_known.hits->hits[static_cast<std::size_t>(rule)].rule)) : Json()},
            {"counterfactual", textOrNull(counterfactual(id))}};
    }

    /// What precision rules say of the node where the model is written in floats of 16 bits; null: nothing.
    Json inHalves(NodeId id)
    {
        if (m_known.hits == nullptr)
            return {};
        if (m_keptFloat.empty())
            m_keptFloat = keptInFloat32(*m_known.hits, m_model.nodes.size());
        const std::string& why = m_keptFloat[id.index];
        return why.empty() ? Json() : Json("it computes in 32 bits where the model is written in 16: " + why);
    }

    std::string counterfactual(NodeId id)
    {
        if (!m_counterfactuals)
            return wouldText(m_model, *m_known.placement, id);
        return sentenceText(
            counterfactualSentence(m_model, *m_known.placement, *m_known.unruled, id, m_counterfactuals->of(id)));
    }

    static Json textOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }

    Json decisions(const std::vector<NodeId>& nodes)
    {
        if (m_known.placement == nullptr)
            return {};
        Json all = Json::array();
        for (const DecisionGroup& group : groupDecisions(m_model, *m_known.placement, nodes)) {
            std::map<std::string, std::vector<NodeId>> alike; // by counterfactual
            for (const NodeId id : group.nodes)
                alike[counterfactual(id)].push_back(id);
            for (const auto& [would, ids] : alike)
                all.push_back({{"state", nodeStateText(group.state)},
                    {"reason", whyText(m_model, *m_known.placement, group.nodes.front())},
                    {"counterfactual", textOrNull(would)}, {"nodes", names(ids)}});
        }
        return all;
    }

    Json parameter(const ParameterRead& read) const
    {
        const ScopeFacts& facts = *m_scopes.facts;
        Json json;
        json["key"] = read.key == kNoKey ? Json() : Json(facts.parameters.key(read.key).label);
        json["module"] = read.owner.valid() ? Json(facts.paths.text(read.owner)) : Json();
        json["aliases"] = read.key == kNoKey ? Json::array() : aliases(read.key);
        json["tensor"] = read.tensor.valid() ? Json(m_model.tensor(read.tensor).name) : Json();
        json["type"] = read.tensor.valid() ? Json(tensorType(m_model.tensor(read.tensor))) : Json();
        json["provenance"] = provenanceText(read.owner.valid() ? read.from : Provenance::Guess);
        return json;
    }

    Json key(std::int32_t k) const
    {
        const Key& known = m_scopes.facts->parameters.key(k);
        Json json{{"key", known.label}};
        json["aliases"] = aliases(k);
        json["tensor"] = known.tensor.valid() ? Json(m_model.tensor(known.tensor).name) : Json();
        json["found_by"] = known.readBy ? Json(provenanceText(*known.readBy)) : Json();
        return json;
    }

    /// The other keys of the tensor.
    Json aliases(std::int32_t k) const
    {
        const Parameters& parameters = m_scopes.facts->parameters;
        Json others = Json::array();
        for (std::int32_t other = parameters.key(k).first; other != kNoKey; other = parameters.key(other).next) {
            if (other != k)
                others.push_back(parameters.key(other).label);
        }
        return others;
    }

    static std::string tensorType(const Tensor& tensor)
    {
        ValueType type{tensor.type, std::vector<Dim>{}};
        for (const std::int64_t size : tensor.dims)
            type.shape->push_back({size, {}});
        return typeText(type);
    }

    Json reasons(NodeId id) const
    {
        Json all = Json::array();
        for (const ReasonEvidence& evidence : explainDifference(m_model, m_scopes, id, m_known.sources)) {
            Json recorded = Json::object();
            for (const auto& [name, value] : evidence.recorded)
                recorded[name] = value;
            all.push_back(
                {{"reason", reasonText(evidence.reason)}, {"sentence", reasonSentence(m_model, m_scopes, id, evidence)},
                    {"provenance", provenanceText(evidence.from)}, {"nodes", names(evidence.nodes)},
                    {"tensors", tensorNames(evidence.tensors)}, {"keys", evidence.keys}, {"modules", evidence.modules},
                    {"calls", paths(m_scopes.execution, evidence.calls)}, {"recorded", std::move(recorded)},
                    {"findings", evidence.findings}});
        }
        return all;
    }

    template <typename Id, typename TextOf> static Json texts(const std::vector<Id>& ids, const TextOf& textOf)
    {
        Json all = Json::array();
        for (const Id id : ids)
            all.push_back(textOf(id));
        return all;
    }

    Json names(const std::vector<NodeId>& ids) const
    {
        return texts(ids, [&](NodeId id) { return m_model.node(id).name; });
    }

    Json tensorNames(const std::vector<TensorId>& ids) const
    {
        return texts(ids, [&](TensorId id) { return m_model.tensor(id).name; });
    }

    static Json paths(const ScopeTree& tree, const std::vector<ScopeId>& ids)
    {
        return texts(ids, [&](ScopeId id) { return tree.scope(id).path; });
    }

    Json differences(const std::vector<NodeId>& nodes) const
    {
        Json all = Json::array();
        for (const DifferenceGroup& group : groupDifferences(m_scopes, nodes)) {
            const NodeId first = group.nodes.front();
            const NodeScope& node = m_scopes.nodes[first.index];
            Json why = Json::array();
            for (const ReasonEvidence& evidence : explainDifference(m_model, m_scopes, first, m_known.sources))
                why.push_back({{"reason", reasonText(evidence.reason)},
                    {"sentence", reasonSentence(m_model, m_scopes, first, evidence)}});
            all.push_back({{"execution", node.execution}, {"storage", node.storage}, {"nodes", names(group.nodes)},
                {"reasons", std::move(why)}});
        }
        return all;
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const Known& m_known;
    std::vector<std::string> m_keptFloat; // [nodes] keptInFloat32(); empty: not asked for yet
    std::optional<Counterfactuals> m_counterfactuals; // where everything they need is known
};

/// Names of every node and scope, and what is near to one that does not exist.
class NearNames
{
public:
    NearNames(const Model& model, const Scopes& scopes)
        : m_scopes(scopes)
    {
        for (const ScopeTree* tree : {&scopes.execution, &scopes.storage}) {
            for (const Scope& scope : tree->scopes)
                m_names.emplace_back(scope.path);
        }
        for (const Node& node : model.nodes)
            m_names.emplace_back(node.name);
    }

    /// Names alike; where there is none, the innermost scope around `text` that exists or has names alike.
    std::vector<std::string> of(std::string text) const
    {
        std::vector<std::string> nearest = nearestNames(text, m_names);
        while (nearest.empty() && !text.empty()) {
            const std::size_t cut = text.find_last_of("/.#");
            text.resize(cut == std::string::npos ? 0 : cut);
            const std::string scope = text.substr(std::min(text.find_first_not_of('/'), text.size()));
            if (scope.empty())
                break;
            if (m_scopes.execution.find(scope).valid() || m_scopes.storage.find(scope).valid())
                return {scope};
            nearest = nearestNames(scope, m_names);
        }
        return nearest;
    }

private:
    const Scopes& m_scopes;
    std::vector<std::string_view> m_names;
};

} // namespace

Result<Asked> findAsked(const Model& model, const Scopes& scopes, const std::string& text)
{
    const Asked asked{text, model.findNode(text), scopes.execution.find(text), scopes.storage.find(text)};
    if (asked.node.valid() || asked.execution.valid() || asked.storage.valid())
        return asked;
    const std::vector<std::string> nearest = NearNames(model, scopes).of(text);
    return Error{ErrorCode::Usage, "no such node or scope", text,
        nearest.empty() ? "see duoscope-cli scopes for all of them" : "nearest: " + quotedList(nearest)};
}

Json explainJson(const Known& known, const Asked& asked)
{
    Explainer explainer(known);
    Json json{{"asked", asked.text}};
    json["node"] = asked.node.valid() ? explainer.node(asked.node) : Json();
    json["execution_scope"] = asked.execution.valid() ? explainer.executionScope(asked.execution) : Json();
    json["storage_scope"] = asked.storage.valid() ? explainer.storageScope(asked.storage) : Json();
    return json;
}

} // namespace duo
