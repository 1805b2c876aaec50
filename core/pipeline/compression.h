// SPDX-License-Identifier: Apache-2.0
// The two steps that need data or write files: calibrate, then export with its checks. Window and command line call
// these and say what they return.
#pragma once

#include "core/calibrate/dataset.h"
#include "core/calibrate/statistics.h"
#include "core/pipeline/snapshot.h"
#include "core/quantize/parameters.h"
#include "core/report/export_report.h"

#include <filesystem>
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
