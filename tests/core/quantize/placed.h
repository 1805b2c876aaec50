// SPDX-License-Identifier: Apache-2.0
// Placements as text, for tests that read as examples.
#pragma once

#include "core/quantize/placement.h"

#include <string>
#include <vector>

namespace duo::test {

/// Hits of rules that ignore the named nodes, one rule per name.
RuleHits ignoring(const Model& model, const std::vector<std::string>& names);

/// NNCF's own placement, types and presets.
QuantizationSettings likeNncf();

/// placeQuantizers, which must succeed.
Placement placed(
    const Model& model, const QuantizationSettings& settings = {}, const std::vector<std::string>& ignored = {});

/// One line per point: `relu behind: A8 -> conv2`, `conv weight 1: S8 per channel -> conv`, `add input 0: A8 -> add`,
/// `model input x: A8 -> conv`. Groups of unified scales follow as `one scale: 0 1`.
std::vector<std::string> pointLines(const Model& model, const QuantizerSetup& setup);

/// `state: reason` of a node, as core/report says it.
std::string decisionLine(const Model& model, const Placement& placement, const std::string& node);

} // namespace duo::test
