// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/tensor_summary.h"

#include "core/quantize/points/weights.h"
#include "core/support/file.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

constexpr std::int64_t kPiece = std::int64_t{1} << 20; // elements read at once

/// Calls `each(index, value)` for all elements in order. @return Cancelled
template <typename Each> Status forEachValue(const Tensor& tensor, const JobContext& job, const Each& each)
{
    const auto width = static_cast<std::size_t>(elementBits(tensor.type) / 8);
    const std::int64_t count = tensor.elements();
    for (std::int64_t first = 0; first < count; first += kPiece) {
        if (job.stopped())
            return cancelledError();
        const std::int64_t length = std::min(kPiece, count - first);
        Tensor piece;
        piece.type = tensor.type;
        piece.dims = {length};
        piece.data = {tensor.data.owner,
            tensor.bytes().subspan(static_cast<std::size_t>(first) * width, static_cast<std::size_t>(length) * width)};
        const std::vector<float> values = toFloats(piece);
        for (std::int64_t i = 0; i < length; ++i)
            each(first + i, values[static_cast<std::size_t>(i)]);
    }
    return success();
}

Status checkReadable(const Tensor& tensor)
{
    const auto bytes = packedBytes(tensor.type, tensor.elements());
    Tensor one;
    one.type = tensor.type;
    one.dims = {1};
    one.data = SharedBytes::own(std::vector<std::byte>(static_cast<std::size_t>(elementBits(tensor.type) + 7) / 8));
    if (elementBits(tensor.type) < 8 || toFloats(one).empty())
        return Error{ErrorCode::Unsupported,
            "values of type " + std::string(elementTypeName(tensor.type)) + " are not read", tensor.name, {}};
    if (!bytes || tensor.bytes().size() < static_cast<std::size_t>(*bytes))
        return Error{ErrorCode::Unsupported, "the values are not there", tensor.name,
            "the file they lie in is missing: put it beside the model"};
    return success();
}

} // namespace

std::optional<std::size_t> channelAxisOf(const Model& model, ValueId value)
{
    const Tensor* tensor = model.constant(value);
    if (tensor == nullptr)
        return std::nullopt;
    for (const Use& use : model.value(value).uses) {
        if (const auto axis = weightChannelAxis(model, use.node, use.port, tensor->dims.size()))
            return static_cast<std::size_t>(*axis);
    }
    return std::nullopt;
}

Result<TensorSummary> summarize(const Tensor& tensor, std::optional<std::size_t> axis, const JobContext& job)
{
    DUO_CHECK(checkReadable(tensor));
    TensorSummary summary;
    summary.elements = tensor.elements();
    std::int64_t inner = 1; // elements from one channel to the next
    std::int64_t channels = 0;
    if (axis && tensor.dims[*axis] <= TensorSummary::kMostChannels) {
        summary.axis = axis;
        channels = tensor.dims[*axis];
        for (std::size_t i = *axis + 1; i < tensor.dims.size(); ++i)
            inner *= tensor.dims[i];
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        summary.channels.assign(static_cast<std::size_t>(channels), Range{kInfinity, -kInfinity});
    }
    double least = std::numeric_limits<double>::infinity();
    double most = -least;
    double sum = 0;
    DUO_CHECK(forEachValue(tensor, job, [&](std::int64_t index, float value) {
        summary.zeros += value == 0 ? 1 : 0;
        if (!std::isfinite(value)) {
            ++summary.notFinite;
            return;
        }
        least = std::min<double>(least, value);
        most = std::max<double>(most, value);
        sum += value;
        if (channels > 0) {
            Range& range = summary.channels[static_cast<std::size_t>(index / inner % channels)];
            range = {std::min(range.min, value), std::max(range.max, value)};
        }
    }));
    const std::int64_t finite = summary.elements - summary.notFinite;
    if (finite == 0)
        return summary;
    summary.min = least;
    summary.max = most;
    summary.mean = sum / static_cast<double>(finite);
    summary.bins.assign(TensorSummary::kBins, 0);
    const double width = (most - least) / TensorSummary::kBins;
    double squares = 0;
    DUO_CHECK(forEachValue(tensor, job, [&](std::int64_t, float value) {
        if (!std::isfinite(value))
            return;
        const double apart = value - summary.mean;
        squares += apart * apart;
        const double bin = width > 0 ? (value - least) / width : 0;
        ++summary.bins[std::min(static_cast<std::size_t>(bin), TensorSummary::kBins - 1)];
    }));
    summary.deviation = std::sqrt(squares / static_cast<double>(finite));
    DUO_CHECK(checkMappedFiles());
    return summary;
}

} // namespace duo
