// SPDX-License-Identifier: Apache-2.0
#include "views/trees/mark_sign.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"
#include "views/style/tr.h"

namespace duo::ui {
namespace {

constexpr int kHatchStep = 3; // px

void hatch(QPainter& painter, const QRect& box)
{
    painter.save();
    painter.setClipRect(box);
    for (int x = -box.height(); x < box.width(); x += kHatchStep)
        painter.drawLine(box.left() + x, box.bottom() + 1, box.left() + x + box.height(), box.top());
    painter.restore();
}

} // namespace

void paintMarkSign(QPainter& painter, const QRect& place, MarkSign sign, const QColor& ink)
{
    const QRect box = place.adjusted(0, 0, -1, -1); // the pen is one pixel wide
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(ink);
    painter.setBrush(sign == MarkSign::First ? QBrush(ink) : QBrush(Qt::NoBrush));
    painter.drawRect(box);
    painter.setRenderHint(QPainter::Antialiasing, true);
    if (sign == MarkSign::Alias)
        hatch(painter, place);
    if (sign == MarkSign::Ignored) {
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.bottomLeft(), box.topRight());
    }
    painter.restore();
}

QString markSignText(MarkSign sign)
{
    switch (sign) {
    case MarkSign::None:
        return {};
    case MarkSign::First:
        return tr("marked");
    case MarkSign::Alias:
        return tr("marked under another path");
    case MarkSign::Ignored:
        return tr("left out of the marks");
    }
    return {};
}

QStringList markLines(const MarkedModules& modules, std::uint32_t module, MarkSign sign)
{
    const TreeModule& about = modules.tree->modules[module];
    QStringList lines;
    if (sign == MarkSign::First)
        lines += tr("Marked");
    else if (sign == MarkSign::Alias)
        lines += tr("Marked: the same module as %1").arg(scopeLabel(about.path));
    else if (sign == MarkSign::Ignored)
        lines += tr("Left out of the marks");
    for (const MarkSetting& setting : modules.marked.settings[module])
        lines += QStringLiteral("%1=%2").arg(toQt(setting.key), toQt(setting.value));
    if (about.mayBeAnother)
        lines += tr("Nothing tells whether it is one module with another.");
    return lines;
}

} // namespace duo::ui
