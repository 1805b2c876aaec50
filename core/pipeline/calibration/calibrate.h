// SPDX-License-Identifier: Apache-2.0
// calibrate: from a placement and data, or statistics measured before, to the parameters of every quantizer.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/snapshot/compression.h"

#include <memory>
#include <string_view>
#include <vector>

namespace duo {

/// Kind of the note on nodes whose products in int8 some processors add up wrongly.
inline constexpr std::string_view kPairSaturation = "pair-saturation";

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

} // namespace duo
