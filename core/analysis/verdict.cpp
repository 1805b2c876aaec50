// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/verdict.h"

#include "core/support/enum_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace duo {
namespace {

/// Reasons: resources/docs/verdict.md.
constexpr VerdictBounds kBounds{
    .goodDb = 20,
    .leastDb = 10,
    .leastCountedDb = 6,
    .goodCosine = 0.99,
    .agreement = 0.95,
    .detections = 0.5,
    .leastVariationDb = 0,
    .faster = 0.05,
    .slower = 1.15,
    .smaller = 0.75,
    .tellableMs = 0.5,
};

constexpr std::int64_t kTellableBytes = 64 * 1024; // of smaller files most is the graph, not its parameters

std::string number(double value, const char* format)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string decibels(double db)
{
    return number(db, "%.1f dB");
}

std::string percent(double share)
{
    return number(100 * share, "%.1f %%");
}

double agreementOf(const OutputMeasure& measure)
{
    return static_cast<double>(measure.agreeing) / static_cast<double>(measure.predictions);
}

std::string agreementText(const OutputMeasure& measure)
{
    if (measure.isDiscrete)
        return "equal in " + percent(agreementOf(measure)) + " of " + std::to_string(measure.predictions)
            + (measure.predictions == 1 ? " element" : " elements");
    if (measure.kind == AnswerKind::Letter)
        return percent(agreementOf(measure)) + " of " + std::to_string(measure.predictions) + " letters read alike";
    if (measure.kind == AnswerKind::ChosenNumber)
        return percent(agreementOf(measure)) + " of " + std::to_string(measure.predictions)
            + " numbers that hang on a choice are the same to within a tenth";
    if (measure.kind == AnswerKind::Detection)
        return "the same object in " + percent(agreementOf(measure)) + " of " + std::to_string(measure.predictions)
            + (measure.predictions == 1 ? " detection" : " detections");
    return "the same class in " + percent(agreementOf(measure)) + " of " + std::to_string(measure.predictions)
        + (measure.predictions == 1 ? " prediction" : " predictions");
}

bool agrees(const OutputMeasure& measure)
{
    return agreeEnough(measure.agreeing, measure.predictions);
}

/// The way out where it is not known what an output holds.
std::string ifScoresText(const OutputMeasure& measure)
{
    if (measure.kind == AnswerKind::ChosenNumber)
        return "; or " + percent(kBounds.agreement) + " that are the same";
    if (measure.areScores)
        return measure.predictions > 0 ? "; all predictions are of one class, so that they say nothing" : "";
    if (measure.predictions == 0 || measure.uncommon == 0 || !agrees(measure))
        return {};
    return "; if it holds class scores, " + agreementText(measure) + ": say so with --min-agreement "
        + number(kBounds.agreement, "%.2f") + ", or give --labels";
}

std::string whyNotCompared(const OutputMeasure& measure)
{
    if (!measure.isNumeric)
        return "not compared: it is no tensor of numbers";
    if (measure.isRandom)
        return "not compared: the float model gives other numbers in each run";
    return measure.otherShapes > 0 ? "not compared: its shape depends on the values, and differs"
                                   : "not compared: the float model gives NaN";
}

/// Of elements that nearly all hold the same number a model that says it always gets most right.
bool isNoBetterThanConstant(const OutputMeasure& measure)
{
    const std::int64_t apart = measure.predictions - measure.agreeing;
    return apart > 1 && measure.uncommon > 0 && apart >= measure.uncommon;
}

JudgedOutput judgeElements(const OutputMeasure& measure)
{
    if (!agrees(measure))
        return {measure, false, agreementText(measure) + " (" + percent(kBounds.agreement) + " are wanted)"};
    if (isNoBetterThanConstant(measure))
        return {measure, false, agreementText(measure) + ": always the same number would be as near"};
    return {measure, true, agreementText(measure)};
}

/// Letters and chosen numbers, enough of them: one that is said a step earlier, or falls otherwise where the model is
/// not sure, costs more power than it is worth.
bool sayMoreThanPower(const OutputMeasure& measure)
{
    constexpr std::int64_t kTelling = 100;
    return (measure.kind == AnswerKind::Letter || measure.kind == AnswerKind::ChosenNumber)
        && measure.predictions >= kTelling && agrees(measure);
}

/// What sums over all samples hide; "" where nothing.
std::string hiddenText(const OutputMeasure& measure)
{
    if (measure.variationDb && *measure.variationDb <= kBounds.leastVariationDb)
        return ", but what differs between the samples is at " + decibels(*measure.variationDb)
            + ": a constant would come as near";
    if (measure.medianDb && *measure.medianDb < kBounds.leastDb && !sayMoreThanPower(measure))
        return ", but half of the samples by themselves are below " + decibels(kBounds.leastDb)
            + ": few large ones hide the others";
    return {};
}

/// Boxes are so much larger than scores that decibels say nothing of these.
bool losesDetections(const OutputMeasure& measure)
{
    constexpr std::int64_t kTelling = 10; // of fewer, single ones decide
    return measure.kind == AnswerKind::Detection && measure.predictions >= kTelling
        && agreementOf(measure) < kBounds.detections;
}

/// Of a detector that is good but for single answers.
std::string moreAgreementText(const OutputMeasure& measure)
{
    return measure.kind == AnswerKind::Detection && measure.predictions > 0 && !agrees(measure)
        ? " (for more give --min-agreement " + number(kBounds.agreement, "%.2f") + ")"
        : "";
}

/// Below a good output's decibels: by its answers where it is known to give some, else by its cosine.
JudgedOutput judgeByAnswers(const OutputMeasure& measure, std::string text)
{
    const bool mayBeAlike = measure.kind == AnswerKind::ChosenNumber && !agrees(measure); // by its cosine
    if (measure.areScores && measure.uncommon > 0 && !mayBeAlike) {
        const bool isGood = agrees(measure);
        if (!isGood)
            text += " (" + percent(kBounds.agreement) + " are wanted where the error is below "
                + decibels(kBounds.goodDb) + ")";
        return {measure, isGood, std::move(text)};
    }
    const bool isAlike = measure.cosine && *measure.cosine >= kBounds.goodCosine;
    if (measure.cosine)
        text += ", cosine " + number(*measure.cosine, "%.4f");
    if (!isAlike)
        text += " (" + decibels(kBounds.goodDb) + " are wanted, or cosine " + number(kBounds.goodCosine, "%.2f")
            + ifScoresText(measure) + ")";
    return {measure, isAlike, std::move(text)};
}

JudgedOutput judgeComparedOutput(const OutputMeasure& measure)
{
    if (measure.identical)
        return {measure, true, "identical"};
    if (measure.isDiscrete && measure.predictions > 0)
        return judgeElements(measure);
    if (!measure.sqnrDb)
        return {measure, false, "no finite error"};
    std::string text = decibels(*measure.sqnrDb);
    if (measure.areScores && measure.predictions > 0)
        text += ", " + agreementText(measure);
    const double leastDb = sayMoreThanPower(measure) ? kBounds.leastCountedDb : kBounds.leastDb;
    if (*measure.sqnrDb < leastDb)
        return {measure, false, text + " (" + decibels(leastDb) + " at least are wanted)"};
    if (losesDetections(measure))
        return {measure, false, text + " (" + percent(kBounds.detections) + " at least are wanted)"};
    if (const std::string hidden = hiddenText(measure); !hidden.empty())
        return {measure, false, text + hidden};
    return *measure.sqnrDb >= kBounds.goodDb ? JudgedOutput{measure, true, text + moreAgreementText(measure)}
                                             : judgeByAnswers(measure, text);
}

JudgedOutput judgeOutput(const OutputMeasure& measure)
{
    if (!measure.isCompared)
        return {measure, true, whyNotCompared(measure)};
    JudgedOutput judged = judgeComparedOutput(measure);
    if (measure.nans > 0)
        judged.text += ", without " + std::to_string(measure.nans) + " that are NaN in the float model";
    return judged;
}

bool isWorse(const JudgedOutput& a, const JudgedOutput& b)
{
    const auto rank = [](const JudgedOutput& output) {
        if (!output.measure.isCompared)
            return HUGE_VAL;
        if (output.measure.identical)
            return std::numeric_limits<double>::max();
        if (output.measure.isDiscrete && output.measure.predictions > 0)
            return kBounds.goodDb * agreementOf(output.measure); // among decibels: at most as good as a good one
        return output.measure.sqnrDb.value_or(-HUGE_VAL);
    };
    return a.isGood != b.isGood ? !a.isGood : rank(a) < rank(b);
}

bool droppedTooFar(const QualityMeasure& quality, double maxDrop)
{
    const double allowed = maxDrop * (quality.isRelative ? std::abs(quality.before) : 1);
    return !std::isfinite(quality.after) || quality.before - quality.after > allowed;
}

std::string qualityText(const QualityMeasure& quality)
{
    return quality.what + " " + number(quality.after, "%.4g") + " (float " + number(quality.before, "%.4g") + ")";
}

/// Nothing where a run is too short to tell, or was not measured.
std::optional<double> slowdown(const ExportMeasures& measures)
{
    if (!measures.latency || !(measures.latency->a > 0)
        || std::max(measures.latency->a, measures.latency->b) < kBounds.tellableMs)
        return std::nullopt;
    return measures.latency->b / measures.latency->a;
}

std::string speedText(double slowdown)
{
    if (slowdown < 1 - kBounds.faster)
        return number(1 / slowdown, "%.2f x faster than float");
    if (slowdown > 1 + kBounds.faster)
        return number(slowdown, "%.2f x slower than float");
    return "as fast as float";
}

/// Neither time nor size says anything of what int8 does.
bool isTooSmall(const ExportMeasures& measures)
{
    return measures.bytesBefore < kTellableBytes && !slowdown(measures);
}

std::string benefitText(const ExportMeasures& measures)
{
    if (isTooSmall(measures))
        return "too small for time or size to tell";
    const std::string size = sizeChangeText(measures.bytesBefore, measures.bytesAfter);
    const auto slower = slowdown(measures);
    return slower ? speedText(*slower) + " and " + size : size;
}

bool hasBenefit(const ExportMeasures& measures)
{
    if (isTooSmall(measures))
        return true;
    constexpr double kHalf = 0.5;
    const double size = static_cast<double>(measures.bytesAfter)
        / static_cast<double>(std::max<std::int64_t>(1, measures.bytesBefore));
    const double time = slowdown(measures).value_or(1);
    if (time <= 1 - kBounds.faster)
        return true;
    return size <= (time <= 1 + kBounds.faster ? kBounds.smaller : kHalf) && time <= kBounds.slower;
}

} // namespace

std::string_view verdictName(VerdictKind kind)
{
    static constexpr auto kNames = enumTexts<VerdictKind::Accepted>({"infeasible", "nothing quantized", "not measured",
        "not comparable", "regression", "check failed", "no benefit", "accepted"});
    return enumText(kNames, kind);
}

bool agreeEnough(std::int64_t agreeing, std::int64_t all)
{
    const double allowed = (1 - kBounds.agreement) * static_cast<double>(all);
    return static_cast<double>(all - agreeing) <= std::max(1.0, allowed);
}

const VerdictBounds& verdictBounds()
{
    return kBounds;
}

const JudgedOutput* worstOutput(const std::vector<JudgedOutput>& outputs)
{
    const auto worst = std::ranges::min_element(outputs, isWorse);
    const bool isAny
        = worst != outputs.end() && (!worst->isGood || (worst->measure.isCompared && !worst->measure.identical));
    return isAny ? &*worst : nullptr;
}

std::size_t comparedCount(const std::vector<JudgedOutput>& outputs)
{
    const auto isCompared = [](const JudgedOutput& output) { return output.measure.isCompared; };
    return static_cast<std::size_t>(std::ranges::count_if(outputs, isCompared));
}

Verdict judge(const ExportMeasures& measures)
{
    Verdict verdict;
    std::ranges::transform(measures.outputs, std::back_inserter(verdict.outputs), judgeOutput);
    verdict.bytesBefore = measures.bytesBefore;
    verdict.bytesAfter = measures.bytesAfter;
    verdict.latency = measures.latency;
    verdict.quality = measures.quality;
    const auto decide = [&verdict](VerdictKind kind, std::string sentence) {
        verdict.kind = kind;
        verdict.sentence = std::move(sentence);
        return verdict;
    };
    if (measures.quantizers == 0)
        return decide(VerdictKind::NothingQuantized, "no node of this model was quantized");
    const auto worst = std::ranges::min_element(verdict.outputs, isWorse);
    if (worst == verdict.outputs.end() && !measures.quality)
        return decide(VerdictKind::NotMeasured, "there were no data to compare the models on");
    const bool isCompared
        = std::ranges::any_of(verdict.outputs, [](const JudgedOutput& output) { return output.measure.isCompared; });
    if (!isCompared && !measures.quality)
        return decide(VerdictKind::NotComparable,
            "output '" + worst->measure.name + "' is " + worst->text + ": a metric (--metric) has to decide");
    const std::string outcome
        = measures.quality ? qualityText(*measures.quality) : "output '" + worst->measure.name + "': " + worst->text;
    if (measures.quality && !std::isfinite(measures.quality->after))
        return decide(VerdictKind::Regression, outcome + ": of the quantized model it is no number");
    if (measures.quality && droppedTooFar(*measures.quality, measures.maxDrop))
        return decide(VerdictKind::Regression,
            outcome + ": it may drop by " + percent(measures.maxDrop) + (measures.quality->isRelative ? " of it" : ""));
    if (!measures.quality && !worst->isGood)
        return decide(VerdictKind::Regression, outcome);
    const std::string benefit = benefitText(measures);
    if (!hasBenefit(measures))
        return decide(VerdictKind::NoBenefit, benefit + "; " + outcome);
    return decide(VerdictKind::Accepted, benefit + "; " + outcome);
}

Verdict withFailedCheck(Verdict verdict, const std::string& why)
{
    if (verdict.kind == VerdictKind::NothingQuantized || verdict.kind == VerdictKind::Regression)
        return verdict;
    verdict.kind = VerdictKind::CheckFailed;
    if (verdict.sentence.starts_with(why + "; ")) // of the checks before this one
        return verdict;
    verdict.sentence = why + "; " + verdict.sentence;
    return verdict;
}

Verdict refusedBy(Verdict verdict, const std::string& why)
{
    verdict.kind = VerdictKind::Infeasible;
    verdict.sentence = "the engine refuses the file: " + why;
    return verdict;
}

std::string sizeChangeText(std::int64_t bytesBefore, std::int64_t bytesAfter)
{
    const double ratio = static_cast<double>(bytesBefore) / static_cast<double>(std::max<std::int64_t>(1, bytesAfter));
    if (std::abs(ratio - 1) < 0.005)
        return "as large";
    return ratio > 1 ? number(ratio, "%.2f x smaller") : number(1 / ratio, "%.2f x larger");
}

} // namespace duo
