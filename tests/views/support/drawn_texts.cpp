// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/drawn_texts.h"

#include <QFontInfo>
#include <QGuiApplication>
#include <QPaintEngine>
#include <QPainter>
#include <QScreen>

namespace duo::test {

class TextRecorder::Engine : public QPaintEngine
{
public:
    Engine()
        : QPaintEngine(AllFeatures)
    {
    }

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override { }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { }
    void drawPath(const QPainterPath&) override { }
    [[nodiscard]] Type type() const override { return User; }

    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QTransform shown = painter()->worldTransform();
        const QRectF rect(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
        texts.push_back({item.text(), QFontInfo(item.font()).pixelSize() * shown.m22(), shown.mapRect(rect)});
    }

    std::vector<DrawnText> texts;
};

TextRecorder::TextRecorder(const QSize& size)
    : m_size(size)
    , m_engine(std::make_unique<Engine>())
{
}

TextRecorder::~TextRecorder() = default;

QPaintEngine* TextRecorder::paintEngine() const
{
    return m_engine.get();
}

const std::vector<DrawnText>& TextRecorder::texts() const
{
    return m_engine->texts;
}

int TextRecorder::metric(PaintDeviceMetric metric) const
{
    constexpr int kDpi = 96;
    constexpr double kMmPerInch = 25.4;
    switch (metric) {
    case PdmWidth:
        return m_size.width();
    case PdmHeight:
        return m_size.height();
    case PdmWidthMM:
        return qRound(m_size.width() * kMmPerInch / kDpi);
    case PdmHeightMM:
        return qRound(m_size.height() * kMmPerInch / kDpi);
    case PdmNumColors:
        return 1 << 24;
    case PdmDepth:
        return 24;
    case PdmDevicePixelRatio:
        return 1;
    case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
    default:
        return kDpi;
    }
}

} // namespace duo::test
