// SPDX-License-Identifier: Apache-2.0
// exportModel: writes the compressed model and its state, and says what came out.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/export_report.h"
#include "core/state/model_hash.h"
#include "core/state/state_file.h"

#include <filesystem>
#include <optional>

namespace duo {

/// What exports of one model need of the float model only once.
struct KnownOfFloat {
    std::optional<double> metric = {}; // what the metric command says of it; nothing: it is asked
    std::optional<ModelHashes> hashes = {}; // nothing: they are computed
};

struct ExportedModel {
    ExportReport report;
    Compression compression; // that the file holds: without what the engine would run in float
};

/// Writes model and compression state, loads the result in the engine, checks it and judges it. What the engine would
/// run in float between quantizers is taken out of int8 first (fitted_plan.h). `dataset` (may be null) gives the
/// samples for the verdict. A stop or a failure leaves existing files as they were.
/// @return NotWritable, Unsupported (target is the input), EngineFailed, BadData (labels, metric), Cancelled
Result<ExportedModel> exportCompression(const Snapshot& snapshot, const Compression& compression,
    const Dataset* dataset, const std::filesystem::path& target, int threads, const JobContext& job,
    const VerdictOptions& options = {}, const KnownOfFloat& known = {});

/// The same, for those who want its report alone.
Result<ExportReport> exportModel(const Snapshot& snapshot, const Compression& compression, const Dataset* dataset,
    const std::filesystem::path& target, int threads, const JobContext& job, const VerdictOptions& options = {});

} // namespace duo
