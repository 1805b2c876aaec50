// SPDX-License-Identifier: Apache-2.0
// Provenance: which nodes became a part of which, and what they were called, in the metadata of those that stay.
#pragma once

#include "core/transform/edit_list.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// Key of a node's metadata: the names of the nodes that became a part of it, a line each.
inline constexpr std::string_view kFusedKey = "duoscope.fused";

/// Key of a node's metadata: its name in the model that was opened, where it was in a call of a function: "call::node".
inline constexpr std::string_view kNameBeforeKey = "duoscope.called_as";

/// Key of a node's metadata: the name of the node that was written as several, one of which it is.
inline constexpr std::string_view kWrittenOfKey = "duoscope.written_of";

/// The metadata of one of several nodes that stand for this one and have other names than it.
Metadata metadataOfPart(const Node& node);

/// The name that a node had in the model that was opened: its own, unless calls were written out since.
std::string_view nameBefore(const Node& node);

/// The node of the model that was opened that this one was: by that name, else by its own; invalid: none.
NodeId nodeBefore(const Model& opened, const Node& node);

/// The node of `model` that had this name in the model that was opened, and has another one now; invalid: none.
/// O(nodes)
NodeId nodeOnceCalled(const Model& model, std::string_view name);

/// The name that a node which edits of `model` make is shown by: in a body with those of its owner and its attribute.
std::string nameOfMade(const Model& model, const NewNode& made);

/// Adds to nodes that `edits` put in the place of those of `model`, by their names, what these were called before.
/// O(nodes made).
void keepNamesBeforeInPlace(EditList& edits, const Model& model);

/// Names of the nodes that became a part of this one; those they had in the model that was opened. They live as long as
/// the node.
std::vector<std::string_view> fusedNames(const Node& node);

/// Adds to `edits` of `model` what the nodes that stay tell of those that became a part of them: their names and those
/// that these told of. Pairs of a node that stays, also as a new node of its name, and one that goes. O(pairs + names).
void addFusedInPlace(EditList& edits, const Model& model, std::span<const std::pair<NodeId, NodeId>> fused);

} // namespace duo
