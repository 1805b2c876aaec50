// SPDX-License-Identifier: Apache-2.0
// Recipes as files: read in any form over the recipe in use, written as a whole or not at all.
#pragma once

#include "core/quantize/recipe/recipe.h"

#include <filesystem>

namespace duo::app {

/// `m.onnx` -> `m.recipe.json` beside it.
std::filesystem::path recipePathFor(const std::filesystem::path& model);

/// The recipe of a file. A form that says rules only changes the rules of `present`. @return errors of reading
Result<RecipeReading> readRecipeOver(const Recipe& present, const std::filesystem::path& path);

/// Writes beside the target and renames. @return NotWritable
Status saveRecipe(const Recipe& recipe, const std::filesystem::path& path);

} // namespace duo::app
