// SPDX-License-Identifier: Apache-2.0
// A snapshot in which nodes that were to be quantized stay in float, and what of a placement that is.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/kept_float.h"

namespace duo {

/// The same model and recipe with these nodes in float, each for its reason. @return the errors of placement
Result<Snapshot> withKeptFloat(const Snapshot& snapshot, const KeptFloats& kept);

/// Nodes that `opened` places in int8 and `changed`, of the same model, presets to float.
KeptFloats keptBetween(const Snapshot& opened, const Snapshot& changed);

} // namespace duo
