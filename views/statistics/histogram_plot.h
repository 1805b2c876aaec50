// SPDX-License-Identifier: Apache-2.0
// HistogramPlot: how often values occur, the range in use as a band, and below it every estimator's range as a bar.
#pragma once

#include "core/report/forecast.h"
#include "views/style/theme.h"

#include <QWidget>

#include <memory>
#include <string>
#include <vector>

namespace duo::ui {

class HistogramPlot : public QWidget
{
    Q_OBJECT

public:
    explicit HistogramPlot(QWidget* parent = nullptr);
    void setFacts(std::shared_ptr<const ValueFacts> facts); // null: nothing to draw
    void setLogarithmic(bool isLogarithmic); // counts
    void setZoomed(bool isZoomed); // to the range in use, not everything that was measured
    void setLookedAt(const RangeOutcome* outcome); // drawn over the others, which it is one of; null: none

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// What is seen from left to right.
    struct Axis {
        double low = 0;
        double high = 1;
    };
    [[nodiscard]] Axis axis() const;
    /// The estimator whose bar lies at a place; "" for none.
    [[nodiscard]] std::string estimatorAt(const QPointF& place) const;

Q_SIGNALS:
    void estimatorClicked(const std::string& estimator);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    struct Parts {
        QRectF bars; // of the histogram
        QRectF labels; // of the axis
        QRectF lanes; // of the estimators, or of the channels
    };
    [[nodiscard]] Parts parts() const;
    [[nodiscard]] double xOf(double value) const;
    [[nodiscard]] double laneHeight() const;
    void paintBand(QPainter& painter, const Parts& parts, const Theme& theme) const;
    void paintBars(QPainter& painter, const Parts& parts, const Theme& theme) const;
    void paintZeros(QPainter& painter, const Parts& parts, const Theme& theme, double share) const;
    [[nodiscard]] std::vector<double> columnsOf(std::size_t columns) const;
    void paintAxis(QPainter& painter, const Parts& parts, const Theme& theme) const;
    void paintLanes(QPainter& painter, const Parts& parts, const Theme& theme) const;
    void paintChannels(QPainter& painter, const Parts& parts, const Theme& theme) const;
    void paintEnds(QPainter& painter, const Parts& parts, const Theme& theme) const;

    std::shared_ptr<const ValueFacts> m_facts;
    EvenHistogram m_histogram;
    bool m_isLogarithmic = false;
    bool m_isZoomed = false;
    std::optional<RangeOutcome> m_lookedAt;
};

} // namespace duo::ui
