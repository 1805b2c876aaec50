// SPDX-License-Identifier: Apache-2.0
// Elements of tensors as float32, and conversions between floating types.
#pragma once

#include "core/model/tensor.h"

#include <cstddef>
#include <span>
#include <vector>

namespace duo {

/// One element, rounded to float32 where it is wider; the bits as a number for types below 16 bits that are no
/// integers. `index` within the tensor, which has all its bytes.
float floatAt(const Tensor& tensor, std::size_t index);

/// Elements from `first` on; as floatAt, but quicker.
void readFloats(const Tensor& tensor, std::size_t first, std::span<float> out);

/// All elements of a tensor. Aligned float32 is looked at where it lies; everything else is a copy of 4 bytes an
/// element.
class FloatValues
{
public:
    explicit FloatValues(const Tensor& tensor); // which must outlive this
    FloatValues(const FloatValues&) = delete;
    FloatValues& operator=(const FloatValues&) = delete;

    [[nodiscard]] std::span<const float> all() const { return m_all; }
    float operator[](std::size_t index) const { return m_all[index]; }

private:
    std::vector<float> m_copy;
    std::span<const float> m_all;
};

/// float16, bfloat16, float32 and float64 convert into each other.
bool isConvertible(ElementType type);

/// Elements from `first` on, rounded to nearest even as PyTorch and ONNX's Cast do, written as `to` into `out`, which
/// sets their number. Both types are convertible.
void convertElements(const Tensor& tensor, std::size_t first, ElementType to, std::span<std::byte> out);

} // namespace duo
