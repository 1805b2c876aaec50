// SPDX-License-Identifier: Apache-2.0
#include "views/rules/selection_proposals.h"

#include "views/intent/rule_intent.h"
#include "views/rules/name_patterns.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <algorithm>
#include <set>

namespace duo::ui {
namespace {

constexpr std::size_t kMostPatterns = 3;
constexpr qsizetype kMostLetters = 200; // of a pattern that one would choose
constexpr int kNamesShown = 2; // ends of a subgraph that a title names

void pushNeighbours(const Model& model, NodeId node, bool isForward, std::vector<NodeId>& pending)
{
    for (const ValueId id : isForward ? model.node(node).outputs : model.node(node).inputs) {
        if (!id.valid())
            continue;
        const Value& value = model.value(id);
        if (!isForward && value.producer.valid())
            pending.push_back(value.producer);
        for (std::size_t i = 0; isForward && i < value.uses.size(); ++i)
            pending.push_back(value.uses[i].node);
    }
}

/// [nodes] what can be reached from the nodes by at least one step.
std::vector<bool> reachedFrom(const Model& model, const std::vector<NodeId>& nodes, bool isForward)
{
    std::vector<bool> reached(model.nodes.size(), false);
    std::vector<NodeId> pending;
    for (const NodeId node : nodes)
        pushNeighbours(model, node, isForward, pending);
    while (!pending.empty()) {
        const NodeId node = pending.back();
        pending.pop_back();
        if (reached[node.index])
            continue;
        reached[node.index] = true;
        pushNeighbours(model, node, isForward, pending);
    }
    return reached;
}

QString namesText(const std::vector<std::string>& names)
{
    QStringList texts;
    for (const auto& name : names) {
        if (texts.size() < kNamesShown)
            texts += toQt(name);
    }
    const auto rest = static_cast<qsizetype>(names.size()) - texts.size();
    return texts.join(QStringLiteral(", ")) + (rest > 0 ? tr(" and %1 more").arg(rest) : QString());
}

QString effectOf(const std::vector<NodeId>& caught, const std::vector<NodeId>& selected)
{
    std::vector<NodeId> more;
    std::set_difference(caught.begin(), caught.end(), selected.begin(), selected.end(), std::back_inserter(more));
    if (more.empty())
        return tr("catches %1: the selection and nothing else").arg(nodesText(std::ssize(caught)));
    return tr("catches %1: %2 selected and %3 more")
        .arg(nodesText(std::ssize(caught)), countText(static_cast<std::int64_t>(caught.size() - more.size())),
            countText(static_cast<std::int64_t>(more.size())));
}

RuleSet with(const RuleSet& rules, Rule rule, RuleAction action)
{
    RuleSet after = rules;
    rule.action = action;
    after.rules.push_back(std::move(rule));
    return after;
}

Proposal proposalFor(const Rule& rule, const RuleSet& rules, const QString& title, const QString& subject,
    std::vector<NodeId> caught, const std::vector<NodeId>& selected)
{
    Proposal proposal;
    proposal.title = title;
    proposal.effect = effectOf(caught, selected);
    const QString undo = QStringLiteral("%1 %2 (%3)");
    proposal.undoText = undo.arg(tr("Ignore"), subject, nodesText(std::ssize(caught)));
    proposal.undoTextAsTarget = undo.arg(tr("Target"), subject, nodesText(std::ssize(caught)));
    proposal.after = with(rules, rule, RuleAction::Ignore);
    proposal.afterAsTarget = with(rules, rule, RuleAction::Target);
    proposal.nodes = std::move(caught);
    return proposal;
}

std::vector<NodeId> caughtBy(const Snapshot& snapshot, const Rule& rule)
{
    RuleSet only;
    only.rules.push_back(rule);
    return matchRules(*snapshot.model, *snapshot.scopes, only).hits.front().nodes;
}

bool holdsAll(const std::vector<NodeId>& caught, const std::vector<NodeId>& selected)
{
    return std::includes(caught.begin(), caught.end(), selected.begin(), selected.end());
}

/// At most three, from exact to general.
std::vector<Proposal> patternChoices(
    const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected)
{
    std::vector<std::string> names;
    for (const NodeId node : selected)
        names.push_back(snapshot.model->node(node).name);
    std::vector<Proposal> choices;
    std::set<std::vector<NodeId>> known;
    for (const auto& pattern : patternsFor(std::move(names))) {
        const Rule rule = ruleAbout({RuleKind::Pattern, pattern}, RuleAction::Ignore);
        std::vector<NodeId> caught = caughtBy(snapshot, rule);
        if (!holdsAll(caught, selected) || !known.insert(caught).second)
            continue;
        choices.push_back(proposalFor(
            rule, rules, toQt(pattern), subjectText({RuleKind::Pattern, pattern}), std::move(caught), selected));
    }
    std::ranges::stable_sort(choices, {}, [](const Proposal& choice) { return choice.nodes.size(); });
    if (choices.size() > kMostPatterns)
        choices.resize(kMostPatterns);
    return choices;
}

Proposal eachByName(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected)
{
    RuleIntent intent{
        RuleIntent::Verb::Ignore, subjectsOf(selectNodes(selected), *snapshot.model, *snapshot.scopes), false};
    const QString nodes = nodesText(std::ssize(selected));
    Proposal proposal;
    proposal.title = tr("Each by its name");
    proposal.effect = tr("catches %1: a rule for each").arg(nodes);
    proposal.undoText = tr("Ignore %1").arg(nodes);
    proposal.undoTextAsTarget = tr("Target %1").arg(nodes);
    proposal.after = applyIntent(rules, intent);
    intent.verb = RuleIntent::Verb::Target;
    proposal.afterAsTarget = applyIntent(rules, intent);
    proposal.nodes = selected;
    return proposal;
}

} // namespace

SubgraphEnds endsOf(const Model& model, const std::vector<NodeId>& selected)
{
    SubgraphEnds ends;
    const auto after = reachedFrom(model, selected, true);
    const auto before = reachedFrom(model, selected, false);
    for (const NodeId node : selected) {
        if (!after[node.index])
            ends.inputs.push_back(node);
        if (!before[node.index])
            ends.outputs.push_back(node);
    }
    return ends;
}

Proposals proposeSubgraph(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected)
{
    const SubgraphEnds ends = endsOf(*snapshot.model, selected);
    Rule rule;
    rule.kind = RuleKind::Subgraph;
    for (const NodeId node : ends.inputs)
        rule.inputs.push_back(snapshot.model->node(node).name);
    for (const NodeId node : ends.outputs)
        rule.outputs.push_back(snapshot.model->node(node).name);
    Proposals proposals;
    std::vector<NodeId> caught = caughtBy(snapshot, rule);
    if (caught.empty()) {
        proposals.question = tr("No subgraph: the selection has no first and last node.");
        return proposals;
    }
    proposals.question = tr("Everything between the ends of the selection, as one rule?");
    const QString title = tr("From %1 to %2").arg(namesText(rule.inputs), namesText(rule.outputs));
    proposals.choices.push_back(proposalFor(rule, rules, title, tr("subgraph"), std::move(caught), selected));
    return proposals;
}

Proposals proposePatterns(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected)
{
    Proposals proposals;
    proposals.choices = patternChoices(snapshot, rules, selected);
    proposals.question = proposals.choices.empty() ? tr("No pattern catches all of these names.")
                                                   : tr("Which pattern is meant? From exact to general:");
    return proposals;
}

Proposals proposeForMany(const Snapshot& snapshot, const RuleSet& rules, const std::vector<NodeId>& selected)
{
    Proposals proposals;
    proposals.question = tr("%1 are selected. Which rule is meant?").arg(nodesText(std::ssize(selected)));
    const Node& first = snapshot.model->node(selected.front());
    if (std::ranges::all_of(selected, [&](NodeId id) { return snapshot.model->node(id).opType == first.opType; })) {
        const RuleSubject subject{RuleKind::Type, first.opType};
        const Rule rule = ruleAbout(subject, RuleAction::Ignore);
        std::vector<NodeId> caught = caughtBy(snapshot, rule);
        if (holdsAll(caught, selected)) {
            const QString text = subjectText(subject);
            proposals.choices.push_back(proposalFor(rule, rules, text, text, std::move(caught), selected));
        }
    }
    for (Proposal& choice : patternChoices(snapshot, rules, selected)) {
        if (choice.title.size() <= kMostLetters)
            proposals.choices.push_back(std::move(choice));
    }
    proposals.choices.push_back(eachByName(snapshot, rules, selected));
    return proposals;
}

} // namespace duo::ui
