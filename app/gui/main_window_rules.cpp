// SPDX-License-Identifier: Apache-2.0
// What is selected, and what the user does to the rules about it.
#include "app/gui/main_window.h"

#include "core/rules/match.h"
#include "views/edit/selection_proposals.h"
#include "views/edit/unignore_proposals.h"
#include "views/style/format.h"

#include <QStatusBar>

#include <algorithm>

namespace duo::app {
namespace {

QString verbWord(ui::RuleIntent::Verb verb)
{
    return verb == ui::RuleIntent::Verb::Target ? QStringLiteral("Target") : QStringLiteral("Ignore");
}

constexpr int kMessageMs = 10000;

} // namespace

QString editText(const ui::RuleIntent& intent, const RuleSet& before, const RuleSet& after, const Snapshot& snapshot)
{
    const QString subject = intent.subjects.size() == 1
        ? ui::subjectText(intent.subjects.front())
        : ui::nodesText(static_cast<std::int64_t>(intent.subjects.size()));
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

void MainWindow::setSelection(const ui::Selection& selection)
{
    m_selection = selection;
    m_trees->setSelection(selection);
    m_graph->setSelection(selection);
    m_properties->setSelection(selection);
    m_statistics->setSelection(selection);
    updateActions();
}

void MainWindow::applySelectionVerb(ui::RuleIntent::Verb verb)
{
    if (const auto snapshot = m_session.snapshot())
        applyRuleIntent({verb, ui::subjectsOf(m_selection, *snapshot->model, *snapshot->scopes)});
}

void MainWindow::applyRuleIntent(const ui::RuleIntent& intent)
{
    using Verb = ui::RuleIntent::Verb;
    const auto snapshot = m_session.snapshot();
    if (!snapshot)
        return;
    if (intent.verb == Verb::AsSubgraph || intent.verb == Verb::MakePattern) {
        offer(intent.verb == Verb::AsSubgraph ? ui::proposeSubgraph(*snapshot, m_session.rules(), m_selection.nodes)
                                              : ui::proposePatterns(*snapshot, m_session.rules(), m_selection.nodes));
        return;
    }
    if (intent.subjects.empty() || proposeUnignoring(intent))
        return;
    const RuleSet before = m_session.rules();
    const RuleSet after = ui::applyIntent(before, intent);
    if (after != before) {
        const QString text = editText(intent, before, after, *snapshot);
        const QString calls = ui::callsText(intent.subjects.front(), snapshot->scopes->execution);
        m_session.editRules(withMeantNodes(*snapshot->model, *snapshot->scopes, after), text);
        if (!calls.isEmpty())
            statusBar()->showMessage(QStringLiteral("%1: %2").arg(text, calls), kMessageMs);
    } else if (intent.verb == Verb::Clear)
        m_banner->showMessage(
            ui::Banner::Tone::Warning, tr("No rule is about %1.").arg(ui::subjectText(intent.subjects.front())));
    else
        m_banner->showMessage(ui::Banner::Tone::Warning, tr("There is such a rule already."));
}

/// The snapshot with the rules as they are wanted now; a placement that is still on its way is not waited for.
Snapshot MainWindow::withWantedRules()
{
    Snapshot now = *m_session.snapshot();
    if (now.recipe.rules != m_session.rules()) {
        now.recipe.rules = m_session.rules();
        now.hits = std::make_shared<const RuleHits>(matchRules(*now.model, *now.scopes, now.recipe.rules));
    }
    return now;
}

/// Ignoring what other rules ignore already, or clearing what only other rules catch, means to take it out of them.
bool MainWindow::proposeUnignoring(const ui::RuleIntent& intent)
{
    const Snapshot snapshot = withWantedRules();
    const bool isUndoing = intent.verb == ui::RuleIntent::Verb::Clear
        || (intent.verb == ui::RuleIntent::Verb::Ignore && intent.isToggle);
    ui::RuleIntent clear = intent;
    clear.verb = ui::RuleIntent::Verb::Clear;
    if (!isUndoing || !snapshot.hits || ui::applyIntent(m_session.rules(), clear) != m_session.rules())
        return false;
    RuleSet asked;
    for (const auto& subject : intent.subjects)
        asked.rules.push_back(ui::ruleAbout(subject, RuleAction::Ignore));
    const auto nodes = ignoredNodes(matchRules(*snapshot.model, *snapshot.scopes, asked));
    const bool areAllIgnored = std::ranges::all_of(
        nodes, [&](NodeId node) { return snapshot.hits->ignoredBy[node.index] != RuleHits::kNoRule; });
    const bool isMeant = intent.verb == ui::RuleIntent::Verb::Clear || areAllIgnored;
    if (!isMeant || ui::rulesIgnoring(snapshot, nodes).empty())
        return false;
    offer(ui::proposeUnignore(snapshot, nodes,
        intent.subjects.size() == 1 ? ui::subjectText(intent.subjects.front())
                                    : ui::nodesText(static_cast<std::int64_t>(nodes.size()))));
    return true;
}

void MainWindow::offer(ui::Proposals proposals)
{
    if (proposals.choices.empty())
        m_banner->showMessage(ui::Banner::Tone::Warning, proposals.question);
    else
        m_banner->dismiss();
    m_proposals->offer(std::move(proposals));
}

void MainWindow::showPreview(const std::vector<NodeId>& nodes)
{
    m_trees->setPreview(nodes);
    m_graph->setPreview(nodes);
}

void MainWindow::goToCounterpart(bool isForward)
{
    m_treesDock->show();
    m_treesDock->raise();
    statusBar()->showMessage(m_trees->goToCounterpart(isForward), kMessageMs);
}

void MainWindow::goToRule(int row)
{
    m_rulesDock->show();
    m_rulesDock->raise();
    m_rules->showRule(row);
    m_rules->table()->setFocus();
}

} // namespace duo::app
