// SPDX-License-Identifier: Apache-2.0
#include "app/gui/rule_edits.h"

#include "core/rules/match.h"
#include "views/rules/selection_proposals.h"
#include "views/rules/unignore_proposals.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <algorithm>

namespace duo::app {
namespace {

using Verb = ui::RuleIntent::Verb;

constexpr std::size_t kMostByName = 50; // rules that are made at once without asking

using ui::tr;

QString verbWord(Verb verb)
{
    return verb == Verb::Target ? QStringLiteral("Target") : QStringLiteral("Ignore");
}

std::vector<NodeId> nodesOf(const std::vector<ui::RuleSubject>& subjects, const Snapshot& snapshot)
{
    RuleSet asked;
    for (const auto& subject : subjects)
        asked.rules.push_back(ui::ruleAbout(subject, RuleAction::Ignore));
    return ignoredNodes(matchRules(*snapshot.model, *snapshot.scopes, asked));
}

QString editText(const ui::RuleIntent& intent, const RuleSet& before, const RuleSet& after, const Snapshot& snapshot)
{
    const QString subject = intent.subjects.size() == 1
        ? ui::subjectText(intent.subjects.front())
        : ui::nodesText(static_cast<std::int64_t>(nodesOf(intent.subjects, snapshot).size()));
    if (after.rules.size() < before.rules.size() || intent.verb == ui::RuleIntent::Verb::Clear)
        return QStringLiteral("Clear rules about %1").arg(subject);
    QString text = QStringLiteral("%1 %2").arg(verbWord(intent.verb), subject);
    if (intent.subjects.size() != 1 || intent.subjects.front().kind == RuleKind::Name)
        return text;
    RuleSet only;
    only.rules.emplace_back();
    only.rules.front().kind = intent.subjects.front().kind;
    only.rules.front().value = intent.subjects.front().value;
    const RuleHits hits = matchRules(*snapshot.model, *snapshot.scopes, only);
    return text + QStringLiteral(" (%1)").arg(ui::nodesText(static_cast<std::int64_t>(hits.hits.front().nodes.size())));
}

/// The snapshot with the rules as they are wanted now.
Snapshot underRules(const Snapshot& snapshot, const RuleSet& wanted)
{
    Snapshot now = snapshot;
    if (now.recipe.rules != wanted) {
        now.recipe.rules = wanted;
        now.hits = std::make_shared<const RuleHits>(matchRules(*now.model, *now.scopes, wanted));
    }
    return now;
}

/// Ignoring what other rules ignore already, or clearing what only other rules catch, means to take it out of them.
std::optional<ui::Proposals> unignoring(const ui::RuleIntent& intent, const Snapshot& snapshot)
{
    const RuleSet& rules = snapshot.recipe.rules;
    const bool isUndoing = intent.verb == Verb::Clear || (intent.verb == Verb::Ignore && intent.isToggle);
    ui::RuleIntent clear = intent;
    clear.verb = Verb::Clear;
    if (!isUndoing || !snapshot.hits || ui::applyIntent(rules, clear) != rules)
        return std::nullopt;
    const auto nodes = nodesOf(intent.subjects, snapshot);
    const bool areAllIgnored = std::ranges::all_of(
        nodes, [&](NodeId node) { return snapshot.hits->ignoredBy[node.index] != RuleHits::kNoRule; });
    const bool isMeant = intent.verb == Verb::Clear || areAllIgnored;
    if (!isMeant || ui::rulesIgnoring(snapshot, nodes).empty())
        return std::nullopt;
    return ui::proposeUnignore(snapshot, nodes,
        intent.subjects.size() == 1 ? ui::subjectText(intent.subjects.front())
                                    : ui::nodesText(static_cast<std::int64_t>(nodes.size())));
}

RuleEdit proposing(ui::Proposals proposals)
{
    RuleEdit edit;
    if (proposals.choices.empty())
        edit.warning = proposals.question;
    edit.proposals = std::move(proposals);
    return edit;
}

RuleEdit warning(const QString& text)
{
    RuleEdit edit;
    edit.warning = text;
    return edit;
}

} // namespace

RuleEdit ruleEdit(
    const ui::RuleIntent& intent, const Snapshot& snapshot, const RuleSet& wanted, const ui::Selection& selection)
{
    if (intent.verb == Verb::AsSubgraph)
        return proposing(ui::proposeSubgraph(snapshot, wanted, selection.nodes));
    if (intent.verb == Verb::MakePattern)
        return proposing(ui::proposePatterns(snapshot, wanted, selection.nodes));
    if (intent.subjects.empty())
        return {};
    if (auto proposals = unignoring(intent, underRules(snapshot, wanted)))
        return proposing(*std::move(proposals));
    const RuleSet after = ui::applyIntent(wanted, intent);
    if (after == wanted) {
        return intent.verb == Verb::Clear
            ? warning(tr("No rule is about %1.").arg(ui::subjectText(intent.subjects.front())))
            : warning(tr("There is such a rule already."));
    }
    if (after.rules.size() > wanted.rules.size() + kMostByName)
        return proposing(ui::proposeForMany(snapshot, wanted, nodesOf(intent.subjects, snapshot)));
    RuleEdit edit;
    edit.rules = withMeantNodes(*snapshot.model, *snapshot.scopes, after);
    edit.text = editText(intent, wanted, after, snapshot);
    edit.calls = ui::callsText(intent.subjects.front(), snapshot.scopes->execution);
    return edit;
}

} // namespace duo::app
