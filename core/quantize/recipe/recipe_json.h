// SPDX-License-Identifier: Apache-2.0
// JSON forms of rules, settings and recipes.
#pragma once

#include "core/quantize/recipe.h"

#include <nlohmann/json.hpp>

namespace duo {

nlohmann::ordered_json recipeJson(const Recipe& recipe);

/// A recipe from its own JSON form. @return InvalidRule naming the key at fault; `name` stands for the file
Result<Recipe> recipeFromJson(const nlohmann::ordered_json& json, const std::string& name);

/// Rules from NNCF's IgnoredScope fields (names, patterns, types, subgraphs, validate) or from the legacy
/// ignored_scopes and target_scopes strings ("{re}" marks an unanchored pattern). @return InvalidRule as above
Result<Recipe> recipeFromNncf(const nlohmann::ordered_json& json, const std::string& name);

/// True if the JSON looks like one of NNCF's forms.
bool isNncfForm(const nlohmann::ordered_json& json);

} // namespace duo
