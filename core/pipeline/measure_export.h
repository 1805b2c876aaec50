// SPDX-License-Identifier: Apache-2.0
// What is measured of an export for its verdict: output errors on samples that were not calibrated with, time and size.
#pragma once

#include "core/analysis/verdict.h"
#include "core/engine/session.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/snapshot/compression.h"

namespace duo {

/// What the verdict is about.
struct WrittenExport {
    const Snapshot& snapshot; // as opened, under its recipe
    const Compression& compression; // as it was written
    const std::filesystem::path& file;
    std::int64_t bytes = 0; // of model and data
    std::optional<double> floatMetric{}; // what the metric command says of the float model, where it was asked before
};

inline constexpr std::int64_t kVerdictSamples = 16;

/// At most kVerdictSamples indices: of samples behind those that were calibrated with where there are any, else spread
/// over all.
struct VerdictSamples {
    std::vector<std::int64_t> indices;
    bool areHeldBack = false;
};

/// @param used the first samples of the data were; nothing: it is not known which
VerdictSamples verdictSamples(std::int64_t samples, std::optional<std::int64_t> used);

/// What was written from a snapshot, opened to be measured: as its profile's runtime computes it, as far as this engine
/// can. @return the errors of openExport()
Result<Session> openMeasured(const Snapshot& snapshot, const std::filesystem::path& file, const JobContext& job);

/// Bounded cost: both models once on each sample, about a quarter of a second of runs for their speed, and where the
/// verdict is a regression the inner values of one sample. `dataset` may be null: nothing is measured then.
/// @param opened the file, as openExport() opens it; nothing: it is opened here
/// @return EngineFailed, BadData (labels that do not fit, a metric command that fails), Cancelled
Result<Verdict> measureVerdict(const WrittenExport& written, const Dataset* dataset, const VerdictOptions& options,
    int threads, const JobContext& job, std::optional<Session> opened = {});

} // namespace duo
