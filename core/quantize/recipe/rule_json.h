// SPDX-License-Identifier: Apache-2.0
// JSON form of one rule of a recipe.
#pragma once

#include "core/rules/rule.h"
#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

nlohmann::ordered_json ruleJson(const Rule& rule);

/// @param path of the rule: "rules[2]"; @return InvalidRule, `where` being the path of the key
Result<Rule> ruleFromJson(const nlohmann::ordered_json& json, const std::string& path);

} // namespace duo
