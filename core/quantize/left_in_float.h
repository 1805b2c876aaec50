// SPDX-License-Identifier: Apache-2.0
// What a target rule does to nodes that it does not catch: as soon as there is one, all of these stay in float.
#pragma once

#include "core/quantize/placement.h"
#include "core/rules/match.h"

#include <cstddef>

namespace duo {

/// Nodes that would be compressed without rules and stay in float because no target rule catches them. They are told of
/// the first enabled target rule, with the others it does the same; 0 for all others. O(rules), of that one O(nodes).
/// @param placement with the rules, @param unruled without any; null where the model cannot be quantized
std::size_t leftInFloatBy(std::size_t rule, const RuleHits& hits, const Placement* placement, const Placement* unruled);

} // namespace duo
