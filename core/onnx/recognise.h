// SPDX-License-Identifier: Apache-2.0
// What a file is that cannot be read as an ONNX model, said so that the user knows what to do.
#pragma once

#include "core/support/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace duo {

enum class Unreadable : std::uint8_t { CutOff, Damaged, TooDeep, NoGraph };

/// @param bytes the whole file; @param name its path
/// @return MalformedModel
Error unreadableModel(std::span<const std::byte> bytes, Unreadable reason, const std::string& name);

} // namespace duo
