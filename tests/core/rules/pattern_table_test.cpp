// SPDX-License-Identifier: Apache-2.0
// Patterns against node names, as Python's re.match decides them (tests/peers/make_pattern_table.py), and rules against
// models, as NNCF's IgnoredScope does (tests/peers/make_ignored_scope_table.py; tests/data/patterns/README.md).
#include "core/onnx/reader.h"
#include "core/rules/match.h"
#include "core/rules/pattern.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace duo {
namespace {

using Json = nlohmann::json;

Json table(const std::string& name)
{
    std::ifstream file(std::string(DUO_TEST_DATA) + "/patterns/" + name);
    return Json::parse(file);
}

std::shared_ptr<const Model> modelAt(const std::string& path)
{
    return *readModel(std::string(DUO_TEST_DATA) + "/../../" + path);
}

std::vector<std::string> nodeNames(const Model& model)
{
    std::vector<std::string> names;
    for (const Node& node : model.nodes)
        names.push_back(node.name);
    return names;
}

/// A bit per entry as a hexadecimal number, the first one being the lowest bit.
std::string maskText(const std::vector<bool>& bits)
{
    std::string text;
    for (std::size_t digit = 0; digit * 4 < bits.size(); ++digit) {
        unsigned value = 0;
        for (std::size_t bit = 0; bit < 4 && digit * 4 + bit < bits.size(); ++bit)
            value |= bits[digit * 4 + bit] ? 1U << bit : 0U;
        text.insert(text.begin(), "0123456789abcdef"[value]);
    }
    const std::size_t first = text.find_first_not_of('0');
    return first == std::string::npos ? "0" : text.substr(first);
}

std::string matched(const Pattern& pattern, const std::vector<std::string>& names)
{
    std::vector<bool> bits;
    for (const std::string& name : names)
        bits.push_back(pattern.match(name) == Pattern::Outcome::Match);
    return maskText(bits);
}

TEST(PatternTable, EveryRowIsAsPythonSays)
{
    const Json rows = table("pattern_table.json");
    std::vector<std::vector<std::string>> lists;
    for (const Json& model : rows["models"])
        lists.push_back(nodeNames(*modelAt(model)));
    lists.push_back(rows["odd"]);
    ASSERT_EQ(lists.size(), 5U);
    ASSERT_GE(rows["rows"].size(), 260U);
    for (const Json& row : rows["rows"]) {
        const auto& text = row["pattern"].get_ref<const std::string&>();
        const auto compiled = Pattern::compile(text);
        const auto* pattern = std::get_if<Pattern>(&compiled);
        EXPECT_EQ(pattern != nullptr, !row["matched"].is_null()) << text;
        if (pattern == nullptr || row["matched"].is_null())
            continue;
        for (std::size_t i = 0; i < lists.size(); ++i)
            EXPECT_EQ(matched(*pattern, lists[i]), row["matched"][i].get<std::string>()) << text << " on list " << i;
    }
}

Rule ruleOf(RuleKind kind, const std::string& value)
{
    Rule rule;
    rule.kind = kind;
    rule.value = value;
    return rule;
}

RuleSet rulesOf(const Json& scope)
{
    RuleSet rules;
    for (const auto& [key, kind] :
        {std::pair{"names", RuleKind::Name}, {"patterns", RuleKind::Pattern}, {"types", RuleKind::Type}}) {
        for (const Json& value : scope.value(key, Json::array()))
            rules.rules.push_back(ruleOf(kind, value));
    }
    for (const Json& ends : scope.value("subgraphs", Json::array())) {
        rules.rules.push_back(ruleOf(RuleKind::Subgraph, ""));
        rules.rules.back().inputs = ends["inputs"];
        rules.rules.back().outputs = ends["outputs"];
    }
    return rules;
}

TEST(IgnoredScopeTable, EveryCaseIsAsNncfResolvesIt)
{
    std::size_t cases = 0;
    const Json nncf = table("ignored_scope_table.json");
    for (const Json& entry : nncf["models"]) {
        const auto model = modelAt(entry["model"]);
        const Scopes scopes = findScopes(*model);
        for (const Json& item : entry["cases"]) {
            const RuleHits hits = matchRules(*model, scopes, rulesOf(item["scope"]));
            std::vector<bool> ignored;
            for (const int rule : hits.ignoredBy)
                ignored.push_back(rule != RuleHits::kNoRule);
            EXPECT_EQ(maskText(ignored), item["nodes"].get<std::string>()) << entry["model"] << " " << item["scope"];
            ++cases;
        }
    }
    EXPECT_GE(cases, 250U);
}

} // namespace
} // namespace duo
