// SPDX-License-Identifier: Apache-2.0
// Provenance: which nodes became a part of which, in the metadata of those that stay.
#pragma once

#include "core/transform/edit_list.h"

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// Key of a node's metadata: the names of the nodes that became a part of it, a line each.
inline constexpr std::string_view kFusedKey = "duoscope.fused";

/// Names of the nodes that became a part of this one; they live as long as the node.
std::vector<std::string_view> fusedNames(const Node& node);

/// Adds to `edits` of `model` what the nodes that stay tell of those that became a part of them: their names and those
/// that these told of. Pairs of a node that stays, also as a new node of its name, and one that goes. O(pairs + names).
void addFusedInPlace(EditList& edits, const Model& model, std::span<const std::pair<NodeId, NodeId>> fused);

} // namespace duo
