// SPDX-License-Identifier: Apache-2.0
// Corrections of a run: the float model is rescaled before it is measured, biases are shifted after.
#pragma once

#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/snapshot/compression.h"

namespace duo {

/// Whether the recipe asks for changes of the float model: SmoothQuant or cross-layer equalization.
bool changesFloatModel(const QuantizationSettings& settings);

/// The snapshot of the changed model, which computes what the model did. Nodes that were added stay in float.
/// @return BadState for a change that does not fit
Result<Snapshot> withFloatChanges(const Snapshot& snapshot, const std::vector<FloatChange>& changes);

struct FloatCorrection {
    std::shared_ptr<const Snapshot> changed; // null: there was nothing to change
    std::vector<FloatChange> changes;
    std::vector<CorrectionMade> made;
    std::vector<Note> notes; // why one changed nothing
};

/// SmoothQuant, for which the model is measured, then cross-layer equalization, as the recipe says.
Result<FloatCorrection> correctFloatModel(const Snapshot& snapshot, const Dataset& dataset,
    const MeasureOptions& options, int threads, const JobContext& job);

/// Adds the shifts of biases to a compression, as the recipe says, in closed form from the channel means that were
/// measured.
Status correctBiasesInPlace(const Snapshot& snapshot, const Statistics& statistics, Compression& compression,
    int threads, const JobContext& job);

/// What changes of the float model, and shifts of biases, that a state records come to.
/// @param model with the changes
std::vector<CorrectionMade> correctionsMade(
    const Model& model, const std::vector<FloatChange>& changes, const BiasShifts& shifts);

} // namespace duo
