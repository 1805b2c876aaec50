// SPDX-License-Identifier: Apache-2.0
// ScopeDelegate: paints the cells of a scope tree: classes quietly after names, states as far as they fit.
#pragma once

#include <QStyledItemDelegate>

namespace duo::ui {

class ScopeDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

/// The longest of "◪ 38/85, ⊘ 2", "◪ 38/85" and "◪" that fits: a state is never cut in the middle of a word.
QString fittingState(const QString& state, const QFontMetrics& metrics, int width);

} // namespace duo::ui
