// SPDX-License-Identifier: Apache-2.0
// Values of a node list under other names.
#pragma once

#include <onnx.pb.h>

#include <string>
#include <unordered_map>

namespace duo {

using ValueNames = std::unordered_map<std::string, std::string>; // old -> new; "" omits an input

/// Renames what a node reads and makes and what its bodies capture. What a body defines itself hides the value of that
/// name outside. O(node and its bodies).
void renameValues(onnx::NodeProto& node, const ValueNames& names);

} // namespace duo
