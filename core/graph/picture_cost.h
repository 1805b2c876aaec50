// SPDX-License-Identifier: Apache-2.0
// Picture cost: how well a picture fills its pane, and whether its lines can be followed.
#pragma once

#include "core/graph/layout_composer.h"

namespace duo {

inline constexpr double kWellFilled = 0.62; // of a pane

/// Share of a pane that a picture fills which is as large as the pane lets it be; 0..1.
/// @param aspect width to height of the pane, above 0
double filledShare(Size picture, double aspect);

/// Share of a pane that the largest rectangle takes in which there is neither a closed box nor a line, with the
/// picture in the pane's middle; 0..1, in steps of 1/1024. O(boxes + pieces of lines).
double largestEmptyShare(const ViewGraph& view, const PictureLayout& picture, double aspect);

/// Share of the lines that lead up and down, as from the foot of a column to the head of the next; 0..1.
double turnedShare(const PictureLayout& picture);

/// How tall a pane must be, px, to show a picture whole; by half more where it is not well filled, and a little more
/// for what is empty in it, and for lines that are hard to follow. O(boxes + pieces of lines).
double pictureCost(const ViewGraph& view, const PictureLayout& picture, double aspect);

} // namespace duo
