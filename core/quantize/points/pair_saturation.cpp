// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/pair_saturation.h"

#include "core/model/op_facts.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace duo {
namespace {

/// A weight as rows of what is summed, in the order in which kernels pair it.
struct SummedRows {
    std::size_t rows = 0; // outputs
    std::size_t summed = 0;
    std::vector<std::int8_t> codes; // [rows, summed]
    std::vector<std::size_t> channels; // [rows / groups of them equal, summed]: channel of the data
    std::size_t rowsPerGroup = 0;
};

/// Kernels hold the channels of a place of the window side by side (NHWC).
SummedRows convRows(const Weight& weight, std::span<const std::byte> codes, std::size_t groups)
{
    SummedRows result;
    result.rows = static_cast<std::size_t>(weight.dims[0]);
    const auto channels = static_cast<std::size_t>(weight.dims[1]);
    result.summed = result.rows == 0 ? 0 : codes.size() / result.rows;
    const std::size_t places = channels == 0 ? 0 : result.summed / channels;
    result.codes.resize(codes.size());
    for (std::size_t row = 0; row < result.rows; ++row) {
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t place = 0; place < places; ++place)
                result.codes[row * result.summed + place * channels + c]
                    = static_cast<std::int8_t>(codes[row * result.summed + c * places + place]);
        }
    }
    result.rowsPerGroup = std::max<std::size_t>(1, result.rows / std::max<std::size_t>(1, groups));
    for (std::size_t group = 0; group * result.rowsPerGroup < result.rows; ++group) {
        for (std::size_t k = 0; k < result.summed; ++k)
            result.channels.push_back(group * channels + k % channels);
    }
    return result;
}

/// A matrix, or a stack of them, whose rows are summed over unless it is `transposed`.
SummedRows productRows(const Weight& weight, std::span<const std::byte> codes, bool isTransposed)
{
    SummedRows result;
    const auto rows = static_cast<std::size_t>(weight.dims[weight.dims.size() - 2]);
    const auto columns = static_cast<std::size_t>(weight.dims.back());
    result.summed = isTransposed ? columns : rows;
    result.rows = result.summed == 0 ? 0 : codes.size() / result.summed;
    result.rowsPerGroup = std::max<std::size_t>(1, result.rows);
    result.codes.resize(codes.size());
    const std::size_t outputs = isTransposed ? rows : columns;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        const std::size_t matrix = i / (rows * columns);
        const std::size_t row = i / columns % rows;
        const std::size_t column = i % columns;
        const std::size_t output = matrix * outputs + (isTransposed ? row : column);
        result.codes[output * result.summed + (isTransposed ? column : row)] = static_cast<std::int8_t>(codes[i]);
    }
    for (std::size_t k = 0; k < result.summed; ++k)
        result.channels.push_back(k);
    return result;
}

std::optional<SummedRows> rowsOf(const Node& node, const Weight& weight, std::span<const std::byte> codes)
{
    const auto layout = weightLayout(node, 1, weight.dims.size());
    if (isProduct(node, Product::Convolution) && weight.dims.size() >= 3) {
        // A kernel of its own multiplies channel by channel.
        return weight.dims[1] > 1 ? std::optional(convRows(weight, codes, static_cast<std::size_t>(layout->groups)))
                                  : std::nullopt;
    }
    if (!isProduct(node, Product::Matrix) || !layout || !layout->output || codes.empty())
        return std::nullopt;
    return productRows(weight, codes, *layout->output + 1 != weight.dims.size());
}

/// Kernels shift signed data by 128.
std::vector<CodeSpan> spansOf(const std::vector<Range>& ranges, const QuantizationParameters& data)
{
    const int shift = data.type == ElementType::Int8 ? 128 : 0;
    std::vector<CodeSpan> spans;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const std::size_t channel = data.scale.size() == ranges.size() ? i : 0;
        const auto code = [&](float value) {
            const double rounded = std::nearbyint(static_cast<double>(value) / data.scale[channel]);
            return static_cast<int>(std::clamp(rounded + data.zeroPoint[channel] + shift, 0.0, 255.0));
        };
        const bool isKnown = ranges[i].min <= ranges[i].max;
        spans.push_back(isKnown ? CodeSpan{code(ranges[i].min), code(ranges[i].max)} : CodeSpan{});
    }
    return spans;
}

class Finder
{
public:
    Finder(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
        const ChannelRanges& measured)
        : m_model(model)
        , m_parameters(parameters)
        , m_measured(measured)
        , m_index(model, setup)
    {
    }

    [[nodiscard]] Result<PairSaturation> of(PointId id, const QuantizationPoint& point) const
    {
        PairSaturation total{point.node};
        const QuantizationParameters* weights = parametersOf(id);
        const auto input = m_index.at(point.node, 0);
        const QuantizationParameters* data = input ? parametersOf(*input) : nullptr;
        const bool isSigned = weights != nullptr && weights->type == ElementType::Int8 && point.port == 1U;
        const bool isByte = data != nullptr && (data->type == ElementType::UInt8 || data->type == ElementType::Int8);
        if (!isSigned || !isByte)
            return total;
        DUO_TRY(weight, readWeight(m_model, point.node, 1));
        const Node& node = m_model.node(point.node);
        const auto rows = rowsOf(node, weight, quantizedCodes(weight, *weights));
        if (!rows)
            return total;
        const std::vector<CodeSpan> spans = spansOf(m_measured(node.inputs[0]), *data);
        addRows(*rows, spans, total);
        return total;
    }

private:
    [[nodiscard]] const QuantizationParameters* parametersOf(PointId id) const
    {
        const auto found = m_parameters.find(id);
        return found == m_parameters.end() ? nullptr : &found->second;
    }

    static void addRows(const SummedRows& rows, const std::vector<CodeSpan>& spans, PairSaturation& total)
    {
        std::vector<CodeSpan> data(rows.summed);
        for (std::size_t row = 0; row < rows.rows; ++row) {
            if (row % rows.rowsPerGroup == 0) {
                const std::size_t first = row / rows.rowsPerGroup * rows.summed;
                for (std::size_t k = 0; k < rows.summed; ++k) {
                    const std::size_t channel = rows.channels[first + k];
                    data[k] = channel < spans.size() ? spans[channel] : spans.size() == 1 ? spans.front() : CodeSpan{};
                }
            }
            const PairSaturation one
                = saturatingPairs(std::span(rows.codes).subspan(row * rows.summed, rows.summed), data);
            total.pairs += one.pairs;
            total.saturating += one.saturating;
        }
    }

    const Model& m_model;
    const ParametersByPoint& m_parameters;
    const ChannelRanges& m_measured;
    PointIndex m_index;
};

} // namespace

double PairSaturation::share() const
{
    return pairs == 0 ? 0 : static_cast<double>(saturating) / static_cast<double>(pairs);
}

PairSaturation saturatingPairs(std::span<const std::int8_t> codes, std::span<const CodeSpan> data)
{
    constexpr int kMost = std::numeric_limits<std::int16_t>::max();
    constexpr int kLeast = std::numeric_limits<std::int16_t>::min();
    const auto largest = [&](std::size_t k) { return codes[k] * (codes[k] > 0 ? data[k].most : data[k].least); };
    const auto smallest = [&](std::size_t k) { return codes[k] * (codes[k] > 0 ? data[k].least : data[k].most); };
    PairSaturation result;
    for (std::size_t k = 0; k + 1 < codes.size(); k += 2) {
        ++result.pairs;
        const bool leaves = largest(k) + largest(k + 1) > kMost || smallest(k) + smallest(k + 1) < kLeast;
        result.saturating += leaves ? 1 : 0;
    }
    return result;
}

Result<std::vector<PairSaturation>> saturatingNodes(const Model& model, const QuantizerSetup& setup,
    const ParametersByPoint& parameters, const ChannelRanges& measured, int threads, const JobContext& job)
{
    const Finder finder(model, setup, parameters, measured);
    std::vector<PointId> ids;
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight)
            ids.push_back(id);
    }
    std::vector<PairSaturation> found(ids.size());
    DUO_CHECK(parallelFor(ids.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(one, finder.of(ids[i], setup.points.at(ids[i])));
        found[i] = one;
        return success();
    }));
    std::erase_if(found, [](const PairSaturation& one) { return one.saturating == 0; });
    std::ranges::stable_sort(found, std::greater<>(), &PairSaturation::share);
    return found;
}

} // namespace duo
