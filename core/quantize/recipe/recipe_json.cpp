// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe_json.h"

#include "core/marks/mark_json.h"
#include "core/quantize/recipe/rule_json.h"
#include "core/quantize/recipe/settings_json.h"
#include "core/quantize/recipe/starting_recipe.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Status checkHead(JsonKeys& keys)
{
    std::string format;
    DUO_CHECK(keys.text("format", format));
    if (format != "duoscope-recipe")
        return invalidKey("not a recipe", "format", "write \"format\": \"duoscope-recipe\"");
    const Json* version = keys.find("version");
    if (version == nullptr || !version->is_number_integer() || version->get<std::int64_t>() != 1)
        return invalidKey("unknown recipe version", "version", "write \"version\": 1, or use a newer Duoscope");
    return success();
}

/// @param transforms null: not said
Json jsonOf(const Recipe& recipe, Json transforms)
{
    Json rules = Json::array();
    for (const Rule& rule : recipe.rules.rules)
        rules.push_back(ruleJson(rule));
    Json json{{"format", "duoscope-recipe"}, {"version", 1}, {"rules", rules}, {"validate", recipe.rules.validate},
        {"quantization", settingsJson(recipe.quantization)}};
    if (!transforms.is_null())
        json["transforms"] = std::move(transforms);
    if (!recipe.marks.empty())
        json["marks"] = marksJson(recipe.marks);
    if (Json functions = outlineRequestJson(recipe.functions); !functions.empty())
        json["functions"] = std::move(functions);
    appendKeys(json, recipe.unknownKeys);
    return json;
}

} // namespace

Json recipeJson(const Recipe& recipe)
{
    if (recipe.transforms == startingTransforms(recipe.quantization))
        return jsonOf(recipe, {});
    return jsonOf(recipe, recipe.transforms ? transformOptionsJson(*recipe.transforms) : Json(false));
}

Json recordedRecipeJson(const Recipe& recipe)
{
    return jsonOf(recipe, recipe.transforms ? transformOptionsJson(*recipe.transforms) : Json());
}

Result<Recipe> recipeFromJson(const Json& json)
{
    if (!json.is_object())
        return invalidKey("not a recipe", "", "write a JSON object");
    JsonKeys keys(json, "");
    Recipe recipe;
    DUO_CHECK(checkHead(keys));
    DUO_CHECK(keys.flag("validate", recipe.rules.validate));
    if (const Json* rules = keys.find("rules"); rules != nullptr) {
        if (!rules->is_array())
            return invalidKey("not a list", "rules", "write a list of rules");
        for (std::size_t i = 0; i < rules->size(); ++i) {
            DUO_TRY(rule, ruleFromJson((*rules)[i], "rules[" + std::to_string(i) + "]"));
            recipe.rules.rules.push_back(std::move(rule));
        }
    }
    if (const Json* quantization = keys.find("quantization"); quantization != nullptr) {
        DUO_TRY(settings, settingsFromJson(*quantization, "quantization"));
        recipe.quantization = std::move(settings);
    }
    recipe.transforms = startingTransforms(recipe.quantization);
    if (const Json* transforms = keys.find("transforms"); transforms != nullptr) {
        recipe.transforms.reset();
        if (*transforms != Json(false)) {
            DUO_TRY(options, transformOptionsFromJson(*transforms, "transforms"));
            recipe.transforms = std::move(options);
        }
    }
    if (const Json* marks = keys.find("marks"); marks != nullptr) {
        DUO_TRY(read, marksFromJson(*marks, "marks"));
        recipe.marks = std::move(read);
    }
    if (const Json* functions = keys.find("functions"); functions != nullptr) {
        DUO_TRY(request, outlineRequestFromJson(*functions, "functions"));
        recipe.functions = std::move(request);
    }
    recipe.unknownKeys = keysText(keys.unknown());
    return recipe;
}

Result<Recipe> recordedRecipeFromJson(const Json& json)
{
    DUO_TRY(recipe, recipeFromJson(json));
    if (!json.contains("transforms"))
        recipe.transforms.reset();
    return recipe;
}

Result<Recipe> recordedRecipeFromJson(const Json& json, const std::string& name)
{
    auto recipe = recordedRecipeFromJson(json);
    if (recipe)
        return recipe;
    Error error = recipe.error();
    error.where = error.where.empty() ? name : name + " " + error.where;
    return error;
}

} // namespace duo
