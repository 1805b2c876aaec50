// SPDX-License-Identifier: Apache-2.0
#include "core/state/setup_report.h"

#include "core/support/phrases.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostScopes = 20; // of the text; JSON has all
constexpr std::size_t kMostFacts = 40;

std::string factorText(double factor)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", factor);
    return text.data();
}

Json textsJson(const std::vector<TextDifference>& differences)
{
    Json json = Json::array();
    for (const TextDifference& one : differences)
        json.push_back({{"name", one.name}, {"first", one.first}, {"second", one.second}});
    return json;
}

std::string textsText(const std::string& title, const std::vector<TextDifference>& differences)
{
    if (differences.empty())
        return {};
    std::string text = title + ":\n";
    for (std::size_t i = 0; i < std::min(differences.size(), kMostFacts); ++i) {
        const TextDifference& one = differences[i];
        text += "  " + one.name + ": " + (one.first.empty() ? "not set" : one.first) + " | "
            + (one.second.empty() ? "not set" : one.second) + "\n";
    }
    if (differences.size() > kMostFacts)
        text += "  and " + std::to_string(differences.size() - kMostFacts) + " more\n";
    return text;
}

std::string rulesText(const SetupDifference& difference, const std::string& first, const std::string& second)
{
    std::string text;
    const auto list = [&](const std::vector<std::string>& rules, const std::string& where) {
        if (!rules.empty())
            text += "rules only in " + where + ":\n";
        for (const std::string& rule : rules)
            text += "  " + rule + "\n";
    };
    list(difference.rulesOnlyFirst, first);
    list(difference.rulesOnlySecond, second);
    if (difference.areRulesReordered)
        text += "rules: the same in another order\n";
    return text;
}

/// Scopes in the order of their first quantizer that differs.
std::string quantizersText(const SetupDifference& difference)
{
    std::vector<std::string> scopes;
    std::map<std::string, std::vector<const QuantizerDifference*>> byScope;
    for (const QuantizerDifference& one : difference.quantizers) {
        auto& those = byScope[one.scope];
        if (those.empty())
            scopes.push_back(one.scope);
        those.push_back(&one);
    }
    std::string text = "quantizers: " + std::to_string(difference.quantizers.size()) + " of "
        + std::to_string(difference.quantizers.size() + difference.same) + " differ\n";
    for (std::size_t s = 0; s < std::min(scopes.size(), kMostScopes); ++s) {
        const auto& those = byScope[scopes[s]];
        text += "  " + (scopes[s].empty() ? "(root)" : scopes[s]) + ": "
            + (those.size() > 1 ? std::to_string(those.size()) + ", among them " : std::string()) + those.front()->place
            + ": " + quantizerDifferenceSentence(*those.front()) + "\n";
    }
    if (scopes.size() > kMostScopes)
        text += "  and " + counted(scopes.size() - kMostScopes, "more scope", "more scopes") + "\n";
    return text;
}

std::string notRecoveredText(const SetupDifference& difference)
{
    const std::size_t count = difference.notRecovered.size() + difference.sameNotRecovered;
    if (count == 0)
        return {};
    const std::string title = nodesText(count) + " on codes whose quantizers are not recovered";
    if (difference.notRecovered.empty())
        return title + ": the constants that they read are the same\n";
    return textsText(title + ", " + std::to_string(difference.notRecovered.size()) + " that read other constants",
        difference.notRecovered);
}

} // namespace

Json setupDifferenceJson(const SetupDifference& difference)
{
    Json quantizers = Json::array();
    for (const QuantizerDifference& one : difference.quantizers) {
        Json json{{"place", one.place}, {"node", one.node}, {"scope", one.scope},
            {"change", quantizerChangeText(one.change)}, {"first", one.first}, {"second", one.second}};
        if (one.change == QuantizerChange::Range)
            json["factor"] = std::isfinite(one.factor) ? Json(one.factor) : Json();
        quantizers.push_back(std::move(json));
    }
    return {{"same", difference.isSame()},
        {"rules",
            {{"only_first", difference.rulesOnlyFirst}, {"only_second", difference.rulesOnlySecond},
                {"reordered", difference.areRulesReordered}}},
        {"settings", textsJson(difference.settings)}, {"quantizers", std::move(quantizers)},
        {"equal_quantizers", difference.same}, {"not_recovered", textsJson(difference.notRecovered)},
        {"equal_not_recovered", difference.sameNotRecovered}, {"corrections", textsJson(difference.corrections)},
        {"facts", textsJson(difference.facts)}};
}

std::string quantizerDifferenceSentence(const QuantizerDifference& difference)
{
    switch (difference.change) {
    case QuantizerChange::OnlyFirst:
        return "only in the first, " + difference.first;
    case QuantizerChange::OnlySecond:
        return "only in the second, " + difference.second;
    case QuantizerChange::Type:
    case QuantizerChange::Spread:
    case QuantizerChange::Readers:
        return difference.first + " | " + difference.second;
    case QuantizerChange::Range:
        return difference.first + " | " + difference.second
            + (difference.factor > 1 ? ", " + factorText(difference.factor) + " times" : std::string());
    }
    return {};
}

std::string setupDifferenceText(const SetupDifference& difference, const std::string& first, const std::string& second)
{
    std::string text = difference.isSame() ? "the setups are the same\n" : "the setups differ\n";
    text += rulesText(difference, first, second) + textsText("settings", difference.settings)
        + textsText("corrections", difference.corrections);
    if (!difference.quantizers.empty() || difference.same > 0)
        text += quantizersText(difference);
    text += notRecoveredText(difference);
    return text + textsText("made from and with", difference.facts);
}

} // namespace duo
