// SPDX-License-Identifier: Apache-2.0
// The session's work with data: measuring, reading statistics, computing parameters from what is known.
#pragma once

#include "core/analysis/node_times.h"
#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/bounded_export.h"
#include "core/pipeline/calibration/known_statistics.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/half_model.h"
#include "core/pipeline/node_outcomes.h"
#include "core/pipeline/resume.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/sensitivity_report.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace duo::app {

/// Where quantizers were taken from, instead of data.
struct TakenSetup {
    std::string form; // ImportedSetup::form
    std::vector<std::string> differs; // of a state: what is not as it was, a sentence each
    std::shared_ptr<const Resumed> from; // as they were taken, whatever rules have changed of them since
};

/// A calibration and what it was made from.
struct CalibrationResult {
    Snapshot snapshot;
    std::shared_ptr<const Dataset> dataset; // null: from statistics of a file
    std::shared_ptr<const Compression> compression;
    KnownStatistics statistics; // used or measured; none of a rescaled model
    std::optional<TakenSetup> taken = {}; // nothing: made here
};

/// A sensitivity report and what it is of.
struct SensitivityResult {
    std::shared_ptr<const SensitivityReport> report; // null: not measured
    std::shared_ptr<const Snapshot> snapshot; // with the recipe it was measured under
    KnownStatistics statistics; // used or measured
};

/// How long each node takes, and of which model.
struct TimesResult {
    std::shared_ptr<const NodeTimes> times; // null: not measured
    std::shared_ptr<const Model> model;
};

/// Which nodes can compute in 16 bits.
struct HalvesResult {
    std::shared_ptr<const PassReport> report; // null: not measured
    std::shared_ptr<const Snapshot> of;
    /// The same model, with the same said of 16 bits.
    [[nodiscard]] bool isOf(const Snapshot& now) const;
};

/// What calibration is given besides the snapshot.
struct CalibrationInputs {
    Recipe recipe; // wanted: the snapshot's may be older
    DataSource data; // "": statistics only
    KnownStatistics known;
    std::optional<StatisticsCache> cache;
    std::vector<std::string> arrays = {}; // of the data, wanted besides the model's inputs
};

/// The snapshot with the recipe wanted: it may have changed while it was made.
Result<Snapshot> withWanted(const Snapshot& snapshot, const Recipe& recipe, const JobContext& job);

/// Whether to work under the recipe's rules. @param nothing "nothing was written" @return InvalidRule
Status checkRules(const Snapshot& wanted, const std::string& nothing);

/// Parameters of every quantizer, as calibrateFrom() gets them.
Result<std::shared_ptr<CalibrationResult>> runCalibration(
    const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job);

/// What was taken from a file, under other rules.
struct ContinuedResult {
    std::shared_ptr<CalibrationResult> calibration;
    std::string text; // "50 quantizers stay as they were, 2 are made anew"
};

/// What the recipe wanted leaves of what was taken, and the rest made anew. @param taken has quantizers of a file
/// @return as continueSetup
Result<ContinuedResult> runContinuing(
    const CalibrationResult& taken, const CalibrationInputs& inputs, const JobContext& job);

/// Everything a later choice needs, measured or found in the cache.
Result<KnownStatistics> runMeasuring(const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job);

/// The same, where they were measured before and are remembered: no sample is run. @return BadData where they are not
Result<KnownStatistics> runRemembering(
    const Snapshot& snapshot, const CalibrationInputs& inputs, const JobContext& job);

/// Which scopes and nodes the output error comes from, under the recipe wanted. @return BadData where only statistics
/// are known; errors of checkRules, runCalibration and measureSensitivity
Result<SensitivityResult> runSensitivity(
    const Snapshot& snapshot, const CalibrationInputs& inputs, SensitivityDepth by, const JobContext& job);

/// How long each node of the model takes, as it is, on the first sample. @return errors of openDataset and
/// measureNodeTimes
Result<TimesResult> runTiming(const Snapshot& snapshot, const DataSource& data, const JobContext& job);

/// The model in floats of 16 bits, but for what the recipe's transforms keep. @return errors of openDataset and
/// halvedModel
Result<Transformed> runHalving(const Snapshot& snapshot, const DataSource& data, const JobContext& job);

/// An export, and the calibration it was made from in the end.
struct ExportResult {
    std::shared_ptr<CalibrationResult> calibration; // its recipe holds the rules of what was kept in float
    std::shared_ptr<const Compression> written; // that the file holds: without what the engine would run in float
    std::shared_ptr<const ExportReport> report;
    int kept = 0; // scopes in float for the bounds
    std::shared_ptr<const NodeOutcomes> nodes = {}; // of the file; null: not looked for
};

/// @param calibration under the recipe wanted; @return errors of exportWithin
Result<ExportResult> runExport(std::shared_ptr<CalibrationResult> calibration, const CalibrationInputs& inputs,
    const ExportDemands& demands, const std::filesystem::path& target, const JobContext& job);

using ExportRun = decltype(&runExport);

/// The same into a deployment folder, with all that belongs there. @return errors of runExport and deployFolder
Result<ExportResult> runDeployment(std::shared_ptr<CalibrationResult> calibration, const CalibrationInputs& inputs,
    const ExportDemands& demands, const std::filesystem::path& folder, const JobContext& job);

/// @return the errors of readStatisticsOf
Result<KnownStatistics> runReadingStatistics(
    const Snapshot& snapshot, const std::filesystem::path& path, const JobContext& job);

} // namespace duo::app
