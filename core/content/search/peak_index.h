// SPDX-License-Identifier: Apache-2.0
// PeakIndex: finds stored tensors that a factor per channel may turn into a wanted one, without reading them in full.
#pragma once

#include "core/content/search/channel_view.h"
#include "core/content/search/wanted_tensors.h"
#include "core/content/search/wanted_values.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace duo {

/// Where the largest element of a channel stands is the same before and after scaling: two channels make a key, or of a
/// single channel (a vector) its two largest elements.
struct PeakQuery {
    std::size_t set = 0; // of Wanted
    ViewPair views;
    std::pair<std::int64_t, std::int64_t> channels; // equal if there is only one
    std::pair<std::int64_t, std::int64_t> peaks; // elements of these channels
    bool isClear = false; // else nothing stands out, and every tensor of the shape is a candidate
};

/// Takes the first two of 64 channels whose largest elements stand out so far that rounding cannot have moved them.
PeakQuery peakQuery(std::size_t set, const Tensor& wanted, const ViewPair& views,
    const std::optional<WeightQuantization>& quantization);

class PeakIndex
{
public:
    /// Reads two channels of every floating stored tensor that some query could mean. @return Cancelled
    static Result<PeakIndex> of(const ContentSearch& search, const std::vector<PeakQuery>& queries);

    /// Stored sets for query number q, in definition order; at most kMostTried.
    [[nodiscard]] std::span<const std::uint32_t> find(std::size_t q) const;

    static constexpr std::size_t kMostTried = 64;

private:
    std::vector<std::vector<std::uint32_t>> m_found; // [queries]
};

} // namespace duo
