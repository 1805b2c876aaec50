// SPDX-License-Identifier: Apache-2.0
// MainWindow: what gestures about rules and estimators come to.
#include "app/gui/main_window.h"

#include "app/gui/rule_edits.h"
#include "views/intent/rule_menu.h"

#include <utility>

namespace duo::app {

void MainWindow::applySelectionVerb(ui::RuleIntent::Verb verb)
{
    if (const auto snapshot = m_session.snapshot())
        applyRuleIntent({verb, ui::subjectsOf(m_selection, *snapshot->model, *snapshot->scopes)});
}

void MainWindow::applyRuleIntent(const ui::RuleIntent& intent)
{
    const auto snapshot = m_session.snapshot();
    if (!snapshot)
        return;
    RuleEdit edit = ruleEdit(intent, snapshot, m_session.rules(), m_selection);
    if (!edit.warning.isEmpty())
        tell({ui::Banner::Tone::Warning, edit.warning});
    if (edit.question)
        m_proposalMaker->ask(std::move(edit.question));
    if (!edit.rules)
        return;
    m_session.editRules(*edit.rules, edit.text);
    if (!edit.calls.isEmpty())
        Q_EMIT m_board.said(QStringLiteral("%1: %2").arg(edit.text, edit.calls));
}

void MainWindow::offer(const ui::Proposals& proposals)
{
    if (proposals.choices.empty())
        tell({ui::Banner::Tone::Warning, proposals.question});
    else
        m_banner->dismiss();
    m_proposals->offer(proposals);
}

void MainWindow::applyEstimatorIntent(const ui::EstimatorIntent& intent)
{
    Recipe recipe = m_session.recipe();
    const QString text = ui::estimatorEditText(intent, recipe.quantization);
    recipe.quantization = ui::applyIntent(recipe.quantization, intent);
    m_session.editRecipe(recipe, text);
}

} // namespace duo::app
