// SPDX-License-Identifier: Apache-2.0
// A sample of an image input as a picture to look at.
#pragma once

#include "core/engine/session.h"
#include "core/formats/image.h"

#include <optional>

namespace duo {

/// The first picture of [N,C,H,W], [N,H,W,C], [C,H,W] or [H,W,C] with 1 or 3 channels, sides of 4 to 2048: bytes as
/// they are, other numbers from the least to the greatest finite one as black to white, what is not finite as black.
/// Nothing for what does not look like a picture.
std::optional<Image> pictureOf(const HostTensor& sample);

} // namespace duo
