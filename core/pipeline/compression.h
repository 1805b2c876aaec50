// SPDX-License-Identifier: Apache-2.0
// The two steps that need data or write files: calibrate, then export with its checks. Window and command line call
// these and say what they return.
#pragma once

#include "core/calibrate/dataset.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/snapshot.h"
#include "core/quantize/correct/bias_correction.h"
#include "core/quantize/correct/float_changes.h"
#include "core/quantize/kept_float.h"
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
    std::optional<std::int64_t> firstNanSample; // of what quantizers stand on: a finding of the export
    /// Where corrections changed the float model, or data without a range or the engine the placement: setup and
    /// parameters are of this one. Null for most.
    std::shared_ptr<const Snapshot> changed;
    KeptFloats keptFloat; // what `changed` leaves in float
    std::vector<FloatChange> floatChanges; // that made it
    BiasShifts biasShifts;
    std::vector<CorrectionMade> corrections; // what they did
    std::shared_ptr<const StatisticsFile> statistics; // parameters are from; of `changed`; null where resumed
    bool isMeasured = false; // by this run
};

/// Measures statistics, or finds them in the cache of `options` (whose number of samples is the recipe's), and computes
/// the parameters of every quantizer from them. The result does not depend on `threads`.
/// @return BadData, EngineFailed, InvalidRule (an estimator that cannot be computed), Cancelled
Result<Compression> calibrate(const Snapshot& snapshot, const Dataset& dataset, int threads, const JobContext& job,
    const MeasureOptions& options = {});

/// The same from statistics measured before; reads no data. @return BadData naming a value they do not hold;
/// InvalidRule, Cancelled
Result<Compression> compressionFrom(
    const Snapshot& snapshot, std::shared_ptr<const StatisticsFile> file, int threads, const JobContext& job);

/// Of a compression made again: what is said of the data and the samples still holds; what is said of quantizers is
/// said anew.
std::vector<Note> mergedNotes(const std::vector<Note>& before, const std::vector<Note>& now);

/// The same compression with these nodes in float too: placed again, its parameters computed again from the same
/// statistics. `dataset` (may be null) is read only where biases are corrected layer after layer.
/// @return the errors of compressionFrom; Internal for a compression without statistics
Result<Compression> withNodesInFloat(const Snapshot& snapshot, const Compression& compression, const KeptFloats& nodes,
    const Dataset* dataset, int threads, const JobContext& job);

/// Writes model and compression state, loads the result in the engine, checks it and judges it. What the engine would
/// run in float between quantizers is taken out of int8 first (replan/fitted_plan.h). `dataset` (may be null) gives the
/// samples for the verdict. A stop or a failure leaves existing files as they were.
/// @return NotWritable, Unsupported (target is the input), EngineFailed, BadData (labels, metric), Cancelled
Result<ExportReport> exportModel(const Snapshot& snapshot, const Compression& compression, const Dataset* dataset,
    const std::filesystem::path& target, int threads, const JobContext& job, const VerdictOptions& options = {});

/// `m.int8.onnx` -> `m.int8.state.json`: the last extension replaced.
std::filesystem::path statePathFor(const std::filesystem::path& model);

} // namespace duo
