// SPDX-License-Identifier: Apache-2.0
// First picture: which containers to open within a budget of boxes.
#pragma once

#include "core/graph/containment.h"

#include <string>
#include <vector>

namespace duo {

/// One step of opening: keys opened together (equal siblings, single-child chains), and the boxes shown after it if
/// every item is one box.
struct Opening {
    std::vector<std::string> keys;
    std::size_t boxes = 0;
};

/// Openings in the order to make them, the largest containers of the shallowest level first, while `budget` holds.
std::vector<Opening> openingsWithin(const Containment& containment, std::size_t budget);

/// The container, and below it every container that is its parent's only item.
std::vector<std::uint32_t> chainFrom(const Containment& containment, std::uint32_t container);

} // namespace duo
