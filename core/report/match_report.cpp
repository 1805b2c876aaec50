// SPDX-License-Identifier: Apache-2.0
#include "core/report/match_report.h"

#include "core/quantize/left_in_float.h"
#include "core/quantize/recipe/rule_json.h"
#include "core/report/decision_sentences.h"
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

Json idleJson(const MatchedRules& matched, std::size_t rule)
{
    Json list = Json::array();
    for (const IdleNodes& group : matched.effects[rule].idle)
        list.push_back(
            {{"reason", idleText(matched, rule, group.cause)}, {"nodes", namesJson(matched.model, group.nodes)}});
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
        text += "    and " + countText(nodes.size() - kNodesShown) + " more\n";
}

void appendIdle(std::string& text, const MatchedRules& matched, std::size_t rule)
{
    constexpr std::size_t kReasonsShown = 3;
    const std::vector<IdleNodes>& idle = matched.effects[rule].idle;
    for (std::size_t i = 0; i < std::min(idle.size(), kReasonsShown); ++i)
        text += "    no effect on "
            + (idle[i].nodes.size() == 1 ? matched.model.node(idle[i].nodes.front()).name
                                         : nodesText(idle[i].nodes.size()))
            + ": " + idleText(matched, rule, idle[i].cause) + "\n";
    if (idle.size() > kReasonsShown)
        text += "    and for " + std::to_string(idle.size() - kReasonsShown) + " other reasons\n";
}

std::size_t leftBy(const MatchedRules& matched, std::size_t rule)
{
    return leftInFloatBy(rule, matched.hits, matched.placement, matched.unruled);
}

std::string countsText(const MatchedRules& matched, std::size_t rule)
{
    const RuleEffect& effect = matched.effects[rule];
    switch (effect.verdict) {
    case RuleVerdict::Disabled:
        return "disabled";
    case RuleVerdict::Invalid:
    case RuleVerdict::MatchesNothing:
        return ruleFinding(matched, rule);
    case RuleVerdict::Shadowed:
    case RuleVerdict::NoEffect:
    case RuleVerdict::Works:
        break;
    }
    const std::size_t left = leftBy(matched, rule);
    return nodesText(matched.hits.hits[rule].nodes.size()) + ", effective on " + countText(effect.effective.size())
        + (left == 0 ? ""
                     : "; " + nodesText(left) + " that no target rule catches " + (left == 1 ? "stays" : "stay")
                    + " in float");
}

/// Of a target rule that changes nothing of what it catches.
std::string onlyLeavesText(std::size_t caught, std::size_t left)
{
    return "changes nothing of the " + nodesText(caught) + " it matches, but " + nodesText(left)
        + " that no target rule catches " + (left == 1 ? "stays" : "stay") + " in float for it";
}

std::string numbered(int rule)
{
    return "rule " + std::to_string(rule + 1);
}

std::string inGroup(const Model& model, NodeId primary, const std::string& whatOfIt)
{
    if (!primary.valid())
        return "each is computed together with another node" + whatOfIt;
    return "it is computed together with " + inQuotes(model.node(primary).name) + whatOfIt;
}

std::string suggestionText(const Suggestion& suggestion)
{
    return suggestion.text + " (" + std::string(ruleKindText(suggestion.kind))
        + (suggestion.value.empty() ? "" : " " + suggestion.value) + ")";
}

} // namespace

std::string idleText(const MatchedRules& matched, std::size_t rule, const IdleCause& cause)
{
    const Model& model = matched.model;
    const bool isIgnore = matched.hits.hits[rule].rule.action == RuleAction::Ignore;
    switch (cause.kind) {
    case Idle::None:
        break;
    case Idle::NoPlacement:
        return "the model cannot be quantized";
    case Idle::Ignored:
        return numbered(cause.rule) + " ignores it, and ignoring wins";
    case Idle::FloatAnyway:
        return "it stays in float without any rule: " + whyText(model, *matched.unruled, cause.node);
    case Idle::NotTargeted:
        return "no target rule catches it, so it stays in float anyway";
    case Idle::Owned:
        return numbered(cause.rule) + (isIgnore ? " already ignores it" : " already targets it");
    case Idle::InOpenGroup:
        return inGroup(model, cause.node, ", which no rule ignores");
    case Idle::Compressed:
        return whyText(model, *matched.placement, cause.node);
    case Idle::Decided:
        return inGroup(model, cause.node, ", which decides for it");
    case Idle::InFloatGroup:
        return inGroup(model, cause.node, ", which is not to be compressed");
    case Idle::InFloat:
        return "it stays in float under these rules: " + whyText(model, *matched.placement, cause.node);
    case Idle::SamePrecision:
        return "its quantizers are the same without any rule";
    case Idle::NoHalfForm:
        return "it computes in no floats of 16 bits, whatever rules say";
    }
    return {};
}

std::string ruleFinding(const MatchedRules& matched, std::size_t rule)
{
    const RuleEffect& effect = matched.effects[rule];
    const RuleHit& hit = matched.hits.hits[rule];
    switch (effect.verdict) {
    case RuleVerdict::Works:
        return effect.effective.empty() ? onlyLeavesText(hit.nodes.size(), leftBy(matched, rule)) : std::string();
    case RuleVerdict::Disabled:
        return {};
    case RuleVerdict::Invalid:
        return hit.problem;
    case RuleVerdict::MatchesNothing:
        return "matches nothing";
    case RuleVerdict::Shadowed:
        return "shadowed by " + numbered(effect.shadowedBy) + " "
            + inQuotes(ruleText(matched.hits.hits[static_cast<std::size_t>(effect.shadowedBy)].rule))
            + ", which catches all it catches";
    case RuleVerdict::NoEffect:
        break;
    }
    if (hit.nodes.empty())
        return "names " + nodesText(hit.gone) + " that went when the model was simplified";
    std::string text = "matches " + nodesText(hit.nodes.size())
        + ", but has no effect: " + idleText(matched, rule, effect.idle.front().cause);
    if (effect.idle.size() > 1)
        text += ", and " + std::to_string(effect.idle.size() - 1)
            + (effect.idle.size() == 2 ? " other reason" : " other reasons");
    return text;
}

Json matchJson(const MatchedRules& matched)
{
    const auto& [model, rules, hits, effects, placement, unruled] = matched;
    Json list = Json::array();
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleHit& hit = hits.hits[r];
        const RuleEffect& effect = effects[r];
        list.push_back({{"rule", ruleJson(rules.rules[r])}, {"nodes", namesJson(model, hit.nodes)},
            {"effective", namesJson(model, effect.effective)}, {"no_effect", idleJson(matched, r)},
            {"left_in_float", leftBy(matched, r)}, {"verdict", ruleVerdictText(effect.verdict)},
            {"finding", textOrNull(ruleFinding(matched, r))},
            {"shadowed_by", effect.shadowedBy == RuleHits::kNoRule ? Json() : Json(effect.shadowedBy)},
            {"suggestions", suggestionsJson(effect.suggestions)}, {"problem", textOrNull(hit.problem)},
            {"remarks", remarksJson(hit.remarks)}});
    }
    return {{"rules", std::move(list)}, {"ignored", namesJson(model, ignoredNodes(hits))},
        {"targeted", namesJson(model, targetedNodes(hits))}};
}

std::string matchText(const MatchedRules& matched)
{
    const auto& [model, rules, hits, effects, placement, unruled] = matched;
    std::string text;
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        text += numbered(static_cast<int>(r)) + ": " + ruleText(rules.rules[r]) + ": " + countsText(matched, r) + "\n";
        appendNames(text, model, hits.hits[r].nodes);
        if (effects[r].verdict == RuleVerdict::Shadowed)
            text += "    " + ruleFinding(matched, r) + "\n";
        else
            appendIdle(text, matched, r);
        for (const Suggestion& suggestion : effects[r].suggestions)
            text += "    " + suggestionText(suggestion) + "\n";
    }
    text += "ignored: " + nodesText(ignoredNodes(hits).size()) + "; targeted: " + nodesText(targetedNodes(hits).size())
        + " of " + countText(model.nodes.size()) + "\n";
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
