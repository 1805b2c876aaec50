// SPDX-License-Identifier: Apache-2.0
// Rules written for a file, on the model that transforms made of it.
#pragma once

#include "core/rules/match.h"

namespace duo {

/// What rules catch in `model`, which transforms made of `original`: what they catch in it as it is, and what became of
/// the nodes they caught in the original: one that stayed, and one that such a node became a part of
/// (core/transform/fused_names.h). A rule on an operator's type means no nodes that another one became a part of.
/// @param here of the same rules in `model`; @param before of the same in `original`. O(nodes + caught nodes * log)
RuleHits carriedHits(const Model& model, RuleHits here, const Model& original, const RuleHits& before);

} // namespace duo
