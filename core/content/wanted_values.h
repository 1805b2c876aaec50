// SPDX-License-Identifier: Apache-2.0
// WantedValues: a tensor of the model as real numbers, and how far each may be from what it was made of.
#pragma once

#include "core/content/float_values.h"
#include "core/content/read_tensors.h"
#include "core/model/model.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace duo {

/// Of an integer tensor: real = (q - zeroPoint) * scale, one pair for the tensor, for each index of an axis, or for
/// each block along it (ONNX DequantizeLinear).
struct WeightQuantization {
    std::vector<float> scales;
    std::vector<float> zeroPoints; // as many as scales
    std::optional<std::size_t> axis; // of several scales
    std::int64_t axisSize = 1; // elements along the axis: 1 for one scale of the tensor
    std::int64_t block = 1; // elements of the axis that share a scale; the last block may be shorter
    std::int64_t blocks = 1; // along the axis
    std::int64_t inner = 1; // elements of the tensor behind the axis
    bool isUnscaled = false; // the scale is applied to the product later: scales are 1

    /// Index into scales for an element of the tensor.
    [[nodiscard]] std::size_t at(std::size_t element) const
    {
        if (scales.size() == 1)
            return 0;
        const auto e = static_cast<std::int64_t>(element);
        if (block == 1)
            return static_cast<std::size_t>(e / inner % axisSize);
        const std::int64_t row = e / inner; // of the axes in front of the blocks, and theirs
        return static_cast<std::size_t>((row / axisSize * blocks + row % axisSize / block) * inner + e % inner);
    }
    /// Elements from this one on that have the same index: at least 1.
    [[nodiscard]] std::size_t run(std::size_t element) const
    {
        if (scales.size() == 1)
            return SIZE_MAX;
        const auto e = static_cast<std::int64_t>(element);
        if (block == 1)
            return static_cast<std::size_t>(inner - e % inner);
        const std::int64_t at = e % axisSize; // with nothing behind the axis
        return inner == 1 ? static_cast<std::size_t>(std::min(block - at % block, axisSize - at)) : 1;
    }
    /// Calls visit(element, index into scales) for `count` elements from `first` on, until it returns false.
    template <typename Visit> bool forEach(std::size_t first, std::size_t count, const Visit& visit) const
    {
        const bool isLastAxis = scales.size() > 1 && block == 1 && inner == 1;
        std::size_t index = at(first);
        for (std::size_t i = first; i < first + count;) {
            if (!isLastAxis)
                index = at(i);
            for (const std::size_t end = i + std::min(run(i), first + count - i); i < end; ++i) {
                if (!visit(i, index))
                    return false;
            }
            if (isLastAxis && ++index == scales.size())
                index = 0;
        }
        return true;
    }
};

/// What a node takes the codes at a port for (codeFactsAt), whatever is read there. Nothing where it does not say, or
/// by scales that are no constants that fit.
std::optional<WeightQuantization> quantizationAt(
    const Model& model, const Tensor& codes, const Node& node, std::uint32_t port);

/// From the DequantizeLinear that reads the tensor, or the QLinearConv or QLinearMatMul that uses it. Nothing if there
/// is none, or its scales are no constants that fit.
std::optional<WeightQuantization> quantizationOf(const Model& model, const ReadTensor& read);

class WantedValues
{
public:
    /// Memory: 4 bytes an element, none for aligned float32.
    WantedValues(const Tensor& tensor, std::optional<WeightQuantization> quantization);

    [[nodiscard]] std::span<const float> all() const { return m_dequantized.empty() ? m_floats->all() : m_dequantized; }
    [[nodiscard]] bool isQuantized() const { return m_quantization.has_value(); }
    /// Integers fine enough, and many enough, that their direction alone tells.
    [[nodiscard]] bool isFine() const;
    /// Several different values that are no mere constant: what quantized integers need in place of isTelling.
    [[nodiscard]] bool areTelling() const;
    /// Whether the elements from `first` on can stand for `values`: not more than `steps` quantization steps, units of
    /// a 16-bit float or eight times as many of float32 away, or clipped.
    [[nodiscard]] bool mayBe(std::size_t first, std::span<const float> values, double steps = 0.501) const;
    /// Whether element i has the least or the largest code, so that it may stand for anything beyond.
    [[nodiscard]] bool mayBeClipped(std::size_t i) const { return m_quantization && m_clipped[i]; }
    /// How far element i may be from what it stands for.
    [[nodiscard]] double tolerance(std::size_t i) const;
    /// Relative error that a factor fitted to a channel of so many elements may have.
    [[nodiscard]] double factorTolerance() const;

private:
    [[nodiscard]] bool mayBeFloats(std::size_t first, std::span<const float> values, double steps) const;

    const Tensor& m_tensor;
    std::optional<WeightQuantization> m_quantization;
    std::optional<FloatValues> m_floats;
    std::vector<float> m_dequantized;
    std::vector<bool> m_clipped; // [elements] has the least or the largest code
    float m_relative = 0; // tolerance of floats
    float m_absolute = 0;
};

} // namespace duo
