// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/contrast.h"
#include "tests/views/support/snapshot_builder.h"
#include "views/shell/banner.h"
#include "views/shell/indicator_style.h"
#include "views/shell/outcome_text.h"
#include "views/shell/start_page.h"
#include "views/shell/status_strip.h"
#include "views/shell/tool_tips.h"
#include "views/style/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QListWidget>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(Banner, SaysWhatWhereAndWhatToDoAndCopiesTheLine)
{
    QWidget parent;
    Banner banner(&parent);
    banner.showError({ErrorCode::MalformedModel, "the file ends in <the middle>", "m.onnx", "copy it again"});
    EXPECT_FALSE(banner.isHidden());
    EXPECT_EQ(banner.text(), QStringLiteral("<b>the file ends in &lt;the middle&gt;</b><br>m.onnx<br>→ copy it again"));
    banner.findChild<QPushButton*>(QStringLiteral("bannerCopy"))->click();
    EXPECT_EQ(QGuiApplication::clipboard()->text(),
        QStringLiteral("error: the file ends in <the middle>: m.onnx: copy it again"));
    banner.findChild<QToolButton*>(QStringLiteral("bannerClose"))->click();
    EXPECT_TRUE(banner.isHidden());
}

/// The best contrast between a pixel of the button's indicator and the window.
double indicatorContrast(QAbstractButton& button, const QPalette& palette)
{
    IndicatorStyle style;
    button.setStyle(&style);
    button.setPalette(palette);
    const QImage image = button.grab(QRect(QPoint(0, 0), button.sizeHint())).toImage();
    double best = 1;
    for (int x = 0; x < std::min(image.width(), image.height()); ++x) { // the indicator is a square
        for (int y = 0; y < image.height(); ++y)
            best = std::max(best, test::contrast(image.pixelColor(x, y), palette.color(QPalette::Window)));
    }
    button.setStyle(nullptr);
    return best;
}

TEST(IndicatorStyle, WhatIsNotCheckedIsSeenInBothAppearances)
{
    for (const QPalette& palette : {darkPalette(), lightPalette()}) {
        QCheckBox box;
        QRadioButton radio;
        EXPECT_GE(indicatorContrast(box, palette), 3);
        EXPECT_GE(indicatorContrast(radio, palette), 3);
    }
}

TEST(Banner, ShowsEachNoteOnALineOfItsOwn)
{
    QWidget parent;
    Banner banner(&parent);
    banner.showMessage(Banner::Tone::Good, QStringLiteral("Quantized.\nscale < 1"));
    EXPECT_EQ(banner.text(), QStringLiteral("Quantized.<br>scale &lt; 1"));
}

TEST(StartPage, NamesOfModelsHaveTheRoomThatThereIs)
{
    StartPage page;
    page.resize(1600, 900);
    page.setSamples({QStringLiteral("/usr/share/duoscope/samples/digits_transformer.dynamo.onnx")});
    page.show();
    const auto* samples = page.findChild<QListWidget*>(QStringLiteral("sampleList"));
    EXPECT_LE(samples->sizeHintForColumn(0), samples->viewport()->width());
}

TEST(StartPage, EnterOnARecentModelChoosesIt)
{
    StartPage page;
    page.setRecent({QStringLiteral("/models/a.onnx"), QStringLiteral("/models/b.onnx")});
    page.show();
    QSignalSpy chosen(&page, &StartPage::pathChosen);
    auto* list = page.findChild<QListWidget*>(QStringLiteral("recentList"));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Return);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.front().front().toString(), QStringLiteral("/models/b.onnx"));
}

TEST(StatusStrip, CountsWhatTheRulesDo)
{
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.back().kind = RuleKind::ExecutionScope;
    rules.rules.back().value = "blk";
    EXPECT_EQ(countsText(*test::withRules(*test::exampleSnapshot(), rules)),
        QStringLiteral("7 nodes  |  3 quantized  |  1 fused  |  2 ignored (1 rule)  |  1 float"));
}

TEST(StatusStrip, SaysBesideTheCountsThatRulesChanged)
{
    StatusStrip strip;
    const auto* counts = strip.findChild<QLabel*>(QStringLiteral("statusCounts"));
    const auto snapshot = test::exampleSnapshot();
    const QString text = countsText(*snapshot);
    strip.setSnapshot(snapshot, true);
    EXPECT_EQ(counts->text(), text + QStringLiteral("  |  rules changed since the last quantization"));
    strip.setSnapshot(snapshot, false);
    EXPECT_EQ(counts->text(), text);
    strip.setSnapshot(nullptr, false);
    EXPECT_EQ(counts->text(), QStringLiteral("No model"));
}

TEST(StatusStrip, NodesThatQuantizeAreNotCalledFloat)
{
    const auto quantized = test::makeSnapshot({
        {"Q", "QuantizeLinear", "", {}, {}, NodeState::Unsupported},
        {"DQ", "DequantizeLinear", "", {}, {}, NodeState::Unsupported},
        {"conv", "Conv", "", {}, {}},
        {"softmax", "Softmax", "", {}, {}, NodeState::Unsupported},
    });
    EXPECT_EQ(countsText(*quantized),
        QStringLiteral("4 nodes  |  1 quantized  |  0 ignored  |  2 quantizer nodes  |  1 float"));
}

TEST(StatusStrip, ConstantsAreCountedByThemselvesAsTheTreesDo)
{
    Snapshot snapshot = *test::makeSnapshot({
        {"scale", "Constant", "", {}, {}, NodeState::Unsupported},
        {"conv", "Conv", "", {}, {}},
        {"softmax", "Softmax", "", {}, {}, NodeState::Unsupported},
    });
    Model model = *snapshot.model;
    model.nodes.front().inputs.clear();
    snapshot.model = std::make_shared<const Model>(std::move(model));
    EXPECT_EQ(countsText(snapshot), QStringLiteral("3 nodes  |  1 quantized  |  0 ignored  |  1 float  |  1 constant"));
}

TEST(StatusStrip, ShowsTheJobAndItsStop)
{
    StatusStrip strip;
    auto* progress = strip.findChild<QProgressBar*>(QStringLiteral("progress"));
    EXPECT_TRUE(progress->isHidden());
    strip.setRunning(QStringLiteral("Quantizing"));
    strip.setProgress({"calibrate", 3, 12});
    EXPECT_FALSE(progress->isHidden());
    EXPECT_EQ(progress->value() * 4, progress->maximum());
    QSignalSpy stops(&strip, &StatusStrip::stopRequested);
    strip.findChild<QToolButton*>(QStringLiteral("statusStop"))->click();
    EXPECT_EQ(stops.count(), 1);
}

TEST(StatusStrip, ALongMessageNeitherWidensItNorHidesStop)
{
    StatusStrip strip;
    strip.setRunning(QStringLiteral("Measuring sensitivity"));
    strip.setProgress({"a stage whose name is rather long", 1234567, 7654321});
    strip.setMessage(QString(400, QLatin1Char('m')));
    strip.resize(500, 30);
    strip.show();
    EXPECT_LE(strip.minimumSizeHint().width(), 500);
    EXPECT_EQ(strip.width(), 500);
    const auto* stop = strip.findChild<QToolButton*>(QStringLiteral("statusStop"));
    EXPECT_TRUE(strip.rect().contains(stop->geometry())) << stop->geometry().right();
    EXPECT_GE(stop->width(), stop->sizeHint().width());
    auto* counts = strip.findChild<QLabel*>(QStringLiteral("statusCounts"));
    EXPECT_EQ(counts->text().size(), 400); // whole for a screen reader
    QHelpEvent help(QEvent::ToolTip, {5, 5}, counts->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(counts, &help);
    EXPECT_EQ(counts->toolTip(), counts->text());
    EXPECT_FALSE(strip.grab().isNull());
}

TEST(StatusStrip, ALongOutcomeGivesWayBeforeTheCountsDo)
{
    StatusStrip strip;
    strip.setSnapshot(nullptr, false);
    strip.setOutcome(QString(400, QLatin1Char('x')));
    strip.resize(600, strip.sizeHint().height());
    strip.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&strip));
    const auto* counts = strip.findChild<QLabel*>(QStringLiteral("statusCounts"));
    EXPECT_GE(counts->width(), counts->fontMetrics().horizontalAdvance(counts->text()));
    auto* outcome = strip.findChild<QLabel*>(QStringLiteral("statusOutcome"));
    QHelpEvent help(QEvent::ToolTip, {5, 5}, outcome->mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(outcome, &help);
    EXPECT_EQ(outcome->toolTip(), outcome->text());
}

TEST(OutcomeText, SaysTheSizeWhereNothingElseIsKnown)
{
    EXPECT_EQ(foreseenText(ForeseenSize{461'000, 120'700}).toStdString(), "foreseen: about 120.7 kB of 461.0 kB");
    EXPECT_EQ(foreseenText(ForeseenSize{461'000, 120'700, true}).toStdString(),
        "foreseen: about 120.7 kB of 461.0 kB before floats take 16 bits");
}

TEST(OutcomeText, SaysWhatIsForeseenAsFarAsItIsKnown)
{
    Forecast forecast;
    forecast.size.before = 461'000;
    forecast.size.after = 120'700;
    forecast.outputs = {{"a", 38.24}, {"b", 50.0}};
    Foresight foresight;
    const auto said = [&] {
        foresight.forecast = std::make_shared<const Forecast>(forecast);
        return foreseenText(foresight).toStdString();
    };
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, 38.2 dB");
    forecast.outputSamples = 8;
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, 38.2 dB over 8 samples");
    forecast.outputSamples = 1;
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, 38.2 dB over 1 sample");
    forecast.outputSamples = 0;
    forecast.outputs.push_back({"not finite", {}});
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, an output that is not finite");
    const OutputForecast notCompared{"probability", {}, false, false};
    forecast.outputs = {{"label", {}, false, true, 0.984}, notCompared};
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, 98.4 % of the elements equal");
    forecast.outputs.front().isIdentical = true;
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, outputs as they were");
    forecast.outputs = {notCompared};
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, no output compared");
    forecast.outputs.clear();
    forecast.whyNoError = "it takes samples";
    EXPECT_EQ(said(), "foreseen: about 120.7 kB of 461.0 kB, error not known: it takes samples");
    foresight.problem = Error{ErrorCode::BadData, "a value has no range", {}, {}};
    EXPECT_EQ(said(), "");
}

/// Of the tool tip shown for a point of a widget, px.
int tipWidth(QWidget& widget, const QPoint& at)
{
    QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &help);
    for (const QWidget* top : QApplication::topLevelWidgets()) {
        if (top->inherits("QTipLabel") && top->isVisible())
            return top->width();
    }
    return 0;
}

TEST(ToolTips, LongLinesAreBrokenForWidgetsAndItems)
{
    const ToolTips tips;
    QString text = QStringLiteral("<scope> holds:");
    for (int i = 0; i < 60; ++i)
        text += QStringLiteral(" word%1").arg(i);
    const QFontMetrics metrics{QToolTip::font()};
    ASSERT_GT(metrics.horizontalAdvance(text), metrics.averageCharWidth() * 200);
    QListWidget list;
    list.addItem(QStringLiteral("item"));
    list.item(0)->setToolTip(text);
    list.show();
    QLabel label;
    label.setToolTip(text);
    label.show();
    for (const int width :
        {tipWidth(*list.viewport(), list.visualItemRect(list.item(0)).center()), tipWidth(label, {1, 1})}) {
        EXPECT_GT(width, 0);
        EXPECT_LT(width, metrics.averageCharWidth() * 120);
    }
    EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("&lt;scope&gt; holds"))) << QToolTip::text().toStdString();
    QToolTip::hideText();
}

} // namespace
} // namespace duo::ui
