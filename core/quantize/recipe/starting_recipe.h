// SPDX-License-Identifier: Apache-2.0
// What holds where nobody has said otherwise.
#pragma once

#include "core/quantize/recipe/recipe.h"

#include <optional>

namespace duo {

/// Transforms of a recipe that says nothing of them: stage Common, or none where NNCF's results are wanted, for NNCF
/// simplifies nothing (resources/docs/recipe.md, "Transforms").
std::optional<TransformOptions> startingTransforms(const QuantizationSettings& settings);

/// The recipe of a model that nobody gave one.
Recipe startingRecipe();

} // namespace duo
