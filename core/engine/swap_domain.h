// SPDX-License-Identifier: Apache-2.0
// The operator whose readers may be given something else than was computed: name, domain and attribute of its nodes.
#pragma once

#include "core/engine/session.h"
#include "core/model/model.h"
#include "core/transform/edit_list.h"

#include <string>

namespace duo {

inline constexpr const char* kSwapDomain = "duoscope.swaps"; // private: such nodes are never written to a user's file
inline constexpr const char* kSwapOperator = "Swap"; // one float32 input, one output of its shape
inline constexpr const char* kSwapAttribute = "swap"; // int: its number, which Session::runSwapping tells

/// A swap of `input` read as `output`.
NewNode swapNode(
    std::int64_t number, std::string name, std::string input, std::string output, NodeId anchor, bool after);

/// The model with edits that hold swaps, in a session with one thread. @return EngineFailed, also where a swapped value
/// is not float32; Unsupported (too large to edit)
Result<Session> openSwappingModel(const Model& model, EditList edits, const JobContext& job = {});

} // namespace duo
