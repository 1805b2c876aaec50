// SPDX-License-Identifier: Apache-2.0
#include "views/parameter/spread_plot.h"

#include "core/report/inspect_report.h"
#include "views/style/format.h"
#include "views/style/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr int kMargin = 6; // px
constexpr int kTick = 4;

} // namespace

SpreadPlot::SpreadPlot(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("spreadPlot"));
    setAccessibleName(tr("How often values occur"));
}

void SpreadPlot::setSummary(std::shared_ptr<const TensorSummary> summary)
{
    m_summary = std::move(summary);
    update();
}

QSize SpreadPlot::sizeHint() const
{
    return {36 * fontMetrics().averageCharWidth(), 10 * fontMetrics().height()};
}

QSize SpreadPlot::minimumSizeHint() const
{
    return {16 * fontMetrics().averageCharWidth(), 4 * fontMetrics().height()};
}

QRect SpreadPlot::bars() const
{
    const int line = fontMetrics().height(); // of the caption, and of the ends
    return rect().adjusted(kMargin, kMargin + line, -kMargin, -kMargin - kTick - line);
}

int SpreadPlot::binAt(const QPoint& place) const
{
    if (!m_summary || m_summary->bins.empty() || !bars().contains(place))
        return -1;
    return (place.x() - bars().left()) * static_cast<int>(m_summary->bins.size()) / bars().width();
}

void SpreadPlot::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = themeFor(palette());
    QPainter painter(this);
    painter.fillRect(rect(), theme.base);
    if (!m_summary || m_summary->bins.empty())
        return;
    const QRect area = bars();
    const auto count = static_cast<int>(m_summary->bins.size());
    // Counts by their logarithm: what is rare decides how wide a range is.
    const auto highest = std::ranges::max(m_summary->bins);
    const double most = std::log1p(static_cast<double>(highest));
    const auto xOf = [&](int bin) { return area.left() + area.width() * bin / count; };
    for (int bin = 0; bin < count; ++bin) {
        const double share = std::log1p(static_cast<double>(m_summary->bins[static_cast<std::size_t>(bin)])) / most;
        const int height = static_cast<int>(std::ceil(share * area.height()));
        painter.fillRect(QRect(xOf(bin), area.bottom() + 1 - height, std::max(1, xOf(bin + 1) - xOf(bin) - 1), height),
            theme.badge.fill);
    }
    painter.setPen(theme.muted);
    painter.drawText(QRect(area.left(), kMargin, area.width(), fontMetrics().height()), Qt::AlignLeft | Qt::AlignTop,
        tr("%1 at most, log scale").arg(countText(highest)));
    painter.drawLine(area.bottomLeft() + QPoint(0, 1), area.bottomRight() + QPoint(0, 1));
    const QRect labels(area.left(), area.bottom() + kTick, area.width(), fontMetrics().height());
    painter.drawText(labels, Qt::AlignLeft | Qt::AlignTop, toQt(shortText(m_summary->min)));
    painter.drawText(labels, Qt::AlignRight | Qt::AlignTop, toQt(shortText(m_summary->max)));
    if (m_summary->min < 0 && m_summary->max > 0) {
        const double share = -m_summary->min / (m_summary->max - m_summary->min);
        const int zero = area.left() + static_cast<int>(share * area.width());
        painter.drawLine(zero, area.top(), zero, area.bottom() + kTick);
        const int width = fontMetrics().horizontalAdvance(QLatin1Char('0'));
        const bool hasRoom = share > 0.25 && share < 0.75; // beside the ends
        if (hasRoom)
            painter.drawText(
                QRect(zero - width, labels.top(), 2 * width, labels.height()), Qt::AlignCenter, QStringLiteral("0"));
    }
}

bool SpreadPlot::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int bin = binAt(help->pos());
    if (bin < 0) {
        QToolTip::hideText();
        return true;
    }
    const double width = (m_summary->max - m_summary->min) / static_cast<double>(m_summary->bins.size());
    const double from = m_summary->min + bin * width;
    QToolTip::showText(help->globalPos(),
        tr("%1 from %2 to %3")
            .arg(countText(m_summary->bins[static_cast<std::size_t>(bin)]), toQt(shortText(from)),
                toQt(shortText(from + width))),
        this);
    return true;
}

} // namespace duo::ui
