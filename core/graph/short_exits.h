// SPDX-License-Identifier: Apache-2.0
// Short exits: a level is laid out before it is known what stands beside its open box, so that its lines leave the box
// where the main path entered it, also those that lead on to the next column at its right.
#pragma once

#include "core/graph/layout_composer.h"

namespace duo {

/// Lines that go back to the left only to leave an open box, and then lead to the right beyond where they came from, go
/// straight down instead, where that leads over no box and no other line. O(boxes + edges) for each of them.
void shortenExitsInPlace(const ViewGraph& view, PictureLayout& picture);

} // namespace duo
