// SPDX-License-Identifier: Apache-2.0
// dot's own picture of a view, to hold ours against.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"

#include <optional>
#include <vector>

namespace duo::test {

/// The edges as dot draws them where all boxes stand in one graph and open boxes are clusters: polylines, a curve as
/// six of its points. Made in a process of its own, for dot can crash.
/// @return nothing where dot fails or does not finish within 20 s
std::optional<std::vector<std::vector<Point>>> dotLines(const ViewGraph& view, const BoxSizes& sizes);

} // namespace duo::test
