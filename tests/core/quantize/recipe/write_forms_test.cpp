// SPDX-License-Identifier: Apache-2.0
// Rules written in the forms of other tools, and what is lost.
#include "core/onnx/reader.h"
#include "core/quantize/recipe/recipe_forms.h"
#include "core/report/convert_report.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Rule made(RuleAction action, RuleKind kind, const std::string& value)
{
    Rule rule;
    rule.action = action;
    rule.kind = kind;
    rule.value = value;
    return rule;
}

Recipe ofRules(std::vector<Rule> rules)
{
    Recipe recipe;
    recipe.rules.rules = std::move(rules);
    return recipe;
}

std::vector<std::string> losses(const RulesText& text)
{
    std::vector<std::string> lines;
    for (const RuleLoss& loss : text.losses)
        lines.push_back(lossText(loss));
    return lines;
}

/// Everything NNCF can say, with signs that need escaping.
Recipe nncfRules()
{
    Recipe recipe = ofRules({made(RuleAction::Ignore, RuleKind::Name, "/größe \"a\"\\b\n\x01"),
        made(RuleAction::Ignore, RuleKind::Pattern, "/enc/\\d+\\.x"),
        made(RuleAction::Ignore, RuleKind::Type, "Softmax"), made(RuleAction::Ignore, RuleKind::Subgraph, "")});
    recipe.rules.rules.back().inputs = {"a", "b"};
    recipe.rules.rules.back().outputs = {"c"};
    recipe.rules.validate = false;
    return recipe;
}

RuleSet readBack(const std::string& text, std::optional<RuleForm> form = std::nullopt)
{
    auto read = readRecipeText(text, form);
    if (const auto* problem = std::get_if<TextProblem>(&read)) {
        ADD_FAILURE() << problem->error(ErrorCode::InvalidRule, text).line();
        return {};
    }
    RuleSet rules = std::get<RecipeReading>(std::move(read)).recipe.rules;
    for (Rule& rule : rules.rules)
        rule.origin.clear();
    return rules;
}

TEST(WriteForms, WhatNncfCanSayComesBackAsItWas)
{
    const Recipe recipe = nncfRules();
    for (const RuleForm form : {RuleForm::NncfPython, RuleForm::NncfJson, RuleForm::Recipe}) {
        const RulesText text = recipeAs(recipe, form);
        EXPECT_EQ(readBack(text.text), recipe.rules) << text.text;
        EXPECT_THAT(text.losses, IsEmpty());
    }
}

TEST(WriteForms, NncfPythonLooksLikeCode)
{
    Recipe recipe = ofRules({made(RuleAction::Ignore, RuleKind::Name, "/fc/Gemm")});
    recipe.rules.rules[0].comment = "the head";
    EXPECT_EQ(recipeAs(recipe, RuleForm::NncfPython).text,
        "nncf.IgnoredScope(\n"
        "    names=[\n"
        "        \"/fc/Gemm\",  # the head\n"
        "    ],\n"
        ")\n");
    EXPECT_EQ(recipeAs({}, RuleForm::NncfPython).text, "nncf.IgnoredScope()\n");
}

TEST(WriteForms, LegacyKeepsTheMeaningOfPatterns)
{
    const Recipe recipe = ofRules(
        {made(RuleAction::Ignore, RuleKind::Name, "a"), made(RuleAction::Ignore, RuleKind::Pattern, "(?s:.*?)(?:b|c)"),
            made(RuleAction::Target, RuleKind::Pattern, "(?i)d|e"),
            made(RuleAction::Ignore, RuleKind::Pattern, "(?s:.*?)(?:f)(g)")});
    const RulesText text = recipeAs(recipe, RuleForm::LegacyJson);
    const auto wanted = nlohmann::json::parse(R"json({
        "ignored_scopes": ["a", "{re}b|c", "{re}\\A(?:(?s:.*?)(?:f)(g))"],
        "target_scopes": ["{re}(?i)\\A(?:d|e)"]})json");
    EXPECT_EQ(nlohmann::json::parse(text.text), wanted);
    EXPECT_THAT(text.losses, IsEmpty());
    EXPECT_EQ(readBack(text.text).rules[1], recipe.rules.rules[1]);
}

TEST(WriteForms, UnknownKeysGoBackWhereTheyWere)
{
    const std::string text = R"({"model": "m", "compression": {"algorithm": "quantization", "ignored_scopes": ["a"]}})";
    const auto read = readRecipeText(text);
    const RulesText again = recipeAs(std::get<RecipeReading>(read).recipe, RuleForm::LegacyJson);
    EXPECT_EQ(nlohmann::json::parse(again.text), nlohmann::json::parse(text));
}

TEST(WriteForms, WithoutAModelWhatAFormCannotSayIsLeftOutAndSaid)
{
    Recipe recipe = ofRules({made(RuleAction::Ignore, RuleKind::ExecutionScope, "enc"),
        made(RuleAction::Target, RuleKind::Type, "Conv"), made(RuleAction::Ignore, RuleKind::Name, "a")});
    recipe.rules.rules[2].enabled = false;
    recipe.quantization.subsetSize = 3;
    const RulesText text = recipeAs(recipe, RuleForm::NncfJson);
    EXPECT_EQ(text.text, "{\n  \"validate\": true\n}\n");
    EXPECT_THAT(losses(text),
        ElementsAre("rule 1: left out, this form has no execution-scope rules; with the model it becomes node names: "
                    "ignore execution-scope enc",
            "rule 2: there are no target scopes in this form; with the model it becomes ignored names: target type "
            "Conv",
            "rule 3: a disabled rule is left out: ignore name a",
            "the settings are left out: this form has rules only"));
}

struct Opened {
    std::shared_ptr<const Model> model = *readModel(std::string(DUO_TEST_DATA) + "/cases/a_sibling.onnx");
    Scopes scopes = findScopes(*model);
    RulesText write(const Recipe& recipe, RuleForm form) const { return recipeAs(recipe, form, model.get(), &scopes); }
};

TEST(WriteForms, WithAModelRulesBecomeNames)
{
    const Opened opened;
    const Recipe recipe = ofRules({made(RuleAction::Ignore, RuleKind::StorageScope, "enc.proj"),
        made(RuleAction::Ignore, RuleKind::Pattern, "/enc/proj"), made(RuleAction::Ignore, RuleKind::Name, "nope")});
    const RulesText text = opened.write(recipe, RuleForm::Ort);
    EXPECT_EQ(text.text, "nodes_to_exclude=[\n    \"/enc/proj/Gemm\",\n    \"/dec/proj/Gemm\",\n    \"nope\",\n]\n");
    EXPECT_THAT(losses(text),
        ElementsAre("rule 1: written as the names of 2 nodes of this export: ignore storage-scope enc.proj",
            "rule 2: written as the names of 1 node of this export: ignore pattern /enc/proj"));
    EXPECT_EQ(opened.write(recipe, RuleForm::List).text, "/enc/proj/Gemm\n/dec/proj/Gemm\nnope\n");
}

TEST(WriteForms, TargetsBecomeIgnoredNames)
{
    const Opened opened;
    const RulesText text
        = opened.write(ofRules({made(RuleAction::Target, RuleKind::Pattern, "/(enc|dec)")}), RuleForm::List);
    EXPECT_THAT(text.text, testing::Not(testing::HasSubstr("/enc")));
    EXPECT_THAT(losses(text),
        ElementsAre(
            testing::MatchesRegex("there are no target scopes in this form: [0-9]+ nodes of this export that no "
                                  "target rule catches are ignored by name")));
}

TEST(WriteForms, FsdpNamesModules)
{
    const Opened opened;
    const RulesText text = opened.write(ofRules({made(RuleAction::Ignore, RuleKind::StorageScope, "enc"),
                                            made(RuleAction::Ignore, RuleKind::ExecutionScope, "dec")}),
        RuleForm::Fsdp);
    EXPECT_EQ(text.text,
        "ignored_modules=[\n    model.get_submodule(\"enc\"),\n    model.get_submodule(\"dec.own\"),\n"
        "    model.get_submodule(\"enc.proj\"),\n]\n");
    EXPECT_THAT(losses(text),
        ElementsAre("rule 2: written as 2 modules with all their parameters, wherever they are read; 1 node without "
                    "parameters left out: ignore execution-scope dec"));
    EXPECT_EQ(readBack(text.text).rules[1].value, "dec.own");
}

TEST(ConvertReport, FitsItsSchema)
{
    const RecipeReading reading{nncfRules(), RuleForm::Recipe, {{"unknown-key", "x", "y"}}};
    for (std::size_t i = 0; i < kRuleForms; ++i) {
        const auto form = static_cast<RuleForm>(i);
        const auto json = convertJson(reading, form, recipeAs(reading.recipe, form));
        EXPECT_EQ(schemaComplaints(json, "convert-rules"), "");
    }
}

} // namespace
} // namespace duo::test
