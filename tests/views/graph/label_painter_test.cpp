// SPDX-License-Identifier: Apache-2.0
#include "views/graph/label_painter.h"

#include <QFontMetricsF>
#include <QImage>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// A box as wide as that text, with a title and a line below it.
QImage drawn(const char* title, const char* subtitle, const char* asWideAs)
{
    const LabelPainter text;
    const QFontMetricsF metrics(text.fontOf(text.titleSize({}), true));
    QImage image(static_cast<int>(metrics.horizontalAdvance(QLatin1String(asWideAs))) + 4, 60, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    const BoxLabel label{QLatin1String(title), QLatin1String(subtitle), {}};
    text.paintInside(painter, {QRectF(image.rect())}, label, Qt::black);
    return image;
}

TEST(LabelPainter, ACountIsDrawnWholeOrNotAtAll)
{
    EXPECT_EQ(drawn("conv", "1,254 nodes", "conv"), drawn("conv", "", "conv"));
    EXPECT_NE(drawn("conv", "1,254 nodes", "wide enough for all"), drawn("conv", "", "wide enough for all"));
}

TEST(LabelPainter, ANameMayLoseItsMiddleButNotNearlyAll)
{
    EXPECT_NE(drawn("Conv", "encoder_first", "encoder__"), drawn("Conv", "", "encoder__"));
    EXPECT_EQ(drawn("Conv", "encoder_first_conv_of_it", "Conv"), drawn("Conv", "", "Conv"));
}

TEST(LabelPainter, AnOperatorKeepsWholeWordsElseItsBeginning)
{
    const QFontMetricsF metrics{QFont()};
    const auto inRoomOf = [&](const char* name, const char* room) {
        return fittedName(QLatin1String(name), metrics, metrics.horizontalAdvance(QString::fromUtf8(room)))
            .toStdString();
    };
    EXPECT_EQ(inRoomOf("MaxPool", "MaxPool"), "MaxPool");
    EXPECT_EQ(inRoomOf("MaxPool", "MaxPoo"), "Max…");
    EXPECT_EQ(inRoomOf("LayerNormalization", "LayerNo…"), "Layer…");
    const double narrow = metrics.horizontalAdvance(QStringLiteral("Max"));
    EXPECT_EQ(fittedName(QStringLiteral("MaxPool"), metrics, narrow),
        metrics.elidedText(QStringLiteral("MaxPool"), Qt::ElideRight, narrow));
    const QString numbered = QStringLiteral("layers.10");
    EXPECT_EQ(fittedName(numbered, metrics, 40), metrics.elidedText(numbered, Qt::ElideMiddle, 40));
}

} // namespace
} // namespace duo::ui
