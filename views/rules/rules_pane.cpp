// SPDX-License-Identifier: Apache-2.0
// The dock of the rules.
#include "views/intent/pane.h"
#include "views/rules/rules_view.h"

namespace duo::ui {
namespace {

void shows(RulesView& view, Board& board)
{
    QObject::connect(&board, &Board::snapshotShown, &view, &RulesView::setSnapshot);
    QObject::connect(
        &board, &Board::recipeShown, &view, [&view](const Recipe& recipe) { view.setRules(recipe.rules); });
}

void asks(RulesView& view, Board& board)
{
    QObject::connect(&view, &RulesView::selected, &board, &Board::selected);
    QObject::connect(&view, &RulesView::previewed, &board, &Board::previewed);
    QObject::connect(&view, &RulesView::rulesIntended, &board, &Board::rulesIntended);
    QObject::connect(&view, &RulesView::editRequested, &board, &Board::rulesEdited);
    QObject::connect(&board, &Board::ruleRequested, &view, [&](int row) {
        Q_EMIT board.paneRequested(kRulesDock);
        view.showRule(row);
        view.table()->setFocus();
    });
}

} // namespace

Pane rulesPane()
{
    return paneOf<RulesView>({kRulesDock, RulesView::tr("Rules"), Qt::BottomDockWidgetArea}, shows, asks);
}

} // namespace duo::ui
