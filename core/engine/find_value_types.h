// SPDX-License-Identifier: Apache-2.0
// Types and shapes of all values: as the file says, and where it does not, as the engine infers them.
#pragma once

#include "core/model/value_types.h"
#include "core/support/job.h"

namespace duo {

/// Values of the main graph that the file gives no shape are asked of the engine, which then opens the model without
/// its weights and runs nothing; a model whose file tells all shapes is not opened. Values in bodies and calls are as
/// the file says. O(structure).
/// @return Cancelled
Result<ValueTypes> findValueTypes(const Model& model, const JobContext& job = {});

} // namespace duo
