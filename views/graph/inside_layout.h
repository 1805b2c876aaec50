// SPDX-License-Identifier: Apache-2.0
// Inside layout: what is inside one box, laid out downwards or sideways to fill a room of any shape.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"
#include "core/support/job.h"
#include "core/support/result.h"

namespace duo::ui {

/// What is inside a box. Box 0 stands for the box itself: lines from it come in at the top, lines to it leave at the
/// bottom; from left to right where it is laid out sideways.
struct Inside {
    ViewGraph graph;
    PictureLayout layout; // px from the upper left corner; the frame of box 0 is the whole
    bool isSideways = false;
};

/// A small graph keeps its main path straight; a larger one is wrapped where that makes it clearly larger.
/// @param inside of a container (drawnInside)
/// @param aspect width to height of the room
/// @return Cancelled
Result<Inside> layoutInside(const ViewGraph& inside, double aspect, LayoutComposer& composer, const BoxSizes& sizes,
    const JobContext& job = {});

} // namespace duo::ui
