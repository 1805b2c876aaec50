// SPDX-License-Identifier: Apache-2.0
// Work of modules that the model does not know of.
#pragma once

#include "core/scope/facts/scope_facts.h"

#include <vector>

namespace duo {

/// Nodes in whose place a module ran that is not registered under the root (kept in a plain list): its weights are
/// constants without a key, or the program was in one more `forward` of PyTorch's own modules than there are modules on
/// the stack. O(nodes).
std::vector<bool> findUnregisteredNodes(const Model& model, const ScopeFacts& facts); // [nodes]

} // namespace duo
