// SPDX-License-Identifier: Apache-2.0
#include "core/report/export_report.h"

#include "core/analysis/error_start.h"

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

/// What somebody sees of a verdict under a reason to fail, and what the exit code follows.
struct Outcome {
    VerdictKind verdict;
    const char* failedCheck; // id; "": none
    VerdictKind shown;
    bool isGood; // exit code 0
};

class OutcomeOfExport : public testing::TestWithParam<Outcome>
{
};

TEST_P(OutcomeOfExport, TheVerdictSaysWhatTheExitCodeDoes)
{
    const Outcome& wanted = GetParam();
    ExportReport report;
    report.verdict.kind = wanted.verdict;
    report.verdict.sentence = "what was measured";
    std::vector<Check> checks{{"loads", true, "it loads", {}}};
    if (*wanted.failedCheck != 0)
        checks.push_back({wanted.failedCheck, false, "what failed", {}});
    report = withChecks(std::move(report), checks);
    EXPECT_EQ(report.verdict.kind, wanted.shown);
    EXPECT_EQ(report.isGood(), wanted.isGood);
    EXPECT_EQ(report.verdict.isAccepted(), wanted.isGood) << "the word and the exit code agree";
    EXPECT_EQ(exportJson(report)["verdict"]["accepted"], wanted.isGood);
    if (wanted.shown == VerdictKind::CheckFailed) {
        EXPECT_THAT(exportText(report), HasSubstr("verdict         check failed: what failed; what was measured\n"));
    }
}

std::vector<Outcome> allOutcomes()
{
    std::vector<Outcome> all;
    using enum VerdictKind;
    for (const VerdictKind verdict : {NothingQuantized, NotMeasured, NotComparable, Regression, NoBenefit, Accepted})
        all.push_back({verdict, "", verdict, verdict == NotMeasured || verdict == Accepted});
    for (const char* check : {"loads", "interface", "untouched", "ignored-float", "int8-kernels", "finite-data",
             "varying-data", "output-bounds", "same-setup"}) {
        for (const VerdictKind verdict : {NotMeasured, NotComparable, NoBenefit, Accepted})
            all.push_back({verdict, check, check == std::string("loads") ? Infeasible : CheckFailed, false});
        for (const VerdictKind verdict : {NothingQuantized, Regression})
            all.push_back({verdict, check, check == std::string("loads") ? Infeasible : verdict, false});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, OutcomeOfExport, testing::ValuesIn(allOutcomes()));

JudgedOutput comparedOutput(const char* name, std::optional<double> sqnrDb, bool isGood, const char* text)
{
    return {{.name = name, .sqnrDb = sqnrDb}, isGood, text};
}

TEST(ExportReport, WorstOutputIsOneThatWasCompared)
{
    ExportReport report;
    const JudgedOutput boxes{{.name = "boxes", .isCompared = false}, true, "not compared: its shape differs"};
    report.verdict.outputs = {boxes};
    EXPECT_THAT(exportText(report), HasSubstr("worst output    no output was compared\n"));
    report.verdict.outputs.push_back({{.name = "same", .identical = true}, true, "identical"});
    EXPECT_THAT(exportText(report), HasSubstr("worst output    compared outputs are identical\n"));
    report.verdict.outputs.push_back(comparedOutput("logits", 31.24, true, "31.2 dB"));
    EXPECT_THAT(exportText(report), HasSubstr("worst output    31.2 dB at 'logits'\n"));
    report.verdict.outputs.push_back(comparedOutput("bad", std::nullopt, false, "no finite error"));
    EXPECT_THAT(exportText(report), HasSubstr("worst output    'bad' is no finite error\n"));
}

TEST(ExportReport, SaysThatTheFileIsLarger)
{
    ExportReport report;
    report.bytesBefore = 700;
    report.bytesAfter = 2000;
    EXPECT_THAT(exportText(report), HasSubstr("size            700 B -> 2.0 kB (2.86 x larger)\n"));
}

TEST(ExportReport, NamesEverythingThatWouldHelpTogether)
{
    ExportReport report;
    report.verdict.kind = VerdictKind::Regression;
    report.verdict.suggested = {{"encoder.0", false}, {"head", false}};
    EXPECT_THAT(exportText(report), HasSubstr("most would help: 'encoder.0' and 'head' together in float\n"));
    report.verdict.suggested.pop_back();
    EXPECT_THAT(exportText(report), HasSubstr("most would help: 'encoder.0' in float\n"));
}

TEST(ExportReport, NamesTheFirstOfManyThatWouldHelp)
{
    ExportReport report;
    report.verdict.kind = VerdictKind::Regression;
    for (int i = 0; i < 9; ++i)
        report.verdict.suggested.push_back({"conv" + std::to_string(i), true});
    EXPECT_THAT(exportText(report), HasSubstr("'conv0', 'conv1', 'conv2' and 6 more together in float\n"));
}

TEST(ExportReport, SaysWhatToDoBelowTheVerdict)
{
    ExportReport report;
    report.verdict.kind = VerdictKind::NoBenefit;
    report.verdict.sentence = "1.20 x slower than float";
    report.verdict.suggested = {{"head", false}};
    report.verdict.notes = {{"way-out", "keep 'head' in float", {}}};
    EXPECT_THAT(exportText(report),
        HasSubstr("verdict         no benefit: 1.20 x slower than float\n"
                  "                what to do: keep 'head' in float\n"));
    EXPECT_EQ(exportJson(report)["verdict"]["way_out"], "keep 'head' in float");
    report.verdict = {};
    EXPECT_TRUE(exportJson(report)["verdict"]["way_out"].is_null());
}

TEST(ExportReport, SaysWhatMakesAnErrorAndWhatOnlyMagnifiesIt)
{
    ExportReport report;
    report.verdict.kind = VerdictKind::Regression;
    report.verdict.starts = {{"h", "fc", 25, std::nullopt, StartKind::Starts, "log", 5},
        {"z", "div", 4, 30.0, StartKind::Jumps}, {"k", "add", 19, 21.0, StartKind::Grows}};
    const std::string text = exportText(report);
    EXPECT_THAT(text,
        HasSubstr("error starts at 'h' (node 'fc'): 25.0 dB, exact before it; node 'log' magnifies it to 5.0 dB\n"));
    EXPECT_THAT(
        text, HasSubstr("error jumps at 'z' (node 'div'): 4.0 dB, 30.0 dB before it; where it is made is not known\n"));
    EXPECT_THAT(text,
        HasSubstr(
            "error grows along the way, and is too large first at 'k' (node 'add'): 19.0 dB, 21.0 dB before it\n"));
    report.verdict.starts = {{"z", "div", kNotFiniteDb, 30.0, StartKind::Jumps}};
    EXPECT_THAT(exportText(report), HasSubstr("error jumps at 'z' (node 'div'): not finite, 30.0 dB before it; "));
    EXPECT_TRUE(exportJson(report)["verdict"]["error_starts"][0]["sqnr_db"].is_null());
}

} // namespace
} // namespace duo
