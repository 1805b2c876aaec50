// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/bias_correction.h"

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/quantize/points/fake_quantize.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/weights.h"
#include "core/support/parallel.h"
#include "core/transform/fold_batch_norm.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace duo {
namespace {

constexpr std::uint32_t kWeightPort = 1;

/// Where the input and output channels of a weight's elements lie: [outer, rows, columns, inner].
struct ChannelLayout {
    std::int64_t outputs = 0;
    std::int64_t inputsPerGroup = 0;
    std::int64_t groups = 1;
    std::int64_t kernel = 1; // elements per pair of channels
    bool outputsFirst = true; // else inputs first, as in MatMul
};

std::optional<ChannelLayout> layoutOf(const Node& node, const std::vector<std::int64_t>& dims)
{
    const auto axes = weightLayout(node, kWeightPort, dims.size());
    const bool isMatrix = isProduct(node, Product::Matrix) && dims.size() == 2;
    const bool isWindow = isProduct(node, Product::Convolution) && dims.size() >= 3;
    if (!axes || !axes->output || !axes->input || !(isMatrix || isWindow))
        return std::nullopt;
    ChannelLayout layout;
    layout.outputs = dims[*axes->output];
    layout.inputsPerGroup = dims[*axes->input];
    layout.groups = axes->groups;
    layout.outputsFirst = *axes->output < *axes->input;
    for (std::size_t i = 2; i < dims.size(); ++i)
        layout.kernel *= dims[i];
    const bool isDivided = layout.groups > 0 && layout.outputs % layout.groups == 0;
    return isDivided ? std::optional(layout) : std::nullopt;
}

/// Weight minus its dequantized codes, in place.
void takeErrorInPlace(Weight& weight, const QuantizationParameters& parameters)
{
    std::vector<float> restored(weight.values.size());
    dequantize(quantizedCodes(weight, parameters), weight.dims, parameters, restored);
    std::ranges::transform(weight.values, restored, weight.values.begin(), std::minus<>());
}

bool isCorrectable(const Model& model, const PointIndex& index, NodeId id)
{
    const Node& node = model.node(id);
    const bool sumsRows = isProduct(node, Product::Matrix) && inputChannelAxis(node) == -1;
    if (!(sumsRows || isProduct(node, Product::Convolution)) || biasToCorrect(model, id).empty())
        return false;
    const auto written = biasOf(model, id);
    const auto place = written ? written : addedBiasOf(model, id);
    return !place || place->node == id || !index.at(place->node, place->port);
}

/// Nodes and the weight point each reads at input 1.
std::vector<std::pair<NodeId, PointId>> correctablePoints(const Model& model, const QuantizerSetup& setup)
{
    std::map<NodeId, PointId> found;
    const PointIndex index(model, setup);
    for (const auto& [id, point] : setup.points) {
        if (!point.isWeight || point.port.value_or(0) != kWeightPort)
            continue;
        std::vector<NodeId> readers = point.directlyQuantized;
        readers.push_back(point.node);
        for (const NodeId reader : readers) {
            const auto& inputs = model.node(reader).inputs;
            const bool readsIt
                = inputs.size() > kWeightPort && inputs[kWeightPort] == model.node(point.node).inputs[kWeightPort];
            if (readsIt && isCorrectable(model, index, reader))
                found.try_emplace(reader, id);
        }
    }
    return {found.begin(), found.end()};
}

} // namespace

std::vector<NodeId> correctableNodes(const Model& model, const QuantizerSetup& setup)
{
    std::vector<NodeId> nodes;
    for (const auto& [node, point] : correctablePoints(model, setup))
        nodes.push_back(node);
    return nodes;
}

Result<std::vector<float>> meanShift(
    const Model& model, NodeId id, const QuantizationParameters& parameters, const std::vector<double>& means)
{
    DUO_TRY(weight, readWeight(model, id, kWeightPort));
    const auto layout = layoutOf(model.node(id), weight.dims);
    const bool isByte = parameters.type == ElementType::Int8 || parameters.type == ElementType::UInt8;
    if (!layout || !isByte || static_cast<std::int64_t>(means.size()) != layout->inputsPerGroup * layout->groups)
        return std::vector<float>{};
    takeErrorInPlace(weight, parameters);
    std::vector<double> shift(static_cast<std::size_t>(layout->outputs));
    const std::int64_t outputsPerGroup = layout->outputs / layout->groups;
    for (std::size_t i = 0; i < weight.values.size(); ++i) {
        const auto pair = static_cast<std::int64_t>(i) / layout->kernel;
        const std::int64_t row = pair / (layout->outputsFirst ? layout->inputsPerGroup : layout->outputs);
        const std::int64_t column = pair % (layout->outputsFirst ? layout->inputsPerGroup : layout->outputs);
        const std::int64_t output = layout->outputsFirst ? row : column;
        const std::int64_t input = layout->outputsFirst ? column : row;
        shift[static_cast<std::size_t>(output)] += static_cast<double>(weight.values[i])
            * means[static_cast<std::size_t>(output / outputsPerGroup * layout->inputsPerGroup + input)];
    }
    return std::vector<float>(shift.begin(), shift.end());
}

std::vector<float> biasToCorrect(const Model& model, NodeId id)
{
    const auto place = biasOf(model, id) ? std::nullopt : addedBiasOf(model, id);
    if (!place)
        return effectiveBias(model, id);
    const ValueId value = behindIdentities(model, model.node(place->node).inputs[place->port]);
    return toFloats(*model.constant(value)); // a vector: addedBiasOf
}

bool isShiftTaken(const std::vector<float>& bias, const std::vector<float>& shift, double threshold)
{
    if (bias.size() != shift.size() || shift.empty())
        return false;
    for (std::size_t c = 0; c < bias.size(); ++c) {
        const double share = std::abs(static_cast<double>(shift[c]) / static_cast<double>(bias[c]));
        if (!(share < threshold)) // zero and not finite: no
            return false;
    }
    return true;
}

Result<BiasCorrection> fastBiasCorrection(const Model& model, const QuantizerSetup& setup,
    const ParametersByPoint& parameters, const InputMeans& means, double threshold, int threads, const JobContext& job)
{
    const auto points = correctablePoints(model, setup);
    std::vector<std::vector<float>> shifts(points.size());
    DUO_CHECK(parallelFor(points.size(), threads, job, [&](std::size_t i) -> Status {
        const auto known = means.find(points[i].first);
        const auto weight = parameters.find(points[i].second);
        if (known == means.end() || weight == parameters.end())
            return success();
        DUO_TRY(shift, meanShift(model, points[i].first, weight->second, known->second));
        shifts[i] = std::move(shift);
        return success();
    }));
    BiasCorrection correction;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const NodeId node = points[i].first;
        if (shifts[i].empty())
            continue;
        if (isShiftTaken(biasToCorrect(model, node), shifts[i], threshold))
            correction.shifts.emplace(node, std::move(shifts[i]));
        else
            correction.skipped.push_back(node);
    }
    return correction;
}

} // namespace duo
