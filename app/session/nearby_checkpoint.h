// SPDX-License-Identifier: Apache-2.0
// Tells checkpoints by their names, and finds the one saved beside a model.
#pragma once

#include <filesystem>

namespace duo::app {

/// The name ends as checkpoints do: .safetensors, .index.json, .pth, .pt, .bin, .ckpt, .pt2. Nothing is read.
bool isCheckpointName(const std::filesystem::path& path);

/// The name ends as models do: .onnx, .pt2 (which may be either).
bool isModelName(const std::filesystem::path& path);

/// The checkpoint in the model's folder that has the model's name: m.safetensors beside m.onnx; "" for none. A model
/// that brings its own keys (.pt2) needs none.
std::filesystem::path checkpointBeside(const std::filesystem::path& model);

} // namespace duo::app
