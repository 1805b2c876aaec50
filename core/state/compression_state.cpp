// SPDX-License-Identifier: Apache-2.0
#include "core/state/compression_state.h"

#include "core/model/code_range.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/edits/float_changes.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/points/setup_json.h"
#include "core/quantize/recipe/recipe_json.h"
#include "core/state/state_file.h"
#include "core/support/enum_text.h"
#include "core/support/file.h"
#include "core/support/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace duo {
namespace {

/// {"<id>": {"type": "uint8", "axis": null, "scale": [...], "zero_point": [...]}}
nlohmann::ordered_json parametersJson(const ParametersByPoint& parameters);

/// @return BadState naming the quantizer whose numbers cannot be used: scales must be positive and finite, zero points
/// inside the codes of the type, as many as scales
Result<ParametersByPoint> parametersFromJson(const nlohmann::ordered_json& json, const std::string& name);

using Json = nlohmann::ordered_json;

constexpr std::array kCodeTypes{ElementType::UInt8, ElementType::Int8, ElementType::UInt16, ElementType::Int16};

bool readScales(const Json& json, std::vector<float>& scales)
{
    if (!json.is_array() || json.empty())
        return false;
    for (const Json& item : json) {
        if (!item.is_number())
            return false;
        const auto scale = static_cast<float>(item.get<double>());
        if (!std::isfinite(scale) || scale <= 0)
            return false;
        scales.push_back(scale);
    }
    return true;
}

bool readZeroPoints(const Json& json, ElementType type, std::vector<std::int32_t>& zeroPoints)
{
    if (!json.is_array())
        return false;
    const CodeRange codes = codeRange(type).value_or(CodeRange());
    for (const Json& item : json) {
        if (!item.is_number_integer())
            return false;
        const auto value = item.get<std::int64_t>();
        if (value < codes.lowest || value > codes.highest)
            return false;
        zeroPoints.push_back(static_cast<std::int32_t>(value));
    }
    return true;
}

std::optional<QuantizationParameters> parametersOf(const Json& json)
{
    QuantizationParameters parameters;
    if (!json.is_object() || !json.contains("scale") || !json.contains("zero_point") || !json.contains("type"))
        return std::nullopt;
    const auto type = std::find_if(kCodeTypes.begin(), kCodeTypes.end(),
        [&](ElementType known) { return json["type"] == elementTypeName(known); });
    if (type == kCodeTypes.end())
        return std::nullopt;
    parameters.type = *type;
    if (const auto axis = json.find("axis"); axis != json.end() && !axis->is_null()) {
        if (!axis->is_number_unsigned() || axis->get<std::uint64_t>() > 64)
            return std::nullopt;
        parameters.axis = axis->get<std::int64_t>();
    }
    if (!readScales(json["scale"], parameters.scale)
        || !readZeroPoints(json["zero_point"], parameters.type, parameters.zeroPoint)
        || parameters.scale.size() != parameters.zeroPoint.size())
        return std::nullopt;
    return parameters;
}

Json parametersJson(const ParametersByPoint& parameters)
{
    Json json = Json::object();
    for (const auto& [id, p] : parameters) {
        addMember(json, std::to_string(id),
            {{"type", elementTypeName(p.type)}, {"axis", p.axis ? Json(*p.axis) : Json()}, {"scale", p.scale},
                {"zero_point", p.zeroPoint}});
    }
    return json;
}

Result<ParametersByPoint> parametersFromJson(const Json& json, const std::string& name)
{
    ParametersByPoint parameters;
    for (const auto& [key, value] : json.items()) {
        PointId id = 0;
        const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
        auto read = parametersOf(value);
        if (error != std::errc{} || end != key.data() + key.size() || !read)
            return Error{ErrorCode::BadState, "scale or zero point cannot be used", name + " parameters " + key,
                "take the state file as Duoscope wrote it"};
        parameters.emplace(id, *std::move(read));
    }
    return parameters;
}

/// [{"kind", "value", "nodes", "scales", "folded_into" unless empty}], in the order they are made.
nlohmann::ordered_json floatChangesJson(const std::vector<FloatChange>& changes);

/// @return BadState for what is no change, or scales that are not positive and finite
Result<std::vector<FloatChange>> floatChangesFromJson(const nlohmann::ordered_json& json, const std::string& name);

/// {node name: [shift per channel]}.
nlohmann::ordered_json biasShiftsJson(const Model& model, const BiasShifts& shifts);

/// Shifts of nodes the model does not have are told in `leftOut`. @return BadState for what is no finite number
Result<BiasShifts> biasShiftsFromJson(
    const Model& model, const nlohmann::ordered_json& json, const std::string& name, std::vector<std::string>& leftOut);

/// [{"node", "reason", "counterfactual"}] in node order.
nlohmann::ordered_json keptFloatJson(const Model& model, const KeptFloats& kept);

/// Nodes the model does not have are told in `leftOut`. @return BadState for what is no such list
Result<KeptFloats> keptFloatFromJson(
    const Model& model, const nlohmann::ordered_json& json, const std::string& name, std::vector<std::string>& leftOut);

using Json = nlohmann::ordered_json;

constexpr auto kKinds = enumTexts<FloatChangeKind::CrossLayer>({"smooth-quant", "cross-layer-equalization"});

Error wrong(const std::string& what, const std::string& where)
{
    return {ErrorCode::BadState, what, where, "take the state file as Duoscope wrote it"};
}

/// Finite numbers; nothing for anything else.
std::optional<std::vector<float>> floatsOf(const Json& json)
{
    if (!json.is_array())
        return std::nullopt;
    std::vector<float> numbers;
    for (const Json& item : json) {
        const auto number = item.is_number() ? static_cast<float>(item.get<double>()) : std::nanf("");
        if (!std::isfinite(number))
            return std::nullopt;
        numbers.push_back(number);
    }
    return numbers;
}

std::optional<FloatChange> changeOf(const Json& json)
{
    const auto isText = [](const Json& item) { return item.is_string(); };
    const bool hasKeys = json.is_object() && json.contains("kind") && json.contains("value") && json.contains("nodes")
        && json.contains("scales") && isText(json["kind"]) && isText(json["value"]) && json["nodes"].is_array()
        && std::all_of(json["nodes"].begin(), json["nodes"].end(), isText);
    if (!hasKeys)
        return std::nullopt;
    FloatChange change;
    if (const auto at = json.find("folded_into"); at != json.end()) {
        if (!at->is_string())
            return std::nullopt;
        change.foldedInto = at->get<std::string>();
    }
    const auto kind = std::find(kKinds.begin(), kKinds.end(), json["kind"].get<std::string>());
    auto scales = floatsOf(json["scales"]);
    const bool areScales
        = scales && !scales->empty() && std::all_of(scales->begin(), scales->end(), [](float s) { return s > 0; });
    if (kind == kKinds.end() || !areScales)
        return std::nullopt;
    change.kind = static_cast<FloatChangeKind>(kind - kKinds.begin());
    change.value = json["value"].get<std::string>();
    change.nodes = json["nodes"].get<std::vector<std::string>>();
    change.scales = *std::move(scales);
    return change;
}

Json floatChangesJson(const std::vector<FloatChange>& changes)
{
    Json json = Json::array();
    for (const FloatChange& change : changes) {
        json.push_back({{"kind", enumText(kKinds, change.kind)}, {"value", change.value}, {"nodes", change.nodes},
            {"scales", change.scales}});
        if (!change.foldedInto.empty())
            json.back()["folded_into"] = change.foldedInto;
    }
    return json;
}

Result<std::vector<FloatChange>> floatChangesFromJson(const Json& json, const std::string& name)
{
    std::vector<FloatChange> changes;
    if (!json.is_array())
        return wrong("not a list", name + " float_changes");
    for (const Json& item : json) {
        auto change = changeOf(item);
        if (!change)
            return wrong("not a change of the model", name + " float_changes[" + std::to_string(changes.size()) + "]");
        changes.push_back(*std::move(change));
    }
    return changes;
}

Json biasShiftsJson(const Model& model, const BiasShifts& shifts)
{
    Json json = Json::object();
    for (const auto& [node, shift] : shifts)
        addMember(json, model.node(node).name, shift);
    return json;
}

Result<BiasShifts> biasShiftsFromJson(
    const Model& model, const Json& json, const std::string& name, std::vector<std::string>& leftOut)
{
    BiasShifts shifts;
    if (!json.is_object())
        return wrong("not an object", name + " bias_shifts");
    for (const auto& [key, value] : json.items()) {
        auto shift = floatsOf(value);
        if (!shift)
            return wrong("not a list of numbers", name + " bias_shifts " + key);
        const NodeId node = model.findNode(key);
        if (node.valid())
            shifts.emplace(node, *std::move(shift));
        else
            leftOut.push_back("the corrected bias of '" + key + "' was left out: there is no such node");
    }
    return shifts;
}

Json keptFloatJson(const Model& model, const KeptFloats& kept)
{
    Json json = Json::array();
    for (const auto& [node, why] : kept)
        json.push_back(
            {{"node", model.node(node).name}, {"reason", why.reason}, {"counterfactual", why.counterfactual}});
    return json;
}

Result<KeptFloats> keptFloatFromJson(
    const Model& model, const Json& json, const std::string& name, std::vector<std::string>& leftOut)
{
    KeptFloats kept;
    if (!json.is_array())
        return wrong("not a list", name + " float_nodes");
    for (const Json& item : json) {
        const auto textOf = [&](const char* key) {
            const auto found = item.is_object() ? item.find(key) : item.end();
            return found != item.end() && found->is_string() ? found->get<std::string>() : std::string();
        };
        const std::string node = textOf("node");
        if (node.empty())
            return wrong("not a node", name + " float_nodes");
        if (const NodeId id = model.findNode(node); id.valid())
            kept.emplace(id, KeptFloat{textOf("reason"), textOf("counterfactual"), ReasonKind::Profile});
        else
            leftOut.push_back("'" + node + "', which stays in float, was left out: there is no such node");
    }
    return kept;
}

using Json = nlohmann::ordered_json;

constexpr const char* kRemedy = "take the state file as Duoscope wrote it";

Error wrong(const std::string& what, const std::string& name, const std::string& at)
{
    return {ErrorCode::BadState, what, name + " " + at, kRemedy};
}

/// The object under a path of keys. @return BadState naming the first key that is missing
Result<const Json*> objectAt(const Json& root, std::initializer_list<const char*> keys, const std::string& name)
{
    const Json* at = &root;
    std::string path;
    for (const char* key : keys) {
        path += (path.empty() ? "" : ".") + std::string(key);
        const auto found = at->find(key);
        if (found == at->end() || !found->is_object())
            return wrong("missing key", name, path);
        at = &*found;
    }
    return at;
}

std::string textAt(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// [{"id": "batch-norm", "version": 1, "applied": 20}]
Json passRunsJson(const std::vector<PassRun>& runs)
{
    Json list = Json::array();
    for (const PassRun& run : runs)
        list.push_back({{"id", run.id}, {"version", run.version}, {"applied", run.applied}});
    return list;
}

Result<std::vector<PassRun>> passRunsFromJson(const Json& state, const std::string& name)
{
    std::vector<PassRun> runs;
    const auto list = state.find("transforms");
    if (list == state.end())
        return runs;
    if (!list->is_array())
        return wrong("not a list", name, "transforms");
    for (const Json& item : *list) {
        const bool isRun = item.is_object() && item.contains("version") && item["version"].is_number_integer()
            && item.contains("applied") && item["applied"].is_number_integer();
        if (!isRun)
            return wrong("not a pass with version and applied", name, "transforms");
        runs.push_back({textAt(item, "id"), item["version"].get<int>(), item["applied"].get<std::int64_t>()});
    }
    return runs;
}

/// Parameters of points that were left out go with them; a point without parameters is left out as well.
void dropUnmatched(ReadState& read)
{
    auto& setup = read.state.setup;
    setup.points.eraseIf([&](const auto& entry) {
        const bool hasParameters = read.state.parameters.contains(entry.first);
        if (!hasParameters)
            read.leftOut.push_back("quantizer " + std::to_string(entry.first) + " was left out: it has no parameters");
        return !hasParameters;
    });
    const auto isGone = [&](PointId id) { return !setup.points.contains(id); };
    std::erase_if(read.state.parameters, [&](const auto& entry) { return isGone(entry.first); });
    for (PointGroups* groups : {&setup.unifiedScaleGroups, &setup.sharedInputGroups}) {
        for (auto& [id, members] : *groups)
            std::erase_if(members, isGone);
        groups->eraseIf([](const auto& group) { return group.second.empty(); });
    }
}

} // namespace

std::string stateText(const Model& model, const CompressionState& state)
{
    Json json{{"format", "duoscope-compression-state"}, {"version", 1}, {"producer", state.producer},
        {"model", {{"graph_hash", state.model.graph}, {"weights_hash", state.model.weights}}},
        {"recipe", recipeJson(state.recipe)},
        {"builder_state", {{"quantization", {{"quantizer_setup", setupJson(model, state.setup)}}}}},
        {"ctrl_state",
            {{"quantization",
                {{"engine", state.engine}, {"samples", state.samples},
                    {"parameters", parametersJson(state.parameters)}}}}}};
    Json& measured = json["ctrl_state"]["quantization"];
    if (!state.floatChanges.empty())
        measured["float_changes"] = floatChangesJson(state.floatChanges);
    if (!state.biasShifts.empty())
        measured["bias_shifts"] = biasShiftsJson(model, state.biasShifts);
    if (!state.keptFloat.empty())
        measured["float_nodes"] = keptFloatJson(model, state.keptFloat);
    if (!state.transforms.empty())
        json["transforms"] = passRunsJson(state.transforms);
    if (!state.scopes.empty())
        json["model"]["scopes"] = state.scopes;
    return json.dump(2) + "\n";
}

StateText::StateText(std::shared_ptr<const nlohmann::ordered_json> json, std::string name)
    : m_json(std::move(json))
    , m_name(std::move(name))
{
}

Result<StateText> StateText::parse(std::string_view text, const std::string& name)
{
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadState));
    if (!json.is_object() || textAt(json, "format") != "duoscope-compression-state")
        return wrong("not a compression state", name, "format");
    if (!json.contains("version") || json["version"] != 1)
        return Error{ErrorCode::BadState, "unknown state version", name + " version", "use a newer Duoscope"};
    return StateText(std::make_shared<const Json>(std::move(json)), name);
}

Result<StateText> StateText::read(const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxStateBytes));
    return parse(text, path.string());
}

Result<std::optional<TransformOptions>> StateText::transforms() const
{
    DUO_TRY(recipe, objectAt(*m_json, {"recipe"}, m_name));
    DUO_TRY(read, recipeFromJson(*recipe, m_name + " recipe"));
    return std::move(read.transforms);
}

std::string StateText::scopes() const
{
    const auto model = m_json->find("model");
    return model != m_json->end() && model->is_object() ? textAt(*model, "scopes") : std::string();
}

Result<std::vector<FloatChange>> StateText::floatChanges() const
{
    const Json* at = m_json.get();
    for (const char* key : {"ctrl_state", "quantization", "float_changes"}) {
        const auto found = at->find(key);
        if (found == at->end())
            return std::vector<FloatChange>{};
        at = &*found;
    }
    return floatChangesFromJson(*at, m_name);
}

Result<ReadState> StateText::onto(const Model& model) const
{
    const Json& json = *m_json;
    const std::string& name = m_name;
    DUO_TRY(hashes, objectAt(json, {"model"}, name));
    DUO_TRY(recipe, objectAt(json, {"recipe"}, name));
    DUO_TRY(setup, objectAt(json, {"builder_state", "quantization", "quantizer_setup"}, name));
    DUO_TRY(measured, objectAt(json, {"ctrl_state", "quantization"}, name));
    DUO_TRY(parameters, objectAt(json, {"ctrl_state", "quantization", "parameters"}, name));

    ReadState read;
    read.state.producer = textAt(json, "producer");
    read.state.engine = textAt(*measured, "engine");
    read.state.model = {textAt(*hashes, "graph_hash"), textAt(*hashes, "weights_hash")};
    read.state.scopes = textAt(*hashes, "scopes");
    DUO_TRY(passRuns, passRunsFromJson(json, name));
    read.state.transforms = std::move(passRuns);
    if (const auto samples = measured->find("samples"); samples != measured->end() && samples->is_number_integer())
        read.state.samples = samples->get<std::int64_t>();
    DUO_TRY(readRecipe, recipeFromJson(*recipe, name + " recipe"));
    read.state.recipe = std::move(readRecipe);
    DUO_TRY(readSetup, setupFromJson(model, *setup, name));
    read.state.setup = std::move(readSetup.setup);
    read.leftOut = std::move(readSetup.leftOut);
    DUO_TRY(readParameters, parametersFromJson(*parameters, name));
    read.state.parameters = std::move(readParameters);
    dropUnmatched(read);
    if (const auto changes = measured->find("float_changes"); changes != measured->end()) {
        DUO_TRY(made, floatChangesFromJson(*changes, name));
        read.state.floatChanges = std::move(made);
    }
    if (const auto shifts = measured->find("bias_shifts"); shifts != measured->end()) {
        DUO_TRY(made, biasShiftsFromJson(model, *shifts, name, read.leftOut));
        read.state.biasShifts = std::move(made);
    }
    if (const auto nodes = measured->find("float_nodes"); nodes != measured->end()) {
        DUO_TRY(kept, keptFloatFromJson(model, *nodes, name, read.leftOut));
        read.state.keptFloat = std::move(kept);
    }
    return read;
}

} // namespace duo
