// SPDX-License-Identifier: Apache-2.0
// What is written in boxes, and how much room titles of open ones have, in the window and in saved pictures alike.
#pragma once

#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"

#include <string>
#include <vector>

namespace duo {

/// The second line of a box as it is shown: nodes show the last part of their name that is neither the operator's type
/// nor the name of the scope they stand in.
std::string shownSubtitle(const ViewBox& box);

/// [boxes] px from where the title of an open box begins to the first line right of it, or to the right side.
/// O(boxes + points * depth).
std::vector<double> titleRooms(const ViewGraph& view, const PictureLayout& picture);

} // namespace duo
