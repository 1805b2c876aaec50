// SPDX-License-Identifier: Apache-2.0
#include "views/rules/rule_delegate.h"

#include "views/rules/rule_actions.h"
#include "views/rules/rules_model.h"

#include <QComboBox>
#include <QLineEdit>

namespace duo::ui {

QWidget* RuleDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    if (index.column() != RulesModel::ActionColumn && index.column() != RulesModel::KindColumn) {
        QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
        auto* line = qobject_cast<QLineEdit*>(editor);
        if (line != nullptr && index.column() == RulesModel::ValueColumn) {
            line->setObjectName(QStringLiteral("ruleValueEditor"));
            connect(line, &QLineEdit::textEdited, this,
                [this, row = QPersistentModelIndex(index)](const QString& text) { Q_EMIT typed(row.row(), text); });
        }
        return editor;
    }
    auto* combo = new QComboBox(parent);
    if (index.column() == RulesModel::ActionColumn) {
        const auto* rules = qobject_cast<const RulesModel*>(index.model());
        const Rule rule = rules ? rules->rules().rules[static_cast<std::size_t>(index.row())] : Rule();
        for (const RuleActionChoice& choice : ruleActionChoices(rule))
            combo->addItem(ruleActionLabel(choice), combo->count());
    } else {
        for (const auto kind : {RuleKind::Name, RuleKind::Pattern, RuleKind::Type, RuleKind::ExecutionScope,
                 RuleKind::StorageScope, RuleKind::Class})
            combo->addItem(ruleKindLabel(kind), static_cast<int>(kind));
    }
    return combo;
}

void RuleDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    if (auto* combo = qobject_cast<QComboBox*>(editor))
        combo->setCurrentIndex(combo->findData(index.data(Qt::EditRole)));
    else
        QStyledItemDelegate::setEditorData(editor, index);
}

void RuleDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    if (auto* combo = qobject_cast<QComboBox*>(editor))
        model->setData(index, combo->currentData(), Qt::EditRole);
    else
        QStyledItemDelegate::setModelData(editor, model, index);
}

} // namespace duo::ui
