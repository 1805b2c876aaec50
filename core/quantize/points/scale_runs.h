// SPDX-License-Identifier: Apache-2.0
// Which elements of a tensor share a scale: all, those of a channel, or those of a block.
#pragma once

#include "core/quantize/points/parameters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// A tensor as [outer, depth, inner], its channels or blocks along `depth`.
struct ScaleLayout {
    std::size_t outer = 1;
    std::size_t depth = 1;
    std::size_t inner = 1;
    std::size_t block = 1; // elements along depth that share a scale; 0 of a tensor with one scale for all

    [[nodiscard]] std::size_t steps() const { return (depth + block - 1) / std::max<std::size_t>(1, block); }
};

/// @return one scale for all where there is no axis, or none such in the tensor
inline ScaleLayout scaleLayout(
    std::span<const std::int64_t> dims, std::optional<std::int64_t> axis, std::int64_t block = 0)
{
    ScaleLayout layout;
    if (!axis || *axis < 0 || static_cast<std::size_t>(*axis) >= dims.size()) {
        layout.block = 0;
        return layout;
    }
    const auto at = static_cast<std::size_t>(*axis);
    for (std::size_t i = 0; i < at; ++i)
        layout.outer *= static_cast<std::size_t>(dims[i]);
    layout.depth = static_cast<std::size_t>(dims[at]);
    for (std::size_t i = at + 1; i < dims.size(); ++i)
        layout.inner *= static_cast<std::size_t>(dims[i]);
    layout.block = static_cast<std::size_t>(std::max<std::int64_t>(1, block));
    return layout;
}

/// Dimensions of the scales of a tensor of these: none of one scale, [C] of channels, and of blocks those of the tensor
/// with its axis in blocks, as DequantizeLinear of opset 21 takes them.
inline std::vector<std::int64_t> scaleDims(
    std::span<const std::int64_t> dims, std::optional<std::int64_t> axis, std::int64_t block)
{
    const ScaleLayout layout = scaleLayout(dims, axis, block);
    if (layout.block == 0)
        return {};
    if (block == 0)
        return {static_cast<std::int64_t>(layout.depth)};
    std::vector<std::int64_t> scales(dims.begin(), dims.end());
    scales[static_cast<std::size_t>(*axis)] = static_cast<std::int64_t>(layout.steps());
    return scales;
}

/// How many scales that are: 1 of one for all.
inline std::size_t scaleCount(std::span<const std::int64_t> dims, std::optional<std::int64_t> axis, std::int64_t block)
{
    const ScaleLayout layout = scaleLayout(dims, axis, block);
    if (layout.block == 0)
        return 1;
    return block == 0 ? layout.depth : layout.outer * layout.steps() * layout.inner;
}

/// Calls work(first element, elements, index of their scale) for every run of `count` elements that share a scale and
/// follow each other.
template <typename Work>
void forEachRun(std::size_t count, std::span<const std::int64_t> dims, std::optional<std::int64_t> axis,
    std::int64_t block, const Work& work)
{
    const ScaleLayout layout = scaleLayout(dims, axis, block);
    if (layout.block == 0) {
        if (count > 0) // a weight without elements may have no scale either
            work(0, count, 0);
        return;
    }
    std::size_t first = 0;
    for (std::size_t outer = 0; outer < layout.outer; ++outer) {
        for (std::size_t d = 0; d < layout.depth && first < count; ++d) {
            if (block == 0) {
                const std::size_t length = std::min(layout.inner, count - first);
                work(first, length, d);
                first += length;
                continue;
            }
            const std::size_t row = (outer * layout.steps() + d / layout.block) * layout.inner;
            for (std::size_t i = 0; i < layout.inner && first < count; ++i)
                work(first++, 1, row + i);
        }
    }
}

template <typename Work>
void forEachRun(
    std::size_t count, std::span<const std::int64_t> dims, const QuantizationParameters& parameters, const Work& work)
{
    const auto axis = parameters.scale.size() > 1 ? parameters.axis : std::nullopt;
    forEachRun(count, dims, axis, parameters.block, work);
}

} // namespace duo
