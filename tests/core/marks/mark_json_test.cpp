// SPDX-License-Identifier: Apache-2.0
// Marks in recipes and in the metadata of models.
#include "core/marks/mark_json.h"
#include "core/marks/mark_metadata.h"
#include "core/quantize/recipe/recipe.h"
#include "tests/core/marks/marked_network.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

std::string withMarks(const std::string& marks)
{
    return R"({"format": "duoscope-recipe", "version": 1, "marks": )" + marks + "}";
}

TEST(MarkJson, StandsInARecipeBesideTheRules)
{
    const auto recipe = parseRecipe(withMarks(R"([{"root": "encoder", "ignored": ["encoder.norm"],
        "expand_ignored": true, "settings": {"use_orig_params": true, "unit": 2, "name": "x"}, "why": 1}])"),
        "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    ASSERT_EQ(recipe->marks.size(), 1U);
    EXPECT_THAT(recipe->marks[0].settings,
        ElementsAre(MarkSetting{"use_orig_params", "true"}, MarkSetting{"unit", "2"}, MarkSetting{"name", "x"}));
    EXPECT_EQ(recipe->marks[0].unknownKeys, R"({"why":1})");
    const auto again = parseRecipe(recipeText(*recipe), "r.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *recipe);
    EXPECT_EQ(schemaComplaints(nlohmann::ordered_json::parse(recipeText(*recipe)), "recipe"), "");
}

TEST(MarkJson, ARecipeWithoutMarksHasNoKeyForThem)
{
    EXPECT_EQ(recipeText({}).find("marks"), std::string::npos);
}

TEST(MarkJson, SaysWhichKeyIsWrong)
{
    const auto problem
        = [](const std::string& marks) { return parseRecipe(withMarks(marks), "r.json").error().line(); };
    EXPECT_THAT(problem("1"), testing::HasSubstr("not a list: r.json line 1 column 54 marks: write a list of marks"));
    EXPECT_THAT(problem("[{}]"), testing::HasSubstr("a mark without root"));
    EXPECT_THAT(problem(R"([{"root": "", "settings": {"a": []}}])"), testing::HasSubstr("marks[0].settings.a"));
    std::string many = "[";
    for (std::size_t i = 0; i <= kMostMarks; ++i)
        many += std::string(i > 0 ? "," : "") + R"({"root": ""})";
    EXPECT_THAT(problem(many + "]"), testing::HasSubstr("too many marks"));
}

TEST(MarkMetadata, HoldTheMarksAndWhatTheySayOfNodes)
{
    const MarkedNetwork network(true);
    Mark mark = markOf("head");
    mark.settings = {{"use_orig_params", "true"}};
    const EditList edits = markEdits(*network.model, network.tree, {mark}, annotate(network.tree, {mark}));
    ASSERT_EQ(edits.metadata.size(), 1U);
    EXPECT_EQ(edits.metadata[0].first, "duoscope.marks");
    ASSERT_EQ(edits.nodeMetadata.size(), 1U);
    EXPECT_EQ(network.model->node(edits.nodeMetadata[0].first).name, "/head/Gemm");
    EXPECT_EQ(edits.nodeMetadata[0].second,
        (Metadata{{"duoscope.mark", R"({"modules":["head"],"settings":{"use_orig_params":true}})"}}));
    Model written = *network.model;
    written.metadata = edits.metadata;
    EXPECT_EQ(marksOf(written), std::vector<Mark>{mark});
}

TEST(MarkMetadata, WhatIsNoMarkIsTakenForNone)
{
    Model model;
    for (const char* text : {"", "{", "1", "[1]", R"([{"root": 1}])"}) {
        model.metadata = {{"duoscope.marks", text}};
        EXPECT_TRUE(marksOf(model).empty()) << text;
    }
}

} // namespace
} // namespace duo::test
