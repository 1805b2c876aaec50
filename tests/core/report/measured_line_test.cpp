// SPDX-License-Identifier: Apache-2.0
#include "core/report/measured_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace duo {
namespace {

JudgedOutput judged(OutputMeasure measure)
{
    return {std::move(measure), true, ""};
}

TEST(MeasuredLine, SaysWhatWasMeasuredOfTheWorstOutputAndOfLabels)
{
    OutputMeasure identical{"c"};
    identical.identical = true;
    ExportReport report;
    report.bytesBefore = 461'000;
    report.bytesAfter = 120'700;
    EXPECT_EQ(measuredLine(report), "measured: 120.7 kB of 461.0 kB, error not measured");
    report.verdict.outputs = {judged({"a", 50.0}), judged({"b", 37.94}), judged(identical)};
    report.verdict.quality = QualityMeasure{"top-1 accuracy", 0.985, 0.981, false};
    EXPECT_EQ(measuredLine(report), "measured: 120.7 kB of 461.0 kB, 37.9 dB, top-1 accuracy 98.1 % (float 98.5 %)");
    report.verdict.quality = QualityMeasure{"metric", 0.5, 0.25, true};
    report.verdict.outputs = {judged(identical)};
    EXPECT_EQ(measuredLine(report), "measured: 120.7 kB of 461.0 kB, outputs as they were, metric 0.25 (float 0.5)");
    report.verdict.outputs = {judged({"a"}), judged({"b", 37.94})};
    EXPECT_THAT(measuredLine(report), testing::HasSubstr("an output that is not finite"));
}

TEST(MeasuredLine, LeavesOutWhatWasNotCompared)
{
    OutputMeasure label{"label"};
    label.isDiscrete = true;
    label.identical = true;
    OutputMeasure map{"probability"};
    map.isNumeric = false;
    map.isCompared = false;
    ExportReport report;
    const auto said = [&] { return measuredLine(report).substr(measuredLine(report).find(", ") + 2); };
    report.verdict.outputs = {judged(label), judged(map)};
    EXPECT_EQ(said(), "compared outputs as they were");
    label.identical = false;
    report.verdict.outputs = {{label, true, "equal in 98.4 % of 64 elements"}, judged(map)};
    EXPECT_EQ(said(), "equal in 98.4 % of 64 elements");
    report.verdict.outputs = {judged(map)};
    EXPECT_EQ(said(), "no output compared");
}

} // namespace
} // namespace duo
