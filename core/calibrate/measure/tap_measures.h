// SPDX-License-Identifier: Apache-2.0
// TapMeasures: what the engine's process measures of tapped values by itself, and measures as bytes that it shows.
#pragma once

#include "core/calibrate/measure/tensor_measure.h"
#include "core/support/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct TapMeasures {
    MeasureKinds kinds;
    std::vector<std::optional<std::int64_t>> channelAxes; // [taps]; nothing: no channels; negative: from the end
};

/// As SessionOptions::tapMeasures.
std::string writeTapMeasures(const TapMeasures& measures);
/// @return nothing where the bytes are no such thing
std::optional<TapMeasures> readTapMeasures(std::string_view bytes);

/// The axis of a tensor of so many axes, from its start.
constexpr std::optional<std::int64_t> axisFromStart(std::optional<std::int64_t> axis, std::size_t rank)
{
    return axis && *axis < 0 ? std::optional(*axis + static_cast<std::int64_t>(rank)) : axis;
}

/// Bytes that each channel of a measure takes.
inline constexpr std::size_t kChannelSize = 2 * sizeof(ChannelSum) + sizeof(std::int64_t) + 2 * sizeof(float);

/// Bytes that a measure takes.
std::size_t measureSize(const TensorMeasure& measure);
/// @param into of measureSize(), aligned to 8
void writeMeasure(const TensorMeasure& measure, std::span<std::byte> into);
/// @return a view of `bytes`; EngineFailed where they are no measure, or not aligned to 8
Result<TensorMeasure> readMeasure(std::span<const std::byte> bytes);

} // namespace duo
