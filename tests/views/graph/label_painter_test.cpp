// SPDX-License-Identifier: Apache-2.0
#include "views/graph/label_painter.h"

#include <QFontMetricsF>
#include <QImage>
#include <QRegularExpression>

#include <string>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// A box as wide as that text, with a title and a line below it.
QImage drawn(const char* title, const char* subtitle, const char* asWideAs, const char* count = "", int height = 60)
{
    const LabelPainter text;
    const QFontMetricsF metrics(text.fontOf(text.titleSize({}), true));
    QImage image(
        static_cast<int>(metrics.horizontalAdvance(QLatin1String(asWideAs))) + 4, height, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    const BoxLabel label{QLatin1String(title), QLatin1String(subtitle), {}, QLatin1String(count)};
    text.paintInside(painter, {QRectF(image.rect())}, label, Qt::black);
    return image;
}

TEST(LabelPainter, ACountIsDrawnWholeOrNotAtAll)
{
    EXPECT_EQ(drawn("conv", "1,254 nodes", "conv"), drawn("conv", "", "conv"));
    EXPECT_NE(drawn("conv", "1,254 nodes", "wide enough for all"), drawn("conv", "", "wide enough for all"));
}

TEST(LabelPainter, AScopeSaysItsCountAloneWhereItsClassHasNoRoom)
{
    const char* whole = "torch.nn.modules.linear.Linear, 5 nodes";
    EXPECT_EQ(drawn("self", whole, "five nodes", "5 nodes"), drawn("self", "5 nodes", "five nodes"));
    EXPECT_EQ(drawn("self", whole, whole, "5 nodes"), drawn("self", whole, whole));
    const auto flat = [&](const char* count) { return drawn("self", whole, "self and five nodes", count, 16); };
    EXPECT_NE(flat("5 nodes"), flat("")) << "beside the name";
}

TEST(LabelPainter, ANameMayLoseItsMiddleButNotNearlyAll)
{
    EXPECT_NE(drawn("Conv", "encoder_first", "encoder__"), drawn("Conv", "", "encoder__"));
    EXPECT_EQ(drawn("Conv", "encoder_first_conv_of_it", "Conv"), drawn("Conv", "", "Conv"));
    EXPECT_EQ(drawn("Conv", "u8 per channel", "u8 per"), drawn("Conv", "", "u8 per"));
    EXPECT_EQ(drawn("0", "m_12345", "m_"), drawn("0", "", "m_")) << "nothing but m_ is left";
}

TEST(LabelPainter, ALineGetsNarrowerLettersBeforeItLosesAny)
{
    EXPECT_NE(drawn("Conv", "features.5", "feature"), drawn("Conv", "", "feature"));
    EXPECT_NE(drawn("Conv", "features.5", "feature"), drawn("Conv", "fea...s.5", "feature"));
    EXPECT_EQ(drawn("Conv", "features.5", "Con"), drawn("Conv", "", "Con")) << "a short name loses nothing";
    const std::string name = "block" + std::string(300, '_') + "tail";
    EXPECT_NE(drawn("Conv", name.c_str(), "as wide as a box may be"), drawn("Conv", "", "as wide as a box may be"));
}

TEST(LabelPainter, ALargeNameLeavesRoomForItsCount)
{
    const LabelPainter text;
    const auto large = [&](const char* count) {
        QImage image(90, 150, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const BoxLabel label{QStringLiteral("head"), QLatin1String(count), {}, QLatin1String(count)};
        text.paintLarge(painter, {QRectF(image.rect())}, label, Qt::black);
        return image;
    };
    EXPECT_NE(large("1,254 nodes"), large(""));
}

TEST(LabelPainter, WhereAFlatBoxIsNarrowANumberAloneStandsBesideTheName)
{
    const auto narrow = [](const char* count) { return drawn("0", "185 nodes", "0 ... 185", count, 16); };
    EXPECT_NE(narrow("185 nodes"), narrow(""));
}

TEST(LabelPainter, ANumberInANameIsNeverCut)
{
    const QFontMetricsF metrics(LabelPainter().fontOf(10, true));
    const QString name = QStringLiteral("layers.12345 with 67890");
    for (double room = metrics.horizontalAdvance(name); room > 0; --room) {
        const QString shown = fittedName(name, metrics, room);
        if (shown.isEmpty() || shown == name)
            continue;
        const QStringList ends = shown.split(QChar(0x2026));
        EXPECT_TRUE(
            ends[0].contains(QStringLiteral("12345")) || !ends[0].contains(QRegularExpression(QStringLiteral("[0-9]"))))
            << shown.toStdString();
        EXPECT_TRUE(
            ends[1].contains(QStringLiteral("67890")) || !ends[1].contains(QRegularExpression(QStringLiteral("[0-9]"))))
            << shown.toStdString();
    }
}

TEST(LabelPainter, AQuantizerSaysItsCodeAloneWhereTheRestHasNoRoom)
{
    EXPECT_EQ(drawn("W s8 per channel", "", "W s8 per"), drawn("W s8", "", "W s8 per"));
}

TEST(LabelPainter, SaysHowWideABoxMustBeForItsTitle)
{
    const LabelPainter text;
    EXPECT_LT(text.leastWidth(QStringLiteral("Conv")), text.leastWidth(QStringLiteral("ConvTranspose")));
    const QString name = QStringLiteral("encoder.layers.10.attention"); // may lose its middle, an operator nothing
    EXPECT_LT(text.leastWidth(name),
        text.leastWidth(QString(name).remove(QLatin1Char('.')).replace(QLatin1String("10"), QLatin1String("ten"))));
}

TEST(LabelPainter, APageGivesUpItsRangeBeforeItsTitle)
{
    const char* page = "ConstantOfShape x20: res2_1_branch2b_w_0 - res3_0_branch2a_bn_b_0";
    EXPECT_EQ(drawn(page, "", "ConstantOfShape"), drawn("ConstantOfShape x20", "", "ConstantOfShape"));
    EXPECT_NE(drawn(page, "", "ConstantOfShape"), drawn("", "", "ConstantOfShape"));
    EXPECT_NE(drawn(page, "", page), drawn("ConstantOfShape x20", "", page)) << "as much as has room";
    const LabelPainter text;
    EXPECT_EQ(text.leastWidth(QLatin1String(page)), text.leastWidth(QStringLiteral("ConstantOfShape x20")));
}

TEST(LabelPainter, AnOperatorKeepsWholeWordsElseNothingIsDrawn)
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
    EXPECT_EQ(fittedName(QStringLiteral("MaxPool"), metrics, narrow), QString());
    const QString numbered = QStringLiteral("layers.10");
    const double most = metrics.horizontalAdvance(numbered) * 0.8;
    EXPECT_EQ(fittedName(numbered, metrics, most), metrics.elidedText(numbered, Qt::ElideMiddle, most));
    EXPECT_EQ(fittedName(numbered, metrics, most / 2), QString());
}

TEST(LabelPainter, ANameOfAnyLengthIsKnownByItsEnds)
{
    const QFontMetricsF metrics{QFont()};
    const LabelPainter text;
    const QString first = QStringLiteral("block");
    for (const QString& letter : {QStringLiteral("x"), QStringLiteral("_")}) { // also where it looks like a word
        const QString name = first + letter.repeated(300) + QStringLiteral("tail");
        const QString shown = fittedName(name, metrics, metrics.horizontalAdvance(QString(20, QLatin1Char('m'))));
        EXPECT_TRUE(shown.startsWith(first) && shown.endsWith(QStringLiteral("tail"))) << shown.toStdString();
        EXPECT_LT(text.leastWidth(name), text.leastWidth(QString(20, QLatin1Char('M'))));
    }
}

TEST(LabelPainter, DrawsLongTextsWithoutTheirMiddleAndControlsAsMarks)
{
    EXPECT_EQ(drawnText("Re\x1b[31mlu\n"), QStringLiteral("Re?[31mlu\\n"));
    const QString shown = drawnText("a" + std::string(10'000'000, 'x') + "z");
    EXPECT_EQ(shown.size(), 401);
    EXPECT_TRUE(shown.startsWith(QLatin1Char('a')) && shown.endsWith(QLatin1Char('z')));
    EXPECT_EQ(drawnText(std::string(400, 'x')).size(), 400);
}

} // namespace
} // namespace duo::ui
