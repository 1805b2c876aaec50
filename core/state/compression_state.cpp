// SPDX-License-Identifier: Apache-2.0
#include "core/state/compression_state.h"

#include "core/quantize/points/setup_json.h"
#include "core/quantize/recipe/recipe_json.h"
#include "core/report/decision_sentences.h"
#include "core/state/number_list.h"
#include "core/state/state_file.h"
#include "core/state/state_versions.h"
#include "core/state/unmade_changes.h"
#include "core/support/file.h"
#include "core/support/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// {node name: [number per channel]}.
template <typename T> Json numbersByNode(const Model& model, const std::map<NodeId, std::vector<T>>& numbers)
{
    Json json = Json::object();
    for (const auto& [node, ofChannels] : numbers)
        addMember(json, model.node(node).name, numbersJson(std::vector<float>(ofChannels.begin(), ofChannels.end())));
    return json;
}

/// [{"node", "reason", "counterfactual"}] in node order.
Json keptFloatJson(const Model& model, const KeptFloats& kept)
{
    Json json = Json::array();
    for (const auto& [node, why] : kept) {
        const RecordedKept told = keptTexts(model, why);
        json.push_back(
            {{"node", model.node(node).name}, {"reason", told.reason}, {"counterfactual", told.counterfactual}});
    }
    return json;
}

Json halvesJson(const Model& model, const HalvedNodes& halved)
{
    Json nodes = Json::array();
    for (const NodeId node : halved.nodes)
        nodes.push_back(model.node(node).name);
    return {{"type", elementTypeName(halved.type)}, {"nodes", std::move(nodes)}};
}

Json measuredJson(const Model& model, const CompressionState& state)
{
    Json json{{"engine", state.engine}, {"samples", state.samples}};
    if (!state.data.empty())
        json["data"] = state.data;
    if (!state.statistics.empty())
        json["statistics"] = state.statistics;
    json["parameters"] = parametersJson(state.parameters);
    if (!state.floatChanges.empty())
        json["float_changes"] = floatChangesJson(state.floatChanges);
    if (!state.biasShifts.empty())
        json["bias_shifts"] = numbersByNode(model, state.biasShifts);
    if (!state.inputMeans.empty())
        json["input_means"] = numbersByNode(model, state.inputMeans);
    if (state.halved)
        json[std::string(kHalvesKey)] = halvesJson(model, *state.halved);
    json["float_nodes"] = state.keptFloat ? keptFloatJson(model, *state.keptFloat) : Json();
    return json;
}

/// How many levels are below, of which no more than `most` are looked at: that many stand for more.
std::size_t heightOf(const Json& json, std::size_t most)
{
    std::size_t height = 0;
    if (most > 0 && json.is_structured()) {
        for (const Json& item : json)
            height = std::max(height, heightOf(item, most - 1) + 1);
    }
    return height;
}

/// What has a quantizer's height stands on one line: a state is read, and compared, line by line.
void appendLines(std::string& text, const Json& json, const std::string& indent)
{
    constexpr std::size_t kHeightOfLine = 2;
    constexpr std::size_t kMostOnLine = 8;
    const bool isList = json.is_array();
    const std::size_t height = heightOf(json, kHeightOfLine + 1);
    const bool isLine = height <= (json.size() <= kMostOnLine ? kHeightOfLine : 0) || (isList && height == 1);
    if (isLine || !json.is_structured()) {
        text += json.dump();
        return;
    }
    const std::string inner = indent + " ";
    text += isList ? "[" : "{";
    bool isFirst = true;
    for (const auto& [key, value] : json.items()) {
        text += isFirst ? "\n" + inner : ",\n" + inner;
        text += isList ? std::string() : Json(key).dump() + ": ";
        appendLines(text, value, inner);
        isFirst = false;
    }
    text += "\n" + indent + (isList ? "]" : "}");
}

} // namespace

std::string stateText(const Model& model, const CompressionState& state)
{
    Json json{{"format", kStateFormat}, {"version", kStateVersion}, {"producer", state.producer},
        {"model", {{"graph_hash", state.model.graph}, {"weights_hash", state.model.weights}}},
        {"recipe", recordedRecipeJson(state.recipe)},
        {"builder_state",
            {{"quantization",
                {{"quantizer_setup", setupJson(model, state.setup)}, {"steps", stepsJson(state.steps)}}}}},
        {"ctrl_state", {{"quantization", measuredJson(model, state)}}}};
    if (!state.scopes.empty())
        json["model"]["scopes"] = state.scopes;
    if (!state.graph.nodes.empty())
        json["model"]["nodes"] = nodeRecordsJson(state.graph.nodes);
    if (!state.graph.outputs.empty())
        json["model"]["outputs"] = state.graph.outputs;
    if (state.graph.inputNames)
        json["model"]["input_names"] = *state.graph.inputNames;
    if (!state.graph.outputNames.empty())
        json["model"]["output_names"] = state.graph.outputNames;
    if (!state.transforms.empty())
        json["transforms"] = passRunsJson(state.transforms);
    addDigests(json);
    std::string text;
    appendLines(text, json, "");
    return text + "\n";
}

StateText::StateText(std::shared_ptr<const RecordedState> recorded, std::vector<std::string> unlike)
    : m_recorded(std::move(recorded))
    , m_unlike(std::move(unlike))
{
}

Result<StateText> StateText::parse(std::string_view text, const std::string& name)
{
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadState, EqualKeys::Refused));
    DUO_TRY(newest, inNewestVersion(std::move(json), name));
    DUO_TRY(recorded, recordedStateFromJson(newest.json, name));
    std::vector<std::string> unlike;
    for (const std::string& key : newest.unlike)
        unlike.push_back("the state was changed since it was written, in " + key);
    return StateText(std::make_shared<const RecordedState>(std::move(recorded)), std::move(unlike));
}

Result<StateText> StateText::read(const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxStateBytes));
    return parse(text, path.string());
}

ReadState StateText::onto(const Model& model, const NodesThere& there, const std::vector<FloatChange>& unmade) const
{
    std::vector<std::string> leftOut;
    std::optional<RecordedState> less;
    if (!unmade.empty())
        less = withoutScaled(*m_recorded, unmade, leftOut);
    const RecordedState& recorded = less ? *less : *m_recorded;
    PlacedState placed = placedOnto(model, recorded, there);
    placed.leftOut.insert(placed.leftOut.begin(), leftOut.begin(), leftOut.end());
    CompressionState state{recorded};
    state.setup = std::move(placed.setup);
    state.parameters = std::move(placed.parameters);
    if (recorded.tellsKeptFloat || !placed.keptFloat.empty()) // older versions told some
        state.keptFloat = std::move(placed.keptFloat);
    state.biasShifts = std::move(placed.biasShifts);
    state.inputMeans = std::move(placed.inputMeans);
    state.halved = std::move(placed.halved);
    return {std::move(state), std::move(placed.found), std::move(placed.leftOut)};
}

} // namespace duo
