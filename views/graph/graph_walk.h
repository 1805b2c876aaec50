// SPDX-License-Identifier: Apache-2.0
// Walking through a picture with the arrow keys: along edges up and down, beside each other left and right.
#pragma once

#include "views/graph/picture.h"

namespace duo::ui {

enum class Step { Producer, Consumer, Left, Right };

/// The box to go to from `box` (kNoBox: the first one); `box` itself where there is none. Producer and Consumer follow
/// an edge on the main way, that with most quantized nodes on it, else to the nearest end; into an open box they enter,
/// out of one they leave. O(boxes + edges).
int walk(const Picture& picture, int box, Step step);

} // namespace duo::ui
