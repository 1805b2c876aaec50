// SPDX-License-Identifier: Apache-2.0
// The header of a NumPy array file (.npy, format versions 1 to 3; numpy/lib/format.py describes them).
#pragma once

#include "core/model/element_type.h"
#include "core/support/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// An array in C order, little-endian; `dataOffset + dataBytes` is exactly the size of its file.
struct NpyHeader {
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims; // each >= 0
    std::int64_t dataOffset = 0; // bytes
    std::int64_t dataBytes = 0;
};

/// Headers longer than this are refused; real ones have some hundred bytes.
inline constexpr std::size_t kMaxNpyHeaderBytes = 64 * 1024;

/// Parses the dictionary without evaluating it. `start`: the first min(fileBytes, kMaxNpyHeaderBytes) bytes of the
/// file.
/// @return BadData: not a .npy file, damaged, big-endian, Fortran order with rank > 1, or an element type without an
/// ONNX counterpart (objects, structures, text); `where` names the array
Result<NpyHeader> parseNpyHeader(std::span<const std::byte> start, std::int64_t fileBytes, const std::string& where);

} // namespace duo
