// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/starting_recipe.h"

namespace duo {

std::optional<TransformOptions> startingTransforms(const QuantizationSettings& settings)
{
    return settings.nncfCompatible ? std::nullopt : std::optional(TransformOptions());
}

Recipe startingRecipe()
{
    Recipe recipe;
    recipe.transforms = startingTransforms(recipe.quantization);
    return recipe;
}

} // namespace duo
