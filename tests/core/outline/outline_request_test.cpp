// SPDX-License-Identifier: Apache-2.0
#include "core/outline/outline_request.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string errorOf(const char* text)
{
    const auto request = outlineRequestFromJson(Json::parse(text), "functions");
    return request ? "" : request.error().line();
}

TEST(OutlineRequest, WrittenAndReadAgainIsTheSame)
{
    const Json json = Json::parse(R"({"scopes": ["blk"], "classes": ["Linear"], "depths": [1, 2], "all": true,
        "split": true, "flat": true, "orders": [{"scope": "blk", "inputs": ["x_1", "x"], "outputs": ["y"]}], "later": 1})");
    const auto request = outlineRequestFromJson(json, "functions");
    ASSERT_TRUE(request) << request.error().line();
    EXPECT_EQ(request->orders[0].inputs, (std::vector<std::string>{"x_1", "x"}));
    EXPECT_EQ(outlineRequestJson(*request), json);
    EXPECT_FALSE(request->isEmpty());
    EXPECT_TRUE(outlineRequestFromJson(Json::object(), "functions")->isEmpty());
}

TEST(OutlineRequest, SaysWhatIsWrongAndWhere)
{
    EXPECT_EQ(errorOf("[]"), "not functions: functions: write an object, such as {\"classes\": [\"Linear\"]}");
    EXPECT_EQ(
        errorOf(R"({"depths": [0]})"), "not a list of depths: functions.depths: write numbers from 1, such as [1, 2]");
    EXPECT_EQ(errorOf(R"({"orders": [{"inputs": []}]})"),
        "not an order: functions.orders[0]: write an object with a scope, and inputs or outputs");
}

} // namespace
} // namespace duo
