// SPDX-License-Identifier: Apache-2.0
#include "views/properties/why_sections.h"

#include "core/quantize/counterfactual.h"
#include "core/quantize/placement.h"
#include "core/quantize/points/compressed.h"
#include "core/report/decision_sentences.h"
#include "core/report/decisions_below.h"
#include "core/support/phrases.h"
#include "views/properties/properties_link.h"
#include "views/style/format.h"
#include "views/style/state_style.h"
#include "views/style/tr.h"

#include <QString>
#include <QStringList>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

/// How the kind of a decision's reason looks: a mark and a word that tell kinds apart at a glance, and what it means.
struct ReasonText {
    const char* mark;
    const char* label;
    const char* meaning;
};

constexpr const char* kRulesMark = "✎";
constexpr const char* kDataMark = "▶";
constexpr const char* kGraphMark = "↔";
constexpr const char* kModelMark = "◇";
constexpr const char* kRuntimeMark = "⚙";

ReasonText textOf(ReasonKind kind)
{
    switch (kind) {
    case ReasonKind::Inputs:
        return {kDataMark, "inputs", "What it reads is quantized."};
    case ReasonKind::Weights:
        return {kDataMark, "weights", "Only its weights are quantized."};
    case ReasonKind::Movement:
        return {kDataMark, "moves data", "It moves quantized data without computing on it."};
    case ReasonKind::Group:
        return {kGraphMark, "group", "It is computed together with another node."};
    case ReasonKind::Table:
        return {kDataMark, "table", "The table it looks things up in is quantized."};
    case ReasonKind::FileQuantizer:
        return {kModelMark, "in the file", "The file quantizes it already."};
    case ReasonKind::Rule:
        return {kRulesMark, "rule", "An ignore rule catches it: edit the rule to change it."};
    case ReasonKind::NoTarget:
        return {kRulesMark, "no target", "There are target rules, and none catches it."};
    case ReasonKind::Pattern:
        return {kModelMark, "pattern", "It belongs to a group of operators that stays in float."};
    case ReasonKind::ModelType:
        return {kModelMark, "model type", "Its operator stays in float in models of this type."};
    case ReasonKind::PostProcessing:
        return {kModelMark, "post-processing", "It lies behind a TopK or NonMaxSuppression."};
    case ReasonKind::FrontEnd:
        return {kModelMark, "front end", "It belongs to a fixed transform in front of the network."};
    case ReasonKind::Range:
        return {kModelMark, "range", "Its values have no range that codes can hold."};
    case ReasonKind::Operator:
        return {kRuntimeMark, "operator", "Its operator computes in float."};
    case ReasonKind::Profile:
        return {kRuntimeMark, "runtime", "The runtime has no int8 kernel for it here, or would gain nothing."};
    case ReasonKind::Type:
        return {kModelMark, "type", "Its values are not 32-bit floats."};
    case ReasonKind::Constant:
        return {kModelMark, "constant", "It does not depend on any input."};
    case ReasonKind::Shape:
        return {kModelMark, "shape", "It computes a shape, not values."};
    case ReasonKind::Body:
        return {kModelMark, "body", "It is inside a control-flow body."};
    case ReasonKind::Call:
        return {kModelMark, "call", "It is a call of a local function, or inside one."};
    case ReasonKind::Neighbour:
        return {kGraphMark, "neighbours", "Nothing around it wants quantized data."};
    }
    return {"", "", ""};
}

/// One character; the same for kinds that the user answers in the same way (rules, the model, its neighbours, types).
QString reasonKindMark(ReasonKind kind)
{
    return QString::fromUtf8(textOf(kind).mark);
}

/// "rule", "no target", "operator": at most three words.
QString reasonKindLabel(ReasonKind kind)
{
    return tr(textOf(kind).label);
}

/// What the kind means for any node, in one sentence.
QString reasonKindMeaning(ReasonKind kind)
{
    return tr(textOf(kind).meaning);
}

constexpr std::size_t kNeighbours = 4; // listed on each side
constexpr std::size_t kGroups = 8; // of reasons
constexpr std::size_t kRules = 6;

QString chipOf(const Page& page, const Decision& decision)
{
    const Shade& shade = stateShade(page.theme(), decision.state);
    return QStringLiteral("<span style='background-color:%1; color:%2; font-weight:600'>&nbsp;%3&nbsp;</span>")
        .arg(shade.fill.name(), shade.text.name(),
            markedLabel(decision).toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;")));
}

/// What the decision rests on, as a small label that explains itself when pointed at.
QString kindChip(const Page& page, ReasonKind kind)
{
    const Shade& shade = page.theme().scope;
    return QStringLiteral("<span style='background-color:%1; color:%2; font-size:small' title='%3'>&nbsp;%4 %5&nbsp;"
                          "</span>")
        .arg(shade.fill.name(), shade.text.name(), reasonKindMeaning(kind).toHtmlEscaped(), reasonKindMark(kind),
            reasonKindLabel(kind).toHtmlEscaped());
}

QString nodeHtml(const Snapshot& snapshot, NodeId node)
{
    return Page::link(nodeLink(node), toQt(snapshot.model->node(node).name));
}

/// A sentence in which the names of nodes and rules lead to them.
QString linked(const Snapshot& snapshot, const Sentence& sentence)
{
    QString html;
    for (const SentencePart& part : sentence) {
        const bool isRule = part.rule >= 0 && static_cast<std::size_t>(part.rule) < snapshot.recipe.rules.rules.size();
        const QString text = toQt(part.isName() ? inQuotes(part.text) : part.text);
        if (part.node.valid())
            html += nodeHtml(snapshot, part.node);
        else if (isRule)
            html += Page::link(ruleLink(static_cast<std::size_t>(part.rule)), text);
        else
            html += Page::breakable(text);
    }
    return html;
}

QString ruleHtml(const Snapshot& snapshot, std::size_t rule)
{
    return Page::link(ruleLink(rule), QStringLiteral("rule %1").arg(rule + 1)) + QStringLiteral(": ")
        + Page::breakable(toQt(ruleText(snapshot.recipe.rules.rules[rule])));
}

bool isCaught(const RuleHits& hits, std::size_t rule, NodeId node)
{
    const auto& nodes = hits.hits[rule].nodes;
    return std::binary_search(nodes.begin(), nodes.end(), node);
}

/// The enabled rules that catch a node, in order.
std::vector<std::size_t> rulesOn(const Snapshot& snapshot, NodeId node)
{
    std::vector<std::size_t> rules;
    for (std::size_t i = 0; snapshot.hits && i < snapshot.hits->hits.size(); ++i) {
        if (isCaught(*snapshot.hits, i, node))
            rules.push_back(i);
    }
    return rules;
}

void addRules(Page& page, const Snapshot& snapshot, NodeId node)
{
    for (const std::size_t rule : rulesOn(snapshot, node))
        page.lineHtml(QStringLiteral("→ ") + ruleHtml(snapshot, rule));
    const auto& rules = snapshot.recipe.rules.rules;
    const std::string wide
        = snapshot.hits ? keptInFloat32(*snapshot.hits, snapshot.model->nodes.size())[node.index] : std::string();
    if (!wide.empty())
        page.line(tr("→ computes in 32 bits where the model is written in 16: %1").arg(toQt(wide)));
    if (snapshot.hits && !snapshot.hits->targeted[node.index]) {
        for (std::size_t i = 0; i < rules.size(); ++i) {
            if (rules[i].enabled && rules[i].action == RuleAction::Target)
                page.lineHtml(QStringLiteral("→ not caught by ") + ruleHtml(snapshot, i));
        }
    }
}

void addNeighbour(Page& page, const Snapshot& snapshot, const QString& how, NodeId node)
{
    page.lineHtml(QStringLiteral("→ %1 %2 %3")
                      .arg(how, nodeHtml(snapshot, node), chipOf(page, snapshot.placement->decisions[node.index])));
}

/// What a node that follows its neighbours reads and is read by.
void addNeighbours(Page& page, const Snapshot& snapshot, NodeId id)
{
    const Model& model = *snapshot.model;
    std::size_t shown = 0;
    for (const ValueId input : model.node(id).inputs) {
        const NodeId producer = input.valid() ? model.value(input).producer : NodeId();
        if (producer.valid() && shown++ < kNeighbours)
            addNeighbour(page, snapshot, QStringLiteral("reads from"), producer);
    }
    shown = 0;
    for (const ValueId output : model.node(id).outputs) {
        if (!output.valid())
            continue;
        for (const Use& use : model.value(output).uses) {
            if (shown++ < kNeighbours)
                addNeighbour(page, snapshot, QStringLiteral("is read by"), use.node);
        }
    }
}

QString rulesHtml(const std::vector<std::size_t>& rules)
{
    QStringList links;
    for (const std::size_t rule : rules)
        links += Page::link(ruleLink(rule), QStringLiteral("rule %1").arg(rule + 1));
    return links.join(QStringLiteral(" and "));
}

/// What would have to change, with the steps as links.
QString counterfactualHtml(const Counterfactual& would, NodeId node)
{
    const QString state = stateLabel(would.state);
    switch (would.change) {
    case RuleChange::None:
        return QStringLiteral("Nothing about rules: without any of them it would be %1 as well.").arg(state);
    case RuleChange::Removal:
        return QStringLiteral("It would be %1 without %2. %3")
            .arg(state, rulesHtml(would.rules),
                Page::link(QStringLiteral("takeout:%1").arg(node.index), QStringLiteral("Take it out…")));
    case RuleChange::Target:
        return QStringLiteral("It would be %1 if target rules caught it and what is around it. %2")
            .arg(state, Page::link(QStringLiteral("target:%1").arg(node.index), QStringLiteral("Target it")));
    case RuleChange::RemovalAndTarget:
        return QStringLiteral("It would be %1 without %2 if target rules caught it and what is around it.")
            .arg(state, rulesHtml(would.rules));
    case RuleChange::Neighbours:
        return QStringLiteral("Without any rules it would be %1; rules about its neighbours keep it in float.")
            .arg(state);
    }
    return {};
}

void addCounterfactual(Page& page, const Snapshot& snapshot, NodeId node)
{
    if (!snapshot.unruled || !snapshot.base || isCompressed(snapshot.placement->decisions[node.index].state))
        return;
    page.section(QStringLiteral("What would make it quantized"));
    Counterfactuals all(
        *snapshot.model, *snapshot.scopes, *snapshot.base, *snapshot.hits, *snapshot.placement, *snapshot.unruled);
    const Counterfactual would = all.of(node);
    page.lineHtml(counterfactualHtml(would, node));
    if (would.change != RuleChange::None)
        return;
    const Sentence sentence
        = counterfactualSentence(*snapshot.model, *snapshot.placement, *snapshot.unruled, node, would);
    const Placement& told = would.toldBy == ToldBy::Rules ? *snapshot.placement : *snapshot.unruled;
    page.lineHtml(linked(snapshot, sentence.empty() ? whySentence(*snapshot.model, told, node) : sentence));
}

void addRuleCounts(Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes)
{
    std::size_t shown = 0;
    for (std::size_t rule = 0; snapshot.hits && rule < snapshot.hits->hits.size(); ++rule) {
        const auto caught = std::count_if(
            nodes.begin(), nodes.end(), [&](NodeId node) { return isCaught(*snapshot.hits, rule, node); });
        if (caught > 0 && shown++ < kRules)
            page.lineHtml(QStringLiteral("→ %1 — %2 of them").arg(ruleHtml(snapshot, rule), countText(caught)));
    }
}

/// Reasons that are not listed, with what they are of: "… 9,995 more reasons: 9,998 fused, 2 blocked".
QString moreReasons(const Placement& placement, std::span<const DecisionGroup> groups)
{
    std::vector<std::pair<QString, std::size_t>> counts; // by label, in the order of the groups
    for (const DecisionGroup& group : groups) {
        const QString label = stateLabel(placement.decisions[group.nodes.front().index]);
        if (counts.empty() || counts.back().first != label)
            counts.emplace_back(label, 0);
        counts.back().second += group.nodes.size();
    }
    QStringList parts;
    for (const auto& [label, nodes] : counts)
        parts += QStringLiteral("%1 %2").arg(countText(static_cast<std::int64_t>(nodes)), label);
    const QString reasons = groups.size() == 1
        ? QStringLiteral("1 more reason")
        : QStringLiteral("%1 more reasons").arg(countText(static_cast<std::int64_t>(groups.size())));
    return QStringLiteral("… %1: %2").arg(reasons, parts.join(QStringLiteral(", ")));
}

} // namespace

void addNodeWhy(Page& page, const Snapshot& snapshot, NodeId node)
{
    if (!snapshot.placement)
        return;
    const Decision& decision = snapshot.placement->decisions[node.index];
    page.lineHtml(chipOf(page, decision) + QLatin1Char(' ') + kindChip(page, decision.kind()));
    if (const Sentence why = whySentence(*snapshot.model, *snapshot.placement, node); !why.empty())
        page.lineHtml(linked(snapshot, why));
    addRules(page, snapshot, node);
    if (decision.state == NodeState::Blocked)
        addNeighbours(page, snapshot, node);
    addCounterfactual(page, snapshot, node);
}

void addNodesWhy(
    Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes, std::span<const DecisionGroup> groups)
{
    if (!snapshot.placement || nodes.empty())
        return;
    page.section(QStringLiteral("What happens here"));
    for (std::size_t i = 0; i < groups.size() && i < kGroups; ++i) {
        const QString count = Page::link(decisionLink(i), nodesText(static_cast<std::int64_t>(groups[i].nodes.size())));
        page.lineHtml(
            QStringLiteral("%1 %2 %3: %4")
                .arg(chipOf(page, snapshot.placement->decisions[groups[i].nodes.front().index]),
                    kindChip(page, groups[i].kind), count,
                    linked(snapshot, whySentence(*snapshot.model, *snapshot.placement, groups[i].nodes.front()))));
    }
    if (groups.size() > kGroups)
        page.quiet(moreReasons(*snapshot.placement, groups.subspan(kGroups)));
    addRuleCounts(page, snapshot, nodes);
}

} // namespace duo::ui
