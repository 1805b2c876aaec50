// SPDX-License-Identifier: Apache-2.0
// ExportReport: what an export did, as a value, as JSON and as text; window and command line say the same.
#pragma once

#include "core/analysis/verdict.h"
#include "core/model/model.h"
#include "core/quantize/points/kept_float.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// What a plan has a node in codes for.
enum class PlannedAs : std::uint8_t {
    Product, // Conv, Gemm, MatMul in 8 bits: int8 is for these
    Other, // computes on codes too
    Carried, // moves codes, or keeps weights or a table in them for their size; 16 bits
};

/// How a node was found in the graph that the engine runs.
enum class RunsAs : std::uint8_t {
    Int8,
    Float,
    Gone, // not found there
};

std::string_view runsAsText(RunsAs runs); // "int8"

/// How one planned node runs in the engine.
struct NodeRun {
    std::string node;
    RunsAs runs = RunsAs::Int8;
    std::string kernel; // operator type there
    std::optional<Fallback> fallback; // where it does not run in int8
    std::string reason; // the same in one sentence
    PlannedAs as = PlannedAs::Other;
};

/// Something verified about a written model.
struct Check {
    std::string id; // stable: "loads", "interface", "untouched", "ignored-float", "int8-kernels", "finite-data"
    bool ok = false;
    std::string message; // one sentence
    std::vector<std::string> nodes; // nodes concerned, in node order
    std::vector<NodeRun> results = {}; // of "int8-kernels": every planned node, in node order
};

/// How far an output of the written model is from the original's, over the samples used for checking.
struct OutputError {
    std::string name;
    std::optional<double> sqnrDb; // nothing: not finite, not compared, or whole numbers; see text
    bool identical = false;
    std::string text{}; // what the verdict says of it: "31.8 dB", "equal in 99.0 % of 100 elements"
    bool isGood = true;
};

/// What a correction changed.
struct CorrectionMade {
    std::string kind; // "smooth-quant", "cross-layer-equalization", "bias-correction"
    std::vector<std::string> nodes; // whose weights or biases changed
    std::vector<std::string> skipped; // left as they are: the change would have been too large for what it mends
    double largest = 0; // scale of a channel; of biases the shift's share of the bias
    std::size_t folded = 0; // nodes smoothed by the parameters of what comes before them, without a Mul
};

/// A node that was to be quantized and stays in float.
struct KeptNode {
    std::string node;
    std::string reason;
};

struct ExportReport {
    std::int64_t quantizers = 0;
    std::int64_t bytesBefore = 0; // of the files, with what functions they have; without: Verdict
    std::int64_t bytesAfter = 0;
    double int8Share = 0; // of the parameters, 0..1
    std::int64_t ignoredNodes = 0;
    std::vector<std::pair<std::string, double>> seconds; // stage -> seconds, in order
    Verdict verdict;
    std::vector<Check> checks;
    std::vector<OutputError> outputs;
    std::vector<CorrectionMade> corrections;
    std::vector<KeptNode> keptFloat; // in node order
    std::vector<std::filesystem::path> files; // model, external data, state
    std::vector<std::string> defaults; // settings the user left to us, as "preset: ..." lines
    std::vector<Note> notes;

    [[nodiscard]] bool allChecksPassed() const;
    /// What decides of the exit code; the verdict says the same (withChecks).
    [[nodiscard]] bool isGood() const { return allChecksPassed() && verdict.isAccepted(); }
};

/// With a verdict that says of the first check that failed, where there is one and the verdict says nothing worse.
ExportReport withChecks(ExportReport report, std::vector<Check> more);

/// The document of `quantize` (resources/schemas/quantize.schema.json).
nlohmann::ordered_json exportJson(const ExportReport& report);
/// "31.8 dB at 'logits'": the output that the verdict names, or why there is none.
std::string worstOutputText(const Verdict& verdict);
/// "bias-correction: 3 nodes changed, largest shift 1.2 % of a bias, 1 left as it is".
std::string correctionText(const CorrectionMade& made);
/// Verdict, sizes before and after, share in int8, worst output SQNR, ignored count, checks, files, defaults used.
std::string exportText(const ExportReport& report);

} // namespace duo
