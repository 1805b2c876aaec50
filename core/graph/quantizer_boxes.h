// SPDX-License-Identifier: Apache-2.0
// Quantizer boxes: a picture with quantizers as boxes of their own instead of badges.
#pragma once

#include "core/graph/view_graph.h"

namespace duo {

/// Puts a box Kind::Quantizer in place of every badge: on an edge between its ends, where the reading box stands; for a
/// weight in front of its node. Readers in one open scope share the quantizer of a value. Boxes keep their numbers, new
/// ones come last. O(boxes + edges).
ViewGraph withQuantizerBoxes(ViewGraph view);

} // namespace duo
