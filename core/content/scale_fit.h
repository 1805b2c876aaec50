// SPDX-License-Identifier: Apache-2.0
// fitScale: the factor per channel that makes one tensor out of another, if there is one.
#pragma once

#include "core/content/channel_view.h"
#include "core/content/wanted_values.h"
#include "core/support/job.h"

#include <optional>
#include <span>
#include <vector>

namespace duo {

struct ScaleFit {
    std::vector<double> factors; // [channels] least squares; 0 where the wanted channel is all zero
    std::vector<double> squares; // [channels] sum of the squares of the stored elements
    std::size_t first = 0; // a channel whose factor is not 0
};

/// Least squares per channel, then every element is checked: float elements must be the stored one times the factor up
/// to rounding; quantized ones up to a whole step, because their factor is not exact. O(elements), but tensors that
/// have nothing to do with each other are told apart by a few elements.
/// @param stored in the order of the wanted tensor
std::optional<ScaleFit> fitScale(
    const WantedValues& wanted, std::span<const float> stored, const ChannelView& view, const JobContext& job);

/// Largest distance, in units in the last place of float32, of the wanted elements from stored * factor as float32
/// computes it; 1 for other types whose elements may all stand for the products. Nothing beyond kMostUlps, or if one
/// may not.
std::optional<int> distanceFrom(const WantedValues& wanted, std::span<const float> stored, const ChannelView& view,
    std::span<const float> factors, bool isFloat32, const JobContext& job);

constexpr int kMostUlps = 16; // what different orders of the same float32 operations can amount to

} // namespace duo
