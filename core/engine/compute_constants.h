// SPDX-License-Identifier: Apache-2.0
// computeConstants: the constant part of a model, computed once: plainly where that gives the bits of a run, else by
// the engine.
#pragma once

#include "core/support/job.h"
#include "core/transform/constant_part.h"

namespace duo {

/// The engine is not started where core/transform/plain_operators.h tells all; its own
/// optimization is off, so that values are those of a run. What it cannot compute is missing, with
/// its reason, and so is what would need it inside of a body; the rest is computed without that. O(part), at most 32
/// times where something fails. @return Cancelled
Result<ComputedConstants> computeConstants(const Model& model, ConstantPart part, const JobContext& job = {});

} // namespace duo
