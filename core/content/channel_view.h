// SPDX-License-Identifier: Apache-2.0
// ChannelView: a weight as channels times elements of a channel, whatever its layout.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// A dense tensor [groups, outer, channels, inner]; the group and the channel within it are what a batch norm or a
/// quantizer scales as one: Conv and Linear weights are [1, 1, out, rest], transposed ones [1, in, out, 1], those of a
/// ConvTranspose [groups, in / groups, out / groups, kernel], vectors one channel [1, 1, 1, n].
struct ChannelView {
    std::int64_t groups = 1;
    std::int64_t outer = 1;
    std::int64_t channels = 1; // of a group
    std::int64_t inner = 1;

    [[nodiscard]] std::int64_t allChannels() const { return groups * channels; }
    [[nodiscard]] std::int64_t perChannel() const { return outer * inner; }
    /// Index into the tensor of element i of channel c.
    [[nodiscard]] std::size_t at(std::int64_t c, std::int64_t i) const
    {
        const std::int64_t row = (c / channels) * outer + i / inner;
        return static_cast<std::size_t>((row * channels + c % channels) * inner + i % inner);
    }
    auto operator<=>(const ChannelView&) const = default;
};

/// How a tensor of the model may relate to a stored one by one factor per channel.
struct ViewPair {
    ChannelView wanted;
    ChannelView stored;
    auto operator<=>(const ViewPair&) const = default;
};

/// The pairs to try for a tensor that `reader` reads: as it is, transposed for matrices, grouped for ConvTranspose.
std::vector<ViewPair> viewPairs(const Tensor& wanted, const Node& reader, std::uint32_t port);

/// Whether a stored tensor of as many elements can be seen so.
bool fitsView(const Tensor& stored, const Tensor& wanted, const ViewPair& views);

/// Elements of a stored tensor in the order of the wanted one: copied for transposed pairs, else as they are.
std::span<const float> inWantedOrder(std::span<const float> stored, const ViewPair& views, std::vector<float>& copy);

} // namespace duo
