// SPDX-License-Identifier: Apache-2.0
// TensorSummary: how the values of a parameter are spread, over all of it and per channel.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/support/job.h"

#include <optional>
#include <vector>

namespace duo {

struct TensorSummary {
    static constexpr std::size_t kBins = 64;
    static constexpr std::int64_t kMostChannels = 65'536; // with more none are told

    std::int64_t elements = 0;
    std::int64_t notFinite = 0;
    std::int64_t zeros = 0;
    double min = 0; // of what is finite, as all that follows; 0 where nothing is
    double max = 0;
    double mean = 0;
    double deviation = 0; // standard
    std::vector<std::int64_t> bins; // [kBins] from min to max, equally wide; empty where nothing is finite
    std::optional<std::size_t> axis; // of the channels
    std::vector<Range> channels; // [dims[axis]]; min > max where nothing of the channel is finite
};

/// The axis along which one who reads the value quantizes it per channel; nothing where nobody does.
std::optional<std::size_t> channelAxisOf(const Model& model, ValueId value);

/// Two passes over the values, piece by piece: the memory does not depend on the size.
/// @param axis of the channels, below the rank; nothing: none are told
/// @return Unsupported for elements that are no numbers here (below a byte, float8, text) and for values that are not
/// there; Cancelled
Result<TensorSummary> summarize(const Tensor& tensor, std::optional<std::size_t> axis, const JobContext& job = {});

} // namespace duo
