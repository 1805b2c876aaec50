// SPDX-License-Identifier: Apache-2.0
// Verdict: whether a quantized model is worth having, judged from what was measured of it. Pure: measuring is done
// elsewhere. The bounds stand in one table (kBounds), with their reasons in resources/docs/verdict.md.
#pragma once

#include "core/analysis/latency.h"
#include "core/analysis/predictions.h"
#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// In the order in which they are asked: the first that holds is the verdict.
enum class VerdictKind : std::uint8_t {
    Infeasible, // the engine refuses the file
    NothingQuantized,
    NotMeasured, // without data
    NotComparable, // with data, but no output could be compared, and nothing else decides
    Regression, // an output is too far from the float model's
    CheckFailed, // something that was checked of the file does not hold (withFailedCheck)
    NoBenefit, // neither faster nor smaller enough
    Accepted,
};

std::string_view verdictName(VerdictKind kind); // "no benefit"

/// One output on the samples used: sums over all of them.
struct OutputMeasure {
    std::string name;
    std::optional<double> sqnrDb{}; // nothing: not finite; see identical
    std::optional<double> cosine{};
    std::optional<double> medianDb{}; // of the samples by themselves (sample_glimpses.h); nothing: not known
    std::optional<double> variationDb{}; // of what differs between them; nothing: not known
    bool identical = false;
    bool isCompared = true; // in a sample at least: the float model's own result is not NaN, and as large as the other
    std::int64_t nans = 0; // elements left out because the float model's are NaN
    std::int64_t otherShapes = 0; // samples in which the two results differ in shape: nothing is compared then
    bool isRandom = false; // the float model gives other numbers in each run: nothing is compared
    bool isNumeric = true; // else a sequence, a map or texts: nothing is compared
    bool isDiscrete = false; // whole numbers or truth values, of which no error in decibels means anything
    bool areScores = false; // it is known to hold class scores, or other answers: predictions may decide
    AnswerKind kind = AnswerKind::Class; // of its predictions
    std::int64_t predictions = 0; // answers where it may hold some, elements where it is discrete; else 0
    std::int64_t agreeing = 0; // answers that are the same; elements that are equal
    std::int64_t uncommon = 0; // predictions in which a constant answer would be wrong
};

/// A number that decides instead of output errors; higher is better.
struct QualityMeasure {
    std::string what; // "top-1 accuracy", "metric"
    double before = 0; // of the float model, finite
    double after = 0; // not finite: a regression
    bool isRelative = false; // the allowed drop is a share of `before`
};

struct ExportMeasures {
    std::int64_t quantizers = 0;
    std::int64_t bytesBefore = 0; // both without the text of functions, of which int8 makes nothing smaller
    std::int64_t bytesAfter = 0;
    std::vector<OutputMeasure> outputs; // empty: not measured
    std::optional<Latency> latency; // a: the float model; nothing: not measured, or it says nothing of the target;
                                    // shortest runs, which others on the machine disturb least
    std::optional<QualityMeasure> quality;
    double maxDrop = 0.01; // of `quality`
};

struct JudgedOutput {
    OutputMeasure measure;
    bool isGood = true;
    std::string text; // "31.8 dB", "2.6 dB (10.0 dB at least are wanted)"
};

/// What is known of a place where the error of a quantized model is first seen.
enum class StartKind : std::uint8_t {
    Starts, // it is made there, by quantizers of the node
    Jumps, // it is much larger than in what the node reads; where it is made is not known
    Grows, // it passes the bound there without a jump
};

/// A value at which the error of a quantized model starts, or is seen first.
struct ErrorStart {
    std::string value;
    std::string node; // computes it
    double sqnrDb = 0;
    std::optional<double> inputDb; // of the worst value it is computed from; nothing: those are exact
    StartKind kind = StartKind::Starts;
    std::string magnifier = {}; // a node behind it that makes more of the error, to `magnifiedDb`; empty: none
    double magnifiedDb = 0;
};

/// A scope or node to keep in float.
struct SuggestedFloat {
    std::string name;
    bool isNode = false;
};

struct Verdict {
    VerdictKind kind = VerdictKind::NotMeasured;
    std::string sentence; // why
    std::vector<JudgedOutput> outputs;
    std::int64_t bytesBefore = 0; // as judged
    std::int64_t bytesAfter = 0;
    std::optional<Latency> latency;
    std::optional<QualityMeasure> quality;
    std::int64_t samples = 0; // measured on
    bool areHeldBack = false; // and not calibrated with
    std::vector<ErrorStart> starts; // of a regression, along the dataflow
    std::vector<SuggestedFloat> suggested; // whose return to float, of all together, would help most; empty: not known
    std::vector<Note> notes; // what makes it doubtful: labels by chance, samples that are all the same; and one of kind
                             // kWayOut (core/report/verdict_report.h), where it is not accepted

    [[nodiscard]] bool isAccepted() const { return kind == VerdictKind::Accepted || kind == VerdictKind::NotMeasured; }
};

/// What decides, and by which bounds.
struct VerdictBounds {
    double goodDb; // an output that reaches it is good
    double leastDb; // one below it never is, unless identical
    double leastCountedDb; // the same where enough answers are counted by themselves, and agree
    double goodCosine; // makes up for less than goodDb
    double agreement; // share of predictions, for class scores between the two
    double detections; // share of them below which a detector's output is never good
    double leastVariationDb; // of what differs between samples: below it a constant says as much
    double faster; // share of the float model's time that has to be saved to call it faster
    double slower; // time against float beyond which no size makes up for it
    double smaller; // size against float that is a benefit of its own
    double tellableMs; // runs shorter than this are not told apart
};

const VerdictBounds& verdictBounds();

/// The output that is worst off, as the verdict's sentence names it: bad ones first, then by decibels or by the share
/// that is equal. Null where none was compared and none is bad, and where all are identical.
const JudgedOutput* worstOutput(const std::vector<JudgedOutput>& outputs);

/// Of how many something could be compared.
std::size_t comparedCount(const std::vector<JudgedOutput>& outputs);

/// Whether so many of so many elements that are equal, or predictions that agree, are enough: of few a single one that
/// differs says nothing.
bool agreeEnough(std::int64_t agreeing, std::int64_t all);

/// Kind, sentence, outputs, latency and quality; O(outputs).
Verdict judge(const ExportMeasures& measures);
/// The same, but for NothingQuantized and Regression, which say more: it becomes CheckFailed, and says why first.
Verdict withFailedCheck(Verdict verdict, const std::string& why);
/// Infeasible, whatever it was: the engine refuses the file for this reason.
Verdict refusedBy(Verdict verdict, const std::string& why);

/// "3.80 x smaller", "1.20 x larger", "as large".
std::string sizeChangeText(std::int64_t bytesBefore, std::int64_t bytesAfter);

} // namespace duo
