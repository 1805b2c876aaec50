// SPDX-License-Identifier: Apache-2.0
#include "core/state/recorded_state.h"

#include "core/model/code_range.h"
#include "core/quantize/recipe/recipe_json.h"
#include "core/state/number_list.h"
#include "core/support/enum_text.h"
#include "core/support/json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string_view>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kKinds = enumTexts<FloatChangeKind::CrossLayer>({"smooth-quant", "cross-layer-equalization"});
constexpr std::int64_t kMostDimensions = 64;
constexpr std::int64_t kMostSamples = 1'000'000'000;
constexpr int kByteBits = 8;

Result<std::vector<float>> scalesFromJson(const Json& json, const JsonPlace& place)
{
    DUO_TRY(scales, numbersFromJson(json, place));
    if (scales.empty())
        return place.error("no scales");
    for (std::size_t i = 0; i < scales.size(); ++i) {
        if (scales[i] <= 0)
            return place.element(i).error("not above zero");
    }
    return scales;
}

Result<QuantizationParameters> parametersOf(const Json& json, const JsonPlace& place)
{
    DUO_TRY(fields, JsonFields::of(json, place, {"type", "axis", "scale", "zero_point"}));
    DUO_TRY(typeText, fields.text("type"));
    const auto type = codeTypeNamed(typeText);
    if (!type)
        return fields.place("type").error("not a type of codes");
    QuantizationParameters parameters;
    parameters.type = *type;
    if (!fields.at("axis").is_null()) {
        DUO_TRY(axis, fields.integer("axis", 0, kMostDimensions));
        parameters.axis = axis;
    }
    DUO_TRY(scales, scalesFromJson(fields.at("scale"), fields.place("scale")));
    if (!parameters.axis && scales.size() != 1)
        return fields.place("scale").error(std::to_string(scales.size()) + " scales, and no axis");
    const CodeRange codes = codeRange(parameters.type).value_or(CodeRange());
    for (std::size_t i = 0; i < scales.size(); ++i) {
        if (!std::isfinite(scales[i] * static_cast<float>(codes.count())))
            return fields.place("scale").element(i).error("its codes reach further than numbers go");
    }
    DUO_TRY(
        zeroPoints, codesFromJson(fields.at("zero_point"), fields.place("zero_point"), scales.size(), parameters.type));
    parameters.scale = std::move(scales);
    parameters.zeroPoint = std::move(zeroPoints);
    return parameters;
}

/// Codes are of as many bits as the point says, and have channels only where it does.
Status checkAgree(const RecordedPoint& point, const QuantizationParameters& parameters, const JsonPlace& place)
{
    const int bits = elementBits(parameters.type);
    if (point.config.numBits != bits)
        return place.member("type").error("codes of " + std::to_string(bits) + " bits, where the quantizer has "
            + std::to_string(point.config.numBits));
    if (!point.isWeight && (bits < kByteBits || point.config.block > 0))
        return place.error("an activation in codes of " + std::to_string(bits) + " bits or in blocks");
    if (bits < kByteBits && point.config.signednessToForce
        && *point.config.signednessToForce != codeRange(parameters.type)->isSigned())
        return place.member("type").error("signed or not, where the quantizer says the other");
    if (point.config.block > 0 && !parameters.axis)
        return place.member("axis").error("missing, where a block of the weight has a scale");
    if (parameters.axis && !point.config.perChannel)
        return place.member("axis").error("channels, where the quantizer has one scale for all");
    const CodeRange codes = codeRange(parameters.type).value_or(CodeRange());
    const std::int32_t middle = codes.isSigned() ? 0 : codes.count() / 2;
    const auto isCentred = [middle](std::int32_t zero) { return zero == 0 || zero == middle; };
    if (point.config.mode == QuantizationMode::Symmetric && !std::ranges::all_of(parameters.zeroPoint, isCentred))
        return place.member("zero_point").error("not in the middle of the codes of a symmetric quantizer");
    return success();
}

Status checkGroups(const RecordedSetup& setup, const ParametersByPoint& parameters, const JsonPlace& place)
{
    for (const auto& [group, members] : setup.unifiedScaleGroups) {
        const QuantizationParameters& first = parameters.at(members.front());
        for (const PointId member : members) {
            if (parameters.at(member) != first)
                return place.member(std::to_string(member))
                    .error("not the scale of quantizer " + std::to_string(members.front())
                        + ", with which it is in group " + std::to_string(group) + " of equal scales");
        }
    }
    return success();
}

Result<ParametersByPoint> parametersFromJson(const Json& json, const JsonPlace& place, const RecordedSetup& setup)
{
    if (!json.is_object())
        return place.error("not an object");
    ParametersByPoint parameters;
    for (const auto& [key, value] : json.get_ref<const Json::object_t&>()) {
        const JsonPlace at = place.member(key);
        DUO_TRY(id, idOfKey(key, at));
        const auto point = std::ranges::lower_bound(setup.points, id, {}, &RecordedPoint::id);
        if (point == setup.points.end() || point->id != id)
            return at.error("no such quantizer");
        DUO_TRY(read, parametersOf(value, at));
        DUO_CHECK(checkAgree(*point, read, at));
        read.block = point->config.block;
        parameters.emplace(id, std::move(read));
    }
    for (const RecordedPoint& point : setup.points) {
        if (!parameters.contains(point.id))
            return place.member(std::to_string(point.id)).error("missing field");
    }
    DUO_CHECK(checkGroups(setup, parameters, place));
    return parameters;
}

Result<FloatChange> floatChangeFromJson(const Json& json, const JsonPlace& place)
{
    DUO_TRY(fields, JsonFields::of(json, place, {"kind", "value", "nodes", "scales"}, {"folded_into"}));
    FloatChange change;
    DUO_TRY(kindText, fields.text("kind"));
    const auto kind = enumFromText<FloatChangeKind>(kKinds, kindText);
    if (!kind)
        return fields.place("kind").error("not a change of the model");
    change.kind = *kind;
    DUO_TRY(value, fields.text("value"));
    change.value = std::move(value);
    DUO_TRY(nodes, fields.distinctTexts("nodes"));
    change.nodes = std::move(nodes);
    if (change.kind == FloatChangeKind::CrossLayer ? change.nodes.size() != 2 : change.nodes.empty())
        return fields.place("nodes").error("not the nodes of a " + kindText + " change");
    DUO_TRY(scales, scalesFromJson(fields.at("scales"), fields.place("scales")));
    change.scales = std::move(scales);
    if (fields.has("folded_into")) {
        DUO_TRY(into, fields.text("folded_into"));
        change.foldedInto = std::move(into);
    }
    return change;
}

Result<std::vector<FloatChange>> floatChangesFromJson(const Json& json, const JsonPlace& place)
{
    if (!json.is_array())
        return place.error("not a list");
    std::vector<FloatChange> changes;
    for (const Json& item : json) {
        DUO_TRY(change, floatChangeFromJson(item, place.element(changes.size())));
        changes.push_back(std::move(change));
    }
    return changes;
}

Result<std::pair<std::string, KeptFloat>> keptFloatFromJson(const Json& json, const JsonPlace& place)
{
    DUO_TRY(fields, JsonFields::of(json, place, {"node", "reason", "counterfactual"}));
    DUO_TRY(node, fields.text("node"));
    RecordedKept kept;
    DUO_TRY(reason, fields.text("reason"));
    kept.reason = std::move(reason);
    DUO_TRY(counterfactual, fields.text("counterfactual"));
    kept.counterfactual = std::move(counterfactual);
    return std::pair<std::string, KeptFloat>(std::move(node), std::move(kept));
}

Result<std::string> hashOf(const JsonFields& fields, std::string_view key)
{
    DUO_TRY(text, fields.text(key));
    if (!isHash(text))
        return fields.place(key).error("not a digest");
    return std::move(text);
}

Status readModelPart(const Json& json, const JsonPlace& place, RecordedState& state)
{
    DUO_TRY(fields,
        JsonFields::of(json, place, {"graph_hash", "weights_hash"},
            {"scopes", "nodes", "outputs", "input_names", "output_names"}));
    DUO_TRY(graph, hashOf(fields, "graph_hash"));
    DUO_TRY(weights, hashOf(fields, "weights_hash"));
    state.model = {std::move(graph), std::move(weights)};
    if (fields.has("scopes")) {
        DUO_TRY(scopes, fields.text("scopes"));
        state.scopes = std::move(scopes);
    }
    if (fields.has("nodes")) {
        DUO_TRY(nodes, nodeRecordsFromJson(fields.at("nodes"), fields.place("nodes")));
        state.graph.nodes = std::move(nodes);
    }
    if (fields.has("outputs")) {
        DUO_TRY(outputs, giversFromJson(fields.at("outputs"), fields.place("outputs"), state.graph.nodes.size()));
        state.graph.outputs = std::move(outputs);
    }
    if (fields.has("input_names")) {
        DUO_TRY(names, textsOf(fields.at("input_names"), fields.place("input_names")));
        state.graph.inputNames = std::move(names);
    }
    if (fields.has("output_names")) {
        DUO_TRY(names, textsOf(fields.at("output_names"), fields.place("output_names")));
        state.graph.outputNames = std::move(names);
        if (state.graph.outputNames.size() != state.graph.outputs.size())
            return fields.place("output_names").error("not as many as outputs");
    }
    return success();
}

Status readBuilderPart(const Json& json, const JsonPlace& place, RecordedState& state)
{
    DUO_TRY(fields, JsonFields::of(json, place, {"quantization"}));
    DUO_TRY(quantization,
        JsonFields::of(fields.at("quantization"), fields.place("quantization"), {"quantizer_setup", "steps"}));
    DUO_TRY(setup, recordedSetupFromJson(quantization.at("quantizer_setup"), quantization.place("quantizer_setup")));
    state.setup = std::move(setup);
    const Json& steps = quantization.at("steps");
    const JsonPlace ofSteps = quantization.place("steps");
    if (!steps.is_object())
        return ofSteps.error("not an object");
    for (const auto& [id, version] : steps.get_ref<const Json::object_t&>()) {
        DUO_TRY(number, integerOf(version, ofSteps.member(id), 1, std::numeric_limits<int>::max()));
        state.steps.push_back({id, static_cast<int>(number)});
    }
    return success();
}

Status readTransforms(const Json& json, const JsonPlace& place, RecordedState& state)
{
    if (!json.is_array())
        return place.error("not a list");
    std::set<std::string> seen;
    for (const Json& item : json) {
        const JsonPlace at = place.element(state.transforms.size());
        DUO_TRY(fields, JsonFields::of(item, at, {"id", "version", "applied"}));
        DUO_TRY(id, fields.text("id"));
        DUO_TRY(version, fields.integer("version", 1, std::numeric_limits<int>::max()));
        DUO_TRY(applied, fields.integer("applied", 1, std::numeric_limits<std::int64_t>::max()));
        if (!seen.insert(id).second)
            return fields.place("id").error("the pass stands twice");
        state.transforms.push_back({std::move(id), static_cast<int>(version), applied});
    }
    return success();
}

/// {node name: [number per channel]}; nothing where there is no such field.
Result<std::vector<std::pair<std::string, std::vector<float>>>> numbersByNode(
    const JsonFields& fields, std::string_view key)
{
    std::vector<std::pair<std::string, std::vector<float>>> nodes;
    if (!fields.has(key))
        return nodes;
    if (!fields.at(key).is_object())
        return fields.place(key).error("not an object");
    for (const auto& [node, json] : fields.at(key).get_ref<const Json::object_t&>()) {
        DUO_TRY(numbers, numbersFromJson(json, fields.place(key).member(node)));
        nodes.emplace_back(node, std::move(numbers));
    }
    return nodes;
}

Status readCorrections(const JsonFields& fields, RecordedState& state)
{
    if (fields.has("float_changes")) {
        DUO_TRY(changes, floatChangesFromJson(fields.at("float_changes"), fields.place("float_changes")));
        state.floatChanges = std::move(changes);
    }
    DUO_TRY(shifts, numbersByNode(fields, "bias_shifts"));
    state.biasShifts = std::move(shifts);
    DUO_TRY(means, numbersByNode(fields, "input_means"));
    state.inputMeans = std::move(means);
    return success();
}

/// Null, or missing in older versions: it is not told which they are.
Status readKeptFloat(const JsonFields& fields, RecordedState& state)
{
    constexpr const char* kKey = "float_nodes";
    if (!fields.has(kKey))
        return state.version < kSinceFloatNodes ? success() : fields.place(kKey).error("missing field");
    const Json& nodes = fields.at(kKey);
    if (nodes.is_null() && state.version >= kSinceFloatNodes)
        return success();
    if (nodes.empty() && nodes.is_array() && state.version < kSinceFloatNodes)
        return fields.place(kKey).error("an empty list, which version 5 began with");
    DUO_TRY(kept, keptFloatsFromJson(nodes, fields.place(kKey)));
    state.keptFloat = std::move(kept);
    state.tellsKeptFloat = state.version >= kSinceFloatNodes;
    return success();
}

/// {"type": "float16", "nodes": [name]}
Status readHalves(const JsonFields& fields, RecordedState& state)
{
    if (!fields.has(kHalvesKey))
        return success();
    DUO_TRY(halves, JsonFields::of(fields.at(kHalvesKey), fields.place(kHalvesKey), {"type", "nodes"}));
    DUO_TRY(type, halves.text("type"));
    if (type != elementTypeName(HalvedNodes().type))
        return halves.place("type").error("not the floats of 16 bits that an export has beside codes");
    DUO_TRY(nodes, halves.distinctTexts("nodes"));
    state.halved = std::move(nodes);
    return success();
}

Status readControlPart(const Json& json, const JsonPlace& place, RecordedState& state)
{
    DUO_TRY(outer, JsonFields::of(json, place, {"quantization"}));
    DUO_TRY(fields,
        JsonFields::of(outer.at("quantization"), outer.place("quantization"), {"engine", "samples", "parameters"},
            {"data", "statistics", "float_changes", "bias_shifts", "input_means", "float_nodes", kHalvesKey}));
    DUO_TRY(engine, fields.text("engine"));
    if (engine.empty())
        return fields.place("engine").error("empty: what the ranges are from is not told");
    state.engine = std::move(engine);
    DUO_TRY(samples, fields.integer("samples", 0, kMostSamples));
    state.samples = samples;
    for (const auto& [key, into] : {std::pair("data", &state.data), std::pair("statistics", &state.statistics)}) {
        if (!fields.has(key))
            continue;
        DUO_TRY(digest, hashOf(fields, key));
        *into = std::move(digest);
    }
    DUO_TRY(parameters, parametersFromJson(fields.at("parameters"), fields.place("parameters"), state.setup));
    state.parameters = std::move(parameters);
    DUO_CHECK(readCorrections(fields, state));
    DUO_CHECK(readHalves(fields, state));
    return readKeptFloat(fields, state);
}

} // namespace

Result<std::vector<std::pair<std::string, KeptFloat>>> keptFloatsFromJson(const Json& list, const JsonPlace& place)
{
    if (!list.is_array())
        return place.error("not a list");
    std::vector<std::pair<std::string, KeptFloat>> all;
    std::set<std::string_view> seen;
    for (const Json& item : list) {
        const JsonPlace at = place.element(all.size());
        DUO_TRY(kept, keptFloatFromJson(item, at));
        all.push_back(std::move(kept));
        if (!seen.insert(item["node"].get_ref<const std::string&>()).second)
            return at.member("node").error("the node stands twice");
    }
    return all;
}

Result<RecordedState> recordedStateFromJson(const Json& json, const std::string& file)
{
    DUO_TRY(fields,
        JsonFields::of(json, {file},
            {"format", "version", "producer", "model", "recipe", "builder_state", "ctrl_state"},
            {"transforms", "digests"}));
    RecordedState state;
    DUO_TRY(version, fields.integer("version", 1, kStateVersion));
    state.version = static_cast<int>(version);
    DUO_TRY(producer, fields.text("producer"));
    state.producer = std::move(producer);
    DUO_CHECK(readModelPart(fields.at("model"), fields.place("model"), state));
    auto recipe = recordedRecipeFromJson(fields.at("recipe"), file + " recipe");
    if (!recipe) {
        Error error = std::move(recipe).error();
        error.code = ErrorCode::BadState;
        return error;
    }
    state.recipe = *std::move(recipe);
    if (fields.has("transforms"))
        DUO_CHECK(readTransforms(fields.at("transforms"), fields.place("transforms"), state));
    DUO_CHECK(readBuilderPart(fields.at("builder_state"), fields.place("builder_state"), state));
    DUO_CHECK(readControlPart(fields.at("ctrl_state"), fields.place("ctrl_state"), state));
    return state;
}

Json passRunsJson(const std::vector<PassRun>& runs)
{
    Json list = Json::array();
    for (const PassRun& run : runs)
        list.push_back({{"id", run.id}, {"version", run.version}, {"applied", run.applied}});
    return list;
}

Json stepsJson(const std::vector<AppliedStep>& steps)
{
    Json json = Json::object();
    for (const AppliedStep& step : steps)
        addMember(json, step.id, step.version);
    return json;
}

Json parametersJson(const ParametersByPoint& parameters)
{
    Json json = Json::object();
    for (const auto& [id, p] : parameters) {
        addMember(json, std::to_string(id),
            {{"type", elementTypeName(p.type)}, {"axis", p.axis ? Json(*p.axis) : Json()},
                {"scale", numbersJson(p.scale)}, {"zero_point", codesJson(p.zeroPoint, p.type)}});
    }
    return json;
}

Json floatChangesJson(const std::vector<FloatChange>& changes)
{
    Json json = Json::array();
    for (const FloatChange& change : changes) {
        json.push_back({{"kind", floatChangeText(change.kind)}, {"value", change.value}, {"nodes", change.nodes},
            {"scales", numbersJson(change.scales)}});
        if (!change.foldedInto.empty())
            json.back()["folded_into"] = change.foldedInto;
    }
    return json;
}

std::string_view floatChangeText(FloatChangeKind kind)
{
    return enumText(kKinds, kind);
}

} // namespace duo
