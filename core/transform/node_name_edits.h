// SPDX-License-Identifier: Apache-2.0
// Names for the nodes that have none of their own in the file.
#pragma once

#include "core/transform/edit_list.h"

namespace duo {

/// Edits that give unnamed and repeated nodes the names they are shown by; needed for an export, and for running a file
/// as it is: ONNX Runtime refuses two nodes of one name. Nodes inside local functions keep theirs. O(nodes).
std::vector<std::pair<NodeId, std::string>> nodeNameEdits(const Model& model);

} // namespace duo
