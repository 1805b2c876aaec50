// SPDX-License-Identifier: Apache-2.0
// Recipe: rules and settings, what the user edits and saves (DESIGN section 6).
#pragma once

#include "core/quantize/settings.h"
#include "core/rules/rule.h"
#include "core/support/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace duo {

struct Recipe {
    RuleSet rules;
    QuantizationSettings quantization;
    std::string unknownKeys; // JSON object text of unknown top-level keys, kept on saving
    bool operator==(const Recipe&) const = default;
};

/// Reads a recipe, NNCF's IgnoredScope JSON, or legacy ignored_scopes/target_scopes JSON.
/// @return InvalidRule: what is wrong, `name` with line or key, what to write instead
Result<Recipe> parseRecipe(std::string_view json, const std::string& name);
Result<Recipe> readRecipe(const std::filesystem::path& path);

/// The recipe as JSON text with two-space indent and a final line break; stable, unknown keys included.
std::string recipeText(const Recipe& recipe);

} // namespace duo
