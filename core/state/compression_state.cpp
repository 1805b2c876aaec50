// SPDX-License-Identifier: Apache-2.0
#include "core/state/compression_state.h"

#include "core/quantize/points/setup_json.h"
#include "core/quantize/recipe/recipe_json.h"
#include "core/state/corrections_json.h"
#include "core/state/parameters_json.h"
#include "core/support/file.h"
#include "core/support/json.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxStateBytes = std::size_t{1} << 30U;
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
    std::erase_if(read.state.parameters, [&](const auto& entry) { return !setup.points.contains(entry.first); });
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
    if (!state.scopes.empty())
        json["model"]["scopes"] = state.scopes;
    return json.dump(2) + "\n";
}

Result<ReadState> parseState(const Model& model, std::string_view text, const std::string& name)
{
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadState));
    if (!json.is_object() || textAt(json, "format") != "duoscope-compression-state")
        return wrong("not a compression state", name, "format");
    if (!json.contains("version") || json["version"] != 1)
        return Error{ErrorCode::BadState, "unknown state version", name + " version", "use a newer Duoscope"};
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

Result<std::vector<FloatChange>> readFloatChanges(const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxStateBytes));
    DUO_TRY(json, parseJson(text, path.string(), ErrorCode::BadState));
    if (!json.is_object())
        return std::vector<FloatChange>{}; // readState says what is wrong
    const Json* at = &json;
    for (const char* key : {"ctrl_state", "quantization", "float_changes"}) {
        const auto found = at->find(key);
        if (found == at->end())
            return std::vector<FloatChange>{};
        at = &*found;
    }
    return floatChangesFromJson(*at, path.string());
}

Result<ReadState> readState(const Model& model, const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxStateBytes));
    return parseState(model, text, path.string());
}

} // namespace duo
