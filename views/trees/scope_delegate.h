// SPDX-License-Identifier: Apache-2.0
// ScopeDelegate: paints the cells of a scope tree: classes quietly after names, states and numbers as far as they fit.
#pragma once

#include <QStyledItemDelegate>

namespace duo::ui {

class ScopeDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    /// As high with a sign of a mark as without: rows do not move when somebody begins to mark.
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

private:
    void paintQuiet(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    static void paintSign(QPainter* painter, const QStyleOptionViewItem& full, const QModelIndex& index);
};

/// The longest of "◪ 20,841/50,019, ⊘ 1,254", "◪ 20.8k/50k, ⊘ 1.25k", "◪ 20,841/50,019", "◪ 20.8k/50k" and "◪" that
/// fits, and "…" in place of a number that does not: neither a word nor a number is ever cut.
QString fittingCell(const QString& text, const QFontMetrics& metrics, int width);

} // namespace duo::ui
