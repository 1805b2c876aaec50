// SPDX-License-Identifier: Apache-2.0
// Texts that are drawn: what a painter writes, how large, and where.
#pragma once

#include <QPaintDevice>
#include <QRectF>
#include <QString>

#include <memory>
#include <vector>

namespace duo::test {

struct DrawnText {
    QString text;
    double pixels = 0; // size of the font on the device
    QRectF rect; // px of the device
};

/// A device of which only the texts are kept.
class TextRecorder : public QPaintDevice
{
public:
    explicit TextRecorder(const QSize& size);
    ~TextRecorder() override;

    [[nodiscard]] QPaintEngine* paintEngine() const override;
    [[nodiscard]] const std::vector<DrawnText>& texts() const;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    QSize m_size;
    std::unique_ptr<Engine> m_engine;
};

} // namespace duo::test
