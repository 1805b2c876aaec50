// SPDX-License-Identifier: Apache-2.0
// Groups of constants that can be computed beforehand without a model growing: parts of weights that are put together
// in another order, as exporters write recurrent networks.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <vector>

namespace duo {

/// [nodes] Of nodes that only read constants those whose results, together with all of what is made of the same
/// constants, take no more than the constants that nobody reads any more when they are computed; what is computed twice
/// the same way counts once. O(nodes + reads).
/// @param nodes topological
/// @param bytes [values] of those that are constant, and of what the nodes give
/// @param small what a group may grow by all the same; constants that take no more hold no group together
std::vector<bool> inEvenGroups(
    const Model& model, const std::vector<NodeId>& nodes, const std::vector<std::int64_t>& bytes, std::int64_t small);

} // namespace duo
