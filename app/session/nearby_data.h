// SPDX-License-Identifier: Apache-2.0
// Finds data beside a model that looks like its calibration set, to be offered; nothing is used without being asked.
#pragma once

#include <filesystem>
#include <vector>

namespace duo::app {

/// Files (.npz, .npy) and ONNX test-data folders in the model's folder, likeliest first: those named "calibration",
/// those that share the first word of the model's name; files of tests and weights come last. At most 8.
std::vector<std::filesystem::path> dataBeside(const std::filesystem::path& model);

} // namespace duo::app
