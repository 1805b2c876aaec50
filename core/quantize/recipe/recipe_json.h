// SPDX-License-Identifier: Apache-2.0
// JSON form of recipes.
#pragma once

#include "core/quantize/recipe/recipe.h"

#include <nlohmann/json.hpp>

namespace duo {

nlohmann::ordered_json recipeJson(const Recipe& recipe);

/// A recipe from its own JSON form. @return InvalidRule, `where` being the path of the key at fault ("" for the whole)
Result<Recipe> recipeFromJson(const nlohmann::ordered_json& json);

/// The form in a compression state, which tells what was: transforms that it leaves out were none.
nlohmann::ordered_json recordedRecipeJson(const Recipe& recipe);
Result<Recipe> recordedRecipeFromJson(const nlohmann::ordered_json& json);
/// The same with `name` of the file before the path.
Result<Recipe> recordedRecipeFromJson(const nlohmann::ordered_json& json, const std::string& name);

} // namespace duo
