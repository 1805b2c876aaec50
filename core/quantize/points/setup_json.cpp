// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/setup_json.h"

#include "core/support/json.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string targetName(const Model& model, const QuantizationPoint& point)
{
    if (!point.input.valid())
        return model.node(point.node).name;
    const auto& inputs = model.mainGraph().inputs;
    const auto at = std::find(inputs.begin(), inputs.end(), point.input) - inputs.begin();
    return std::string(kInputPrefix) + std::to_string(at);
}

Json configJson(const QuantizerConfig& config)
{
    Json json{{"num_bits", config.numBits},
        {"mode", config.mode == QuantizationMode::Symmetric ? "symmetric" : "asymmetric"},
        {"signedness_to_force", config.signednessToForce ? Json(*config.signednessToForce) : Json()},
        {"per_channel", config.perChannel}, {"narrow_range", config.narrowRange}};
    if (config.block > 0)
        json[std::string(kBlockKey)] = config.block;
    return json;
}

} // namespace

Json pointJson(const Model& model, const QuantizationPoint& point)
{
    Json qip{{"target_node_name", targetName(model, point)}};
    if (point.isWeight)
        qip["input_port_id"] = point.port.value_or(0);
    else
        qip["input_port_id"] = point.port ? Json(*point.port) : Json();
    Json operators = Json::array();
    for (const NodeId id : point.directlyQuantized)
        operators.push_back(model.node(id).name);
    return {{"qip", std::move(qip)}, {"qip_class", point.isWeight ? kWeightClass : kActivationClass},
        {"qconfig", configJson(point.config)}, {"directly_quantized_operator_node_names", std::move(operators)}};
}

Json groupsJson(const PointGroups& groups)
{
    Json json = Json::object();
    for (const auto& [id, members] : groups)
        addMember(json, std::to_string(id), members);
    return json;
}

Json setupJson(const Model& model, const QuantizerSetup& setup)
{
    Json points = Json::object();
    for (const auto& [id, point] : setup.points)
        addMember(points, std::to_string(id), pointJson(model, point));
    return {{"quantization_points", std::move(points)}, {"unified_scale_groups", groupsJson(setup.unifiedScaleGroups)},
        {"shared_input_operation_set_groups", groupsJson(setup.sharedInputGroups)}};
}

} // namespace duo
