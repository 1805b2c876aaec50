// SPDX-License-Identifier: Apache-2.0
#include "core/state/nncf_setup.h"

#include "core/quantize/points/setup_json.h"
#include "core/support/json.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPoints = "quantization_points";
constexpr const char* kBuilder = "builder_state";
constexpr const char* kController = "ctrl_state";
constexpr const char* kAlgorithm = "quantization";
constexpr const char* kSetup = "quantizer_setup";

Error missing(const JsonPlace& place)
{
    return place.error("missing field");
}

/// The setup inside a compression state; what else it holds is told.
Result<NncfSetup> setupOfState(const Json& json, const JsonPlace& place)
{
    NncfSetup found;
    const Json& builder = json.at(kBuilder);
    const JsonPlace ofBuilder = place.member(kBuilder);
    if (!builder.is_object() || !builder.contains(kAlgorithm))
        return missing(ofBuilder.member(kAlgorithm));
    const Json& algorithm = builder.at(kAlgorithm);
    const JsonPlace ofAlgorithm = ofBuilder.member(kAlgorithm);
    if (!algorithm.is_object() || !algorithm.contains(kSetup))
        return missing(ofAlgorithm.member(kSetup));
    DUO_TRY(setup, recordedSetupFromJson(algorithm.at(kSetup), ofAlgorithm.member(kSetup), SetupForm::Nncf));
    found.setup = std::move(setup);
    for (const auto& [key, value] : builder.get_ref<const Json::object_t&>()) {
        if (key != kAlgorithm)
            found.notExpressed.push_back(inQuotes(key) + " of the compression state is no quantization");
    }
    const Json controllers = json.value(kController, Json::object());
    if (!std::ranges::all_of(controllers, [](const Json& state) { return state.empty(); }))
        found.notExpressed.push_back("the controllers' state of a training (ctrl_state) is not read");
    return found;
}

Result<NncfSetup> setupOfDocument(const Json& json, const std::string& name)
{
    const JsonPlace place{name, {}, ErrorCode::BadData};
    if (!json.is_object())
        return place.error("not an object");
    if (json.contains(kBuilder))
        return setupOfState(json, place);
    const bool isNamed = json.contains(kSetup);
    DUO_TRY(setup,
        recordedSetupFromJson(
            isNamed ? json.at(kSetup) : json, isNamed ? place.member(kSetup) : place, SetupForm::Nncf));
    return NncfSetup{std::move(setup), {}};
}

} // namespace

bool looksLikeNncfSetup(std::string_view text)
{
    return text.find('"' + std::string(kPoints) + '"') != std::string_view::npos;
}

Result<NncfSetup> parseNncfSetup(std::string_view text, const std::string& name)
{
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadData, EqualKeys::Refused));
    auto setup = setupOfDocument(json, name);
    if (setup)
        return setup;
    Error error = std::move(setup).error();
    error.whatToDo = "take the file as NNCF wrote it";
    return error;
}

NncfText nncfSetupText(const Model& model, const QuantizerSetup& setup, NncfForm form)
{
    NncfText made;
    Json json = setupJson(model, setup);
    std::map<NodeId, std::size_t> weights;
    for (const auto& [id, point] : setup.points)
        weights[point.node] += point.isWeight ? 1 : 0;
    auto written = json[kPoints].begin(); // in the order of the points
    for (const auto& [id, point] : setup.points) {
        Json& recorded = *written++;
        if (!point.isWeight)
            continue;
        recorded["qip"].erase("input_port_id");
        if (recorded["qconfig"].erase(std::string(kBlockKey)) > 0)
            made.lost.push_back("that quantizer " + std::to_string(id) + " of node "
                + inQuotes(model.node(point.node).name) + " has a scale for each block");
        if (weights[point.node] > 1)
            made.lost.push_back("which of its weights quantizer " + std::to_string(id) + " of node "
                + inQuotes(model.node(point.node).name) + " is for");
    }
    if (form == NncfForm::CompressionState)
        json = {{kBuilder, {{kAlgorithm, {{kSetup, std::move(json)}}}}}, {kController, {{kAlgorithm, Json::object()}}}};
    made.text = jsonText(json, 1) + "\n";
    return made;
}

} // namespace duo
