// SPDX-License-Identifier: Apache-2.0
// Calls of a model's own functions become the nodes they stand for, so that these are quantized like any others.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <memory>
#include <string>

namespace duo {

inline constexpr const char* kCallsStay = "calls-stay"; // the note of a model whose calls cannot be written out
inline constexpr const char* kOpsetsJoined = "opsets-joined"; // of one whose functions were of other opsets

/// Whether it has calls of local functions that nobody tried to write out yet.
bool hasCallsToWriteOut(const Model& model);

/// The model without calls; its nodes say what they were called (core/transform/fused_names.h). One whose calls stay,
/// because a function is of another opset or something else is odd about it, comes back as it is, with a note that
/// says why. O(structure after).
/// @return Cancelled, or an error of reading what was made
Result<std::shared_ptr<const Model>> withCallsWrittenOut(
    const std::shared_ptr<const Model>& model, const JobContext& job = {});

/// "12 calls of 2 functions".
std::string callsText(const Model& model);

} // namespace duo
