// SPDX-License-Identifier: Apache-2.0
#include "core/state/corrections_json.h"

#include "core/support/enum_text.h"
#include "core/support/json.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kKinds = enumTexts<FloatChangeKind::CrossLayer>({"smooth-quant", "cross-layer-equalization"});

Error wrong(const std::string& what, const std::string& where)
{
    return {ErrorCode::BadState, what, where, "take the state file as Duoscope wrote it"};
}

/// Finite numbers; nothing for anything else.
std::optional<std::vector<float>> floatsOf(const Json& json)
{
    if (!json.is_array())
        return std::nullopt;
    std::vector<float> numbers;
    for (const Json& item : json) {
        const auto number = item.is_number() ? static_cast<float>(item.get<double>()) : std::nanf("");
        if (!std::isfinite(number))
            return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<FloatChange> changeOf(const Json& json)
{
    const auto isText = [](const Json& item) { return item.is_string(); };
    const bool hasKeys = json.is_object() && json.contains("kind") && json.contains("value") && json.contains("nodes")
        && json.contains("scales") && isText(json["kind"]) && isText(json["value"]) && json["nodes"].is_array()
        && std::all_of(json["nodes"].begin(), json["nodes"].end(), isText);
    if (!hasKeys)
        return std::nullopt;
    FloatChange change;
    if (const auto at = json.find("folded_into"); at != json.end()) {
        if (!at->is_string())
            return std::nullopt;
        change.foldedInto = at->get<std::string>();
    }
    const auto kind = std::find(kKinds.begin(), kKinds.end(), json["kind"].get<std::string>());
    auto scales = floatsOf(json["scales"]);
    const bool areScales
        = scales && !scales->empty() && std::all_of(scales->begin(), scales->end(), [](float s) { return s > 0; });
    if (kind == kKinds.end() || !areScales)
        return std::nullopt;
    change.kind = static_cast<FloatChangeKind>(kind - kKinds.begin());
    change.value = json["value"].get<std::string>();
    change.nodes = json["nodes"].get<std::vector<std::string>>();
    change.scales = *std::move(scales);
    return change;
}

} // namespace

Json floatChangesJson(const std::vector<FloatChange>& changes)
{
    Json json = Json::array();
    for (const FloatChange& change : changes) {
        json.push_back({{"kind", enumText(kKinds, change.kind)}, {"value", change.value}, {"nodes", change.nodes},
            {"scales", change.scales}});
        if (!change.foldedInto.empty())
            json.back()["folded_into"] = change.foldedInto;
    }
    return json;
}

Result<std::vector<FloatChange>> floatChangesFromJson(const Json& json, const std::string& name)
{
    std::vector<FloatChange> changes;
    if (!json.is_array())
        return wrong("not a list", name + " float_changes");
    for (const Json& item : json) {
        auto change = changeOf(item);
        if (!change)
            return wrong("not a change of the model", name + " float_changes[" + std::to_string(changes.size()) + "]");
        changes.push_back(*std::move(change));
    }
    return changes;
}

Json biasShiftsJson(const Model& model, const BiasShifts& shifts)
{
    Json json = Json::object();
    for (const auto& [node, shift] : shifts)
        addMember(json, model.node(node).name, shift);
    return json;
}

Result<BiasShifts> biasShiftsFromJson(
    const Model& model, const Json& json, const std::string& name, std::vector<std::string>& leftOut)
{
    BiasShifts shifts;
    if (!json.is_object())
        return wrong("not an object", name + " bias_shifts");
    for (const auto& [key, value] : json.items()) {
        auto shift = floatsOf(value);
        if (!shift)
            return wrong("not a list of numbers", name + " bias_shifts " + key);
        const NodeId node = model.findNode(key);
        if (node.valid())
            shifts.emplace(node, *std::move(shift));
        else
            leftOut.push_back("the corrected bias of '" + key + "' was left out: there is no such node");
    }
    return shifts;
}

Json keptFloatJson(const Model& model, const KeptFloats& kept)
{
    Json json = Json::array();
    for (const auto& [node, why] : kept)
        json.push_back(
            {{"node", model.node(node).name}, {"reason", why.reason}, {"counterfactual", why.counterfactual}});
    return json;
}

Result<KeptFloats> keptFloatFromJson(
    const Model& model, const Json& json, const std::string& name, std::vector<std::string>& leftOut)
{
    KeptFloats kept;
    if (!json.is_array())
        return wrong("not a list", name + " float_nodes");
    for (const Json& item : json) {
        const auto textOf = [&](const char* key) {
            const auto found = item.is_object() ? item.find(key) : item.end();
            return found != item.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        const std::string node = textOf("node");
        if (node.empty())
            return wrong("not a node", name + " float_nodes");
        if (const NodeId id = model.findNode(node); id.valid())
            kept.emplace(id, KeptFloat{textOf("reason"), textOf("counterfactual"), ReasonKind::Profile});
        else
            leftOut.push_back("'" + node + "', which stays in float, was left out: there is no such node");
    }
    return kept;
}

} // namespace duo
