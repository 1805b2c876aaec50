// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/setup_agreement.h"

#include "core/interchange/foreign_encodings.h"
#include "core/model/code_range.h"
#include "core/pipeline/calibration/renewed_weights.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/state/nncf_setup.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace duo {
namespace {

std::string ofState(const Model& model, PointId id, const QuantizationPoint& point)
{
    return "quantizer " + std::to_string(id) + " of the state (" + pointText(model, point) + ")";
}

std::vector<NodeId> sorted(std::vector<NodeId> nodes)
{
    std::ranges::sort(nodes);
    return nodes;
}

using Places = std::set<PointPlace>;

std::map<Places, std::string> groupsByPlaces(const Model& model, const QuantizerSetup& setup, const PointGroups& groups)
{
    constexpr std::size_t kShown = 3;
    std::map<Places, std::string> byPlaces;
    for (const auto& [id, members] : groups) {
        Places places;
        std::vector<std::string> texts;
        for (const PointId member : members) {
            const QuantizationPoint& point = setup.points.at(member);
            places.insert(placeOf(point));
            texts.push_back(pointText(model, point));
        }
        byPlaces.emplace(std::move(places), firstOf(texts, kShown));
    }
    return byPlaces;
}

void compareGroups(const std::map<Places, std::string>& then, const std::map<Places, std::string>& made,
    const std::string& what, std::vector<std::string>& notes)
{
    for (const auto& [places, text] : then) {
        if (!made.contains(places))
            notes.push_back("the recipe makes no group of " + what + " of what one of the state has: " + text);
    }
    for (const auto& [places, text] : made) {
        if (!then.contains(places))
            notes.push_back("the state has no group of " + what + " where the recipe makes one: " + text);
    }
}

/// Whether a shift is not what the same weights, codes and means make now; last digits may come from the processor,
/// more of them where much cancels out.
bool isUnlike(const std::vector<float>& then, const std::vector<float>& now)
{
    constexpr float kRounding = 1e-3F;
    constexpr float kCancelled = 1e-5F;
    if (then.size() != now.size())
        return true;
    float most = 0;
    for (const float shift : now)
        most = std::max(most, std::abs(shift));
    for (std::size_t c = 0; c < now.size(); ++c) {
        if (!(std::abs(then[c] - now[c]) <= kRounding * std::abs(now[c]) + kCancelled * most))
            return true;
    }
    return false;
}

} // namespace

bool isOfAnotherTool(const std::string& engine)
{
    const std::string form = engine.substr(0, engine.find(';'));
    return form == kNncfSetupForm || foreignFormFromText(form).has_value();
}

std::vector<std::string> notMadeBy(const Snapshot& placed, const QuantizerSetup& setup)
{
    if (!placed.placement)
        return {};
    std::map<PointPlace, const QuantizationPoint*> made;
    for (const auto& [id, point] : placed.placement->setup.points)
        made.emplace(placeOf(point), &point);
    std::vector<std::string> notes;
    for (const auto& [id, point] : setup.points) {
        const auto found = made.find(placeOf(point));
        const std::string what = ofState(*placed.model, id, point);
        if (found == made.end())
            notes.push_back("the recipe makes no quantizer where " + what + " stands");
        else if (found->second->config != point.config)
            notes.push_back("the recipe makes another type of quantizer than " + what);
        else if (sorted(found->second->directlyQuantized) != sorted(point.directlyQuantized))
            notes.push_back("the recipe makes a quantizer for other nodes than " + what);
    }
    return notes;
}

std::vector<std::string> notInSetup(const Snapshot& placed, const QuantizerSetup& setup)
{
    std::vector<std::string> notes;
    if (!placed.placement)
        return notes;
    Places there;
    for (const auto& [id, point] : setup.points)
        there.insert(placeOf(point));
    for (const auto& [id, point] : placed.placement->setup.points) {
        if (!there.contains(placeOf(point)))
            notes.push_back(
                "the state has no quantizer where the recipe makes one: " + pointText(*placed.model, point));
    }
    return notes;
}

std::vector<std::string> unknownToState(const Snapshot& placed, const NodesThere& nodes, const QuantizerSetup& setup)
{
    if (!placed.placement)
        return {};
    Snapshot ofNew = placed;
    Placement placement = *placed.placement;
    std::map<PointId, QuantizationPoint> points;
    for (const auto& [id, point] : placement.setup.points) {
        if (point.node.valid() ? !nodes.isRecorded(point.node) : !nodes.isRecorded(point.input))
            points.emplace(id, point);
    }
    placement.setup.points = FlatMap<PointId, QuantizationPoint>(std::move(points));
    ofNew.placement = std::make_shared<const Placement>(std::move(placement));
    return notInSetup(ofNew, setup);
}

std::vector<std::string> unlikeGroups(const Snapshot& placed, const QuantizerSetup& setup)
{
    std::vector<std::string> notes;
    if (!placed.placement)
        return notes;
    const Model& model = *placed.model;
    const QuantizerSetup& made = placed.placement->setup;
    const auto compare = [&](const PointGroups& then, const PointGroups& now, const std::string& what) {
        compareGroups(groupsByPlaces(model, setup, then), groupsByPlaces(model, made, now), what, notes);
    };
    compare(setup.unifiedScaleGroups, made.unifiedScaleGroups, "equal scales");
    compare(setup.sharedInputGroups, made.sharedInputGroups, "inputs of one operation");
    return notes;
}

std::vector<std::string> unlikeCodes(const Snapshot& placed, const Compression& compression)
{
    const QuantizerSetup& setup = compression.setup;
    std::set<PointId> withWeights; // their group takes the codes of a weight
    for (const auto& [group, members] : setup.unifiedScaleGroups) {
        if (std::ranges::any_of(members, [&](PointId id) { return setup.points.at(id).isWeight; }))
            withWeights.insert(members.begin(), members.end());
    }
    std::vector<std::string> notes;
    for (const auto& [id, point] : setup.points) {
        const QuantizationParameters& own = compression.parameters.at(id);
        if (point.isWeight || own.axis || withWeights.contains(id))
            continue;
        const CodeRange codes = codeRange(own.type).value_or(CodeRange());
        const auto end
            = [&](std::int32_t code) { return own.scale.front() * static_cast<float>(code - own.zeroPoint.front()); };
        const auto made
            = rangeParameters(point.config, {end(codes.lowest), end(codes.highest)}, placed.recipe.quantization);
        if (made && made->type != own.type)
            notes.push_back(ofState(*placed.model, id, point) + " has " + std::string(elementTypeName(own.type))
                + " codes, and the recipe gives it " + std::string(elementTypeName(made->type)));
    }
    return notes;
}

Result<std::vector<std::string>> unlikeWeights(
    const Snapshot& placed, const Compression& compression, int threads, const JobContext& job)
{
    const Model& model = *placed.model;
    Compression anew = compression;
    DUO_TRY(renewed, renewWeightsInPlace(placed, anew, threads, job));
    std::vector<std::string> notes;
    for (const auto& [id, point] : compression.setup.points) {
        if (point.isWeight && anew.parameters.at(id) != compression.parameters.at(id))
            notes.push_back(ofState(model, id, point) + " has other codes or scales than its weight gives it");
    }
    const QuantizationSettings& settings = placed.recipe.quantization;
    const bool isFromMeans = correctsBiasesFast(settings) && !compression.data.empty(); // older states had none
    for (const auto& [node, shift] : compression.biasShifts) {
        const std::string bias = "the bias of " + inQuotes(model.node(node).name);
        const auto made = anew.biasShifts.find(node);
        const bool hasMeans = compression.inputMeans.contains(node);
        if (hasMeans && (made == anew.biasShifts.end() || isUnlike(shift, made->second)))
            notes.push_back(bias + " is corrected by other numbers than the means that the state has come to");
        else if (!hasMeans && isFromMeans)
            notes.push_back(bias + " is corrected, and the state has no means that this comes from");
        else if (!isShiftTaken(biasToCorrect(model, node), shift, biasThreshold(settings)))
            notes.push_back(bias + " is corrected by more than the recipe allows");
    }
    return notes;
}

} // namespace duo
