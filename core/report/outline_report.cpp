// SPDX-License-Identifier: Apache-2.0
#include "core/report/outline_report.h"

#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kShown = 4; // names

using Json = nlohmann::ordered_json;

Json filesJson(const WrittenFiles& written)
{
    Json files = Json::array();
    for (const auto& file : written.files)
        files.push_back(file.string());
    return files;
}

std::string fullName(const std::string& name, const std::string& overload)
{
    return overload.empty() ? name : name + ":" + overload;
}

std::string callsText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " call" : " calls");
}

/// Scopes of the calls of each function, outer ones and along the dataflow first.
std::vector<std::vector<std::string>> scopesByFunction(const OutlinePlan& plan)
{
    std::vector<std::vector<std::string>> scopes(plan.functions.size());
    for (std::size_t c = plan.scopes.size(); c-- > 0;)
        scopes[plan.edits.calls[c].function].push_back(plan.scopes[c]);
    return scopes;
}

} // namespace

Json outlineJson(const OutlinePlan& plan, const WrittenFiles& written)
{
    const auto scopes = scopesByFunction(plan);
    Json functions = Json::array();
    for (std::size_t f = 0; f < plan.functions.size(); ++f) {
        const OutlinedFunction& function = plan.edits.functions[f];
        const PlannedFunction& planned = plan.functions[f];
        const auto inputs = [&](std::size_t from, std::size_t to) {
            return Json(std::vector<std::string>(function.inputs.begin() + static_cast<std::ptrdiff_t>(from),
                function.inputs.begin() + static_cast<std::ptrdiff_t>(to)));
        };
        Json attributes = Json::array();
        for (const OpenAttribute& open : function.open)
            attributes.push_back(open.formal);
        const std::size_t constants = planned.dataInputs + planned.parameters;
        functions.push_back({{"domain", function.domain}, {"name", function.name}, {"class", planned.className},
            {"inputs", inputs(0, planned.dataInputs)}, {"parameters", inputs(planned.dataInputs, constants)},
            {"constants", inputs(constants, function.inputs.size())}, {"outputs", function.outputs},
            {"attributes", std::move(attributes)}, {"order", orderText(planned.order)}, {"nodes", planned.nodes},
            {"calls", scopes[f]}});
        if (!planned.unrecorded.empty())
            functions.back()["unrecorded"] = planned.unrecorded;
    }
    Json refusals = Json::array();
    for (const OutlineRefusal& refusal : plan.refusals)
        refusals.push_back({{"scope", refusal.scope}, {"why", refusal.why}});
    return {{"functions", std::move(functions)}, {"refused", std::move(refusals)}, {"dissolved", plan.dissolved},
        {"files", filesJson(written)}};
}

std::string orderSentence(OrderEvidence evidence)
{
    switch (evidence) {
    case OrderEvidence::OnlyOne:
        return "there is no other";
    case OrderEvidence::Recorded:
        return "as the program that was exported records it";
    case OrderEvidence::Forward:
        return "as its forward is written in the TorchScript file";
    case OrderEvidence::Class:
        return "as this class of torch.nn takes and gives them";
    case OrderEvidence::User:
        return "as the recipe says";
    case OrderEvidence::FirstUse:
        return "a guess, as they are used";
    }
    return {};
}

std::string outlineText(const OutlinePlan& plan)
{
    const auto scopes = scopesByFunction(plan);
    std::string text = std::to_string(plan.functions.size())
        + (plan.functions.size() == 1 ? " function, " : " functions, ") + callsText(plan.scopes.size()) + "\n";
    for (std::size_t f = plan.functions.size(); f-- > 0;) {
        const OutlinedFunction& function = plan.edits.functions[f];
        const PlannedFunction& planned = plan.functions[f];
        text += "  " + signatureText(function, planned) + "\n    " + callsText(scopes[f].size()) + " of "
            + nodesText(planned.nodes) + ": " + firstOf(scopes[f], kShown) + "\n";
        if (planned.order != OrderEvidence::OnlyOne)
            text += "    order of inputs and outputs: " + orderSentence(planned.order) + "\n";
        if (!planned.unrecorded.empty())
            text += "    not as recorded: " + planned.unrecorded + "\n";
    }
    for (const OutlineRefusal& refusal : plan.refusals)
        text += "  not " + refusal.scope + ": " + refusal.why + "\n";
    if (!plan.dissolved.empty())
        text += "  recorded, but nothing of it is in the model: " + firstOf(plan.dissolved, kShown) + "\n";
    return text;
}

Json inlineJson(const std::vector<LocalFunction>& functions, const Inlined& inlined, const WrittenFiles& written)
{
    Json list = Json::array();
    for (const LocalFunction& function : functions)
        list.push_back({{"domain", function.domain}, {"name", function.name}, {"overload", function.overload},
            {"calls", function.calls}, {"outlined", function.isOutlined}});
    Json opsets = Json::array();
    for (const auto& [from, to] : inlined.raised)
        opsets.push_back({{"from", from}, {"to", to}});
    return {{"functions", std::move(list)}, {"calls", inlined.calls}, {"restored", inlined.restored},
        {"opsets", std::move(opsets)}, {"files", filesJson(written)}};
}

std::string inlineText(const std::vector<LocalFunction>& functions, const Inlined& inlined)
{
    std::string text = callsText(static_cast<std::size_t>(inlined.calls)) + " written out, of them "
        + std::to_string(inlined.restored) + " as they were before\n";
    for (const LocalFunction& function : functions)
        text += "  " + fullName(function.name, function.overload) + " of " + function.domain + ": "
            + callsText(static_cast<std::size_t>(function.calls)) + "\n";
    return inlined.raised.empty() ? text : text + "  " + raisedText(inlined.raised) + "\n";
}

} // namespace duo
