// SPDX-License-Identifier: Apache-2.0
// States, setups and encodings of other tools, sessions, and records in models.
#include "tests/fuzz/fuzz_target.h"

#include "core/model/module_stack.h"
#include "core/pipeline/adopt_encodings.h"
#include "core/pipeline/kept_halves.h"
#include "core/pipeline/kept_sensitivity.h"
#include "core/pipeline/kept_times.h"
#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/session_file.h"
#include "core/quantize/edits/float_changes.h"
#include "core/quantize/edits/qdq_edits.h"
#include "core/scope/scope.h"
#include "core/scope/scope_record.h"
#include "core/state/compression_state.h"
#include "core/state/nncf_setup.h"
#include "tests/support/model_builder.h"

namespace duo::test {
namespace {

using Texts = std::vector<std::string>;

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

/// What was read is written so that the same is read again.
template <typename T, typename Write, typename Parse>
void requireSameAgain(const T& value, const Write& write, const Parse& parse)
{
    const std::string written = write(value);
    const auto again = parse(written);
    require(again.hasValue(), "what was written does not read");
    require(write(*again) == written, "what was read and written is another");
}

void runSession(std::string_view text)
{
    const auto read = parseSession(text, "s.json");
    const KeptSession* session = valueOf(read);
    if (session == nullptr)
        return;
    requireSameAgain(*session, sessionText, [](const std::string& written) { return parseSession(written, "w.json"); });
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

void runTimes(std::string_view text)
{
    const auto read = parseKeptTimes(text, smallModel(), {}, "t.json");
    const NodeTimes* times = valueOf(read);
    if (times == nullptr)
        return;
    requireSameAgain(
        *times, [](const NodeTimes& value) { return keptTimesText(value, smallModel(), {}); },
        [](const std::string& written) { return parseKeptTimes(written, smallModel(), {}, "w.json"); });
}

Texts timesSeeds()
{
    NodeTimes times;
    times.kernels = {{"conv", "FusedConv", 12.5, {NodeId(0), NodeId(1)}}, {"reorder", "ReorderInput", 0.25, {}}};
    times.runs = 20;
    times.date = "2026-11-22T14:05:00Z";
    return {keptTimesText(times, smallModel(), {})};
}

void runSensitivity(std::string_view text)
{
    const auto read = parseKeptSensitivity(text, smallModel(), {}, "s.json");
    const KeptSensitivity* kept = valueOf(read);
    if (kept == nullptr)
        return;
    (void)sensitivityText(kept->report);
    (void)floatOrder(kept->report.groups);
    requireSameAgain(
        *kept, [](const KeptSensitivity& value) { return keptSensitivityText(value, smallModel()); },
        [](const std::string& written) { return parseKeptSensitivity(written, smallModel(), {}, "w.json"); });
}

Texts sensitivitySeeds()
{
    Rule rule;
    rule.value = "c";
    const MeasuredError error{{{30.5, 0.25, false, true, 0.5, 31.0, 0.1}}, 0.125};
    KeptSensitivity kept;
    kept.recipe.rules.rules = {rule};
    kept.report.outputs = {"y"};
    kept.report.samples = 12;
    kept.report.all = error;
    kept.report.agreement = 0.75;
    kept.report.groups = {{GroupKind::Node, "c", {"c"}, {rule}, 1, error, error, 0.5, 0.25, true, 64},
        {GroupKind::Scope, "", {"c", "r"}, {}, std::nullopt, error, error, 0.5, 0.25, false, 64}};
    kept.report.suggestions = {{{"c"}, {rule}, error, 0.75, 4096, 1.5, 0.5, true}};
    kept.report.notes = {{"few-samples", "few", "", Severity::Warning}};
    return {keptSensitivityText(kept, smallModel())};
}

void runHalves(std::string_view text)
{
    const auto read = parseKeptHalves(text, smallModel(), {}, "h.json");
    const KeptHalves* kept = valueOf(read);
    if (kept == nullptr)
        return;
    requireSameAgain(
        *kept, [](const KeptHalves& value) { return keptHalvesText(value, smallModel(), {}); },
        [](const std::string& written) { return parseKeptHalves(written, smallModel(), {}, "w.json"); });
}

Texts halvesSeeds()
{
    KeptHalves kept;
    kept.report.id = "half";
    kept.report.applied = {{"c", "net", ""}};
    kept.report.skipped = {{"r", "", "a rule keeps it"}};
    kept.report.sqnrDb = 52.5;
    return {keptHalvesText(kept, smallModel(), {})};
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

std::vector<FuzzTarget> stateTargets()
{
    return {
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
        {"times", timesSeeds, {"\"kernels\"", "\"nodes\"", "\"microseconds\"", "[0,4]", "null", "-1", "1e99"},
            runTimes},
        {"sensitivity", sensitivitySeeds,
            {"\"groups\"", "\"part_of\"", "\"outputs\"", "\"rules\"", "\"infinite\"", "\"none\"", "null", "-1", "1e99"},
            runSensitivity},
        {"halves", halvesSeeds, {"\"applied\"", "\"skipped\"", "\"sqnr_db\"", "\"version\"", "null", "-1", "1e99"},
            runHalves},
        {"records", recordSeeds,
            {"[", "]", ",", "-1", "\"", "9223372036854775807", "L['", "getattr(", "<class '", "@1"}, runRecords},
    };
}

} // namespace duo::test
