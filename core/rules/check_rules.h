// SPDX-License-Identifier: Apache-2.0
// What is wrong with rules whatever the model.
#pragma once

#include "core/rules/rule.h"
#include "core/support/result.h"

namespace duo {

/// @return InvalidRule for the first enabled rule with a pattern that cannot be read; `name` stands for the file
Status checkRules(const RuleSet& rules, const std::string& name);

} // namespace duo
