// SPDX-License-Identifier: Apache-2.0
#include "views/results/results_view.h"

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
    view.setQuantized(compression);
    EXPECT_TRUE(view.toPlainText().startsWith(QStringLiteral("Quantized: "))) << view.toPlainText().toStdString();
    EXPECT_TRUE(view.toPlainText().contains(QStringLiteral("changed: /a/Conv")));

    auto report = std::make_shared<ExportReport>();
    report->files = {"/out/m.int8.onnx"};
    view.setReport(report);
    view.setStale(true);
    const QString both = view.toPlainText();
    EXPECT_LT(both.indexOf(QStringLiteral("Not exported yet")), both.indexOf(QStringLiteral("Of earlier rules")));
    EXPECT_LT(both.indexOf(QStringLiteral("Of earlier rules")), both.indexOf(QStringLiteral("Exported m.int8.onnx")));

    view.setQuantized(nullptr);
    view.setStale(false);
    EXPECT_TRUE(view.toPlainText().startsWith(QStringLiteral("Exported m.int8.onnx")));
}

} // namespace
} // namespace duo::ui
