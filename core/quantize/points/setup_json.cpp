// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/setup_json.h"

#include "core/support/json.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kInputPrefix = "nncf_model_input_";
constexpr std::string_view kWeightClass = "WeightQuantizationInsertionPoint";
constexpr std::string_view kActivationClass = "ActivationQuantizationInsertionPoint";

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
    return {{"num_bits", config.numBits},
        {"mode", config.mode == QuantizationMode::Symmetric ? "symmetric" : "asymmetric"},
        {"signedness_to_force", config.signednessToForce ? Json(*config.signednessToForce) : Json()},
        {"per_channel", config.perChannel}, {"narrow_range", config.narrowRange}};
}

Error wrong(const std::string& what, const std::string& name, const std::string& at)
{
    return {ErrorCode::BadState, what, name + " " + at, "take the state file as Duoscope wrote it"};
}

std::optional<std::uint32_t> numberOf(std::string_view text)
{
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

class Reader
{
public:
    Reader(const Model& model, const std::string& name)
        : m_model(model)
        , m_name(name)
    {
    }

    Result<ReadSetup> read(const Json& json)
    {
        const auto points = json.is_object() ? json.find("quantization_points") : json.end();
        if (points == json.end() || !points->is_object())
            return wrong("no quantization_points", m_name, "quantizer_setup");
        for (const auto& [key, value] : points->items())
            DUO_CHECK(readPoint(key, value));
        m_result.setup.points = FlatMap(std::move(m_points));
        DUO_CHECK(readGroups(json, "unified_scale_groups", m_result.setup.unifiedScaleGroups));
        DUO_CHECK(readGroups(json, "shared_input_operation_set_groups", m_result.setup.sharedInputGroups));
        return std::move(m_result);
    }

private:
    Status readPoint(const std::string& key, const Json& json)
    {
        const auto id = numberOf(key);
        const std::string at = "quantization_points " + key;
        if (!id || !json.is_object() || !json.contains("qip") || !json["qip"].is_object() || !json.contains("qip_class")
            || !json["qip_class"].is_string() || !json.contains("qconfig"))
            return wrong("not a quantization point", m_name, at);
        QuantizationPoint point;
        point.isWeight = json["qip_class"].get<std::string>() == kWeightClass;
        DUO_TRY(config, readConfig(json["qconfig"], at));
        point.config = config;
        const Json& qip = json["qip"];
        if (!qip.contains("target_node_name") || !qip["target_node_name"].is_string())
            return wrong("no target_node_name", m_name, at);
        if (const auto port = qip.find("input_port_id"); port != qip.end() && !port->is_null()) {
            if (!port->is_number_unsigned() || port->get<std::uint64_t>() > 1'000'000)
                return wrong("input_port_id is not a port", m_name, at);
            point.port = port->get<std::uint32_t>();
        }
        const auto target = qip["target_node_name"].get<std::string>();
        if (!findTarget(target, point)) {
            m_result.leftOut.push_back("quantizer " + key + " was left out: the model has no node '" + target + "'"
                + (point.port ? " with input " + std::to_string(*point.port) : std::string()));
            return success();
        }
        if (point.isWeight && (!point.node.valid() || !point.port)) {
            m_result.leftOut.push_back(
                "quantizer " + key + " was left out: it is of a weight, and '" + target + "' is no input of a node");
            return success();
        }
        if (const auto names = json.find("directly_quantized_operator_node_names");
            names != json.end() && names->is_array())
            addOperators(*names, point);
        m_points.emplace(*id, std::move(point));
        return success();
    }

    Result<QuantizerConfig> readConfig(const Json& json, const std::string& at) const
    {
        QuantizerConfig config;
        if (!json.is_object() || !json.value("mode", Json()).is_string()
            || !json.value("num_bits", Json()).is_number_integer())
            return wrong("not a qconfig", m_name, at);
        const auto mode = json["mode"].get<std::string>();
        if (mode != "symmetric" && mode != "asymmetric")
            return wrong("unknown mode '" + mode + "'", m_name, at);
        config.mode = mode == "symmetric" ? QuantizationMode::Symmetric : QuantizationMode::Asymmetric;
        config.numBits = static_cast<int>(std::clamp<std::int64_t>(json["num_bits"].get<std::int64_t>(), 0, 64));
        const auto flag = [&](const char* key) {
            const auto found = json.find(key);
            return found != json.end() && found->is_boolean() && found->get<bool>();
        };
        config.perChannel = flag("per_channel");
        config.narrowRange = flag("narrow_range");
        if (const auto found = json.find("signedness_to_force"); found != json.end() && found->is_boolean())
            config.signednessToForce = found->get<bool>();
        return config;
    }

    bool findTarget(const std::string& target, QuantizationPoint& point) const
    {
        point.node = m_model.findNode(target);
        if (point.node.valid()) {
            const Node& node = m_model.node(point.node);
            return !point.port || (*point.port < node.inputs.size() && node.inputs[*point.port].valid());
        }
        if (!target.starts_with(kInputPrefix))
            return false;
        const auto index = numberOf(std::string_view(target).substr(kInputPrefix.size()));
        if (!index || *index >= m_model.mainGraph().inputs.size())
            return false;
        point.input = m_model.mainGraph().inputs[*index];
        return true;
    }

    void addOperators(const Json& names, QuantizationPoint& point) const
    {
        for (const Json& name : names) {
            const NodeId id = name.is_string() ? m_model.findNode(name.get<std::string>()) : NodeId{};
            if (id.valid())
                point.directlyQuantized.push_back(id);
        }
    }

    Status readGroups(const Json& json, const char* key, PointGroups& into) const
    {
        const auto groups = json.find(key);
        if (groups == json.end())
            return success();
        if (!groups->is_object())
            return wrong("not an object", m_name, key);
        std::map<std::uint32_t, std::vector<PointId>> read; // keys come in the order of their texts
        for (const auto& [groupKey, members] : groups->items()) {
            const auto id = numberOf(groupKey);
            if (!id || !members.is_array())
                return wrong("not a group", m_name, std::string(key) + " " + groupKey);
            for (const Json& member : members) {
                if (!member.is_number_unsigned() || member.get<std::uint64_t>() > 0xFFFFFFFFU)
                    return wrong("not a quantizer id", m_name, std::string(key) + " " + groupKey);
                if (m_result.setup.points.contains(member.get<PointId>()))
                    read[*id].push_back(member.get<PointId>());
            }
        }
        into = PointGroups(std::move(read));
        return success();
    }

    const Model& m_model;
    const std::string& m_name;
    std::map<PointId, QuantizationPoint> m_points; // as groups
    ReadSetup m_result;
};

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

Result<ReadSetup> setupFromJson(const Model& model, const Json& json, const std::string& name)
{
    return Reader(model, name).read(json);
}

} // namespace duo
