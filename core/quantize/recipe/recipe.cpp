// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe.h"

#include "core/quantize/recipe/recipe_json.h"
#include "core/support/file.h"
#include "core/support/json.h"

namespace duo {
namespace {

constexpr std::size_t kMaxRecipeBytes = std::size_t{16} << 20U;

} // namespace

Result<Recipe> parseRecipe(std::string_view json, const std::string& name)
{
    DUO_TRY(parsed, parseJson(json, name, ErrorCode::InvalidRule));
    if (!parsed.is_object())
        return Error{ErrorCode::InvalidRule, "not a recipe", name, "write a JSON object"};
    return isNncfForm(parsed) ? recipeFromNncf(parsed, name) : recipeFromJson(parsed, name);
}

Result<Recipe> readRecipe(const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxRecipeBytes));
    return parseRecipe(text, path.string());
}

std::string recipeText(const Recipe& recipe)
{
    return recipeJson(recipe).dump(2) + "\n";
}

} // namespace duo
