// SPDX-License-Identifier: Apache-2.0
// ImageOptions: how pictures of a folder become the numbers a model takes.
#pragma once

#include "core/calibrate/samples/dataset.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

namespace duo::ui {

/// Numbers between commas or spaces; nothing if one of them is none.
std::optional<std::vector<float>> numbersOf(const QString& text);

class ImageOptions : public QWidget
{
    Q_OBJECT

public:
    explicit ImageOptions(QWidget* parent = nullptr);
    void set(const DatasetOptions& options); // does not signal
    /// Takes what is set here over; the rest stays.
    void applyTo(DatasetOptions& options) const;
    [[nodiscard]] bool isValid() const; // mean and deviation are numbers

Q_SIGNALS:
    void changed();

private:
    void choosePixels(int index);
    void markNumbers();

    QSpinBox* m_height;
    QSpinBox* m_width;
    QComboBox* m_layout;
    QComboBox* m_channels;
    QComboBox* m_pixels; // usual means and deviations
    QLineEdit* m_mean;
    QLineEdit* m_std;
};

} // namespace duo::ui
