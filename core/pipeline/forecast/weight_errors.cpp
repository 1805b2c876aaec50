// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/forecast/weight_errors.h"

#include "core/support/parallel.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace duo {
namespace {

bool isProduct(std::string_view opType)
{
    constexpr std::array<std::string_view, 4> kProducts{"Conv", "ConvTranspose", "Gemm", "MatMul"};
    for (const std::string_view type : kProducts) {
        if (type == opType)
            return true;
    }
    return false;
}

/// How many output channels share the squares of a weight.
double outputChannels(const Model& model, NodeId node, const Weight& weight)
{
    if (weight.dims.empty())
        return 1;
    const Node& reader = model.node(node);
    double channels = static_cast<double>(weight.dims.back());
    if (reader.opType == "Conv" || (reader.opType == "Gemm" && reader.intAttribute("transB", 0) != 0))
        channels = static_cast<double>(weight.dims.front());
    if (reader.opType == "ConvTranspose" && weight.dims.size() > 1)
        channels = static_cast<double>(weight.dims[1] * reader.intAttribute("group", 1));
    if (reader.opType == "MatMul" && weight.dims.size() > 2) { // a stack of matrices
        for (std::size_t i = 0; i + 2 < weight.dims.size(); ++i)
            channels *= static_cast<double>(weight.dims[i]);
    }
    return channels;
}

Result<WeightErrors::Gain> gainOf(const Model& model, NodeId node)
{
    DUO_TRY(weight, readWeight(model, node, 1));
    const double channels = outputChannels(model, node, weight);
    if (channels <= 0)
        return WeightErrors::Gain{};
    return WeightErrors::Gain{sumOfSquares(weight) / channels, 1 / channels};
}

Status addGains(WeightErrors& all, const WeightErrors* known, int threads, const JobContext& job)
{
    if (known) {
        all.gains = known->gains;
        return success();
    }
    const Model& model = *all.model;
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const NodeId id(i);
        if (!isProduct(model.nodes[i].opType) || model.nodes[i].inputs.size() < 2 || !model.nodes[i].inputs[1].valid())
            continue;
        const Tensor* tensor = nullptr;
        if (const ValueId source = weightSource(model, id, 1); source.valid())
            tensor = model.constant(source);
        if (tensor != nullptr && tensor->type == ElementType::Float32)
            nodes.push_back(id);
    }
    std::vector<std::optional<WeightErrors::Gain>> gains(nodes.size()); // nothing where a weight cannot be read
    DUO_CHECK(parallelFor(nodes.size(), threads, job, [&](std::size_t i) -> Status {
        if (const auto gain = gainOf(model, nodes[i]))
            gains[i] = *gain;
        return success();
    }));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (gains[i])
            all.gains.emplace(nodes[i], *gains[i]);
    }
    return success();
}

} // namespace

Result<std::shared_ptr<const WeightErrors>> weightErrors(const std::shared_ptr<const Model>& model,
    const QuantizerSetup& setup, const ParametersByPoint& parameters, const WeightErrors* known, int threads,
    const JobContext& job)
{
    if (known && known->model != model)
        known = nullptr;
    auto all = std::make_shared<WeightErrors>();
    all->model = model;
    DUO_CHECK(addGains(*all, known, threads, job));
    std::vector<PointId> missing;
    for (const auto& [id, point] : setup.points) {
        if (!point.isWeight)
            continue;
        const std::pair port(point.node, point.port.value_or(0));
        all->points.emplace(port, id);
        const auto before = known ? known->points.find(port) : all->points.end();
        const bool isKnown = known && before != known->points.end()
            && known->errors.at(before->second).parameters == parameters.at(id);
        if (isKnown)
            all->errors.emplace(id, known->errors.at(before->second));
        else
            missing.push_back(id);
    }
    std::vector<WeightErrors::Error> errors(missing.size());
    DUO_CHECK(parallelFor(missing.size(), threads, job, [&](std::size_t i) -> Status {
        const QuantizationPoint& point = setup.points.at(missing[i]);
        DUO_TRY(weight, readWeight(*model, point.node, point.port.value_or(0)));
        const QuantizationParameters& used = parameters.at(missing[i]);
        errors[i] = {used, weightError(weight, used), static_cast<std::int64_t>(weight.values.size())};
        return success();
    }));
    for (std::size_t i = 0; i < missing.size(); ++i)
        all->errors.emplace(missing[i], std::move(errors[i]));
    return std::shared_ptr<const WeightErrors>(std::move(all));
}

} // namespace duo
