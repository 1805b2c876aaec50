// SPDX-License-Identifier: Apache-2.0
#include "core/state/recorded_setup.h"

#include "core/quantize/points/setup_json.h"
#include "core/support/digits.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostInputs = 1'000'000;
constexpr std::int64_t kLargestBlock = std::int64_t{1} << 31U;

/// Of digits as std::to_string writes them.
std::optional<std::uint32_t> numberOf(std::string_view text)
{
    const bool isPadded = text.size() > 1 && text.front() == '0';
    return isPadded ? std::nullopt : wholeNumber<std::uint32_t>(text);
}

Result<QuantizerConfig> configFromJson(const Json& json, const JsonPlace& place, SetupForm form)
{
    const std::string_view ofForm = form == SetupForm::Nncf ? "dest_dtype" : kBlockKey;
    DUO_TRY(fields,
        JsonFields::of(
            json, place, {"num_bits", "mode", "signedness_to_force", "per_channel", "narrow_range"}, {ofForm}));
    QuantizerConfig config;
    DUO_TRY(bits, fields.integer("num_bits", 2, 16));
    config.numBits = static_cast<int>(bits);
    DUO_TRY(mode, fields.text("mode"));
    if (mode != "symmetric" && mode != "asymmetric")
        return fields.place("mode").error("unknown mode");
    config.mode = mode == "symmetric" ? QuantizationMode::Symmetric : QuantizationMode::Asymmetric;
    if (!fields.at("signedness_to_force").is_null()) {
        DUO_TRY(isSigned, fields.flag("signedness_to_force"));
        config.signednessToForce = isSigned;
    }
    DUO_TRY(perChannel, fields.flag("per_channel"));
    DUO_TRY(narrow, fields.flag("narrow_range"));
    config.perChannel = perChannel;
    config.narrowRange = narrow;
    if (fields.has(kBlockKey)) {
        DUO_TRY(block, fields.integer(kBlockKey, 1, kLargestBlock));
        config.block = block;
    }
    return config;
}

Result<RecordedPoint> pointFromJson(PointId id, const Json& json, const JsonPlace& place, SetupForm form)
{
    DUO_TRY(
        fields, JsonFields::of(json, place, {"qip", "qip_class", "qconfig", "directly_quantized_operator_node_names"}));
    const bool isOwn = form == SetupForm::Own;
    const std::string_view required = isOwn ? "input_port_id" : "target_node_name";
    DUO_TRY(
        qip, JsonFields::of(fields.at("qip"), fields.place("qip"), {"target_node_name", required}, {"input_port_id"}));
    RecordedPoint point;
    point.id = id;
    DUO_TRY(target, qip.text("target_node_name"));
    point.target = std::move(target);
    if (qip.has("input_port_id") && !qip.at("input_port_id").is_null()) {
        DUO_TRY(port, qip.integer("input_port_id", 0, kMostInputs));
        point.port = static_cast<std::uint32_t>(port);
    }
    DUO_TRY(kind, fields.text("qip_class"));
    if (kind != kWeightClass && kind != kActivationClass)
        return fields.place("qip_class").error("unknown class");
    point.isWeight = kind == kWeightClass;
    if (isOwn && point.isWeight && !point.port)
        return qip.place("input_port_id").error("a weight is no input of a node");
    DUO_TRY(config, configFromJson(fields.at("qconfig"), fields.place("qconfig"), form));
    point.config = config;
    DUO_TRY(operators, fields.texts("directly_quantized_operator_node_names"));
    point.operators = std::move(operators);
    return point;
}

/// @param isPartition no point is in two groups
Result<PointGroups> groupsFromJson(
    const Json& json, const JsonPlace& place, const std::set<PointId>& known, bool isPartition)
{
    if (!json.is_object())
        return place.error("not an object");
    std::map<std::uint32_t, std::vector<PointId>> groups; // keys come in the order of their texts
    std::set<PointId> grouped;
    for (const auto& [key, members] : json.get_ref<const Json::object_t&>()) {
        const JsonPlace at = place.member(key);
        DUO_TRY(id, idOfKey(key, at));
        if (!isPartition)
            grouped.clear();
        if (!members.is_array() || members.empty())
            return at.error("not a list of quantizers");
        for (std::size_t i = 0; i < members.size(); ++i) {
            DUO_TRY(member, integerOf(members[i], at.element(i), 0, std::numeric_limits<PointId>::max()));
            const auto point = static_cast<PointId>(member);
            if (!known.contains(point))
                return at.element(i).error("no such quantizer");
            if (!grouped.insert(point).second)
                return at.element(i).error("the quantizer is in a group already");
            groups[id].push_back(point);
        }
    }
    return PointGroups(std::move(groups));
}

} // namespace

Result<std::uint32_t> idOfKey(const std::string& key, const JsonPlace& place)
{
    const auto id = numberOf(key);
    if (!id)
        return place.error("not the number of a quantizer or a group");
    return *id;
}

std::optional<std::uint32_t> modelInputOf(const std::string& target)
{
    if (!target.starts_with(kInputPrefix))
        return std::nullopt;
    return numberOf(std::string_view(target).substr(kInputPrefix.size()));
}

Result<RecordedSetup> recordedSetupFromJson(const Json& json, const JsonPlace& place, SetupForm form)
{
    DUO_TRY(fields,
        JsonFields::of(
            json, place, {"quantization_points", "unified_scale_groups", "shared_input_operation_set_groups"}));
    const Json& points = fields.at("quantization_points");
    const JsonPlace ofPoints = fields.place("quantization_points");
    if (!points.is_object())
        return ofPoints.error("not an object");
    RecordedSetup setup;
    std::set<PointId> known;
    using Place = std::tuple<std::string, std::optional<std::uint32_t>, bool>;
    std::map<Place, PointId> taken;
    for (const auto& [key, value] : points.get_ref<const Json::object_t&>()) {
        const JsonPlace at = ofPoints.member(key);
        DUO_TRY(id, idOfKey(key, at));
        DUO_TRY(point, pointFromJson(id, value, at, form));
        known.insert(id);
        const auto [other, isFree] = taken.emplace(Place(point.target, point.port, point.isWeight), id);
        if (!isFree && form == SetupForm::Own) // NNCF tells of a weight no port
            return at.member("qip").error("quantizer " + std::to_string(other->second) + " stands there already");
        setup.points.push_back(std::move(point));
    }
    std::ranges::sort(setup.points, {}, &RecordedPoint::id);
    DUO_TRY(
        unified, groupsFromJson(fields.at("unified_scale_groups"), fields.place("unified_scale_groups"), known, true));
    setup.unifiedScaleGroups = std::move(unified);
    DUO_TRY(shared,
        groupsFromJson(fields.at("shared_input_operation_set_groups"),
            fields.place("shared_input_operation_set_groups"), known, false));
    setup.sharedInputGroups = std::move(shared);
    return setup;
}

} // namespace duo
