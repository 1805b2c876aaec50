// SPDX-License-Identifier: Apache-2.0
// What has no range that codes hold: values and weights with infinities (an attention mask of -inf), values that are
// empty in every sample (a cache), scores with a mask of -10000 among them. What would read them quantized stays in
// float.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/kept_float.h"

#include <memory>
#include <vector>

namespace duo {

struct FiniteSnapshot {
    std::shared_ptr<const Snapshot> changed; // null: everything to be quantized has a range
    std::vector<Note> notes;
};

/// @return the errors of placement
Result<FiniteSnapshot> withoutNeverFinite(const Snapshot& snapshot, const Statistics& statistics);

/// Of a setup made before: nodes whose quantizers it leaves out stay in float. @return null where it has them all
Result<std::shared_ptr<const Snapshot>> asLeftOut(const Snapshot& snapshot, const QuantizerSetup& setup);

} // namespace duo
