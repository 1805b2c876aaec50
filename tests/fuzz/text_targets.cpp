// SPDX-License-Identifier: Apache-2.0
// Recipes, rules of other tools, patterns, searches, states, sessions, and records in models.
#include "tests/fuzz/fuzz_target.h"

#include "core/model/module_stack.h"
#include "core/pipeline/adopt_encodings.h"
#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/session_file.h"
#include "core/quantize/edits/float_changes.h"
#include "core/quantize/edits/qdq_edits.h"
#include "core/quantize/recipe/recipe_forms.h"
#include "core/rules/nncf_json.h"
#include "core/rules/old_names.h"
#include "core/rules/pattern.h"
#include "core/rules/python_literal.h"
#include "core/rules/read_rules.h"
#include "core/scope/scope.h"
#include "core/scope/scope_record.h"
#include "core/search/search_query.h"
#include "core/state/compression_state.h"
#include "core/state/nncf_setup.h"
#include "core/support/json_text.h"
#include "tests/support/file_bytes.h"
#include "tests/support/model_builder.h"

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

const Model& smallModel()
{
    static const auto model = ModelBuilder()
                                  .input("x", {1, 2, 4, 4})
                                  .weight("w", {2, 2, 1, 1})
                                  .weight("g", {2})
                                  .weight("m", {4, 4})
                                  .node("Conv", "conv", {"x", "w"}, {"a"})
                                  .node("BatchNormalization", "norm", {"a", "g", "g", "g", "g"}, {"b"})
                                  .node("Relu", "relu", {"b"}, {"c"})
                                  .node("MatMul", "product", {"c", "m"}, {"d"})
                                  .node("Add", "biased", {"d", "m"}, {"y"})
                                  .output("y")
                                  .build();
    return *model;
}

void runState(std::string_view text)
{
    const auto parsed = StateText::parse(text, "s.json");
    const StateText* state = valueOf(parsed);
    if (state == nullptr)
        return;
    valueOf(floatChangeEdits(smallModel(), state->recorded().floatChanges));
    const ReadState read = state->onto(smallModel(), NodesThere(smallModel(), {}, state->recorded().graph));
    const Decisions decisions(smallModel().nodes.size());
    valueOf(buildQdqEdits(smallModel(), read.state.setup, read.state.parameters, decisions,
        read.state.recipe.quantization, read.state.biasShifts));
    const std::string written = stateText(smallModel(), read.state);
    const auto again = StateText::parse(written, "w.json");
    require(again.hasValue(), "a state that was written does not read");
    require(
        stateText(smallModel(), again->onto(smallModel(), NodesThere(smallModel(), {}, again->recorded().graph)).state)
            == written,
        "a state that was read and written is another one");
}

Texts stateSeeds()
{
    CompressionState state;
    state.producer = "duoscope";
    state.engine = "onnxruntime";
    state.model = *hashModel(smallModel());
    QuantizationPoint input{.port = std::nullopt, .config = {.mode = QuantizationMode::Asymmetric}};
    input.input = smallModel().findValue("x");
    state.setup.points.emplace(0, input);
    state.setup.points.emplace(1,
        QuantizationPoint{.node = NodeId(0),
            .port = 1,
            .isWeight = true,
            .config = {.perChannel = true, .narrowRange = true},
            .directlyQuantized = {NodeId(0)}});
    state.setup.points.emplace(2, QuantizationPoint{.node = NodeId(2), .port = std::nullopt});
    state.setup.points.emplace(3, QuantizationPoint{.node = NodeId(3), .port = 1, .isWeight = true});
    state.setup.sharedInputGroups[0] = {0, 1};
    state.setup.unifiedScaleGroups[1] = {0, 2};
    state.parameters.emplace(3, QuantizationParameters{ElementType::Int8, {0.5F}, {0}, std::nullopt});
    for (const PointId point : {0U, 2U}) // of one group
        state.parameters.emplace(point, QuantizationParameters{ElementType::UInt8, {0.1F}, {7}, std::nullopt});
    state.parameters.emplace(1, QuantizationParameters{ElementType::Int8, {1.0F / 3.0F, 1e-30F}, {0, 0}, 0});
    Texts seeds{stateText(smallModel(), state)};
    state.floatChanges = {{FloatChangeKind::SmoothQuant, "x", {"conv"}, {0.5F, 2.0F}, ""}};
    state.biasShifts = {{NodeId(0), {0.25F, -1.0F}}};
    state.keptFloat = {{NodeId(0), RecordedKept{"reason", "counterfactual"}}};
    seeds.push_back(stateText(smallModel(), state));
    return seeds;
}

/// A setup or encodings of another tool, on a model.
void runForeign(std::string_view text)
{
    static const Snapshot snapshot = [] {
        Snapshot made;
        made.model = ModelBuilder()
                         .input("x", {1, 2, 4, 4})
                         .weight("w", {2, 2, 1, 1})
                         .node("Conv", "conv", {"x", "w"}, {"a"})
                         .node("Relu", "relu", {"a"}, {"c"})
                         .node("Split", "split", {"c"}, {"d", "e"})
                         .node("Add", "sum", {"d", "e"}, {"y"})
                         .output("y")
                         .build();
        made.scopes = std::make_shared<Scopes>(findScopes(*made.model));
        return *withRecipe(made, {});
    }();
    valueOf(parseNncfSetup(text, "n.json"));
    const auto encodings = parseForeignEncodings(text, "e.json");
    if (valueOf(encodings) == nullptr)
        return;
    const auto adopted = adoptEncodings(snapshot, *encodings, 1, {});
    if (valueOf(adopted) == nullptr)
        return;
    const Compression& compression = adopted->compression;
    require(compression.setup.points.size() == compression.parameters.size(), "a quantizer without parameters");
    const std::string written
        = stateText(*snapshot.model, stateOf(snapshot, compression, {textHash("g"), textHash("w")}));
    require(StateText::parse(written, "w.json").hasValue(), "a state that was written does not read");
}

Texts foreignSeeds()
{
    return {
        R"({"version": "0.6.1", "activation_encodings": {"x": [{"bitwidth": 8, "dtype": "int", "is_symmetric": "False",
"min": -1.0, "max": 2.5, "scale": 0.0137, "offset": -73}]}, "param_encodings": {"w": [{"bitwidth": 8, "dtype": "int",
"scale": 0.5, "offset": -128}, {"bitwidth": 8, "scale": 0.25, "offset": -128}]}, "quantizer_args": {}})",
        R"({"version": "1.0.0", "activation_encodings": [{"name": "d", "dtype": "INT", "bw": 8, "is_sym": false,
"enc_type": "PER_TENSOR", "scale": [0.0137], "offset": [-73]}], "param_encodings": [{"name": "w", "dtype": "FLOAT",
"bw": 16, "enc_type": "PER_CHANNEL"}]})",
        R"({"version": "2.0.0", "encodings": [{"name": "c", "output_dtype": "uint16", "y_scale": 0.5, "y_zero_point": 73},
{"name": "w", "output_dtype": "int8", "y_scale": [1, 2], "axis": -4}, {"name": "x", "output_dtype": "int4",
"y_scale": [[1]], "axis": 1, "block_size": 32}]})",
        R"({"x": [{"quant_type": "QUInt16", "scale": 0.5, "zero_point": 3}], "w": [{"axis": 0, "quant_type": "QInt8",
"scale": 1, "zero_point": 0}, {"scale": 2, "zero_point": 1}], "a": [{"quant_type": "QInt8", "rmin": -1, "rmax": 2,
"convert": {"quant_type": "QUInt8", "recv_nodes": ["relu"]}}]})",
        R"({"CLS": "TensorsData", "data": {"x": {"lowest": -1.0, "highest": 2.5, "CLS": "TensorData"}, "c": {"lowest":
{"data": [0], "dtype": "float32", "CLS": "numpy.array"}, "highest": 3}}, "calibration_method": {"CLS":
"CalibrationMethod", "value": "CalibrationMethod.MinMax"}, "smooth_quant": false})",
        "TRT-8601-EntropyCalibration2\nx: 3c010a14\nc: 3f800000\n",
        R"({"builder_state": {"quantization": {"quantizer_setup": {"quantization_points": {"1": {"qip":
{"target_node_name": "conv"}, "qip_class": "WeightQuantizationInsertionPoint", "qconfig": {"num_bits": 8, "mode":
"symmetric", "signedness_to_force": null, "per_channel": true, "narrow_range": false},
"directly_quantized_operator_node_names": ["conv"]}}, "unified_scale_groups": {},
"shared_input_operation_set_groups": {"0": [1]}}}}, "ctrl_state": {}})"};
}

void runSession(std::string_view text)
{
    const auto read = parseSession(text, "s.json");
    const KeptSession* session = valueOf(read);
    if (session == nullptr)
        return;
    const std::string written = sessionText(*session);
    const auto again = parseSession(written, "w.json");
    require(again.hasValue(), "a session that was written does not read");
    require(sessionText(*again) == written, "a session that was read and written is another one");
}

Texts sessionSeeds()
{
    KeptSession session;
    session.model = "/models/m.onnx";
    session.stamp = {12345678901, 1763850000123456789, 0};
    session.written = "2026-11-22T14:05:00Z";
    session.recipe.rules.rules.emplace_back();
    session.recipe.quantization.subsetSize = 7;
    session.savedAs = "/recipes/mine.recipe.json";
    session.data.spec = "samples.npz";
    session.data.options.arrays = {"labels"};
    session.data.options.dims = {{"N", 2}};
    session.data.options.feedBack = {{"state_out", "state"}};
    session.data.options.mean = {0.485F, 0.456F, 0.406F};
    session.data.options.size = {224, 192};
    session.data.options.layout = "nhwc";
    session.demands = {{30.5, 0.99}, {"labels", "./metric.sh", 0.02}};
    session.results
        = {{ResultKind::Export, "2026-11-21T10:00:00Z", "accepted\nsize", {"a", "b", {7, 8, 0}}, "measured: 1 B",
            std::make_shared<const NodeOutcomes>(NodeOutcomes{"plan", {{{"not run by ", ""}, {"samples"}}},
                {{{1, 3}, NodeState::Preset, 0, {4}}}, {{RunsAs::Int8, "QLinearAdd", "", {{0, 0}, {2, 9}}}}})}};
    session.unfinished = UnfinishedRun{UnfinishedKind::Export, "2026-11-22T14:04:00.000Z", "/models/m.int8.onnx"};
    session.view = {{"graph", {{"open", {"a", "b"}}, {"zoom", 0.5}}}};
    return {sessionText(session), sessionText({})};
}

/// A record of scopes, or a stack of module calls: texts in the metadata of models.
void runRecords(std::string_view text)
{
    parseModuleStack(text);
    if (const auto record = parseScopeRecord(text)) {
        const std::string written = scopeRecordText(*record);
        const auto again = parseScopeRecord(written);
        require(again.has_value(), "a record that was written does not read");
        require(scopeRecordText(*again) == written, "a record that was read and written is another one");
    }
}

Texts recordSeeds()
{
    ScopeRecord record;
    record.rootClass = "Net";
    record.paths = {{0, "", "Net"}, {0, "layers", ""}, {1, "0", "torch.nn.Linear"}};
    record.modules = {0, 1, 2};
    record.keys = {{2, "weight", "", 0, {}, true}};
    record.order = {0, -2};
    record.calls = {{0, 0, 1, false}, {0, 2, 2, true}};
    record.nodes = {{"/layers.0/MatMul", 1, Provenance::Guess, true, false, false, false, false}};
    record.reads = {{0, 0, -1, "w", "", Provenance::Guess, true, false, false, false}};
    record.signatures = {{"layers.0", {{.formal = "x", .value = "h", .module = "layers"}}, {{.value = "y"}}}};
    return {scopeRecordText(record),
        "{'L__self___a': ('L[\\'self\\'].a', <class 'm.A'>), 'b@1': ('a.b', 'torch.nn.modules.linear.Linear')}",
        "{'x': (\"getattr(L['m'].features, '0')\", 'C')}"};
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
        {"state", stateSeeds,
            {"\"points\"", "\"parameters\"", "\"scale\"", "\"float_changes\"", "\"setup\"", "-1", "1e39", "null",
                "9223372036854775807"},
            runState},
        {"foreign", foreignSeeds,
            {"\"scale\"", "\"offset\"", "\"x\"", "\"w\"", "\"c\"", "\"e\"", "\"bw\"", "\"axis\"", "-1", "0", "1e39",
                "1e-46", "null", "9223372036854775807", "\"int16\"", "\"QInt16\"", "7f800000", "[[", "16", "32"},
            runForeign},
        {"session", sessionSeeds,
            {"\"recipe\"", "\"data\"", "\"view\"", "\"results\"", "\"stamp\"", "null", "-1", "1e99", "\\u0000"},
            runSession},
        {"records", recordSeeds,
            {"[", "]", ",", "-1", "\"", "9223372036854775807", "L['", "getattr(", "<class '", "@1"}, runRecords},
    };
}

} // namespace duo::test
