// SPDX-License-Identifier: Apache-2.0
// Recipes, rules of other tools, patterns, and searches.
#include "tests/fuzz/fuzz_target.h"

#include "core/quantize/recipe/recipe_forms.h"
#include "core/rules/nncf_json.h"
#include "core/rules/old_names.h"
#include "core/rules/pattern.h"
#include "core/rules/python_literal.h"
#include "core/rules/read_rules.h"
#include "core/search/search_query.h"
#include "core/support/json_text.h"
#include "tests/support/file_bytes.h"

namespace duo::test {
namespace {

using Texts = std::vector<std::string>;

void checkProblem(const TextProblem& problem, std::string_view text)
{
    checkError(problem.error(ErrorCode::InvalidRule, "input"));
    require(problem.place.line >= 1 && problem.place.line <= text.size() + 1, "a place behind the text");
}

/// What reads is written, and what is written reads as the same.
void tryRecipe(std::string_view text, std::optional<RuleForm> form)
{
    const auto read = readRecipeText(text, form);
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return checkProblem(*problem, text);
    const Recipe& recipe = std::get<RecipeReading>(read).recipe;
    recipeNotes(recipe);
    const std::string written = recipeText(recipe);
    const auto again = parseRecipe(written, "written");
    require(again.hasValue(), "a recipe that was written does not read");
    require(recipeText(*again) == written, "a recipe that was read and written is another one");
}

void runRecipe(std::string_view text)
{
    tryRecipe(text, std::nullopt);
    tryRecipe(text, RuleForm::Recipe);
}

Texts recipeSeeds()
{
    return {R"({"format": "duoscope-recipe", "version": 1, "rules": [
{"action": "ignore", "kind": "execution-scope", "value": "encoder/layers.0#1"},
{"action": "ignore", "kind": "pattern", "value": ".*/Conv_\\d+", "note": "x", "enabled": false},
{"action": "target", "kind": "class", "value": "torch.nn.Linear"},
{"action": "precision", "kind": "storage-scope", "value": "head", "activations_quantization_params": {"num_bits": 8, "mode": "symmetric"}},
{"action": "ignore", "kind": "subgraph", "inputs": ["/a"], "outputs": ["/b"]},
{"action": "ignore", "kind": "type", "value": "MatMul"}], "validate": true, "mine": [1, 2.5e3, null]})",
        R"({"format": "duoscope-recipe", "version": 1, "quantization": {"preset": "mixed", "profile": "tensorrt",
"subset_size": 300, "model_type": "transformer", "nncf_compatible": true, "fast_bias_correction": false,
"advanced_parameters": {"smooth_quant_alphas": {"matmul": 0.95}, "overflow_fix": "disable",
"activations_range_estimator_params": {"min": {"statistics_type": "quantile", "aggregator_type": "mean",
"quantile_outlier_prob": 1e-4}}, "weights_quantization_params": {"per_channel": true}}}})"};
}

std::vector<std::string> recipeWords()
{
    return {"\"rules\"", "\"action\"", "\"ignore\"", "\"target\"", "\"precision\"", "\"kind\"", "\"value\"",
        "\"execution-scope\"", "\"storage-scope\"", "\"pattern\"", "\"type\"", "\"subgraph\"", "\"class\"", "\"name\"",
        "\"quantization\"", "\"preset\"", "\"profile\"", "\"advanced_parameters\"", "\"validate\"", "\"inputs\"",
        "\"outputs\"", "\"names\"", "\"patterns\"", "\"types\"", "\"subgraphs\"", "\"ignored_scope\"",
        "\"ignored_scopes\"", "\"target_scopes\"", "\"compression\"", "\"algorithm\"", "\"quantization\"",
        "\"nodes_to_exclude\"", "\"nodes_to_quantize\"", "\"op_types_to_quantize\"", "\"ignored_modules\"", "{re}",
        "\\u0000", "\\ud800", "1e999", "-0", "18446744073709551615", "null", "true", "[[[[", "{\"", "\xFF"};
}

void runNncfJson(std::string_view text)
{
    const auto parsed = parseJsonText(text);
    if (const auto* problem = std::get_if<TextProblem>(&parsed))
        return checkProblem(*problem, text);
    const auto& json = std::get<nlohmann::ordered_json>(parsed);
    if (!json.is_object() && !json.is_array())
        return;
    const auto read = json.is_object() ? rulesFromJson(json) : rulesFromJsonList(json);
    if (const ImportedRules* rules = valueOf(read))
        for (std::size_t form = 1; form < kRuleForms; ++form)
            writeRules(rules->rules, static_cast<RuleForm>(form), {nullptr, nullptr, rules->unknown.dump()});
}

Texts nncfSeeds()
{
    return {R"({"ignored_scope": {"names": ["/a/Conv", "b"], "patterns": ["/x.*", "\\d+"], "types": ["Add"],
"subgraphs": [{"inputs": ["a"], "outputs": ["b"]}], "validate": false}})",
        R"({"compression": [{"algorithm": "quantization", "ignored_scopes": ["{re}.*Linear.*", "Net/conv"],
"target_scopes": "x"}, {"algorithm": "magnitude_sparsity", "ignored_scopes": ["y"]}], "input_info": {}})",
        R"({"nodes_to_exclude": ["/a"], "nodes_to_quantize": ["b"], "op_types_to_quantize": ["Conv", "MatMul"]})",
        R"({"ignored_modules": ["layers.0", "model.head"]})", R"(["a", "b", {"ignored_scopes": []}])"};
}

void runPython(std::string_view text)
{
    const auto parsed = parsePython(text);
    if (const auto* problem = std::get_if<TextProblem>(&parsed))
        checkProblem(*problem, text);
    else
        pythonJson(std::get<PythonAssignment>(parsed).value)
            .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    looksLikePython(text);
    const auto rules = rulesFromPython(text);
    if (const auto* problem = std::get_if<TextProblem>(&rules))
        checkProblem(*problem, text);
}

Texts pythonSeeds()
{
    return {"import nncf\n# x\nscope = nncf.IgnoredScope(names=['a', \"b\"], patterns=[r'x\\d'], types=[\"Add\"],\n"
            "    subgraphs=[nncf.Subgraph(inputs=['a'], outputs=['b'])], validate=False)\n",
        "quantize_static(m, nodes_to_exclude=['a', '''b\nc'''], extra={'x': {1, 2.5, -3}, 'y': (1,), 'z': None})",
        "ignored_modules = [model.layers[0], model.get_submodule('a.b'), getattr(m, 'x')]",
        "nncf.quantize(model, nncf.Dataset(d), preset=nncf.QuantizationPreset.MIXED, "
        "ignored_scope=nncf.IgnoredScope(names=[\"\\x41\\u00e9\\N{DASH}\\101\"]))"};
}

void runForms(std::string_view text)
{
    for (std::size_t form = 0; form < kRuleForms; ++form) {
        tryRecipe(text, static_cast<RuleForm>(form));
        const auto read = readRecipeText(text, static_cast<RuleForm>(form));
        if (const auto* reading = std::get_if<RecipeReading>(&read))
            for (std::size_t other = 0; other < kRuleForms; ++other)
                readRecipeText(recipeAs(reading->recipe, static_cast<RuleForm>(other)).text);
    }
    readOldName(text);
    scopeOfPattern(text);
}

Texts formSeeds()
{
    Texts seeds{"/enc/layers.0/self_attn/MatMul_1\nNet/Encoder[enc]/Linear[fc]/linear_0\nenc/fc/linear/0\n"};
    for (const auto& more : {nncfSeeds(), pythonSeeds(), recipeSeeds()})
        seeds.insert(seeds.end(), more.begin(), more.end());
    return seeds;
}

/// The first line is the pattern, the rest what it meets.
void runPattern(std::string_view text)
{
    const std::size_t line = std::min(text.find('\n'), text.size());
    const auto compiled = Pattern::compile(text.substr(0, line));
    if (const auto* problem = std::get_if<PatternProblem>(&compiled)) {
        require(problem->position <= line, "a place behind the pattern");
        require(!problem->text.empty(), "a problem without a text");
        return;
    }
    const auto& pattern = std::get<Pattern>(compiled);
    for (const PatternRemark& remark : pattern.remarks())
        require(remark.position <= line, "a remark behind the pattern");
    static_cast<void>(pattern.match(text.substr(std::min(line + 1, text.size()))));
    SearchQuery::ofPattern(text.substr(0, line));
}

Texts patternSeeds()
{
    return {"/enc/layers\\.\\d+/(?P<x>[a-z]+)/(?P=x).*\n/enc/layers.0/a/a/MatMul", "(?i)(a|b)*?(?(1)c|d)\\Z\nABABc",
        "(?x) a  # c\n b", "[^\\]\\-a-z\\s]{,3}(?<=ab|c)(?<!d)(?:x){2,5}$\nxx",
        "(?s:.*?)(?:Conv)\\b\\B\\x41\\101\\u00e9", "((a+)+)+$\naaaaaaaaaaaaaaaaaaaaaaaaaaaaab"};
}

void runQuery(std::string_view text)
{
    const auto query = SearchQuery::parse(text);
    if (const auto* problem = std::get_if<std::string>(&query))
        require(!problem->empty(), "a problem without a text");
    else
        require(std::get<SearchQuery>(query) == std::get<SearchQuery>(SearchQuery::parse(text)), "two readings differ");
}

Texts querySeeds()
{
    return {"conv type:MatMul -name:\"a b\" scope:/x.*/ parameter:weight shape:1x3x*xN state:quantized", "re:a[/ \"",
        "state:float -state:int8 re:(a|b)+"};
}

} // namespace

std::vector<FuzzTarget> textTargets()
{
    return {
        {"recipe", recipeSeeds, recipeWords(), runRecipe},
        {"nncf-json", nncfSeeds, recipeWords(), runNncfJson},
        {"python", pythonSeeds,
            {"nncf.", "IgnoredScope(", "names=", "patterns=", "subgraphs=", "Subgraph(",
                "inputs=", "outputs=", "validate=", "ignored_modules", "nodes_to_exclude", "get_submodule(", "r'",
                "'''", "\"\"\"", "\\N{", "\\U0010FFFF", "\\x", "None", "True", "import ", "from x import y\n", "#",
                "((((", "[[[[", "1e99", "0x"},
            runPython},
        {"forms", formSeeds, recipeWords(), runForms},
        {"pattern", patternSeeds,
            {"(?:", "(?P<a>", "(?P=a)", "(?(1)", "(?<=", "(?<!", "(?=", "(?!", "(?#", "(?i)", "(?x)",
                "(?s:", "(?-i:", "\\1", "\\g", "\\Z", "\\b", "\\d", "\\N{", "\\u", "\\U", "\\x", "[^", "[]", "{,3}",
                "{2,}", "*?", "++", "(?>", "||", "\n", "\\\n", "[[:alpha:]]", "(*", "\\Q", "\\K"},
            runPattern, 256},
        {"query", querySeeds,
            {"type:", "name:", "scope:", "parameter:", "shape:", "state:", "re:", "-", "\"", "/", "*", "?", "x",
                "quantized"},
            runQuery, 256},
    };
}

} // namespace duo::test
