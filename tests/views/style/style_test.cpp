// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/contrast.h"
#include "views/style/format.h"
#include "views/style/state_style.h"
#include "views/style/theme.h"
#include "views/style/wrapped_tip.h"

#include <QTextDocument>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

void expectReadable(const Theme& theme, const Shade& shade, const char* name)
{
    EXPECT_GE(test::contrast(shade.text, shade.fill), 4.5) << name << " on its fill";
    EXPECT_GE(test::contrast(shade.ink, theme.base), 4.5) << name << " on the base";
    EXPECT_GE(test::contrast(shade.border, theme.base), 1.5) << name << " outline";
}

class Themes : public testing::TestWithParam<bool>
{
protected:
    [[nodiscard]] static const Theme& theme() { return GetParam() ? darkTheme() : lightTheme(); }
    [[nodiscard]] static QPalette palette() { return GetParam() ? darkPalette() : lightPalette(); }
};

TEST_P(Themes, EveryTextIsReadable)
{
    for (std::size_t state = 0; state < theme().states.size(); ++state)
        expectReadable(theme(), theme().states[state], stateLabel(static_cast<NodeState>(state)).toUtf8().constData());
    expectReadable(theme(), theme().scope, "scope");
    expectReadable(theme(), theme().frame, "frame");
    expectReadable(theme(), theme().port, "port");
    expectReadable(theme(), theme().badge, "badge");
    expectReadable(theme(), theme().good, "good");
    expectReadable(theme(), theme().warning, "warning");
    expectReadable(theme(), theme().bad, "bad");
    expectReadable(theme(), theme().preview, "preview");
    expectReadable(theme(), theme().found, "found");
    for (const Shade& step : theme().heat)
        expectReadable(theme(), step, "heat");
    for (const Shade& mark : {theme().preview, theme().found}) { // rows of the trees keep their inks in a mark
        for (const Shade& state : theme().states)
            EXPECT_GE(test::contrast(state.ink, mark.fill), 4.5);
        EXPECT_GE(test::contrast(theme().muted, mark.fill), 4.5);
    }
    EXPECT_GE(test::contrast(theme().text, theme().base), 7);
    EXPECT_GE(test::contrast(theme().muted, theme().base), 4.5);
    EXPECT_GE(test::contrast(theme().muted, theme().frame.fill), 4.5);
    EXPECT_GE(test::contrast(theme().selection, theme().base), 3);
    EXPECT_GE(test::contrast(theme().edge, theme().base), 3);
}

TEST_P(Themes, PaletteIsReadableAndNamesItsTheme)
{
    const QPalette colors = palette();
    for (const auto& [text, ground] :
        {std::pair(QPalette::WindowText, QPalette::Window), {QPalette::Text, QPalette::Base},
            {QPalette::Text, QPalette::AlternateBase}, {QPalette::ButtonText, QPalette::Button},
            {QPalette::HighlightedText, QPalette::Highlight}, {QPalette::ToolTipText, QPalette::ToolTipBase},
            {QPalette::PlaceholderText, QPalette::Base}, {QPalette::Link, QPalette::Window}})
        EXPECT_GE(test::contrast(colors.color(text), colors.color(ground)), 4.5) << text << " on " << ground;
    EXPECT_EQ(&themeFor(colors), &theme());
}

INSTANTIATE_TEST_SUITE_P(
    Both, Themes, testing::Bool(), [](const auto& theme) { return std::string(theme.param ? "Dark" : "Light"); });

TEST(Format, SizesArePowersOfThousandWithOneDecimal)
{
    EXPECT_EQ(bytesText(812), QStringLiteral("812 B"));
    EXPECT_EQ(bytesText(1234), QStringLiteral("1.2 kB"));
    EXPECT_EQ(bytesText(999999), QStringLiteral("1.0 MB"));
    EXPECT_EQ(bytesText(25400000), QStringLiteral("25.4 MB"));
}

TEST(Format, TypesShowWhatIsUnknown)
{
    ValueType type;
    EXPECT_EQ(typeText(type), QStringLiteral("type not known"));
    type.element = ElementType::Float32;
    EXPECT_EQ(typeText(type), QStringLiteral("float32 of unknown rank"));
    type.shape = {Dim{}};
    EXPECT_EQ(typeText(type), QStringLiteral("float32 [?]"));
    type.shape = {Dim{std::nullopt, "N"}, Dim{3, {}}, Dim{}};
    EXPECT_EQ(typeText(type), QStringLiteral("float32 [N, 3, ?]"));
}

TEST(Format, ShortCountsKeepThreeDigits)
{
    for (const auto& [text, expected] :
        {std::pair("999", "999"), {"1,254", "1.25k"}, {"≠ 20,841", "≠ 20.8k"}, {"999,499", "999k"}, {"999,500", "1M"},
            {"1,250,019", "1.25M"}, {"7,000,000,000", "7G"}, {"◪ 20,841/50,019, ⊘ 8", "◪ 20.8k/50k, ⊘ 8"}})
        EXPECT_EQ(shortCounts(QString::fromUtf8(text)), QString::fromUtf8(expected));
}

TEST(Format, LongAttributesSayThatTheyAreCut)
{
    Attribute attribute{"axes", std::vector<std::int64_t>(14, 7)};
    EXPECT_EQ(attributeText(attribute), QStringLiteral("axes = [7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, … 2 more]"));
}

TEST(Tips, ShortTextsStayAsTheyAreAndLongLinesAreBroken)
{
    const QFontMetrics metrics{QFont()};
    EXPECT_EQ(wrappedTip(QStringLiteral("a < b\nsecond"), metrics), QStringLiteral("a < b\nsecond"));
    EXPECT_EQ(wrappedTip(QString(), metrics), QString());
    const QString wrapped = wrappedTip(QStringLiteral("a < b\n") + QString(300, QLatin1Char('m')), metrics);
    EXPECT_TRUE(Qt::mightBeRichText(wrapped));
    EXPECT_TRUE(wrapped.contains(QStringLiteral("a &lt; b\nm")));
}

TEST(Tips, ANameWithoutAnySpaceIsBroken)
{
    const QFontMetrics metrics{QFont()};
    const int width = 80 * metrics.averageCharWidth();
    for (const QString& letter : {QStringLiteral("m"), QStringLiteral("_"), QStringLiteral("\U0001F600")}) {
        QTextDocument document;
        document.setHtml(wrappedTip(letter.repeated(1680), metrics));
        document.setTextWidth(width);
        EXPECT_LE(document.idealWidth(), 2.0 * width) << letter.toStdString();
        EXPECT_EQ(document.toPlainText().remove(QChar(0x200B)), letter.repeated(1680));
    }
}

TEST(Tips, MarkupInNamesIsNeverMarkup)
{
    const QFontMetrics metrics{QFont()};
    for (const QString& name : {QStringLiteral("<b>x</b>"), QStringLiteral("<img src='file:///etc/hostname'>"),
             QStringLiteral("relu <qt>"), QStringLiteral("<p>%1</p>").arg(QString(300, QLatin1Char('m')))})
        EXPECT_TRUE(wrappedTip(name, metrics).remove(QChar(0x200B)).contains(name.toHtmlEscaped()))
            << name.toStdString();
}

TEST(Tips, ControlsAndTurnedDirectionsAreMarks)
{
    const QString text = QString::fromUtf8("a\u202Eb\x1B\nc");
    EXPECT_EQ(wrappedTip(text, QFontMetrics{QFont()}), QStringLiteral("a?b?\nc"));
}

TEST(StateCounts, LabelNamesWhatAGroupIs)
{
    StateCounts counts;
    EXPECT_EQ(countsLabel(counts), QString());
    counts.add(Decision{NodeState::Quantized});
    EXPECT_EQ(countsLabel(counts), QStringLiteral("■ quantized"));
    counts.add(Decision{NodeState::Ignored});
    counts.add(Decision{NodeState::Unsupported});
    EXPECT_EQ(countsLabel(counts), QStringLiteral("◪ 1/3, ⊘ 1"));
    StateCounts fused;
    fused.add(Decision{NodeState::Fused});
    EXPECT_EQ(countsLabel(fused), QStringLiteral("▪ fused"));
    fused.add(Decision{NodeState::Unsupported});
    EXPECT_EQ(countsLabel(fused), QStringLiteral("– float"));
}

TEST(StateCounts, QuantizersOfTheFileAreNeitherQuantizedNorFloat)
{
    StateCounts counts;
    const Decision quantizer{NodeState::Unsupported, {ReasonCode::IsFileQuantizer}};
    counts.add(quantizer);
    EXPECT_EQ(countsLabel(counts), QStringLiteral("quantizers"));
    EXPECT_EQ(stateLabel(quantizer), QStringLiteral("quantizer"));
    EXPECT_EQ(markedLabel(quantizer), QStringLiteral("quantizer"));
    EXPECT_EQ(markedLabel(Decision{NodeState::Quantized}), QStringLiteral("■ quantized"));
    counts.add(Decision{NodeState::Quantized, {ReasonCode::ReadsFileCodes}});
    EXPECT_EQ(countsLabel(counts), QStringLiteral("■ quantized"));
    EXPECT_EQ(counts.ofFile, 1);
}

} // namespace
} // namespace duo::ui
