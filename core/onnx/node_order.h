// SPDX-License-Identifier: Apache-2.0
// The order of a node list that is made anew.
#pragma once

#include <onnx.pb.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// Calls `take` with every value a node reads, those that its bodies capture among them; names a body defines itself
/// too, which no other node of the list can define.
void forEachRead(const onnx::NodeProto& node, const std::function<void(const std::string&)>& take);

/// Indices of nodes so that each stands behind those whose values it reads; of two that may change places the one with
/// the smaller rank comes first. Nothing for a cycle. O(n log n + reads).
std::optional<std::vector<std::size_t>> topologicalBy(
    std::span<const onnx::NodeProto* const> nodes, std::span<const std::size_t> ranks);

} // namespace duo
