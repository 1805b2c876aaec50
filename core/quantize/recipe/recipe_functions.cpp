// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe_functions.h"

#include "core/support/json_keys.h"

#include <nlohmann/json.hpp>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json keysOf(const Recipe& recipe)
{
    Json keys = Json::parse(recipe.unknownKeys, nullptr, false);
    return keys.is_object() ? keys : Json::object();
}

} // namespace

OutlineRequest functionsOf(const Recipe& recipe)
{
    const Json keys = keysOf(recipe);
    if (!keys.contains(kFunctionsKey))
        return {};
    auto request = outlineRequestFromJson(keys[kFunctionsKey], kFunctionsKey);
    return request ? *std::move(request) : OutlineRequest();
}

Recipe withFunctions(Recipe recipe, const OutlineRequest& request)
{
    Json keys = keysOf(recipe);
    const Json wanted = outlineRequestJson(request);
    if (wanted.empty())
        keys.erase(kFunctionsKey);
    else
        keys[kFunctionsKey] = wanted;
    recipe.unknownKeys = keysText(keys);
    return recipe;
}

} // namespace duo
