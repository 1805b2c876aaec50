// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_delegate.h"

#include "views/style/format.h"
#include "views/style/theme.h"
#include "views/trees/mark_sign.h"
#include "views/trees/scope_tree_model.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QTreeView>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kLeastLetters = 4; // of quiet text worth showing

int textMargin(const QStyleOptionViewItem& option)
{
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    return style->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, option.widget) + 1;
}

/// Of another cell in the same row: QTreeView::visualRect() would look for the row.
QRect nameCell(const QTreeView& tree, const QModelIndex& name, const QRect& inRow)
{
    int depth = tree.rootIsDecorated() ? 1 : 0;
    for (QModelIndex above = name.parent(); above.isValid(); above = above.parent())
        ++depth;
    const QHeaderView* header = tree.header();
    const int indent = depth * tree.indentation();
    return {header->sectionViewportPosition(ScopeTreeModel::NameColumn) + indent, inRow.top(),
        header->sectionSize(ScopeTreeModel::NameColumn) - indent, inRow.height()};
}

/// px of the empty cells right of a name.
int emptyBeside(const QTreeView& tree, const QModelIndex& name)
{
    int width = 0;
    for (int column = ScopeTreeModel::NameColumn + 1; column < name.model()->columnCount(); ++column) {
        if (!name.siblingAtColumn(column).data().toString().isEmpty())
            break;
        width += tree.header()->sectionSize(column); // 0 of a hidden one
    }
    return width;
}

} // namespace

QString fittingCell(const QString& text, const QFontMetrics& metrics, int width)
{
    const QString first = text.section(QStringLiteral(", "), 0, 0);
    const QString count = first.section(QLatin1Char(' '), 0, 1); // without what it counts
    for (const QString& form : {text, shortCounts(text), first, shortCounts(first), count, shortCounts(count)}) {
        if (metrics.horizontalAdvance(form) <= width)
            return form;
    }
    return text.front().isDigit() ? QStringLiteral("…") : text.section(QLatin1Char(' '), 0, 0);
}

void ScopeDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isMeasured = option->rect.isEmpty(); // for a column as wide as its cells
    if (index.column() != ScopeTreeModel::NameColumn && !isMeasured && !option->text.isEmpty())
        option->text = fittingCell(option->text, option->fontMetrics, option->rect.width() - 2 * textMargin(*option));
    if (index.data(ScopeTreeModel::MarkRole).isValid())
        option->features |= QStyleOptionViewItem::HasDecoration; // its place; it is painted below
}

QSize ScopeDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem bare = option;
    QStyledItemDelegate::initStyleOption(&bare, index);
    bare.features &= ~QStyleOptionViewItem::ViewItemFeatures(QStyleOptionViewItem::HasDecoration);
    const QStyle* style = bare.widget ? bare.widget->style() : QApplication::style();
    const QSize size = style->sizeFromContents(QStyle::CT_ItemViewItem, &bare, QSize(), bare.widget);
    return {std::max(QStyledItemDelegate::sizeHint(option, index).width(), size.width()), size.height()};
}

void ScopeDelegate::paintSign(QPainter* painter, const QStyleOptionViewItem& full, const QModelIndex& index)
{
    const QVariant sign = index.data(ScopeTreeModel::MarkRole);
    if (!sign.isValid())
        return;
    const QStyle* style = full.widget ? full.widget->style() : QApplication::style();
    QRect place = style->subElementRect(QStyle::SE_ItemViewItemDecoration, &full, full.widget);
    const int side = std::min(place.width(), place.height());
    place = QStyle::alignedRect(full.direction, Qt::AlignCenter, {side + 2, side + 2}, place); // within its margins
    const bool isSelected = full.state.testFlag(QStyle::State_Selected);
    const auto shown = static_cast<MarkSign>(sign.toInt());
    const Theme& theme = themeFor(full.palette);
    const QColor ink = shown == MarkSign::None ? theme.muted : theme.text;
    paintMarkSign(*painter, place, shown, isSelected ? full.palette.color(QPalette::HighlightedText) : ink);
}

/// What is said quietly behind a name goes on over the empty cells beside it: of each of them its own piece.
void ScopeDelegate::paintQuiet(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QModelIndex name = index.siblingAtColumn(ScopeTreeModel::NameColumn);
    const QString quiet = name.data(ScopeTreeModel::QuietRole).toString();
    const auto* tree = qobject_cast<const QTreeView*>(option.widget);
    if (quiet.isEmpty() || (index != name && (!tree || !index.data().toString().isEmpty())))
        return;
    QStyleOptionViewItem full = option;
    if (index != name)
        full.rect = nameCell(*tree, name, option.rect);
    initStyleOption(&full, name);
    const QStyle* style = full.widget ? full.widget->style() : QApplication::style();
    const int margin = textMargin(full);
    const int letter = full.fontMetrics.averageCharWidth();
    const QRect text = style->subElementRect(QStyle::SE_ItemViewItemText, &full, full.widget);
    const int named = std::min(full.fontMetrics.horizontalAdvance(full.text), text.width() - 2 * margin); // or cut
    const int taken = margin + named + letter;
    const QRect rest = text.adjusted(taken, 0, (tree ? emptyBeside(*tree, name) : 0) - margin, 0);
    if (rest.width() < letter * kLeastLetters)
        return;
    const bool isSelected = full.state.testFlag(QStyle::State_Selected);
    painter->save();
    painter->setClipRect(option.rect, Qt::IntersectClip);
    painter->setFont(option.font); // a name may be italic, its class is not
    painter->setPen(isSelected ? full.palette.color(QPalette::HighlightedText) : themeFor(full.palette).muted);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
        option.fontMetrics.elidedText(quiet, Qt::ElideRight, rest.width()));
    painter->restore();
}

void ScopeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() == ScopeTreeModel::NameColumn) {
        QStyleOptionViewItem full = option;
        initStyleOption(&full, index);
        paintSign(painter, full, index);
    }
    paintQuiet(painter, option, index);
}

} // namespace duo::ui
