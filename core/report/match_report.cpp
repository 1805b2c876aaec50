// SPDX-License-Identifier: Apache-2.0
#include "core/report/match_report.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kNodesShown = 5;

Json ruleJson(const Rule& rule)
{
    Json json = {{"action", ruleActionText(rule.action)}, {"kind", ruleKindText(rule.kind)}};
    if (rule.kind == RuleKind::Subgraph) {
        json["inputs"] = rule.inputs;
        json["outputs"] = rule.outputs;
    } else
        json["value"] = rule.value;
    json["enabled"] = rule.enabled;
    json["comment"] = rule.comment;
    return json;
}

Json namesJson(const Model& model, const std::vector<NodeId>& nodes)
{
    Json names = Json::array();
    for (const NodeId node : nodes)
        names.push_back(model.node(node).name);
    return names;
}

std::vector<NodeId> effectiveOf(const std::vector<std::vector<NodeId>>& effective, std::size_t rule)
{
    return rule < effective.size() ? effective[rule] : std::vector<NodeId>{};
}

std::vector<NodeId> ignoredNodes(const RuleHits& hits)
{
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < hits.ignoredBy.size(); ++n) {
        if (hits.ignoredBy[n] != RuleHits::kNoRule)
            nodes.emplace_back(n);
    }
    return nodes;
}

std::vector<NodeId> targetedNodes(const RuleHits& hits)
{
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < hits.targeted.size(); ++n) {
        if (hits.targeted[n])
            nodes.emplace_back(n);
    }
    return nodes;
}

std::string nodesText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

void appendNames(std::string& text, const Model& model, const std::vector<NodeId>& nodes)
{
    for (std::size_t i = 0; i < std::min(nodes.size(), kNodesShown); ++i)
        text += "    " + model.node(nodes[i]).name + "\n";
    if (nodes.size() > kNodesShown)
        text += "    and " + std::to_string(nodes.size() - kNodesShown) + " more\n";
}

} // namespace

Json matchJson(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<std::vector<NodeId>>& effective)
{
    Json list = Json::array();
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleHit& hit = hits.hits[r];
        Json suggestions = Json::array();
        for (const Suggestion& suggestion : hit.suggestions)
            suggestions.push_back(
                {{"text", suggestion.text}, {"kind", ruleKindText(suggestion.kind)}, {"value", suggestion.value}});
        list.push_back({{"rule", ruleJson(rules.rules[r])}, {"nodes", namesJson(model, hit.nodes)},
            {"effective", namesJson(model, effectiveOf(effective, r))}, {"suggestions", std::move(suggestions)},
            {"problem", hit.problem.empty() ? Json() : Json(hit.problem)}});
    }
    return {{"rules", std::move(list)}, {"ignored", namesJson(model, ignoredNodes(hits))},
        {"targeted", namesJson(model, targetedNodes(hits))}};
}

std::string matchText(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<std::vector<NodeId>>& effective)
{
    std::string text;
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleHit& hit = hits.hits[r];
        text += ruleText(rules.rules[r]) + ": ";
        if (!rules.rules[r].enabled)
            text += "disabled\n";
        else if (!hit.problem.empty())
            text += hit.problem + "\n";
        else {
            text += nodesText(hit.nodes.size());
            if (!hit.nodes.empty())
                text += ", effective on " + std::to_string(effectiveOf(effective, r).size());
            text += "\n";
        }
        appendNames(text, model, hit.nodes);
        for (const Suggestion& suggestion : hit.suggestions)
            text += "    " + suggestion.text + " (" + std::string(ruleKindText(suggestion.kind)) + " "
                + suggestion.value + ")\n";
    }
    text += "ignored: " + nodesText(ignoredNodes(hits).size()) + "; targeted: " + nodesText(targetedNodes(hits).size())
        + " of " + std::to_string(model.nodes.size()) + "\n";
    return text;
}

} // namespace duo
