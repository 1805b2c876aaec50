// SPDX-License-Identifier: Apache-2.0
// The two steps that need data or write files: calibrate, then export with its checks. Window and command line call
// these and say what they return.
#pragma once

#include "core/calibrate/dataset.h"
#include "core/calibrate/statistics.h"
#include "core/pipeline/snapshot.h"
#include "core/quantize/parameters.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// What calibration adds to a placement: everything an export needs besides the model.
struct Compression {
    QuantizerSetup setup;
    ParametersByPoint parameters; // activations and weights
    std::int64_t samples = 0;
    std::string engine; // "onnxruntime 1.30.0", which measured the ranges
    std::vector<Note> notes; // non-finite values, constant values, dropped samples
};

/// Something verified about a written model.
struct Check {
    std::string id; // stable: "loads", "interface", "untouched", "ignored-float", "int8-kernels"
    bool ok = false;
    std::string message; // one sentence
    std::vector<std::string> nodes; // nodes concerned, in node order
};

/// How far an output of the written model is from the original's, over the samples used for checking.
struct OutputError {
    std::string name;
    std::optional<double> sqnrDb; // nothing: not finite; see identical
    bool identical = false;
};

struct ExportReport {
    std::int64_t quantizers = 0;
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
    double int8Share = 0; // of the parameters, 0..1
    std::int64_t ignoredNodes = 0;
    std::vector<std::pair<std::string, double>> seconds; // stage -> seconds, in order
    std::vector<Check> checks;
    std::vector<OutputError> outputs;
    std::vector<std::filesystem::path> files; // model, external data, state
    std::vector<std::string> defaults; // settings the user left to us, as "preset: ..." lines
    std::vector<Note> notes;

    [[nodiscard]] bool allChecksPassed() const;
};

/// Measures ranges and computes the parameters of every quantizer. The result does not depend on `threads`.
/// @return BadData, EngineFailed, Cancelled
Result<Compression> calibrate(const Snapshot& snapshot, const Dataset& dataset, int threads, const JobContext& job);

/// Writes model and compression state, loads the result in the engine and checks it. `dataset` (may be null) gives the
/// samples for the output error. A stop or a failure leaves existing files as they were.
/// @return NotWritable, Unsupported (target is the input), EngineFailed, Cancelled
Result<ExportReport> exportModel(const Snapshot& snapshot, const Compression& compression, const Dataset* dataset,
    const std::filesystem::path& target, int threads, const JobContext& job);

/// `m.int8.onnx` -> `m.int8.state.json`: the last extension replaced.
std::filesystem::path statePathFor(const std::filesystem::path& model);

} // namespace duo
