// SPDX-License-Identifier: Apache-2.0
#include "core/report/convert_report.h"

#include "core/report/inspect_report.h"

namespace duo {

nlohmann::ordered_json convertJson(const RecipeReading& reading, RuleForm to, const RulesText& converted)
{
    auto losses = nlohmann::ordered_json::array();
    for (const RuleLoss& loss : converted.losses)
        losses.push_back(
            {{"rule", loss.rule ? nlohmann::ordered_json(*loss.rule) : nlohmann::ordered_json()}, {"text", loss.text}});
    return {{"from", ruleFormText(reading.form)}, {"to", ruleFormText(to)}, {"text", converted.text},
        {"losses", std::move(losses)}, {"notes", notesJson(reading.notes)}};
}

std::string lossText(const RuleLoss& loss)
{
    return (loss.rule ? "rule " + std::to_string(*loss.rule + 1) + ": " : "") + loss.text;
}

} // namespace duo
