// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr const char* kRecipe = R"({
  "format": "duoscope-recipe", "version": 1, "author": "me",
  "rules": [
    {"action": "ignore", "kind": "execution-scope", "value": "layer1/0", "origin": "user",
     "nodes": ["Conv:7"]},
    {"action": "target", "kind": "subgraph", "inputs": ["a"], "outputs": ["b"], "enabled": false}
  ],
  "validate": false,
  "quantization": {"preset": "mixed", "subset_size": 32, "fast_bias_correction": true}
})";

std::string errorOf(const std::string& json)
{
    return parseRecipe(json, "r.json").error().line();
}

TEST(Recipe, IsReadWithRulesAndSettings)
{
    const auto recipe = parseRecipe(kRecipe, "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    ASSERT_EQ(recipe->rules.rules.size(), 2U);
    EXPECT_EQ(recipe->rules.rules[0].kind, RuleKind::ExecutionScope);
    EXPECT_EQ(recipe->rules.rules[0].nodes, std::vector<std::string>{"Conv:7"});
    EXPECT_FALSE(recipe->rules.rules[1].enabled);
    EXPECT_FALSE(recipe->rules.validate);
    EXPECT_EQ(recipe->quantization.preset, Preset::Mixed);
    EXPECT_EQ(recipe->quantization.subsetSize, 32);
}

TEST(Recipe, WrittenAndReadAgainIsTheSameWithUnknownKeys)
{
    const auto recipe = parseRecipe(kRecipe, "r.json");
    const std::string text = recipeText(*recipe);
    EXPECT_EQ(*parseRecipe(text, "again"), *recipe);
    EXPECT_EQ(recipeText(*parseRecipe(text, "again")), text);
    for (const char* key :
        {"\"author\": \"me\"", "\"origin\": \"user\"", "\"nodes\"", "\"fast_bias_correction\": true"})
        EXPECT_THAT(text, testing::HasSubstr(key));
}

TEST(Recipe, KeepsWhichModulesBecomeFunctions)
{
    Recipe recipe = *parseRecipe(kRecipe, "r.json");
    recipe.functions.scopes = {"blk"};
    const auto again = parseRecipe(recipeText(recipe), "again");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->functions.scopes, std::vector<std::string>{"blk"});
    EXPECT_THAT(recipeText(*again), testing::HasSubstr("\"author\": \"me\""));
    for (const Note& note : recipeNotes(*again))
        EXPECT_NE(note.where, "functions") << note.text;
    EXPECT_EQ(errorOf(R"({"format": "duoscope-recipe", "version": 1, "functions": 1})"),
        "not functions: r.json line 1 column 58 functions: write an object, such as {\"classes\": [\"Linear\"]}");
}

TEST(Recipe, ReadsNncfIgnoredScope)
{
    const auto recipe = parseRecipe(
        R"({"names": ["/fc/Gemm"], "patterns": ["/enc/.*"], "types": ["Softmax"],
            "subgraphs": [{"inputs": ["a"], "outputs": ["b"]}], "validate": false, "extra": 1})",
        "nncf.json");
    ASSERT_TRUE(recipe);
    std::vector<std::string> texts;
    for (const Rule& rule : recipe->rules.rules)
        texts.push_back(ruleText(rule));
    EXPECT_THAT(texts,
        testing::ElementsAre(
            "ignore name /fc/Gemm", "ignore pattern /enc/.*", "ignore type Softmax", "ignore subgraph [a] to [b]"));
    EXPECT_FALSE(recipe->rules.validate);
}

TEST(Recipe, LegacyPatternsKeepTheirMeaning)
{
    const auto recipe = parseRecipe(
        R"({"ignored_scopes": ["plain", "{re}conv[0-9]"], "target_scopes": "{re}Linear"})", "legacy.json");
    ASSERT_TRUE(recipe);
    EXPECT_EQ(ruleText(recipe->rules.rules[0]), "ignore name plain");
    EXPECT_EQ(ruleText(recipe->rules.rules[1]), "ignore pattern (?s:.*?)(?:conv[0-9])");
    EXPECT_EQ(ruleText(recipe->rules.rules[2]), "target pattern (?s:.*?)(?:Linear)");
}

TEST(Recipe, ErrorsNameFilePlaceAndRemedy)
{
    const std::string head = R"({"format": "duoscope-recipe", "version": 1, )";
    EXPECT_EQ(
        errorOf("{\n\"rules\": [}"), "not valid JSON, unexpected '}': r.json line 2 column 11: correct the text there");
    EXPECT_EQ(
        errorOf(R"({"rules": [], "rules": []})"), "a key stands twice: r.json line 1 column 1 rules: keep one of them");
    EXPECT_EQ(errorOf("[]"), "not a recipe: r.json line 1 column 1: write a JSON object");
    EXPECT_EQ(errorOf("hello"), "not valid JSON, invalid literal: r.json line 1 column 1: correct the text there");
    EXPECT_EQ(errorOf(R"({"format": "duoscope-recipe", "version": 2})"),
        "unknown recipe version: r.json line 1 column 42 version: write \"version\": 1, or use a newer Duoscope");
    EXPECT_EQ(errorOf(head + "\n\"rules\": [{}, {\"action\": \"ignore\", \"kind\": \"nam\", \"value\": \"x\"}]}"),
        "a rule without action: r.json line 2 column 11 rules[0]: write \"action\": \"ignore\", "
        "\"target\" or \"precision\"");
    EXPECT_EQ(errorOf(head + "\n\"rules\": [{\"action\": \"ignore\", \"kind\": \"nam\", \"value\": \"x\"}]}"),
        "unknown kind 'nam': r.json line 2 column 40 rules[0].kind: write name, pattern, type, subgraph, "
        "execution-scope, storage-scope or class");
    EXPECT_EQ(errorOf(head + R"("quantization": {"preset": "fast"}})"),
        "unknown value \"fast\": r.json line 1 column 72 quantization.preset: write one of performance, mixed");
    EXPECT_EQ(errorOf(head + R"("quantization": {"subset_size": 0}})"),
        "not a count: r.json line 1 column 77 quantization.subset_size: write a whole number from 1");
}

TEST(Recipe, PrecisionRulesAreReadStrictlyAndWrittenAgain)
{
    const std::string head = R"({"format": "duoscope-recipe", "version": 1, "rules": [)";
    const std::string rule = R"({"action": "precision", "kind": "type", "value": "Conv")";
    const auto recipe
        = parseRecipe(head + rule + R"(, "activations_quantization_params": {"num_bits": 16, "mode": "asymmetric"},
                "weights_quantization_params": {"per_channel": false}}]})",
            "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    EXPECT_EQ(
        ruleText(recipe->rules.rules[0]), "precision type Conv: activations 16 bits asymmetric, weights per tensor");
    const auto again = parseRecipe(recipeText(*recipe), "again");
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(*again, *recipe);
    EXPECT_EQ(errorOf(head + rule + "}]}"),
        "a precision rule that wants nothing: r.json line 1 column 55 rules[0]: write activations_quantization_params, "
        "weights_quantization_params or float_bits");
    EXPECT_EQ(errorOf(head + rule + R"(, "weights_quantization_params": {"bits": 8}}]})"),
        "unknown key: r.json line 1 column 152 rules[0].weights_quantization_params.bits: write num_bits, mode, "
        "signedness_to_force, per_channel or narrow_range");
    EXPECT_EQ(errorOf(head + rule + R"(, "weights_quantization_params": {"num_bits": 7}}]})"),
        "not a number of bits: r.json line 1 column 156 rules[0].weights_quantization_params.num_bits: write 8 or 16");
}

TEST(Recipe, PrecisionRulesSayInHowManyBitsFloatsAreComputed)
{
    const std::string head = R"({"format": "duoscope-recipe", "version": 1, "rules": [)";
    const std::string rule = R"({"action": "precision", "kind": "type", "value": "Sigmoid")";
    const auto recipe = parseRecipe(head + rule + R"(, "float_bits": 32}]})", "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    EXPECT_EQ(ruleText(recipe->rules.rules[0]), "precision type Sigmoid: floats of 32 bits");
    const auto again = parseRecipe(recipeText(*recipe), "again");
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(*again, *recipe);
    EXPECT_EQ(errorOf(head + rule + R"(, "float_bits": 8}]})"),
        "not a number of bits of a float: r.json line 1 column 129 rules[0].float_bits: write 16 or 32");
}

TEST(Recipe, TransformsSayWhetherAndHowNodesComputeInSixteenBits)
{
    const std::string head = R"({"format": "duoscope-recipe", "version": 1, "transforms": {)";
    const auto recipe
        = parseRecipe(head + R"("half": "bfloat16", "half_ports": true, "half_min_sqnr": 50.5}})", "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    EXPECT_EQ(halfTypeOf(*recipe->transforms), ElementType::BFloat16);
    EXPECT_TRUE(recipe->transforms->halfPorts);
    EXPECT_EQ(recipe->transforms->halfSqnrDb, 50.5);
    const auto again = parseRecipe(recipeText(*recipe), "again");
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(*again, *recipe);
    EXPECT_EQ(halfTypeOf({}), std::nullopt);
    EXPECT_EQ(halfTypeOf({.enabled = {"half"}}), ElementType::Float16);
    EXPECT_EQ(halfTypeOf({.disabled = {"half"}, .half = ElementType::BFloat16}), std::nullopt);
    EXPECT_EQ(errorOf(head + R"("half": "float32"}})"),
        "unknown value \"float32\": r.json line 1 column 68 transforms.half: write one of float16, bfloat16");
    EXPECT_EQ(errorOf(head + R"("half_min_sqnr": "much"}})"),
        "not a number: r.json line 1 column 77 transforms.half_min_sqnr: write decibels, or leave it out");
}

TEST(Recipe, OpsetsOfTransformsAreOnesThatAModelCanBeWrittenIn)
{
    const std::string head = R"({"format": "duoscope-recipe", "version": 1, "transforms": {)";
    EXPECT_EQ(errorOf(head + R"("opset": 12}})"),
        "no opset that a model can be written in: r.json line 1 column 69 transforms.opset: write 13 or more, or leave "
        "it out");
    EXPECT_EQ(errorOf(head + R"("least_opset": 26}})"),
        "no opset that a model can be written in: r.json line 1 column 75 transforms.least_opset: write 14 to 25, or "
        "leave it out");
    EXPECT_EQ(errorOf(head + R"("opset": 13, "least_opset": 20}})"),
        "no opset is at least 20 and at most 13: r.json line 1 column 88 transforms.least_opset: leave one of them "
        "out");
}

TEST(Recipe, ParametersOfNncfMustHaveTheirType)
{
    const std::string head = R"({"format": "duoscope-recipe", "version": 1, "quantization": {)";
    EXPECT_EQ(errorOf(head + R"("fast_bias_correction": "yes"}})"),
        "not true or false: r.json line 1 column 86 quantization.fast_bias_correction: write true or false, or leave "
        "it out");
    EXPECT_EQ(errorOf(head + "\n\"advanced_parameters\": {\"smooth_quant_alphas\": {\"matmul\": \"x\"}}}}"),
        "not a number: r.json line 2 column 59 quantization.advanced_parameters.smooth_quant_alphas.matmul: write a "
        "number, or leave it out");
    const auto recipe = parseRecipe(head + R"("advanced_parameters": {"overflow_fix": "disable"}}})", "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    EXPECT_EQ(recipe->quantization.overflowFix, OverflowFix::Disable);
}

TEST(Recipe, KeysWithoutEffectAreNoted)
{
    const auto recipe = parseRecipe(
        R"({"format": "duoscope-recipe", "version": 1, "by": "me", "rules": [{"action": "ignore", "kind": "name",
            "value": "x", "colour": "red"}], "quantization": {"presset": "mixed",
            "advanced_parameters": {"batchwise_statistics": true, "speed": 3}}})",
        "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    std::vector<std::string> notes;
    for (const Note& note : recipeNotes(*recipe))
        notes.push_back(note.kind + " " + note.where);
    EXPECT_THAT(notes,
        testing::ElementsAre("unknown-key rules[0].colour", "unknown-key quantization.presset",
            "unused-key quantization.advanced_parameters.batchwise_statistics",
            "unknown-key quantization.advanced_parameters.speed", "unknown-key by"));
}

TEST(Recipe, ASettingOnTheTopLevelIsToldWhereItBelongs)
{
    const auto recipe = parseRecipe(R"({"format": "duoscope-recipe", "version": 1, "rules": [], "preset": "mixed",
            "advanced_parameters": {"overflow_fix": "enable"}, "presett": 1})",
        "r.json");
    ASSERT_TRUE(recipe) << recipe.error().line();
    const std::vector<Note> notes = recipeNotes(*recipe);
    ASSERT_EQ(notes.size(), 3U);
    for (const std::size_t setting : {0U, 1U})
        EXPECT_EQ(notes[setting].text, "a setting, which belongs under 'quantization': kept, but without effect");
    EXPECT_EQ(notes[2].text, "a key that is not known: kept, but without effect");
}

TEST(Recipe, RefusesNestingThatWouldExhaustTheStack)
{
    EXPECT_EQ(
        errorOf(std::string(100000, '[')), "nested too deeply: r.json line 1 column 66: at most 64 levels are read");
}

} // namespace
} // namespace duo
