// SPDX-License-Identifier: Apache-2.0
#include "core/report/verdict_report.h"
#include "views/results/export_text.h"
#include "views/style/theme.h"

#include <QTextDocument>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

ExportReport exampleReport()
{
    ExportReport report;
    report.bytesBefore = 4000;
    report.bytesAfter = 1000;
    report.int8Share = 0.975;
    report.files = {"/out/m.int8.onnx", "/out/m.int8.state.json"};
    report.checks = {
        {"loads", true, "the model loads", {}}, {"ignored-float", false, "2 ignored nodes run as int8", {"/a", "/b"}}};
    report.outputs = {{"logits", 31.2, false}, {"mask", std::nullopt, true}};
    report.verdict.outputs = {{{.name = "logits", .sqnrDb = 31.2}, true, "31.2 dB"},
        {{.name = "mask", .identical = true}, true, "identical"}};
    return report;
}

TEST(ExportText, NamesEveryCheckAndTheWorstOutput)
{
    QTextDocument document;
    document.setHtml(exportHtml(exampleReport(), lightTheme()));
    const std::string text = document.toPlainText().toStdString();
    EXPECT_NE(text.find("Exported m.int8.onnx: 4.0× smaller, 1 of 2 checks passed"), std::string::npos) << text;
    EXPECT_NE(text.find("✓ the model loads\n✗ 2 ignored nodes run as int8\n/a, /b"), std::string::npos) << text;
    EXPECT_NE(text.find("Parameters in codes: 97.5 %"), std::string::npos) << text;
    EXPECT_NE(text.find("Worst output: 31.2 dB at 'logits'"), std::string::npos) << text;
    EXPECT_NE(text.find("/out/m.int8.state.json"), std::string::npos) << text;
}

TEST(ExportText, LeavesOutTheMiddleOfNamesThatNobodyWouldRead)
{
    ExportReport report = exampleReport();
    const std::string name = "/first/" + std::string(100'000, 'x') + "/last";
    report.checks.push_back({"ignored-float", false, "an ignored node runs as int8", {name, "/b"}});
    QTextDocument document;
    document.setHtml(exportHtml(report, lightTheme()));
    const std::string text = document.toPlainText().toStdString();
    EXPECT_NE(text.find("\n/first/xxx"), std::string::npos);
    EXPECT_NE(text.find("xxx[...]xxx"), std::string::npos);
    EXPECT_NE(text.find("xxx/last, /b"), std::string::npos);
    EXPECT_LT(text.size(), 4000U);
}

TEST(ExportText, SaysWhatRunsInInt8AndWhyTheRestDoesNot)
{
    ExportReport report = exampleReport();
    report.checks.push_back({"int8-kernels", false, "1 of 2 run", {"/fc/Gemm"}});
    report.checks.back().results = {{"/a/Conv", RunsAs::Int8, "QLinearConv", {}, {}},
        {"/fc/Gemm", RunsAs::Float, "Gemm", Fallback::ScaledBias, "beta is not 1"}};
    QTextDocument document;
    document.setHtml(exportHtml(report, lightTheme()));
    const std::string text = document.toPlainText().toStdString();
    EXPECT_NE(text.find("1 of 2 planned nodes run in int8\n! 1 node not in int8: /fc/Gemm — beta is not 1"),
        std::string::npos)
        << text;
}

TEST(ExportText, NamesPlacesOfTheWindowAndNoOptionsOfTheCommandLine)
{
    ExportReport report = exampleReport();
    Verdict& verdict = report.verdict;
    verdict.kind = VerdictKind::Regression;
    verdict.sentence = "output 'logits': 8.6 dB; say so with --min-agreement 0.95, or give --labels";
    verdict.outputs[0].isGood = false;
    verdict.outputs[0].text = "8.6 dB (for more give --min-agreement 0.95)";
    report.outputs[0].text = verdict.outputs[0].text;
    verdict.notes = {{std::string(kWayOut), "--min-sqnr 20 (in the window Quantize > Bounds) goes on", {}}};
    const QString html = exportHtml(report, lightTheme());
    EXPECT_FALSE(html.contains(QStringLiteral("--"))) << html.toStdString();
    QTextDocument document;
    document.setHtml(html);
    EXPECT_TRUE(document.toPlainText().contains(QStringLiteral("at least 20 dB in Quantize > Bounds goes on")))
        << document.toPlainText().toStdString();
}

TEST(ExportText, SaysThatTheFileIsLarger)
{
    ExportReport report = exampleReport();
    report.bytesAfter = 6000;
    EXPECT_TRUE(exportSummary(report).contains(QStringLiteral("m.int8.onnx: 1.5× larger")))
        << exportSummary(report).toStdString();
}

TEST(ExportText, SaysCorrectionsAsTheCommandLineDoesAndNamesTheirNodes)
{
    ExportReport report = exampleReport();
    report.corrections = {{"bias-correction", {"/a/Conv", "/fc/Gemm"}, {"/b/Conv"}, 0.0123}};
    QTextDocument document;
    document.setHtml(exportHtml(report, lightTheme()));
    const std::string text = document.toPlainText().toStdString();
    EXPECT_NE(text.find("Corrections\n" + correctionText(report.corrections[0])
                  + "\nchanged: /a/Conv, /fc/Gemm\nleft: /b/Conv\nFiles\n"),
        std::string::npos)
        << text;
}

TEST(ExportText, WithoutCorrectionsHasNoTitleForThem)
{
    EXPECT_FALSE(exportHtml(exampleReport(), lightTheme()).contains(QStringLiteral("Corrections")));
}

TEST(ExportText, TellsBeforeTheExportWhatQuantizingCorrectedAndNoted)
{
    Compression compression;
    compression.samples = 1200;
    compression.corrections = {{"smooth-quant", {}, {}, 0}};
    for (int i = 0; i < 12; ++i)
        compression.corrections[0].nodes.push_back("n" + std::to_string(i));
    compression.notes = {{"convergence", "stopped after 40 of 200 samples", {}}};
    QTextDocument document;
    document.setHtml(quantizedHtml(compression, lightTheme()));
    EXPECT_EQ(document.toPlainText().toStdString(),
        "Quantized: nothing, for no node takes quantizers here\nNot exported yet.\nCorrections\n"
        "smooth-quant: 12 nodes changed, largest scale 0.00\n"
        "changed: n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, … 2 more\nNotes\nstopped after 40 of 200 samples");
}

} // namespace
} // namespace duo::ui
