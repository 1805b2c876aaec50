// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/verdict.h"

#include <cmath>

#include <gtest/gtest.h>

namespace duo {
namespace {

/// A good export: 30 dB, twice as fast, four times smaller.
ExportMeasures goodMeasures()
{
    ExportMeasures measures;
    measures.quantizers = 8;
    measures.bytesBefore = 400000;
    measures.bytesAfter = 100000;
    measures.outputs = {{.name = "y", .sqnrDb = 30.0, .cosine = 0.9995}};
    measures.latency = Latency{2.0, 1.0, 1, 100};
    return measures;
}

TEST(Verdict, AcceptsWhatIsCloseAndFaster)
{
    const Verdict verdict = judge(goodMeasures());
    EXPECT_EQ(verdict.kind, VerdictKind::Accepted);
    EXPECT_EQ(verdict.sentence, "2.00 x faster than float and 4.00 x smaller; output 'y': 30.0 dB");
    EXPECT_TRUE(verdict.isAccepted());
}

TEST(Verdict, TellsDecibelsApart)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "y", .sqnrDb = 2.6, .cosine = 0.8};
    const Verdict ruined = judge(measures);
    EXPECT_EQ(ruined.kind, VerdictKind::Regression);
    EXPECT_EQ(ruined.sentence, "output 'y': 2.6 dB (10.0 dB at least are wanted)");
    measures.outputs[0] = {.name = "y", .sqnrDb = 11, .cosine = 0.96};
    const Verdict poor = judge(measures);
    EXPECT_EQ(poor.kind, VerdictKind::Regression);
    EXPECT_EQ(poor.sentence, "output 'y': 11.0 dB, cosine 0.9600 (20.0 dB are wanted, or cosine 0.99)");
    measures.outputs[0] = {.name = "y", .sqnrDb = 39, .cosine = 0.9999};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
}

TEST(Verdict, ADetectorThatFindsSomethingElseIsNeverGood)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "boxes",
        .sqnrDb = 40,
        .cosine = 0.9999,
        .areScores = true,
        .kind = AnswerKind::Detection,
        .predictions = 100,
        .agreeing = 80,
        .uncommon = 100};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    EXPECT_EQ(judge(measures).outputs[0].text,
        "40.0 dB, the same object in 80.0 % of 100 detections (for more give --min-agreement 0.95)");
    measures.outputs[0].agreeing = 0;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Regression);
    EXPECT_EQ(judge(measures).sentence,
        "output 'boxes': 40.0 dB, the same object in 0.0 % of 100 detections (50.0 % at least are wanted)");
    measures.outputs[0].predictions = 9;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted) << "of a few, single ones decide";
}

TEST(Verdict, WhatIsReadCountsMoreThanItsDecibels)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "steps",
        .sqnrDb = 9,
        .cosine = 0.95,
        .medianDb = 8,
        .areScores = true,
        .kind = AnswerKind::Letter,
        .predictions = 300,
        .agreeing = 291,
        .uncommon = 300};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    EXPECT_EQ(judge(measures).outputs[0].text, "9.0 dB, 97.0 % of 300 letters read alike");
    measures.outputs[0].agreeing = 280;
    EXPECT_EQ(judge(measures).sentence,
        "output 'steps': 9.0 dB, 93.3 % of 300 letters read alike (10.0 dB at least are wanted)");
    measures.outputs[0].agreeing = 291;
    measures.outputs[0].sqnrDb = 2.6;
    EXPECT_EQ(judge(measures).sentence,
        "output 'steps': 2.6 dB, 97.0 % of 300 letters read alike (6.0 dB at least are wanted)");
    measures.outputs[0].sqnrDb = 9;
    measures.outputs[0].predictions = 50;
    measures.outputs[0].agreeing = 50;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Regression) << "of a few, single ones decide";
}

TEST(Verdict, FewNumbersThatHangOnAChoiceDoNotDecide)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "pitch",
        .sqnrDb = 12,
        .cosine = 0.97,
        .areScores = true,
        .kind = AnswerKind::ChosenNumber,
        .predictions = 1000,
        .agreeing = 970,
        .uncommon = 1000};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    measures.outputs[0].agreeing = 900;
    EXPECT_EQ(judge(measures).sentence,
        "output 'pitch': 12.0 dB, 90.0 % of 1000 numbers that hang on a choice are the same to within a tenth, cosine "
        "0.9700 (20.0 dB are wanted, or cosine 0.99; or 95.0 % that are the same)");
    measures.outputs[0].cosine = 0.995;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted) << "as any other numbers";
}

TEST(Verdict, ClassScoresAreJudgedByTheirAnswers)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "logits",
        .sqnrDb = 12,
        .cosine = 0.97,
        .areScores = true,
        .predictions = 100,
        .agreeing = 96,
        .uncommon = 80};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    measures.outputs[0].agreeing = 90;
    EXPECT_EQ(judge(measures).sentence,
        "output 'logits': 12.0 dB, the same class in 90.0 % of 100 predictions (95.0 % are wanted where the error "
        "is below 20.0 dB)");
    measures.outputs[0] = {.name = "logits",
        .sqnrDb = 12,
        .cosine = 0.97,
        .areScores = true,
        .predictions = 4,
        .agreeing = 3,
        .uncommon = 2};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted) << "one of four says nothing";
}

TEST(Verdict, RowsThatAreNotKnownToBeScoresAreJudgedByTheirError)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0]
        = {.name = "y", .sqnrDb = 12, .cosine = 0.97, .predictions = 100, .agreeing = 98, .uncommon = 80};
    const Verdict verdict = judge(measures);
    EXPECT_EQ(verdict.kind, VerdictKind::Regression);
    EXPECT_EQ(verdict.sentence,
        "output 'y': 12.0 dB, cosine 0.9700 (20.0 dB are wanted, or cosine 0.99; if it holds class scores, the same "
        "class in 98.0 % of 100 predictions: say so with --min-agreement 0.95, or give --labels)");
    measures.outputs[0].agreeing = 60;
    EXPECT_EQ(judge(measures).sentence, "output 'y': 12.0 dB, cosine 0.9700 (20.0 dB are wanted, or cosine 0.99)");
}

TEST(Verdict, PredictionsThatAreAllTheSameSayNothing)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "logits",
        .sqnrDb = 12,
        .cosine = 0.97,
        .areScores = true,
        .predictions = 100,
        .agreeing = 100,
        .uncommon = 0};
    EXPECT_EQ(judge(measures).sentence,
        "output 'logits': 12.0 dB, the same class in 100.0 % of 100 predictions, cosine 0.9700 (20.0 dB are wanted, or "
        "cosine 0.99; all predictions are of one class, so that they say nothing)");
}

TEST(Verdict, AnErrorAsLargeAsWhatDiffersBetweenSamplesIsARegressionWhateverTheOffset)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "y", .sqnrDb = 58.7, .cosine = 1, .variationDb = -34.7};
    const Verdict verdict = judge(measures);
    EXPECT_EQ(verdict.kind, VerdictKind::Regression);
    EXPECT_EQ(verdict.sentence,
        "output 'y': 58.7 dB, but what differs between the samples is at -34.7 dB: a constant would come as near");
    measures.outputs[0].variationDb = 3;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
}

TEST(Verdict, ALargeSampleDoesNotHideTheOthers)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "y", .sqnrDb = 38, .cosine = 0.9999, .medianDb = 0.1};
    const Verdict verdict = judge(measures);
    EXPECT_EQ(verdict.kind, VerdictKind::Regression);
    EXPECT_EQ(verdict.sentence,
        "output 'y': 38.0 dB, but half of the samples by themselves are below 10.0 dB: few large ones hide the others");
}

TEST(Verdict, ElementsThatAreRareDoNotVanishAmongTheOthers)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "is_edge", .isDiscrete = true, .predictions = 1000, .agreeing = 985, .uncommon = 15};
    EXPECT_EQ(judge(measures).sentence,
        "output 'is_edge': equal in 98.5 % of 1000 elements: always the same number would be as near");
    measures.outputs[0].uncommon = 30;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
}

TEST(Verdict, WholeNumbersAreJudgedByHowManyAreEqual)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0]
        = {.name = "ids", .sqnrDb = 47.1, .cosine = 0.9999, .isDiscrete = true, .predictions = 120, .agreeing = 8};
    const Verdict verdict = judge(measures);
    EXPECT_EQ(verdict.kind, VerdictKind::Regression);
    EXPECT_EQ(verdict.sentence, "output 'ids': equal in 6.7 % of 120 elements (95.0 % are wanted)");
    measures.outputs[0].agreeing = 119;
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
}

TEST(Verdict, IsNotAcceptedWhereNoOutputCouldBeCompared)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "boxes", .isCompared = false, .otherShapes = 4};
    const Verdict verdict = judge(measures);
    EXPECT_EQ(verdict.kind, VerdictKind::NotComparable);
    EXPECT_FALSE(verdict.isAccepted());
    EXPECT_EQ(verdict.sentence,
        "output 'boxes' is not compared: its shape depends on the values, and differs: a metric (--metric) has to "
        "decide");
    EXPECT_EQ(withFailedCheck(verdict, "why").kind, VerdictKind::CheckFailed);
    measures.quality = QualityMeasure{"metric", 50, 50, true};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
}

TEST(Verdict, SaysWhatTheNumbersAreNotOf)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "y", .sqnrDb = 3.7, .cosine = 0.8, .nans = 751};
    EXPECT_EQ(judge(measures).sentence,
        "output 'y': 3.7 dB (10.0 dB at least are wanted), without 751 that are NaN in the float model");
}

TEST(Verdict, TheWorstOutputDecides)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs.push_back({.name = "bad", .sqnrDb = 5.0, .cosine = 0.8});
    measures.outputs.push_back({.name = "same", .identical = true});
    measures.outputs.push_back({.name = "nan", .isCompared = false});
    const Verdict verdict = judge(measures);
    EXPECT_EQ(verdict.kind, VerdictKind::Regression);
    EXPECT_EQ(verdict.sentence, "output 'bad': 5.0 dB (10.0 dB at least are wanted)");
    ASSERT_EQ(verdict.outputs.size(), 4U);
    EXPECT_TRUE(verdict.outputs[2].isGood);
    EXPECT_TRUE(verdict.outputs[3].isGood);
}

TEST(Verdict, AnErrorThatIsNotFiniteIsARegression)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0] = {.name = "y"};
    EXPECT_EQ(judge(measures).sentence, "output 'y': no finite error");
}

struct Benefit {
    double floatMs;
    double int8Ms;
    std::int64_t bytesAfter; // of 400000
    VerdictKind verdict;
};

class VerdictOfBenefit : public testing::TestWithParam<Benefit>
{
};

TEST_P(VerdictOfBenefit, WeighsTimeAndSize)
{
    ExportMeasures measures = goodMeasures();
    measures.latency = Latency{GetParam().floatMs, GetParam().int8Ms, 1, 10};
    measures.bytesAfter = GetParam().bytesAfter;
    EXPECT_EQ(judge(measures).kind, GetParam().verdict) << judge(measures).sentence;
}

INSTANTIATE_TEST_SUITE_P(TimeAndSize, VerdictOfBenefit,
    testing::Values(Benefit{2, 1.8, 410000, VerdictKind::Accepted}, // faster is enough
        Benefit{2, 2, 290000, VerdictKind::Accepted}, // so is smaller
        Benefit{2, 2, 350000, VerdictKind::NoBenefit}, // neither
        Benefit{2, 2.2, 100000, VerdictKind::Accepted}, // a little slower, much smaller
        Benefit{2, 2.2, 280000, VerdictKind::NoBenefit}, // a little slower, not much smaller
        Benefit{2, 3.6, 100000, VerdictKind::NoBenefit}, // slower in int8
        Benefit{0.05, 0.09, 100000, VerdictKind::Accepted}, // too short to tell
        Benefit{0.05, 0.02, 410000, VerdictKind::NoBenefit}));

TEST(Verdict, SaysThatAModelIsSlowerInInt8)
{
    ExportMeasures measures = goodMeasures();
    measures.latency = Latency{1, 1.8, 1, 10};
    EXPECT_EQ(judge(measures).sentence, "1.80 x slower than float and 4.00 x smaller; output 'y': 30.0 dB");
}

TEST(Verdict, WithoutTimesSizeDecides)
{
    ExportMeasures measures = goodMeasures();
    measures.latency.reset();
    EXPECT_EQ(judge(measures).sentence, "4.00 x smaller; output 'y': 30.0 dB");
}

TEST(Verdict, OfTheSmallestModelsNeitherTimeNorSizeTells)
{
    ExportMeasures measures = goodMeasures();
    measures.bytesBefore = 2000;
    measures.bytesAfter = 3000;
    measures.latency = Latency{0.01, 0.02, 1, 10};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    EXPECT_EQ(judge(measures).sentence, "too small for time or size to tell; output 'y': 30.0 dB");
    measures.latency = Latency{1, 2, 1, 10};
    EXPECT_EQ(judge(measures).kind, VerdictKind::NoBenefit) << "of its time there is enough";
}

TEST(Verdict, NothingQuantizedGoesBeforeAllElse)
{
    ExportMeasures measures = goodMeasures();
    measures.quantizers = 0;
    EXPECT_EQ(judge(measures).kind, VerdictKind::NothingQuantized);
    EXPECT_FALSE(judge(measures).isAccepted());
}

TEST(Verdict, WithoutDataNothingIsJudged)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs.clear();
    measures.latency.reset();
    EXPECT_EQ(judge(measures).kind, VerdictKind::NotMeasured);
    EXPECT_TRUE(judge(measures).isAccepted());
}

TEST(Verdict, AccuracyDecidesInsteadOfErrors)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs[0].sqnrDb = 3;
    measures.quality = QualityMeasure{"top-1 accuracy", 0.93, 0.925, false};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    measures.quality->after = 0.87;
    EXPECT_EQ(judge(measures).sentence, "top-1 accuracy 0.87 (float 0.93): it may drop by 1.0 %");
    measures.quality = QualityMeasure{"metric", 50, 49.6, true};
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted) << "one part in a hundred of 50";
    measures.quality->after = 49;
    EXPECT_EQ(judge(measures).sentence, "metric 49 (float 50): it may drop by 1.0 % of it");
}

TEST(Verdict, AMetricThatIsNoNumberIsARegression)
{
    ExportMeasures measures = goodMeasures();
    for (const double after : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        measures.quality = QualityMeasure{"metric", 50, after, true};
        EXPECT_EQ(judge(measures).kind, VerdictKind::Regression) << after;
    }
    measures.quality->after = std::nan("");
    EXPECT_EQ(judge(measures).sentence, "metric nan (float 50): of the quantized model it is no number");
}

TEST(Verdict, AFailedCheckIsSaidBeforeWhatIsGood)
{
    const Verdict good = judge(goodMeasures());
    const Verdict failed = withFailedCheck(good, "inputs or outputs changed: x");
    EXPECT_EQ(failed.kind, VerdictKind::CheckFailed);
    EXPECT_EQ(failed.sentence, "inputs or outputs changed: x; " + good.sentence);
    EXPECT_FALSE(failed.isAccepted());
    ExportMeasures ruined = goodMeasures();
    ruined.outputs[0].sqnrDb = 3;
    EXPECT_EQ(withFailedCheck(judge(ruined), "why").kind, VerdictKind::Regression);
}

TEST(Verdict, SizesAreSaidAsTheyChange)
{
    EXPECT_EQ(sizeChangeText(400, 100), "4.00 x smaller");
    EXPECT_EQ(sizeChangeText(100, 286), "2.86 x larger");
    EXPECT_EQ(sizeChangeText(1000, 1001), "as large");
}

TEST(Verdict, OutputsThatAreNoNumbersAreNotCompared)
{
    ExportMeasures measures = goodMeasures();
    measures.outputs.push_back({.name = "map", .isCompared = false, .isNumeric = false});
    EXPECT_EQ(judge(measures).kind, VerdictKind::Accepted);
    EXPECT_EQ(judge(measures).outputs[1].text, "not compared: it is no tensor of numbers");
    measures.outputs.erase(measures.outputs.begin());
    EXPECT_EQ(judge(measures).kind, VerdictKind::NotComparable);
}

} // namespace
} // namespace duo
