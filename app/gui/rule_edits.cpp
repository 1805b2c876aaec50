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
std::shared_ptr<const Snapshot> underRules(const std::shared_ptr<const Snapshot>& shown, const RuleSet& wanted)
{
    if (shown->recipe.rules == wanted)
        return shown;
    auto now = std::make_shared<Snapshot>(*shown);
    now->recipe.rules = wanted;
    now->hits = std::make_shared<const RuleHits>(matchRules(*now->model, *now->scopes, wanted));
    return now;
}

/// Ignoring what other rules ignore already, or clearing what only other rules catch, means to take it out of them.
ProposalMaker::Question unignoring(const ui::RuleIntent& intent, const std::shared_ptr<const Snapshot>& under)
{
    const Snapshot& snapshot = *under;
    const RuleSet& rules = snapshot.recipe.rules;
    const bool isUndoing = intent.verb == Verb::Clear || (intent.verb == Verb::Ignore && intent.isToggle);
    const bool mayIgnore = std::ranges::any_of(
        rules.rules, [](const Rule& rule) { return rule.enabled && rule.action == RuleAction::Ignore; });
    if (!isUndoing || !mayIgnore || !snapshot.hits)
        return {};
    ui::RuleIntent clear = intent;
    clear.verb = Verb::Clear;
    if (ui::applyIntent(rules, clear) != rules)
        return {};
    auto nodes = nodesOf(intent.subjects, snapshot);
    const bool areAllIgnored = std::ranges::all_of(
        nodes, [&](NodeId node) { return snapshot.hits->ignoredBy[node.index] != RuleHits::kNoRule; });
    const bool isMeant = intent.verb == Verb::Clear || areAllIgnored;
    if (!isMeant || ui::rulesIgnoring(snapshot, nodes).empty())
        return {};
    const QString subject = intent.subjects.size() == 1 ? ui::subjectText(intent.subjects.front())
                                                        : ui::nodesText(static_cast<std::int64_t>(nodes.size()));
    return [under, nodes = std::move(nodes), subject] { return ui::proposeUnignore(*under, nodes, subject); };
}

RuleEdit asking(ProposalMaker::Question question)
{
    RuleEdit edit;
    edit.question = std::move(question);
    return edit;
}

RuleEdit warning(const QString& text)
{
    RuleEdit edit;
    edit.warning = text;
    return edit;
}

} // namespace

RuleEdit ruleEdit(const ui::RuleIntent& intent, const std::shared_ptr<const Snapshot>& shown, const RuleSet& wanted,
    const ui::Selection& selection)
{
    if (intent.verb == Verb::AsSubgraph)
        return asking([=, nodes = selection.nodes] { return ui::proposeSubgraph(*shown, wanted, nodes); });
    if (intent.verb == Verb::MakePattern)
        return asking([=, nodes = selection.nodes] { return ui::proposePatterns(*shown, wanted, nodes); });
    if (intent.subjects.empty())
        return {};
    if (auto question = unignoring(intent, underRules(shown, wanted)))
        return asking(std::move(question));
    const Snapshot& snapshot = *shown;
    const RuleSet after = ui::applyIntent(wanted, intent);
    if (after == wanted) {
        return intent.verb == Verb::Clear
            ? warning(tr("No rule is about %1.").arg(ui::subjectText(intent.subjects.front())))
            : warning(tr("There is such a rule already."));
    }
    if (after.rules.size() > wanted.rules.size() + kMostByName)
        return asking(
            [=, subjects = intent.subjects] { return ui::proposeForMany(*shown, wanted, nodesOf(subjects, *shown)); });
    RuleEdit edit;
    edit.rules = withMeantNodes(*snapshot.model, *snapshot.scopes, after);
    edit.text = editText(intent, wanted, after, snapshot);
    edit.calls = ui::callsText(intent.subjects.front(), snapshot.scopes->execution);
    return edit;
}

} // namespace duo::app
