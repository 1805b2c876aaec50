// SPDX-License-Identifier: Apache-2.0
// What files dropped at once are meant as, by their names.
#pragma once

#include <filesystem>
#include <span>

namespace duo::app {

/// "": none of the kind.
struct DroppedFiles {
    std::filesystem::path model; // the first one; a file of no known kind where there is none
    std::filesystem::path checkpoint;
    std::filesystem::path recipe;
};

/// A .pt2 is a model of its own, but beside an ONNX model it says where that one's parameters lie.
/// @param isOnnxOpen an ONNX model is open already
DroppedFiles droppedFiles(std::span<const std::filesystem::path> files, bool isOnnxOpen);

} // namespace duo::app
