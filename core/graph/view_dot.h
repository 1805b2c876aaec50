// SPDX-License-Identifier: Apache-2.0
// View dot: a laid out view as .dot text with every position fixed, for drawing.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"

#include <string>

namespace duo {

/// Size of a box in drawings, px: from the lengths of its texts, without measuring fonts.
Size drawingSize(const ViewBox& box);

/// A picture composed with drawingSize as a graph for Graphviz' nop2 engine: scopes are clusters, states are colours
/// (dark on light, and dashed or dotted where nothing is quantized), badges are labels of edges. O(boxes + points).
std::string viewDot(const ViewGraph& view, const PictureLayout& picture);

} // namespace duo
