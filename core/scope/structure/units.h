// SPDX-License-Identifier: Apache-2.0
// Units: a layer with the normalization, activation and bias that nothing but it feeds.
#pragma once

#include "core/scope/structure/work_sequence.h"

#include <cstdint>
#include <vector>

namespace duo {

/// First places of the units; each ends where the next begins, and only the last node's outputs leave it. O(nodes).
std::vector<std::uint32_t> unitStarts(const WorkSequence& sequence);

} // namespace duo
