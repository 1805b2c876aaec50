// SPDX-License-Identifier: Apache-2.0
// Rules read from the forms of other tools.
#include "core/quantize/recipe/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

/// Form, rules and whether they are validated; or the error.
std::vector<std::string> readAs(const std::string& text, std::optional<RuleForm> form = std::nullopt)
{
    const auto read = readRecipeText(text, form);
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return {problem->error(ErrorCode::InvalidRule, "f").line()};
    const auto& reading = std::get<RecipeReading>(read);
    std::vector<std::string> lines{std::string(ruleFormText(reading.form))};
    for (const Rule& rule : reading.recipe.rules.rules)
        lines.push_back(ruleText(rule));
    if (!reading.recipe.rules.validate)
        lines.emplace_back("not validated");
    return lines;
}

TEST(ReadForms, APythonIgnoredScope)
{
    EXPECT_THAT(readAs("import nncf\n"
                       "ignored_scope = nncf.IgnoredScope(  # what stays\n"
                       "    names=['/fc/Gemm', \"/a\" \"/b\"],\n"
                       "    patterns=[r'/enc/\\d+', '\\\\.x\\u00e9'], types=(\"Softmax\",),\n"
                       "    subgraphs=[nncf.Subgraph(inputs=['a'], outputs=['b', 'c'])], validate=False,\n"
                       ")\n"),
        ElementsAre("nncf-python", "ignore name /fc/Gemm", "ignore name /a/b", "ignore pattern /enc/\\d+",
            "ignore pattern \\.xé", "ignore type Softmax", "ignore subgraph [a] to [b, c]", "not validated"));
    EXPECT_THAT(readAs("IgnoredScope(['x'], None, [])"), ElementsAre("nncf-python", "ignore name x"));
}

TEST(ReadForms, ACallThatHoldsAScope)
{
    EXPECT_THAT(readAs("nncf.quantize(model, nncf.Dataset(data, transform), preset=nncf.QuantizationPreset.MIXED,\n"
                       "              ignored_scope=nncf.IgnoredScope(types=['Add']))"),
        ElementsAre("nncf-python", "ignore type Add"));
    EXPECT_THAT(readAs("quantize_static(a, b, reader, nodes_to_exclude=['x'])"), ElementsAre("ort", "ignore name x"));
}

TEST(ReadForms, ModulesOfFsdp)
{
    EXPECT_THAT(readAs("ignored_modules=[model.encoder.layer[0], model.get_submodule('a.b'), 'c.d', model]"),
        ElementsAre("fsdp", "ignore storage-scope encoder.layer.0", "ignore storage-scope a.b",
            "ignore storage-scope c.d", "ignore storage-scope (the whole model)"));
}

TEST(ReadForms, ListsOfNames)
{
    EXPECT_THAT(readAs("[\"a\", \"b\"]"), ElementsAre("list", "ignore name a", "ignore name b"));
    EXPECT_THAT(readAs("['a',]"), ElementsAre("list", "ignore name a"));
    EXPECT_THAT(readAs(" a b \n\n# c\r\n", RuleForm::List), ElementsAre("list", "ignore name a b", "ignore name # c"));
    EXPECT_THAT(readAs("nodes_to_exclude = [\n  'a' # why\n]"), ElementsAre("ort", "ignore name a"));
}

TEST(ReadForms, LegacyConfigurationsWithAlgorithms)
{
    const std::string text = R"({"model": "m", "ignored_scopes": ["a"], "compression": [
        {"algorithm": "quantization", "ignored_scopes": ["{re}b.*"], "preset": "mixed"},
        {"algorithm": "filter_pruning", "ignored_scopes": ["c"]}]})";
    EXPECT_THAT(readAs(text), ElementsAre("legacy-json", "ignore name a", "ignore pattern (?s:.*?)(?:b.*)"));
    const auto read = readRecipeText(text);
    const auto& reading = std::get<RecipeReading>(read);
    EXPECT_EQ(reading.recipe.unknownKeys,
        R"({"model":"m","compression":[{"algorithm":"quantization","preset":"mixed"},)"
        R"({"algorithm":"filter_pruning","ignored_scopes":["c"]}]})");
    EXPECT_EQ(reading.notes.front().text, "the scopes of algorithm 'filter_pruning' are kept and not used");
    EXPECT_THAT(readAs("{'ignored_scopes': '{re}x'}", RuleForm::NncfPython),
        ElementsAre("legacy-json", "ignore pattern (?s:.*?)(?:x)"));
    EXPECT_THAT(readAs(R"([{"algorithm": "quantization", "target_scopes": ["a"]}])"),
        ElementsAre("legacy-json", "target name a"));
}

TEST(ReadForms, AScopeBesideParametersOfQuantize)
{
    const auto read = readRecipeText(
        R"({"ignored_scope": {"names": ["a"], "validate": false}, "preset": "mixed", "subset_size": 8, "my": 1})");
    const auto& recipe = std::get<RecipeReading>(read).recipe;
    EXPECT_EQ(recipe.rules.rules.front().origin, "imported");
    EXPECT_EQ(recipe.quantization.preset, Preset::Mixed);
    EXPECT_EQ(recipe.quantization.subsetSize, 8);
    EXPECT_EQ(recipe.unknownKeys, R"({"my":1})");
}

TEST(ReadForms, ListsOfOnnxRuntime)
{
    EXPECT_THAT(readAs(R"({"nodes_to_exclude": ["a"], "op_types_to_quantize": ["Conv"]})"),
        ElementsAre("ort", "ignore name a", "target type Conv"));
    EXPECT_THAT(readAs(R"({"ignored_modules": ["a.b"]})"), ElementsAre("fsdp", "ignore storage-scope a.b"));
}

TEST(ReadForms, ConfigurationsOfOlive)
{
    const std::string text = R"({"input_model": {"type": "ONNXModel"}, "passes": {
        "opt": {"type": "OrtTransformersOptimization"},
        "q": [{"type": "OnnxStaticQuantization", "per_channel": true, "nodes_to_quantize": null,
               "nodes_to_exclude": ["a"], "op_types_to_quantize": ["Conv"], "op_types_to_exclude": ["Add"]}],
        "d": {"type": "onnxdynamicquantization", "op_types_to_exclude": ["Gather"]}}})";
    EXPECT_THAT(readAs(text), ElementsAre("ort", "ignore name a", "target type Conv", "ignore type Gather"));
    EXPECT_EQ(std::get<RecipeReading>(readRecipeText(text)).recipe.unknownKeys,
        R"({"input_model":{"type":"ONNXModel"},"passes":{"opt":{"type":"OrtTransformersOptimization"},)"
        R"("q":[{"type":"OnnxStaticQuantization","per_channel":true,"op_types_to_exclude":["Add"]}],)"
        R"("d":{"type":"onnxdynamicquantization"}}})");
    EXPECT_THAT(readAs("{\"passes\":\n {\"q\": {\"type\": \"OnnxQuantization\",\n\"nodes_to_exclude\": [3]}}}"),
        ElementsAre("not text: f line 3 column 22 passes.q.nodes_to_exclude[0]: write a list of texts"));
}

TEST(ReadForms, ConfigurationsOfWinMl)
{
    EXPECT_THAT(readAs(R"({"loader": {}, "quant": {"mode": "static", "op_types_to_quantize": ["Conv"],
        "nodes_to_exclude": ["b"]}})"),
        ElementsAre("ort", "ignore name b", "target type Conv"));
    EXPECT_THAT(
        readAs(R"({"quant": {"nodes_to_exclude": null}, "names": ["a"]})"), ElementsAre("nncf-json", "ignore name a"));
}

TEST(ReadForms, ProblemsHaveTheirPlaceInPython)
{
    EXPECT_THAT(readAs("nncf.IgnoredScope(\n  names=['a' 3])"),
        ElementsAre("',' or ']' expected: f line 2 column 14: write Python literals, names and calls"));
    EXPECT_THAT(
        readAs("IgnoredScope(names=[3])"), ElementsAre("not text: f line 1 column 21 names: write a list of texts"));
    EXPECT_THAT(readAs("IgnoredScope(names='a)"),
        ElementsAre("a text that does not end: f line 1 column 20: write Python literals"));
    EXPECT_THAT(readAs("IgnoredScope(patterns=[f'{x}'])"),
        ElementsAre("bytes and f-strings are not read: f line 1 column 24: write Python literals"));
    EXPECT_THAT(readAs("IgnoredScope(names=[x for x in y])"),
        ElementsAre("',' or ']' expected: f line 1 column 23: write Python literals, names and calls"));
    EXPECT_THAT(readAs("IgnoredScope(names=[])\nprint(1)"),
        ElementsAre("text after the end of the value: f line 2 column 1: keep one value only"));
    EXPECT_THAT(readAs("IgnoredScope(subgraphs=[nncf.Subgraph(inputs=['a'])])"),
        ElementsAre("a subgraph without inputs or outputs: f line 1 column 25 subgraphs: name nodes in both lists"));
    EXPECT_THAT(readAs("f(x)"),
        ElementsAre("a call without rules: f: f line 1 column 1: write nncf.IgnoredScope(...), or a call with "
                    "ignored_scope, nodes_to_exclude or ignored_modules"));
}

TEST(ReadForms, ProblemsHaveTheirPlaceInJson)
{
    EXPECT_THAT(readAs("{\"names\":\n [\"a\", 3]}"),
        ElementsAre("not text: f line 2 column 8 names[1]: write a list of texts"));
    EXPECT_THAT(readAs("{\"compression\":\n [{\"ignored_scopes\": {}}]}"),
        ElementsAre("not a list: f line 2 column 22 compression[0].ignored_scopes: write a list of texts"));
}

TEST(ReadForms, HostilePythonIsRefusedInBoundedTime)
{
    EXPECT_THAT(readAs("IgnoredScope" + std::string(100'000, '(')),
        ElementsAre("nested too deeply: f line 1 column 78: at most 64 levels are read"));
    EXPECT_THAT(readAs("x" + std::string(100'000, '['), RuleForm::NncfPython).front(),
        testing::StartsWith("nested too deeply: f line 1"));
    EXPECT_THAT(
        readAs("IgnoredScope(" + std::string(1'000'000, '\\')).front(), testing::StartsWith("'\\' not expected"));
    EXPECT_THAT(readAs("IgnoredScope(names=['" + std::string(1'000'000, '\n')).front(),
        testing::StartsWith("a text that does not end on its line"));
    EXPECT_THAT(readAs(std::string("IgnoredScope(names=['a\\")), ElementsAre(testing::StartsWith("a text that")));
    EXPECT_THAT(readAs(std::string("\0(\xff", 3), RuleForm::NncfPython).size(), 1U);
}

} // namespace
} // namespace duo
