// SPDX-License-Identifier: Apache-2.0
// RuleDelegate: edits action and kind of a rule by choosing from a list, and tells what is being typed as its value.
#pragma once

#include <QStyledItemDelegate>

namespace duo::ui {

class RuleDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

Q_SIGNALS:
    void typed(int row, const QString& value) const; // not written to the model yet
};

} // namespace duo::ui
