// SPDX-License-Identifier: Apache-2.0
#include "core/report/match_report.h"

#include "core/quantize/recipe/rule_json.h"
#include "core/report/report_parts.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kNodesShown = 5;

Json suggestionsJson(const std::vector<Suggestion>& suggestions)
{
    Json list = Json::array();
    for (const Suggestion& suggestion : suggestions) {
        list.push_back(
            {{"text", suggestion.text}, {"kind", ruleKindText(suggestion.kind)}, {"value", suggestion.value}});
        if (suggestion.kind == RuleKind::Subgraph) {
            list.back()["inputs"] = suggestion.inputs;
            list.back()["outputs"] = suggestion.outputs;
        }
    }
    return list;
}

Json idleJson(const Model& model, const std::vector<IdleNodes>& idle)
{
    Json list = Json::array();
    for (const IdleNodes& group : idle)
        list.push_back({{"reason", group.reason}, {"nodes", namesJson(model, group.nodes)}});
    return list;
}

Json remarksJson(const std::vector<PatternRemark>& remarks)
{
    Json list = Json::array();
    for (const PatternRemark& remark : remarks)
        list.push_back({{"position", remark.position}, {"text", remark.text}});
    return list;
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
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

void appendNames(std::string& text, const Model& model, const std::vector<NodeId>& nodes)
{
    for (std::size_t i = 0; i < std::min(nodes.size(), kNodesShown); ++i)
        text += "    " + model.node(nodes[i]).name + "\n";
    if (nodes.size() > kNodesShown)
        text += "    and " + std::to_string(nodes.size() - kNodesShown) + " more\n";
}

void appendIdle(std::string& text, const Model& model, const std::vector<IdleNodes>& idle)
{
    constexpr std::size_t kReasonsShown = 3;
    for (std::size_t i = 0; i < std::min(idle.size(), kReasonsShown); ++i)
        text += "    no effect on "
            + (idle[i].nodes.size() == 1 ? model.node(idle[i].nodes.front()).name : nodesText(idle[i].nodes.size()))
            + ": " + idle[i].reason + "\n";
    if (idle.size() > kReasonsShown)
        text += "    and for " + std::to_string(idle.size() - kReasonsShown) + " other reasons\n";
}

std::string countsText(const RuleHit& hit, const RuleEffect& effect)
{
    switch (effect.verdict) {
    case RuleVerdict::Disabled:
        return "disabled";
    case RuleVerdict::Invalid:
    case RuleVerdict::MatchesNothing:
        return effect.finding;
    case RuleVerdict::Shadowed:
    case RuleVerdict::NoEffect:
    case RuleVerdict::Works:
        break;
    }
    return nodesText(hit.nodes.size()) + ", effective on " + std::to_string(effect.effective.size());
}

std::string suggestionText(const Suggestion& suggestion)
{
    return suggestion.text + " (" + std::string(ruleKindText(suggestion.kind))
        + (suggestion.value.empty() ? "" : " " + suggestion.value) + ")";
}

} // namespace

Json matchJson(const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<RuleEffect>& effects)
{
    Json list = Json::array();
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleHit& hit = hits.hits[r];
        const RuleEffect& effect = effects[r];
        list.push_back({{"rule", ruleJson(rules.rules[r])}, {"nodes", namesJson(model, hit.nodes)},
            {"effective", namesJson(model, effect.effective)}, {"no_effect", idleJson(model, effect.idle)},
            {"verdict", ruleVerdictText(effect.verdict)}, {"finding", textOrNull(effect.finding)},
            {"shadowed_by", effect.shadowedBy == RuleHits::kNoRule ? Json() : Json(effect.shadowedBy)},
            {"suggestions", suggestionsJson(effect.suggestions)}, {"problem", textOrNull(hit.problem)},
            {"remarks", remarksJson(hit.remarks)}});
    }
    return {{"rules", std::move(list)}, {"ignored", namesJson(model, ignoredNodes(hits))},
        {"targeted", namesJson(model, targetedNodes(hits))}};
}

std::string matchText(
    const Model& model, const RuleSet& rules, const RuleHits& hits, const std::vector<RuleEffect>& effects)
{
    std::string text;
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleEffect& effect = effects[r];
        text += "rule " + std::to_string(r + 1) + ": " + ruleText(rules.rules[r]) + ": "
            + countsText(hits.hits[r], effect) + "\n";
        appendNames(text, model, hits.hits[r].nodes);
        if (effect.verdict == RuleVerdict::Shadowed)
            text += "    " + effect.finding + "\n";
        else
            appendIdle(text, model, effect.idle);
        for (const Suggestion& suggestion : effect.suggestions)
            text += "    " + suggestionText(suggestion) + "\n";
    }
    text += "ignored: " + nodesText(ignoredNodes(hits).size()) + "; targeted: " + nodesText(targetedNodes(hits).size())
        + " of " + std::to_string(model.nodes.size()) + "\n";
    return text;
}

std::string unmatchedText(const Rule& rule, const RuleHit& hit)
{
    std::string text = "rule '" + ruleText(rule) + "' "
        + (hit.problem.empty() ? "matches nothing" : "cannot be used: " + hit.problem);
    for (const Suggestion& suggestion : hit.suggestions)
        text += "; " + suggestion.text;
    return text;
}

} // namespace duo
