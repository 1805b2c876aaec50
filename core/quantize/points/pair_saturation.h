// SPDX-License-Identifier: Apache-2.0
// PairSaturation: where int8 kernels of CPUs without VNNI may compute wrong sums. They add the products of two
// neighbouring unsigned data codes with two signed weight codes in 16 bits, which saturate (VPMADDUBSW), see
// (resources/docs/runtime.md, "Pair saturation").
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/support/job.h"

#include <functional>
#include <span>
#include <vector>

namespace duo {

/// Unsigned codes a channel of the data takes.
struct CodeSpan {
    int least = 0;
    int most = 255;
};

struct PairSaturation {
    NodeId node{};
    std::uint64_t pairs = 0; // of neighbouring weights, over all outputs
    std::uint64_t saturating = 0; // whose sum leaves int16 for some data within the spans

    [[nodiscard]] double share() const;
};

/// Pairs along the axis a product sums over, for one output. @param codes weights [summed]
/// @param data [summed]
PairSaturation saturatingPairs(std::span<const std::int8_t> codes, std::span<const CodeSpan> data);

/// Ranges measured of a value's channels, along the axis that products with it sum over; one: of the whole value; none:
/// unknown.
using ChannelRanges = std::function<std::vector<Range>(ValueId)>;

/// Convolutions and products with signed 8-bit weights that may saturate with data in the ranges measured, the largest
/// share first. O(quantized weights). @return MalformedModel, Cancelled
Result<std::vector<PairSaturation>> saturatingNodes(const Model& model, const QuantizerSetup& setup,
    const ParametersByPoint& parameters, const ChannelRanges& measured, int threads, const JobContext& job);

} // namespace duo
