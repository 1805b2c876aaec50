// SPDX-License-Identifier: Apache-2.0
// NodeNote: a note of a reader about a node, which has its name only when the draft is complete.
#pragma once

#include "core/model/model.h"

#include <string>
#include <vector>

namespace duo {

struct NodeNote {
    NodeId node;
    std::string kind; // as of Note
    std::string text;
};

/// As sealModel(draft); the notes come behind those about names. O(nodes + uses).
/// @return MalformedModel for a cycle (names a node on it)
Result<std::shared_ptr<const Model>> sealModel(Model draft, std::vector<NodeNote> notes);

} // namespace duo
