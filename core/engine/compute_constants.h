// SPDX-License-Identifier: Apache-2.0
// computeConstants: the constant part of a model, computed by the engine once.
#pragma once

#include "core/support/job.h"
#include "core/transform/constant_part.h"

namespace duo {

/// With the engine's own optimization off, so that values are those of a run. What it cannot compute is missing, with
/// its reason; the rest is computed without that. O(part), at most 32 times where something fails. @return Cancelled
Result<ComputedConstants> computeConstants(const Model& model, ConstantPart part, const JobContext& job = {});

} // namespace duo
