// SPDX-License-Identifier: Apache-2.0
// A recipe in the forms of other tools.
#pragma once

#include "core/quantize/recipe/recipe.h"
#include "core/rules/write_rules.h"

namespace duo {

/// Losses name what the form cannot say, settings included. With a model, rules the form has no word for become the
/// names of nodes (write_rules.h). @param scopes of `model`
RulesText recipeAs(const Recipe& recipe, RuleForm form, const Model* model = nullptr, const Scopes* scopes = nullptr);

} // namespace duo
