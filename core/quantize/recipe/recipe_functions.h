// SPDX-License-Identifier: Apache-2.0
// Which modules a recipe wants to be functions: its key "functions", kept with the keys that nothing but this reads.
#pragma once

#include "core/outline/outline_request.h"
#include "core/quantize/recipe/recipe.h"

namespace duo {

inline constexpr const char* kFunctionsKey = "functions";

/// An empty request where the recipe has none. It was checked when the recipe was read.
OutlineRequest functionsOf(const Recipe& recipe);

/// An empty request without unknown keys and orders takes the key away.
Recipe withFunctions(Recipe recipe, const OutlineRequest& request);

} // namespace duo
