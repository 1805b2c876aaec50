// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/transform_options.h"

#include "core/quantize/recipe/rule_json.h"
#include "core/support/json_keys.h"
#include "core/transform/pass.h"

#include <algorithm>

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

Status checkTarget(const std::string& name, const std::string& path)
{
    const auto known = transformTargets();
    if (name.empty() || std::ranges::find(known, name, &TransformTarget::name) != known.end())
        return success();
    std::string list;
    for (const TransformTarget& target : known)
        list += (list.empty() ? "" : ", ") + std::string(target.name);
    return invalidKey("no passes are known for '" + name + "'", path, "write one of " + list + ", or leave it out");
}

} // namespace

Json transformOptionsJson(const TransformOptions& options)
{
    Json keep = Json::array();
    for (const Rule& rule : options.keep.rules)
        keep.push_back(ruleJson(rule));
    Json json = {{"static_shapes", options.staticShapes}, {"low_precision", options.lowPrecision},
        {"disable", options.disabled}, {"keep", std::move(keep)}};
    if (!options.target.empty())
        json["target"] = options.target;
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
    const Json* keep = keys.find("keep");
    if (keep != nullptr && !keep->is_array())
        return invalidKey("not a list", keys.path("keep"), "write a list of rules");
    for (std::size_t i = 0; keep != nullptr && i < keep->size(); ++i) {
        DUO_TRY(rule, ruleFromJson((*keep)[i], keys.path("keep") + "[" + std::to_string(i) + "]"));
        options.keep.rules.push_back(std::move(rule));
    }
    const Json unknown = keys.unknown();
    if (!unknown.empty())
        return invalidKey("unknown key", keys.path(unknown.begin().key()),
            "write static_shapes, low_precision, target, disable or keep");
    return options;
}

} // namespace duo
