// SPDX-License-Identifier: Apache-2.0
// What keys, the context menu and things dropped do in the rules table.
#include "views/rules/rules_view.h"

#include "views/intent/subject_mime.h"
#include "views/style/format.h"

#include <QDropEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>

#include <algorithm>
#include <array>

namespace duo::ui {

bool RulesView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_table || (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride))
        return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    static constexpr std::array kOwn = {Qt::Key_I, Qt::Key_T, Qt::Key_X, Qt::Key_Delete, Qt::Key_Space};
    const bool isOwn = key->modifiers() == Qt::NoModifier && std::count(kOwn.begin(), kOwn.end(), key->key()) > 0
        && !selectedRows().empty();
    if (!isOwn)
        return QWidget::eventFilter(watched, event);
    event->accept(); // the window has the same keys for the selection in trees and graph
    return event->type() == QEvent::ShortcutOverride || handleKey(key->key());
}

bool RulesView::handleKey(int key)
{
    switch (key) {
    case Qt::Key_I:
        setAction({RuleAction::Ignore});
        return true;
    case Qt::Key_T:
        setAction({RuleAction::Target});
        return true;
    case Qt::Key_Space:
        toggleEnabled();
        return true;
    case Qt::Key_X:
    case Qt::Key_Delete:
        removeSelected();
        return true;
    default:
        return false;
    }
}

void RulesView::showMenu(const QPoint& position)
{
    const auto rows = selectedRows();
    if (rows.empty())
        return;
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("rulesMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add
        = [&](const QString& text, auto work) { connect(menu->addAction(text), &QAction::triggered, this, work); };
    add(tr("Ignore (I)"), [this] { setAction({RuleAction::Ignore}); });
    add(tr("Target (T)"), [this] { setAction({RuleAction::Target}); });
    addPrecisionMenu(*menu, rows.front());
    const bool isEnabled = m_model->rules().rules[static_cast<std::size_t>(rows.front())].enabled;
    add(isEnabled ? tr("Disable (Space)") : tr("Enable (Space)"), [this] { toggleEnabled(); });
    menu->addSeparator();
    const QModelIndex value = m_model->index(rows.front(), RulesModel::ValueColumn);
    if (rows.size() == 1 && m_model->flags(value).testFlag(Qt::ItemIsEditable))
        add(tr("Edit the value (F2)"), [this, at = QPersistentModelIndex(value)] {
            m_table->setCurrentIndex(at);
            m_table->edit(at);
        });
    const auto& suggestions = m_model->suggestionsOf(rows.front());
    for (std::size_t i = 0; rows.size() == 1 && i < suggestions.size(); ++i)
        add(tr("Use %1").arg(toQt(suggestions[i].value)),
            [this, link = QStringLiteral("%1:%2").arg(rows.front()).arg(i)] { useSuggestion(link); });
    menu->addSeparator();
    add(tr("Remove (X)"), [this] { removeSelected(); });
    menu->popup(m_table->viewport()->mapToGlobal(position));
}

void RulesView::addPrecisionMenu(QMenu& menu, int row)
{
    auto* precisions = menu.addMenu(tr("Precision"));
    for (const auto& choice : ruleActionChoices(m_model->rules().rules[static_cast<std::size_t>(row)])) {
        if (choice.action == RuleAction::Precision)
            connect(precisions->addAction(ruleActionLabel(choice)), &QAction::triggered, this,
                [this, choice] { setAction(choice); });
    }
}

void RulesView::setAction(const RuleActionChoice& choice)
{
    RuleSet rules = m_model->rules();
    const auto rows = selectedRows();
    for (const int row : rows)
        rules.rules[static_cast<std::size_t>(row)] = withAction(rules.rules[static_cast<std::size_t>(row)], choice);
    const QString verb = choice.action == RuleAction::Ignore ? tr("Let %1 ignore")
        : choice.action == RuleAction::Target                ? tr("Let %1 target")
                                                             : tr("Let %1 choose a precision");
    if (rules != m_model->rules())
        requestEdit(
            rules, verb.arg(rows.size() == 1 ? tr("rule %1").arg(rows.front() + 1) : tr("%1 rules").arg(rows.size())));
}

void RulesView::toggleEnabled()
{
    RuleSet rules = m_model->rules();
    const auto rows = selectedRows();
    const bool enable = !rules.rules[static_cast<std::size_t>(rows.front())].enabled;
    for (const int row : rows)
        rules.rules[static_cast<std::size_t>(row)].enabled = enable;
    const QString verb = enable ? tr("Enable %1") : tr("Disable %1");
    requestEdit(
        rules, verb.arg(rows.size() == 1 ? tr("rule %1").arg(rows.front() + 1) : tr("%1 rules").arg(rows.size())));
}

void RulesView::dragEnterEvent(QDragEnterEvent* event)
{
    if (!subjectsOf(*event->mimeData()).empty() && isEnabled())
        event->acceptProposedAction();
    else
        event->ignore(); // a model may be dropped anywhere in the window
}

void RulesView::dropEvent(QDropEvent* event)
{
    const auto subjects = subjectsOf(*event->mimeData());
    const bool isTarget = event->modifiers().testFlag(Qt::ShiftModifier);
    if (!subjects.empty())
        Q_EMIT rulesIntended({isTarget ? RuleIntent::Verb::Target : RuleIntent::Verb::Ignore, subjects, false});
}

} // namespace duo::ui
