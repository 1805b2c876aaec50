// SPDX-License-Identifier: Apache-2.0
#include "views/results/results_view.h"

#include "core/report/verdict_report.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextLayout>

#include <memory>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(ResultsView, WhatIsNotExportedYetStandsAboveTheLastExport)
{
    ResultsView view;
    EXPECT_EQ(view.toPlainText(), QStringLiteral("Nothing quantized yet."));
    auto compression = std::make_shared<Compression>();
    compression->corrections = {{"bias-correction", {"/a/Conv"}, {}, 0.5}};
    view.setQuantized(compression, false);
    EXPECT_TRUE(view.toPlainText().startsWith(QStringLiteral("Quantized: "))) << view.toPlainText().toStdString();
    EXPECT_TRUE(view.toPlainText().contains(QStringLiteral("changed: /a/Conv")));

    auto report = std::make_shared<ExportReport>();
    report->files = {"/out/m.int8.onnx"};
    view.setReport(report, true);
    EXPECT_EQ(view.windowTitle(), QStringLiteral("Results !"));
    const QString both = view.toPlainText();
    EXPECT_LT(both.indexOf(QStringLiteral("Not exported yet")), both.indexOf(QStringLiteral("Of earlier rules")));
    EXPECT_LT(both.indexOf(QStringLiteral("Of earlier rules")), both.indexOf(QStringLiteral("Exported m.int8.onnx")));

    view.setQuantized(nullptr, false);
    view.setReport(report, false);
    EXPECT_TRUE(view.toPlainText().startsWith(QStringLiteral("Exported m.int8.onnx")));
    EXPECT_EQ(view.windowTitle(), QStringLiteral("Results"));
}

TEST(ResultsView, WhatWasQuantizedWithEarlierRulesStaysAndSaysSo)
{
    ResultsView view;
    const auto compression = std::make_shared<Compression>();
    view.setQuantized(compression, true);
    EXPECT_EQ(view.windowTitle(), QStringLiteral("Results !"));
    const QString text = view.toPlainText();
    EXPECT_NE(text.indexOf(QStringLiteral("Of earlier rules")), -1) << text.toStdString();
    EXPECT_LT(text.indexOf(QStringLiteral("Of earlier rules")), text.indexOf(QStringLiteral("Quantized: ")));
    view.setQuantized(compression, false);
    EXPECT_EQ(view.toPlainText().indexOf(QStringLiteral("Of earlier rules")), -1);
    EXPECT_EQ(view.windowTitle(), QStringLiteral("Results"));
}

TEST(ResultsView, OffersToKeepEverythingThatWouldHelpTogether)
{
    ResultsView view;
    auto report = std::make_shared<ExportReport>();
    report->verdict.kind = VerdictKind::Regression;
    report->verdict.suggested = {{"encoder.0", false}, {"/head/MatMul", true}};
    view.setReport(report, false);
    auto* button = view.findChild<QPushButton*>(QStringLiteral("buttonSuggestedScope"));
    EXPECT_EQ(button->text(), QStringLiteral("Keep 'encoder.0' and '/head/MatMul' together in float"));
    const QSignalSpy intents(&view, &ResultsView::rulesIntended);
    button->click();
    ASSERT_EQ(intents.size(), 1);
    const auto intent = intents.front().front().value<RuleIntent>();
    ASSERT_EQ(intent.subjects.size(), 2U);
    EXPECT_EQ(intent.subjects[0].kind, RuleKind::ExecutionScope);
    EXPECT_EQ(intent.subjects[1].kind, RuleKind::Name);
}

TEST(ResultsView, ShortensLongNamesOnTheButtonAndSaysAllOfThemInItsTip)
{
    ResultsView view;
    view.resize(320, 200);
    view.show();
    auto report = std::make_shared<ExportReport>();
    report->verdict.kind = VerdictKind::NoBenefit;
    report->verdict.suggested = {{"encoder.layers.0.attention & norm", false}, {"encoder.layers.1.attention", false}};
    view.setReport(report, false);
    const auto* button = view.findChild<QPushButton*>(QStringLiteral("buttonSuggestedScope"));
    EXPECT_TRUE(button->text().startsWith(QStringLiteral("Keep 'enc"))) << button->text().toStdString();
    EXPECT_TRUE(button->text().endsWith(QStringLiteral("… in float"))) << button->text().toStdString();
    EXPECT_LE(button->sizeHint().width(), view.viewport()->width());
    EXPECT_EQ(button->accessibleName(),
        QStringLiteral("Keep 'encoder.layers.0.attention & norm' and 'encoder.layers.1.attention' together in float"));
    EXPECT_TRUE(
        button->toolTip().endsWith(QStringLiteral(": encoder.layers.0.attention & norm, encoder.layers.1.attention")))
        << button->toolTip().toStdString();
    view.resize(1200, 200);
    EXPECT_TRUE(button->text().contains(QStringLiteral("attention && norm' and "))) << button->text().toStdString();
    view.setReport(report, true);
    EXPECT_FALSE(button->isVisible());
}

TEST(ResultsView, AWayOutWithoutAnEditIsWordsOnTop)
{
    ResultsView view;
    view.show();
    auto report = std::make_shared<ExportReport>();
    report->verdict.kind = VerdictKind::NoBenefit;
    report->verdict.sentence = "1.20 x slower than float";
    report->verdict.notes = {{std::string(kWayOut), "the float model is the better one", {}}};
    view.setReport(report, false);
    EXPECT_FALSE(view.findChild<QPushButton*>(QStringLiteral("buttonSuggestedScope"))->isVisible());
    EXPECT_TRUE(view.toPlainText().trimmed().startsWith(
        QStringLiteral("✗ no benefit\n1.20 x slower than float\nwhat to do: the float model is the better one\n")))
        << view.toPlainText().toStdString();
}

TEST(ResultsView, WhatAnEarlierRunCameToStandsBelowWithItsDateAndWhatIsAnotherOneSince)
{
    ResultsView view;
    const ResultOrigin then{"a", "b", {7, 8, 0}};
    view.setEarlier({{ResultKind::Export, "2026-11-22T14:05:00.000Z", "accepted: <fast>\nsize  1 MB", then}}, then);
    const QString text = view.toPlainText();
    EXPECT_TRUE(text.startsWith(QStringLiteral("Export of an earlier run, 2"))) << text.toStdString();
    EXPECT_TRUE(text.contains(QStringLiteral("Nov 2026 ")));
    EXPECT_TRUE(text.contains(QStringLiteral("accepted: <fast>\nsize: 1 MB")));
    EXPECT_FALSE(text.contains(QStringLiteral("Changed since")));
    view.setEarlier({{ResultKind::Export, "no date", "accepted", then}}, {"a", "c", {7, 9, 0}});
    EXPECT_TRUE(view.toPlainText().contains(QStringLiteral("! Changed since: the data, the model's file.")))
        << view.toPlainText().toStdString();
    view.setEarlier({}, {});
    EXPECT_EQ(view.toPlainText(), QStringLiteral("Nothing quantized yet."));
}

TEST(ResultsView, AnEarlierRunIsReadInANarrowPaneAndTablesKeepTheirColumns)
{
    ResultsView view;
    view.resize(260, 400);
    view.show();
    view.setEarlier({{ResultKind::Export, "no date",
                        "verdict   accepted\n"
                        "          errors are of 8 samples\n"
                        "checks\n"
                        "  ok      it loads\n"
                        "  FAILED  it runs\n"
                        "logits    34.5 dB   99.1 %   0.25 of 1.25   16 predictions\n",
                        {}}},
        {});
    EXPECT_TRUE(view.toPlainText().endsWith(
        QStringLiteral("verdict: accepted\nerrors are of 8 samples\nchecks\n✓ it loads\n✗ it runs\n"
                       "logits    34.5 dB   99.1 %   0.25 of 1.25   16 predictions")))
        << view.toPlainText().toStdString();
    EXPECT_EQ(view.document()->find(QStringLiteral("logits")).block().layout()->lineCount(), 1);
}

} // namespace
} // namespace duo::ui
