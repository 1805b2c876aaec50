// SPDX-License-Identifier: Apache-2.0
// Images: PNG and JPEG files as 8-bit RGB pixels, and their resize.
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace duo {

/// Rows from the top, 3 bytes per pixel.
struct Image {
    int height = 0;
    int width = 0;
    std::vector<std::uint8_t> rgb; // [height, width, 3]
};

/// Decides by content. Gray becomes RGB, 16 bits become 8, alpha and orientation tags are ignored.
/// @return FileNotReadable; BadData if it is neither PNG nor JPEG, damaged, CMYK, or has more than 100 million pixels
Result<Image> readImage(const std::filesystem::path& path);

/// [height, width, 3] in 0..255: weighted by a triangle as wide as two target pixels where it shrinks, by the two
/// nearest pixels where it grows; pixel centres at half indices. Same as Pillow's BILINEAR up to its rounding to bytes.
std::vector<float> resizeBilinear(const Image& image, int height, int width);

} // namespace duo
