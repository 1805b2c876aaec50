// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe_forms.h"

namespace duo {

RulesText recipeAs(const Recipe& recipe, RuleForm form, const Model* model, const Scopes* scopes)
{
    if (form == RuleForm::Recipe)
        return {recipeText(recipe), {}};
    RulesText result = writeRules(recipe.rules, form, {model, scopes, recipe.unknownKeys});
    if (!(recipe.quantization == QuantizationSettings{}))
        result.losses.push_back({std::nullopt, "the settings are left out: this form has rules only"});
    if (!recipe.marks.empty())
        result.losses.push_back({std::nullopt, "the marks are left out: annotate writes them as Python"});
    return result;
}

} // namespace duo
