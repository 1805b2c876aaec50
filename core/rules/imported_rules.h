// SPDX-License-Identifier: Apache-2.0
// Rules as read from a form of another tool, with what could not become a rule.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"
#include "core/rules/rule_form.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

struct ImportedRules {
    RuleForm form = RuleForm::List;
    RuleSet rules;
    nlohmann::ordered_json unknown = nlohmann::ordered_json::object(); // keys nothing here knows, where they stood
    std::vector<Note> notes; // what was read otherwise than it stands there
};

/// "{re}X" searched anywhere: as a pattern anchored at the start it is "(?s:.*?)(?:X)"; without {re} a name.
Rule legacyRule(std::string text, RuleAction action);

} // namespace duo
