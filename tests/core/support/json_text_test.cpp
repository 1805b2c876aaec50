// SPDX-License-Identifier: Apache-2.0
#include "core/support/json_text.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string again(std::string_view text)
{
    const auto parsed = parseJsonText(text);
    const auto* json = std::get_if<Json>(&parsed);
    return json != nullptr ? json->dump() : std::get<TextProblem>(parsed).what;
}

TEST(JsonText, KeepsKeysInTheirOrderAndOfEqualOnesTheLast)
{
    EXPECT_EQ(
        again(R"({"b": [1, -2, 0.5, true, null], "a": {"x": "y"}})"), R"({"b":[1,-2,0.5,true,null],"a":{"x":"y"}})");
    EXPECT_EQ(again(R"({"a": 1, "b": 2, "a": 3})"), R"({"a":3,"b":2})");
    EXPECT_EQ(again("7"), "7");
}

TEST(JsonText, SaysWhatIsWrongAndWhere)
{
    const auto parsed = parseJsonText("{\"a\":\n [1,}");
    const auto& problem = std::get<TextProblem>(parsed);
    EXPECT_EQ(problem.what, "not valid JSON, unexpected '}'");
    EXPECT_EQ(problem.place.line, 2);
    EXPECT_EQ(again("[1e999]"), "not valid JSON");
    EXPECT_EQ(again(""), "not valid JSON, unexpected end of input");
    EXPECT_EQ(again(std::string("{}\0{", 4)), "not valid JSON, a byte of zero");
}

TEST(JsonText, RefusesWhatIsNestedTooDeeply)
{
    EXPECT_EQ(again(std::string(64, '[') + std::string(64, ']')), std::string(64, '[') + std::string(64, ']'));
    EXPECT_EQ(again(std::string(65, '[')), "nested too deeply");
}

TEST(JsonText, RefusesEqualKeysWhereTheyMustNotBe)
{
    const auto parsed = parseJsonText(R"({"a": [1, {"b": {"c": 1, "d": 2, "c": 3}}]})", EqualKeys::Refused);
    const auto* problem = std::get_if<TextProblem>(&parsed);
    ASSERT_NE(problem, nullptr);
    EXPECT_EQ(problem->what, "a key stands twice");
    EXPECT_EQ(problem->key, "a[1].b.c");
    EXPECT_TRUE(std::holds_alternative<nlohmann::ordered_json>(
        parseJsonText(R"({"a": {"b": 1}, "b": 1})", EqualKeys::Refused)));
}

} // namespace
} // namespace duo
