// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/transform_options.h"

#include "core/quantize/recipe/rule_json.h"
#include "core/support/json_keys.h"
#include "core/transform/halve.h"
#include "core/transform/lower_opset.h"
#include "core/transform/newer_opset.h"
#include "core/transform/pass.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Status checkPass(const std::string& id, const std::string& path)
{
    const auto isIt = [&](const Pass& pass) {
        return pass.id == id && (pass.stage == PassStage::Common || pass.stage == PassStage::Target);
    };
    if (std::ranges::any_of(passes(), isIt))
        return success();
    return invalidKey(
        "no pass has the id '" + id + "'", path, "write one that duoscope-cli transform MODEL --dry-run names");
}

Status checkSwitchedOn(const std::string& id, const std::string& path)
{
    const auto isIt = [&](const Pass& pass) { return pass.id == id && pass.stage == PassStage::Target; };
    if (std::ranges::any_of(passes(), isIt))
        return success();
    return invalidKey("no pass that could be switched on has the id '" + id + "'", path, "write one of stage target");
}

constexpr std::int64_t kMostOpset = 99;

/// A key that names an opset; 0 where it is left out.
Result<std::int64_t> opsetAt(JsonKeys& keys, const char* key, std::int64_t least, std::int64_t most)
{
    std::optional<int> opset;
    DUO_CHECK(keys.count(key, kMostOpset, opset));
    if (opset && (*opset < least || *opset > most))
        return invalidKey("no opset that a model can be written in", keys.path(key),
            "write " + std::to_string(least) + (most < kMostOpset ? " to " + std::to_string(most) : " or more")
                + ", or leave it out");
    return opset.value_or(0);
}

constexpr std::array kHalfTypes{ElementType::Float16, ElementType::BFloat16};

Status readHalf(JsonKeys& keys, TransformOptions& options)
{
    std::array<std::string_view, kHalfTypes.size()> names;
    std::ranges::transform(kHalfTypes, names.begin(), elementTypeName);
    std::optional<std::size_t> type;
    DUO_CHECK(keys.choice("half", names, type));
    if (type)
        options.half = kHalfTypes[*type];
    DUO_CHECK(keys.flag("half_ports", options.halfPorts));
    const Json* least = keys.find("half_min_sqnr");
    if (least != nullptr && (!least->is_number() || !std::isfinite(least->get<double>())))
        return invalidKey("not a number", keys.path("half_min_sqnr"), "write decibels, or leave it out");
    if (least != nullptr)
        options.halfSqnrDb = least->get<double>();
    return success();
}

Status checkTarget(const std::string& name, const std::string& path)
{
    if (name.empty() || findTarget(name) != nullptr)
        return success();
    std::string list;
    for (const TransformTarget& target : transformTargets())
        list += (list.empty() ? "" : ", ") + std::string(target.name);
    return invalidKey("no passes are known for '" + name + "'", path, "write one of " + list + ", or leave it out");
}

} // namespace

bool isAskedFor(const Pass& pass, const TransformOptions& options)
{
    if ((pass.id == "lower-opset" && options.opset > 0) || (pass.id == "newer-opset" && options.leastOpset > 0)
        || (pass.id == kHalfPass && options.half != ElementType::Undefined))
        return true;
    const TransformTarget* target = findTarget(options.target);
    return target != nullptr && std::ranges::find(target->passes, pass.id) != target->passes.end();
}

std::optional<ElementType> halfTypeOf(const TransformOptions& options)
{
    const std::string id(kHalfPass);
    if (options.disabled.contains(id))
        return std::nullopt;
    if (options.half != ElementType::Undefined)
        return options.half;
    return options.enabled.contains(id) ? std::optional(ElementType::Float16) : std::nullopt;
}

Json transformOptionsJson(const TransformOptions& options)
{
    Json keep = Json::array();
    for (const Rule& rule : options.keep.rules)
        keep.push_back(ruleJson(rule));
    Json json = {{"static_shapes", options.staticShapes}, {"low_precision", options.lowPrecision},
        {"disable", options.disabled}, {"keep", std::move(keep)}};
    if (!options.target.empty())
        json["target"] = options.target;
    if (!options.enabled.empty())
        json["enable"] = options.enabled;
    if (options.opset > 0)
        json["opset"] = options.opset;
    if (options.leastOpset > 0)
        json["least_opset"] = options.leastOpset;
    if (options.half != ElementType::Undefined)
        json["half"] = elementTypeName(options.half);
    if (options.halfPorts)
        json["half_ports"] = true;
    if (options.halfSqnrDb != TransformOptions{}.halfSqnrDb)
        json["half_min_sqnr"] = options.halfSqnrDb;
    return json;
}

Result<TransformOptions> transformOptionsFromJson(const Json& json, const std::string& path)
{
    if (!json.is_object())
        return invalidKey("not an object", path, R"(write {}, or leave it out)");
    JsonKeys keys(json, path);
    TransformOptions options;
    DUO_CHECK(keys.flag("static_shapes", options.staticShapes));
    DUO_CHECK(keys.flag("low_precision", options.lowPrecision));
    DUO_CHECK(keys.text("target", options.target));
    DUO_CHECK(checkTarget(options.target, keys.path("target")));
    std::vector<std::string> disabled;
    DUO_CHECK(keys.texts("disable", disabled));
    for (const std::string& id : disabled)
        DUO_CHECK(checkPass(id, keys.path("disable")));
    options.disabled = {disabled.begin(), disabled.end()};
    std::vector<std::string> enabled;
    DUO_CHECK(keys.texts("enable", enabled));
    for (const std::string& id : enabled)
        DUO_CHECK(checkSwitchedOn(id, keys.path("enable")));
    options.enabled = {enabled.begin(), enabled.end()};
    DUO_TRY(opset, opsetAt(keys, "opset", kLeastLowered, kMostOpset));
    options.opset = opset;
    DUO_TRY(leastOpset, opsetAt(keys, "least_opset", kLeastLowered + 1, kMostRaised));
    options.leastOpset = leastOpset;
    if (opset > 0 && leastOpset > opset)
        return invalidKey(
            "no opset is at least " + std::to_string(leastOpset) + " and at most " + std::to_string(opset),
            keys.path("least_opset"), "leave one of them out");
    DUO_CHECK(readHalf(keys, options));
    const Json* keep = keys.find("keep");
    if (keep != nullptr && !keep->is_array())
        return invalidKey("not a list", keys.path("keep"), "write a list of rules");
    for (std::size_t i = 0; keep != nullptr && i < keep->size(); ++i) {
        DUO_TRY(rule, ruleFromJson((*keep)[i], keys.path("keep") + "[" + std::to_string(i) + "]"));
        if (rule.action != RuleAction::Ignore)
            return invalidKey("rules of what stays as it is ignore nodes",
                keys.path("keep") + "[" + std::to_string(i) + "].action", "write ignore, or leave the rule out");
        options.keep.rules.push_back(std::move(rule));
    }
    const Json unknown = keys.unknown();
    if (!unknown.empty())
        return invalidKey("unknown key", keys.path(unknown.begin().key()),
            "write static_shapes, low_precision, target, disable, enable, opset, least_opset, half, half_ports, "
            "half_min_sqnr or keep");
    return options;
}

} // namespace duo
