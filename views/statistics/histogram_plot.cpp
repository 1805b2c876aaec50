// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/histogram_plot.h"

#include "core/report/forecast_report.h"
#include "views/statistics/range_text.h"
#include "views/style/format.h"
#include "views/style/wrapped_tip.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace duo::ui {
namespace {

constexpr std::size_t kBins = 2048; // joined to one bar per few pixels
constexpr int kMargin = 8;
constexpr double kBarWidth = 2;
constexpr double kManyZeros = 0.1; // share from which their bar would dwarf the others
constexpr float kLightBand = 0.5F; // opaqueness
constexpr float kGround = 0.8F; // of text over bars
constexpr float kDarkBand = 0.9F;
constexpr double kLane = 7;
constexpr double kLeastLane = 3;
constexpr double kChannels = 48; // height of the envelope

double heightOf(double count, double most, bool isLogarithmic)
{
    if (count <= 0 || most <= 0)
        return 0;
    return isLogarithmic ? std::log1p(count) / std::log1p(most) : count / most;
}

/// Of the finite values.
double zeroShare(const ValueStatistics& statistics)
{
    const auto& bins = statistics.histogram.bins();
    const auto zero = std::ranges::find(bins, 0, &BinCount::bin);
    const auto total = static_cast<double>(statistics.histogram.total());
    return zero == bins.end() || total <= 0 ? 0 : static_cast<double>(zero->count) / total;
}

} // namespace

HistogramPlot::HistogramPlot(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("histogram"));
    setAccessibleName(tr("Histogram"));
    setMouseTracking(true);
}

QSize HistogramPlot::sizeHint() const
{
    return {420, 220};
}

QSize HistogramPlot::minimumSizeHint() const
{
    return {160, 90};
}

void HistogramPlot::setFacts(std::shared_ptr<const ValueFacts> facts)
{
    m_facts = std::move(facts);
    m_lookedAt.reset();
    m_histogram = m_facts ? evenHistogram(*m_facts->statistics, kBins) : EvenHistogram();
    setAccessibleDescription(m_facts ? histogramDescription(*m_facts) : QString());
    update();
}

void HistogramPlot::setLogarithmic(bool isLogarithmic)
{
    m_isLogarithmic = isLogarithmic;
    update();
}

void HistogramPlot::setZoomed(bool isZoomed)
{
    m_isZoomed = isZoomed;
    update();
}

void HistogramPlot::setLookedAt(const RangeOutcome* outcome)
{
    m_lookedAt = outcome ? std::optional(*outcome) : std::nullopt;
    update();
}

HistogramPlot::Axis HistogramPlot::axis() const
{
    if (!m_facts || m_facts->statistics->finite() == 0)
        return {};
    Axis axis{m_facts->statistics->min, m_facts->statistics->max};
    if (m_facts->used) {
        const Range& ends = m_facts->used->ends;
        axis = m_isZoomed ? Axis{ends.min, ends.max}
                          : Axis{std::min<double>(axis.low, ends.min), std::max<double>(axis.high, ends.max)};
    }
    const double width = axis.high - axis.low;
    const double rim = width > 0 ? 0.04 * width : std::max(1e-30, 0.5 * std::abs(axis.low));
    return {axis.low - rim, axis.high + rim};
}

double HistogramPlot::laneHeight() const
{
    const auto count = static_cast<double>(std::max<std::size_t>(m_facts ? m_facts->choices.size() : 0, 1));
    return std::clamp(height() * 0.35 / count, kLeastLane, kLane);
}

HistogramPlot::Parts HistogramPlot::parts() const
{
    const double line = fontMetrics().height();
    double lanes = 0;
    if (m_facts && !m_facts->choices.empty())
        lanes = laneHeight() * static_cast<double>(m_facts->choices.size()) + 2;
    else if (m_facts && !m_facts->statistics->channels.min.empty())
        lanes = std::min(kChannels, height() * 0.35);
    Parts parts;
    const QRectF inside = QRectF(rect()).adjusted(kMargin, line + 4, -kMargin, -2);
    parts.lanes = QRectF(inside.left(), inside.bottom() - lanes, inside.width(), lanes);
    parts.labels = QRectF(inside.left(), parts.lanes.top() - line - 4, inside.width(), line + 4);
    parts.bars = QRectF(inside.left(), inside.top(), inside.width(), std::max(0.0, parts.labels.top() - inside.top()));
    return parts;
}

double HistogramPlot::xOf(double value) const
{
    const Axis seen = axis();
    const double width = this->width() - 2.0 * kMargin;
    return std::clamp(
        kMargin + (value - seen.low) / (seen.high - seen.low) * width, 0.0, static_cast<double>(this->width()));
}

void HistogramPlot::paintBand(QPainter& painter, const Parts& parts, const Theme& theme) const
{
    if (!m_facts->used)
        return;
    const double left = xOf(m_facts->used->ends.min);
    const double right = xOf(m_facts->used->ends.max);
    QColor band = theme.preview.fill;
    band.setAlphaF(theme.isDark ? kDarkBand : kLightBand);
    painter.fillRect(QRectF(left, parts.bars.top(), right - left, parts.bars.height()), band);
}

/// Counts of what is seen, column by column from left to right.
std::vector<double> HistogramPlot::columnsOf(std::size_t columns) const
{
    std::vector<double> counts(columns, 0.0);
    const Axis seen = axis();
    const double perValue = static_cast<double>(columns) / (seen.high - seen.low);
    const auto placeOf
        = [&](double value) { return std::clamp((value - seen.low) * perValue, 0.0, static_cast<double>(columns)); };
    for (std::size_t i = 0; i < m_histogram.counts.size(); ++i) {
        const double low = m_histogram.min + static_cast<double>(i) * m_histogram.width;
        const double from = placeOf(low);
        const double to = placeOf(low + m_histogram.width);
        const double whole = m_histogram.width * perValue;
        const auto first = std::min(static_cast<std::size_t>(from), columns - 1);
        if (whole <= 0) { // all values are equal
            counts[first] += m_histogram.counts[i];
            continue;
        }
        const auto last = std::min(static_cast<std::size_t>(std::ceil(to)), columns);
        for (std::size_t c = first; c < last; ++c) {
            const double share = std::min(to, static_cast<double>(c + 1)) - std::max(from, static_cast<double>(c));
            counts[c] += m_histogram.counts[i] * std::max(share, 0.0) / whole;
        }
    }
    return counts;
}

void HistogramPlot::paintBars(QPainter& painter, const Parts& parts, const Theme& theme) const
{
    const auto columns = static_cast<std::size_t>(std::max(1.0, parts.bars.width() / kBarWidth));
    const std::vector<double> counts = columnsOf(columns);
    const double width = parts.bars.width() / static_cast<double>(columns);
    const double zeros = zeroShare(*m_facts->statistics);
    const double zeroAt = (xOf(0) - parts.bars.left()) / width;
    double most = 0;
    for (std::size_t c = 0; c < columns; ++c) {
        const bool isOfZero = zeros > kManyZeros && std::abs(static_cast<double>(c) + 0.5 - zeroAt) <= 1.5;
        most = std::max(most, isOfZero && !m_isLogarithmic ? 0 : counts[c]); // or nothing else would be seen
    }
    if (most <= 0)
        most = *std::max_element(counts.begin(), counts.end());
    const auto edgeOf
        = [&](std::size_t column) { return std::round(parts.bars.left() + static_cast<double>(column) * width); };
    for (std::size_t c = 0; c < columns; ++c) {
        const double share = std::min(1.0, heightOf(counts[c], most, m_isLogarithmic));
        const double height = std::max(1.0, std::round(share * parts.bars.height()));
        if (counts[c] > 0)
            painter.fillRect(
                QRectF(edgeOf(c), std::round(parts.bars.bottom()) - height, edgeOf(c + 1) - edgeOf(c), height),
                theme.states[0].border);
    }
    if (zeros > kManyZeros)
        paintZeros(painter, parts, theme, zeros);
}

/// Says how many values are zero beside their bar, which may be cut off.
void HistogramPlot::paintZeros(QPainter& painter, const Parts& parts, const Theme& theme, double share) const
{
    const Axis seen = axis();
    if (seen.low > 0 || seen.high < 0)
        return;
    const QString text = tr("%1 are 0").arg(shareText(share));
    const QFontMetrics metrics = fontMetrics();
    const double width = metrics.horizontalAdvance(text);
    const double right = xOf(0) + 5;
    const double x = right + width < parts.bars.right() ? right : xOf(0) - 5 - width;
    QColor ground = theme.base;
    ground.setAlphaF(kGround);
    painter.fillRect(QRectF(x - 2, parts.bars.top() + 1, width + 4, metrics.height() + 2), ground);
    painter.setPen(theme.text);
    painter.drawText(QPointF(x, parts.bars.top() + metrics.ascent() + 2), text);
}

void HistogramPlot::paintAxis(QPainter& painter, const Parts& parts, const Theme& theme) const
{
    painter.setPen(theme.edge);
    painter.drawLine(parts.bars.bottomLeft(), parts.bars.bottomRight());
    const Axis seen = axis();
    const ValueStatistics& statistics = *m_facts->statistics;
    painter.setPen(theme.muted);
    const QFontMetrics metrics = fontMetrics();
    double free = parts.labels.left(); // labels do not cover each other: the ends first, then zero
    const auto put = [&](double value, double least, double most) {
        const QString text = numberText(value);
        const double width = metrics.horizontalAdvance(text);
        const double x = std::clamp(xOf(value) - width / 2, parts.labels.left(), parts.labels.right() - width);
        if (x < least || x + width > most)
            return x;
        painter.drawLine(QPointF(xOf(value), parts.bars.bottom()), QPointF(xOf(value), parts.bars.bottom() + 3));
        painter.drawText(QPointF(x, parts.labels.top() + 3 + metrics.ascent()), text);
        free = x + width + 8;
        return x;
    };
    const double low = m_isZoomed ? std::max<double>(seen.low, statistics.min) : statistics.min;
    const double high = m_isZoomed ? std::min<double>(seen.high, statistics.max) : statistics.max;
    put(low, parts.labels.left() - 1, parts.labels.right());
    const double last = high > low ? put(high, free, parts.labels.right() + 1) : parts.labels.right();
    const double end = parts.labels.left() + metrics.horizontalAdvance(numberText(low)) + 8;
    free = end;
    if (low < 0 && high > 0)
        put(0, std::max(free, xOf(low) + metrics.horizontalAdvance(numberText(low)) / 2.0 + 8), last - 8);
}

void HistogramPlot::paintLanes(QPainter& painter, const Parts& parts, const Theme& theme) const
{
    const double lane = laneHeight();
    const std::size_t chosen = duo::chosenRow(*m_facts);
    for (std::size_t i = 0; i < m_facts->choices.size(); ++i) {
        const RangeOutcome& choice = m_facts->choices[i];
        const bool isLookedAt = m_lookedAt && m_lookedAt->estimator == choice.estimator;
        const double left = xOf(choice.range.min);
        const double right = xOf(choice.range.max);
        const double y = parts.lanes.top() + 2 + lane * static_cast<double>(i);
        const QColor color = isLookedAt ? theme.selection : i == chosen ? theme.preview.border : theme.edge;
        painter.fillRect(QRectF(left, y, std::max(right - left, 2.0), lane - 2), color);
    }
}

void HistogramPlot::paintChannels(QPainter& painter, const Parts& parts, const Theme& theme) const
{
    const ChannelStatistics& channels = m_facts->statistics->channels;
    const auto count = static_cast<double>(channels.min.size());
    const double height = parts.lanes.height() - 2;
    painter.setPen(Qt::NoPen);
    for (std::size_t c = 0; c < channels.min.size(); ++c) {
        if (channels.min[c] > channels.max[c])
            continue;
        const double left = xOf(channels.min[c]);
        const double right = xOf(channels.max[c]);
        const double y = parts.lanes.top() + 2 + height * static_cast<double>(c) / count;
        painter.fillRect(QRectF(left, y, std::max(right - left, 1.0), std::max(height / count * 0.7, 0.7)), theme.edge);
    }
}

/// The ends of the codes in use, and of the estimator looked at, with their numbers above the bars.
void HistogramPlot::paintEnds(QPainter& painter, const Parts& parts, const Theme& theme) const
{
    const QFontMetrics metrics = fontMetrics();
    const double baseline = parts.bars.top() - 4 - metrics.descent();
    const auto paint = [&](const Range& ends, const QColor& color, bool isLabelled) {
        painter.setPen(QPen(color, 1.5));
        const QString low = numberText(ends.min);
        const QString high = numberText(ends.max);
        for (const float end : {ends.min, ends.max}) { // not through the numbers of the axis
            painter.drawLine(QPointF(xOf(end), parts.bars.top() - 2), QPointF(xOf(end), parts.bars.bottom()));
            painter.drawLine(QPointF(xOf(end), parts.lanes.top()), QPointF(xOf(end), parts.lanes.bottom()));
        }
        if (!isLabelled)
            return;
        const double lowWidth = metrics.horizontalAdvance(low);
        const double highWidth = metrics.horizontalAdvance(high);
        const double right = width() - 2.0;
        double highAt = std::clamp(xOf(ends.max) - highWidth / 2, 2.0, right - highWidth);
        double lowAt = std::clamp(xOf(ends.min) - lowWidth / 2, 2.0, right - lowWidth);
        if (lowAt + lowWidth + 8 > highAt) { // side by side where the range is narrow
            const double middle = (xOf(ends.min) + xOf(ends.max)) / 2;
            lowAt = std::clamp(middle - 4 - lowWidth, 2.0, std::max(2.0, right - lowWidth - highWidth - 8));
            highAt = lowAt + lowWidth + 8;
        }
        painter.drawText(QPointF(lowAt, baseline), low);
        painter.drawText(QPointF(highAt, baseline), high);
    };
    const bool isOther = m_lookedAt
        && (!m_facts->used || m_lookedAt->ends.min != m_facts->used->ends.min
            || m_lookedAt->ends.max != m_facts->used->ends.max);
    if (m_facts->used)
        paint(m_facts->used->ends, theme.preview.ink, !isOther);
    if (isOther)
        paint(m_lookedAt->ends, theme.selection, true);
}

void HistogramPlot::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    const Theme& theme = themeFor(palette());
    painter.fillRect(rect(), theme.base);
    if (!m_facts || m_facts->statistics->finite() == 0) {
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(kMargin, kMargin, -kMargin, -kMargin), Qt::AlignCenter | Qt::TextWordWrap,
            m_facts ? noHistogramText(*m_facts->statistics) : tr("Choose a value to see its histogram."));
        return;
    }
    const Parts places = parts();
    paintBand(painter, places, theme);
    paintBars(painter, places, theme);
    paintAxis(painter, places, theme);
    if (m_facts->choices.empty())
        paintChannels(painter, places, theme);
    else
        paintLanes(painter, places, theme);
    paintEnds(painter, places, theme);
}

std::string HistogramPlot::estimatorAt(const QPointF& place) const
{
    if (!m_facts || m_facts->choices.empty())
        return {};
    const QRectF lanes = parts().lanes;
    if (!lanes.contains(place))
        return {};
    const auto lane = static_cast<std::size_t>(std::max(0.0, (place.y() - lanes.top() - 1) / laneHeight()));
    return m_facts->choices[std::min(lane, m_facts->choices.size() - 1)].estimator;
}

void HistogramPlot::mousePressEvent(QMouseEvent* event)
{
    if (const std::string estimator = estimatorAt(event->position()); !estimator.empty())
        Q_EMIT estimatorClicked(estimator);
}

bool HistogramPlot::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !m_facts)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::string estimator = estimatorAt(help->pos());
    const auto choice = std::ranges::find(m_facts->choices, estimator, &RangeOutcome::estimator);
    const QString tip = choice == m_facts->choices.end()
        ? histogramDescription(*m_facts)
        : tr("%1: from %2 to %3").arg(toQt(estimator), numberText(choice->range.min), numberText(choice->range.max));
    QToolTip::showText(help->globalPos(), wrappedTip(tip, fontMetrics()), this);
    return true;
}

} // namespace duo::ui
