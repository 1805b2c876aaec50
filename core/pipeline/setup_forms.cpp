// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/setup_forms.h"

#include "core/pipeline/adopt_encodings.h"
#include "core/pipeline/calibration/measure.h"
#include "core/pipeline/recorded_compression.h"
#include "core/quantize/points/weights.h"
#include "core/report/model_explorer.h"
#include "core/report/tool_config.h"
#include "core/state/nncf_setup.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace duo {
namespace {

constexpr std::string_view kState = "state";

/// Of nodes whose weights are quantized.
std::size_t biasesIn(const Model& model, const QuantizerSetup& setup)
{
    std::set<std::pair<NodeId, std::uint32_t>> biases;
    for (const auto& [id, point] : setup.points) {
        if (const auto bias = point.isWeight ? biasOf(model, point.node) : std::nullopt)
            biases.emplace(bias->node, bias->port);
    }
    return biases.size();
}

/// A placement, and the model in the file that it was opened from.
struct Places {
    const Model& file;
    const Snapshot& placed;
    const QuantizerSetup& setup;
};

Places placesOf(const Snapshot& snapshot, const Snapshot& placed, const QuantizerSetup& setup)
{
    return {snapshot.opened ? *snapshot.opened->model : *snapshot.model, placed, setup};
}

template <NncfForm form> EncodingsText nncf(const Places& places)
{
    NncfText made = nncfSetupText(*places.placed.model, places.setup, form);
    return {std::move(made.text), places.setup.points.size(), std::move(made.lost), {}};
}

/// A placement of the setup: who reads what it quantizes is quantized, whatever the recipe would do.
Placement withPlaces(const Places& places)
{
    Placement placement = *places.placed.placement;
    placement.setup = places.setup;
    for (const auto& [id, point] : places.setup.points) {
        for (const NodeId reader : point.isWeight ? std::vector<NodeId>() : point.directlyQuantized) {
            NodeState& state = placement.decisions[reader.index].state;
            if (state != NodeState::Fused)
                state = NodeState::Quantized;
        }
    }
    return placement;
}

template <ConfiguredTool tool> EncodingsText config(const Places& places)
{
    QuantizationSettings settings = places.placed.settings;
    settings.subsetSize = settings.subsetSize.value_or(static_cast<int>(kDefaultSamples));
    const Placement placement = withPlaces(places);
    ToolConfigText made = toolConfigText(places.file, *places.placed.model, placement, settings, tool);
    if (&places.setup != &places.placed.placement->setup)
        made.losses.emplace_back("scales: the tool measures its own");
    return {std::move(made.text), places.setup.points.size(), std::move(made.losses), {}};
}

EncodingsText explorerData(const Places& places)
{
    return {modelExplorerText(*places.placed.model, *places.placed.placement), places.setup.points.size(), {}, {}};
}

EncodingsText explorerGraph(const Places& places)
{
    const Snapshot& placed = places.placed;
    const bool isAsInFile = &places.file == placed.model.get();
    const std::string label = placed.model->path.filename().string() + (isAsInFile ? "" : " (simplified)");
    return {modelExplorerGraph(*placed.model, *placed.scopes, *placed.placement, label), places.setup.points.size(), {},
        {}};
}

EncodingsText explorerSync(const Places& places)
{
    return {modelExplorerSync(places.file, *places.placed.model), places.setup.points.size(), {}, {}};
}

/// A form that takes a placement and no scales.
struct PlaceForm {
    std::string_view name;
    EncodingsText (*write)(const Places& places);
    bool isOfFloat = true; // what a quantized model has would be lost; false: it shows decisions, whatever they are
};

constexpr std::array<PlaceForm, 7> kPlaceForms{{
    {kNncfSetupForm, nncf<NncfForm::Setup>},
    {"nncf-state", nncf<NncfForm::CompressionState>},
    {"olive", config<ConfiguredTool::Olive>},
    {"winml", config<ConfiguredTool::WinMl>},
    {"model-explorer-data", explorerData, false},
    {"model-explorer-graph", explorerGraph, false},
    {"model-explorer-sync", explorerSync, false},
}};

const PlaceForm* placeForm(std::string_view name)
{
    const auto* const found = std::ranges::find(kPlaceForms, name, &PlaceForm::name);
    return found == kPlaceForms.end() ? nullptr : found;
}

} // namespace

std::vector<std::string> setupForms()
{
    std::vector<std::string> forms;
    for (std::size_t i = 0; i < kEncodingForms; ++i)
        forms.emplace_back(encodingFormText(static_cast<EncodingForm>(i)));
    forms.emplace_back(kState);
    for (const PlaceForm& form : kPlaceForms)
        forms.emplace_back(form.name);
    return forms;
}

bool isOfSetups(std::string_view form)
{
    return form == kState || isOfPlaces(form);
}

bool isOfPlaces(std::string_view form)
{
    return placeForm(form) != nullptr;
}

Error ofFloatModels(std::string_view form, const Model& quantized)
{
    return {ErrorCode::Usage, "a setup is of a float model", std::string(form),
        "name the float model, and read " + quantized.path.string() + " onto it (--from)"};
}

Result<EncodingsText> setupText(
    const Snapshot& snapshot, const Compression& compression, std::string_view form, const JobContext& job)
{
    const Snapshot& placed = placedBy(compression, snapshot);
    if (const PlaceForm* ofPlaces = placeForm(form)) {
        DUO_CHECK(placed.checkPlaced());
        return ofPlaces->write(placesOf(snapshot, placed, compression.setup));
    }
    const Model& model = *placed.model;
    if (form == kState) {
        EncodingsText made;
        DUO_TRY(text, stateTextOf(snapshot, compression, job));
        made.text = std::move(text);
        made.tensors = compression.setup.points.size();
        return made;
    }
    const auto encodings = encodingFormFromText(form);
    if (!encodings)
        return Error{ErrorCode::Unsupported, "quantizers are not written in this form", std::string(form), {}};
    EncodingsText made = encodingsText(model, quantizersOf(model, compression), *encodings);
    if (const std::size_t biases = biasesIn(model, compression.setup);
        *encodings == EncodingForm::Aimet200 && biases > 0)
        made.losses.push_back(counted(biases, "bias", "biases")
            + " not written: their codes of 32 bits follow from those of data and weight");
    return made;
}

Result<EncodingsText> plannedText(const Snapshot& snapshot, std::string_view form)
{
    DUO_CHECK(snapshot.checkPlaced());
    const PlaceForm* ofPlaces = placeForm(form);
    if (ofPlaces == nullptr)
        return Error{ErrorCode::Unsupported, "the form has scales, and nothing was measured", std::string(form),
            "quantize the model first"};
    const FoundQuantizers there = findQuantizers(*snapshot.model);
    if (ofPlaces->isOfFloat && (!there.quantizers.empty() || !there.notRecovered.empty()))
        return ofFloatModels(form, *snapshot.model);
    return ofPlaces->write(placesOf(snapshot, snapshot, snapshot.placement->setup));
}

} // namespace duo
