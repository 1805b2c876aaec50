// SPDX-License-Identifier: Apache-2.0
// Compression: what calibration adds to a snapshot, and what an export needs besides it.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/edits/float_changes.h"
#include "core/quantize/points/halved_nodes.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/points/parameters.h"
#include "core/report/export_report.h"
#include "core/state/statistics_file.h"

#include <cstdint>
#include <memory>
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
    std::string data; // digest of the data that a resumed one was measured on, and
    std::string rangesDigest; // of what was measured there; else `statistics` tells both
    std::vector<Note> notes; // non-finite values, constant values, dropped samples
    std::optional<std::int64_t> firstNanSample; // of what quantizers stand on: a finding of the export
    /// Where corrections changed the float model, or data without a range or the engine the placement: setup and
    /// parameters are of this one. Null for most.
    std::shared_ptr<const Snapshot> changed;
    KeptFloats keptFloat; // what `changed` leaves in float
    std::vector<FloatChange> floatChanges; // that made it
    BiasShifts biasShifts;
    std::optional<HalvedNodes>
        halved; // of the model that setup and parameters are of; nothing: all floats have 32 bits
    InputMeans inputMeans; // that made them; empty where they were made by running the model
    std::vector<CorrectionMade> corrections; // what they did
    std::shared_ptr<const StatisticsFile> statistics; // parameters are from; of `changed`; null where resumed
    bool isMeasured = false; // by this run
    bool isContinued = false; // other rules changed what a state had: what runs in float may be others now
};

/// What its setup and parameters are of, where it was made from `snapshot`.
inline const Snapshot& placedBy(const Compression& compression, const Snapshot& snapshot)
{
    return compression.changed ? *compression.changed : snapshot;
}

/// Made by this run, or for other rules: what was chosen before does not hold.
inline bool isNew(const Compression& compression)
{
    return compression.statistics || compression.isContinued;
}

} // namespace duo
