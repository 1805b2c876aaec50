// SPDX-License-Identifier: Apache-2.0
#include "core/report/export_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::HasSubstr;

TEST(ExportReport, SaysWhatEachCorrectionChanged)
{
    EXPECT_EQ(correctionText({"bias-correction", {"a", "b", "c"}, {"d"}, 0.0123}),
        "bias-correction: 3 nodes changed, largest shift 1.2 % of a bias, 1 left as it is");
    EXPECT_EQ(correctionText({"smooth-quant", {"a"}, {}, 3.456}), "smooth-quant: 1 node changed, largest scale 3.46");
    EXPECT_EQ(correctionText({"smooth-quant", {"a", "b"}, {}, 2, 1}),
        "smooth-quant: 2 nodes changed, largest scale 2.00, 1 folded into what comes before");
    EXPECT_EQ(
        correctionText({"bias-correction", {}, {"a", "b"}, 0}), "bias-correction: 0 nodes changed, 2 left as they are");
}

TEST(ExportReport, ListsCorrectionsUnderTheirTitle)
{
    ExportReport report;
    EXPECT_THAT(exportText(report), Not(HasSubstr("corrections")));
    report.corrections = {{"smooth-quant", {"a"}, {}, 2}, {"cross-layer-equalization", {}, {}, 0}};
    EXPECT_THAT(exportText(report),
        HasSubstr("corrections\n  smooth-quant: 1 node changed, largest scale 2.00\n"
                  "  cross-layer-equalization: 0 nodes changed\nfiles\n"));
}

} // namespace
} // namespace duo
