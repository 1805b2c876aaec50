// SPDX-License-Identifier: Apache-2.0
// Patterns against node names, as Python's re.match decides them (tests/peers/make_pattern_table.py).
#include "core/rules/pattern/pattern.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace duo {
namespace {

using Json = nlohmann::json;

Json patternTable()
{
    std::ifstream file(std::string(DUO_TEST_DATA) + "/patterns/pattern_table.json");
    return Json::parse(file);
}

std::vector<std::size_t> matched(const Pattern& pattern, const Json& names)
{
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (pattern.match(names[i].get_ref<const std::string&>()) == Pattern::Outcome::Match)
            indices.push_back(i);
    }
    return indices;
}

TEST(PatternTable, EveryRowIsAsPythonSays)
{
    const Json table = patternTable();
    ASSERT_GE(table["rows"].size(), 60U);
    for (const Json& row : table["rows"]) {
        const auto& text = row["pattern"].get_ref<const std::string&>();
        const auto compiled = Pattern::compile(text);
        const auto* pattern = std::get_if<Pattern>(&compiled);
        EXPECT_EQ(pattern != nullptr, row["valid"].get<bool>()) << text;
        if (pattern == nullptr || !row["valid"])
            continue;
        for (const char* model : {"resnet", "bert"})
            EXPECT_EQ(matched(*pattern, table["names"][model]), row[model].get<std::vector<std::size_t>>())
                << text << " on " << model;
    }
}

} // namespace
} // namespace duo
