// SPDX-License-Identifier: Apache-2.0
// Tensor: a named constant whose bytes stay where they are (a mapped file) until somebody reads them.
#pragma once

#include "core/model/element_type.h"
#include "core/support/shared_bytes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// Where a tensor's bytes lie; decides how it is written again.
enum class TensorPlace { Inline, External };

/// Little-endian, packed as ONNX raw_data says (sub-byte types: first element in the low bits).
struct Tensor {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims; // each >= 0; product times bits fits the bytes (checked by the reader)
    SharedBytes data; // empty for strings
    TensorPlace place = TensorPlace::Inline;

    [[nodiscard]] std::int64_t elements() const; // 1 for a scalar
    [[nodiscard]] std::span<const std::byte> bytes() const { return data.bytes; }
};

/// Product of dims, or nothing if a dim is negative or the product exceeds 2^62.
std::optional<std::int64_t> elementCount(std::span<const std::int64_t> dims);

/// Bytes of `count` packed elements (sub-byte types rounded up), or nothing on overflow or unsized types.
std::optional<std::int64_t> packedBytes(ElementType type, std::int64_t count);

/// Elements as float32 whatever the stored type (float16, bfloat16, float64, integers are converted; others: empty).
std::vector<float> toFloats(const Tensor& tensor);

/// Elements as int64 (integer and bool types; others: empty).
std::vector<std::int64_t> toInts(const Tensor& tensor);

} // namespace duo
