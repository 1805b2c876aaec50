// SPDX-License-Identifier: Apache-2.0
#include "app/session/recipe_files.h"

#include "core/support/text_file.h"

#include <ostream>
#include <string>

namespace duo::app {

std::filesystem::path recipePathFor(const std::filesystem::path& model)
{
    return model.parent_path() / (model.stem().string() + ".recipe.json");
}

Result<RecipeReading> readRecipeOver(const Recipe& present, const std::filesystem::path& path)
{
    DUO_TRY(reading, readRecipeFile(path, std::nullopt));
    if (reading.form != RuleForm::Recipe && reading.recipe.quantization == QuantizationSettings{}) {
        reading.recipe.quantization = present.quantization;
        reading.recipe.transforms = present.transforms;
    }
    return reading;
}

Status saveRecipe(const Recipe& recipe, const std::filesystem::path& path)
{
    return writeTextFile(path, recipeText(recipe));
}

} // namespace duo::app
