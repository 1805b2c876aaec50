// SPDX-License-Identifier: Apache-2.0
// View dot: a laid out view as .dot text with every position fixed, for drawing.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/overlay_colours.h"
#include "core/graph/view_graph.h"

#include <string>
#include <vector>

namespace duo {

/// Size of a box in drawings, px: from the lengths of its texts, without measuring fonts.
Size drawingSize(const ViewBox& box);

/// A piece of a drawing, px from its top left corner.
struct DrawingPart {
    Point topLeft;
    Size size;
};

/// What closed boxes are coloured by instead of their states, with a legend below the picture.
struct DrawnColours {
    const Overlay& overlay;
    std::vector<std::optional<double>> values; // [boxes] (overlayOfBoxes)
};

/// What is written beside boxes and lines.
struct DrawnNotes {
    struct Pill {
        std::string text; // none: no pill
        bool isGood = true;
    };
    std::vector<Pill> pills; // [boxes] on their upper right corners; or none
    std::vector<std::string> texts; // [edges] where there is room beside their lines; or none
};

/// Size of the drawing that viewDot gives, px.
Size drawnSize(const PictureLayout& picture, const DrawnColours* colours = nullptr);

/// A drawing in pieces of at most this size, by rows from the top left; neighbours overlap, so that no box is only ever
/// seen cut. One piece where it fits.
std::vector<DrawingPart> drawingParts(const Size& drawing, const Size& most);

/// A picture, composed with drawingSize or other sizes, as a graph for Graphviz' nop2 engine: scopes are clusters,
/// states are colours (dark on light, and dashed or dotted where nothing is quantized), edges that carry codes are blue
/// with a pill that says which, closed boxes have a bar of how much in them is quantized and ignored.
/// O(boxes + points).
/// @param part what of it is drawn; null: all
/// @param notes lists as long as those of the view, or empty
std::string viewDot(const ViewGraph& view, const PictureLayout& picture, const DrawingPart* part = nullptr,
    const DrawnColours* colours = nullptr, const DrawnNotes& notes = {});

} // namespace duo
