// SPDX-License-Identifier: Apache-2.0
// Rules written in another form, as JSON.
#pragma once

#include "core/quantize/recipe/recipe.h"
#include "core/rules/write_rules.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `convert-rules` (resources/schemas/convert-rules.schema.json).
nlohmann::ordered_json convertJson(const RecipeReading& reading, RuleForm to, const RulesText& converted);

/// "rule 2: its comment is left out: ..."; rules are numbered from 1.
std::string lossText(const RuleLoss& loss);

} // namespace duo
