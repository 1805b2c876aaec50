// SPDX-License-Identifier: Apache-2.0
// What is selected, and what the user does to the rules about it.
#include "app/gui/main_window.h"

#include "views/style/format.h"

#include <QStatusBar>

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
    updateActions();
}

void MainWindow::applySelectionVerb(ui::RuleIntent::Verb verb)
{
    if (const auto snapshot = m_session.snapshot())
        applyRuleIntent({verb, ui::subjectsOf(m_selection, *snapshot->model, *snapshot->scopes)});
}

void MainWindow::applyRuleIntent(const ui::RuleIntent& intent)
{
    if (intent.subjects.empty() || !m_session.snapshot())
        return;
    const RuleSet before = m_session.rules();
    const RuleSet after = ui::applyIntent(before, intent);
    if (after == before)
        sayWhyNothingWasCleared(intent);
    else
        m_session.editRules(after, editText(intent, before, after, *m_session.snapshot()));
}

void MainWindow::sayWhyNothingWasCleared(const ui::RuleIntent& intent)
{
    const auto snapshot = m_session.snapshot();
    for (const NodeId node : m_selection.nodes) {
        const int rule = snapshot->hits ? snapshot->hits->ignoredBy[node.index] : RuleHits::kNoRule;
        if (rule == RuleHits::kNoRule || rule >= static_cast<int>(m_session.rules().rules.size()))
            continue;
        m_banner->showMessage(ui::Banner::Tone::Warning,
            tr("No rule is about %1 itself; rule %2 (%3) catches it. Change or remove that rule.")
                .arg(ui::subjectText(intent.subjects.front()))
                .arg(rule + 1)
                .arg(ui::toQt(ruleText(m_session.rules().rules[static_cast<std::size_t>(rule)]))));
        return;
    }
    m_banner->showMessage(
        ui::Banner::Tone::Warning, tr("No rule is about %1.").arg(ui::subjectText(intent.subjects.front())));
}

void MainWindow::goToCounterpart(bool isForward)
{
    m_treesDock->show();
    m_treesDock->raise();
    statusBar()->showMessage(m_trees->goToCounterpart(isForward), kMessageMs);
}

} // namespace duo::app
