// SPDX-License-Identifier: Apache-2.0
// SpreadPlot: how often values of a parameter occur, as bars from the smallest to the largest.
#pragma once

#include "core/analysis/tensor_summary.h"

#include <QWidget>

#include <memory>

namespace duo::ui {

class SpreadPlot : public QWidget
{
    Q_OBJECT

public:
    explicit SpreadPlot(QWidget* parent = nullptr);
    void setSummary(std::shared_ptr<const TensorSummary> summary); // null: nothing is drawn

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// The bin whose bar stands at a place, whatever its height; -1: none.
    [[nodiscard]] int binAt(const QPoint& place) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override; // tool tips

private:
    [[nodiscard]] QRect bars() const;

    std::shared_ptr<const TensorSummary> m_summary;
};

} // namespace duo::ui
