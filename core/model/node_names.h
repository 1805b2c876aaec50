// SPDX-License-Identifier: Apache-2.0
// Gives every node its unique external name (resources/docs/scopes.md, "Node names").
#pragma once

#include "core/model/model.h"

namespace duo {

/// Fills Node::name and NodeOrigin::hadName from localName, and adds a note per invented name. Regions must come after
/// the region of their owner. O(total length of names).
void nameNodesInPlace(Model& model);

} // namespace duo
