// SPDX-License-Identifier: Apache-2.0
// Types and shapes of all values: as the file says, and where it does not, as the engine infers them.
#pragma once

#include "core/model/value_types.h"
#include "core/support/job.h"

namespace duo {

/// Values of the main graph that the file gives no shape are asked of the engine, which then opens the model without
/// its weights and runs nothing; a model whose file tells all shapes is not opened. Values in bodies and calls are as
/// the file says, else as their operators tell. O(structure).
/// @return Cancelled
Result<ValueTypes> findValueTypes(const Model& model, const JobContext& job = {});

/// The same for what one node reads and gives; of other values some may be as the file says. The engine sees only what
/// these values come from, at most 1,000 nodes at a time, so that its memory does not grow with the model. Where a size
/// follows from numbers computed in an earlier piece it stays open. O(nodes it comes from, and structure).
/// @return Cancelled
Result<ValueTypes> findTypesAt(const Model& model, NodeId node, const JobContext& job = {});

} // namespace duo
