// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/corrections.h"

#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/onnx/reader.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/points/profile_rules.h"
#include "core/scope/make_record.h"
#include "core/state/recorded_state.h"
#include "core/transform/node_name_edits.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace duo {
namespace {

CorrectionMade madeBy(std::string_view kind, const std::vector<FloatChange>& changes)
{
    CorrectionMade made{std::string(kind), {}, {}, 0};
    std::set<std::string> seen;
    for (const FloatChange& change : changes) {
        for (const std::string& node : change.nodes) {
            if (seen.insert(node).second)
                made.nodes.push_back(node);
        }
        made.folded += change.foldedInto.empty() ? 0 : change.nodes.size();
        for (const float scale : change.scales)
            made.largest = std::max<double>({made.largest, scale, 1 / scale});
    }
    return made;
}

CorrectionMade madeBy(const Model& model, const BiasShifts& shifts)
{
    CorrectionMade made{"bias-correction", {}, {}, 0};
    for (const auto& [node, shift] : shifts) {
        made.nodes.push_back(model.node(node).name);
        const auto bias = biasToCorrect(model, node);
        for (std::size_t c = 0; c < bias.size(); ++c)
            made.largest = std::max<double>(made.largest, std::abs(shift[c] / bias[c]));
    }
    return made;
}

ChannelMaxima maximaOf(const Statistics& statistics)
{
    ChannelMaxima maxima;
    for (const auto& [name, value] : statistics.values) {
        std::vector<float> channels;
        for (std::size_t c = 0; c < value.channels.min.size(); ++c)
            channels.push_back(std::max(std::abs(value.channels.min[c]), std::abs(value.channels.max[c])));
        if (!channels.empty() && value.finite() > 0)
            maxima.emplace(name, std::move(channels));
    }
    return maxima;
}

/// The Mul nodes compute in float: quantizing their input would bring back what they take away.
Recipe withFloatNodes(Recipe recipe, const EditList& edits)
{
    for (const NewNode& node : edits.newNodes) {
        Rule rule;
        rule.value = node.name;
        recipe.rules.rules.push_back(std::move(rule));
    }
    return recipe;
}

/// Why SmoothQuant changed nothing.
Note idleNote(const Model& model, const QuantizationSettings& settings)
{
    const auto isMeant = [&](NodeId id) {
        const bool isConv = isProduct(model.node(id), Product::Convolution);
        const double alpha = isConv ? smoothQuantConvolution(settings) : smoothQuantMatMul(settings);
        return alpha >= 0 && !inputChannelMaxima(model, id).empty();
    };
    const auto& nodes = model.mainGraph().nodes;
    const bool hasAny = std::any_of(nodes.begin(), nodes.end(), isMeant);
    return {"smooth-quant-idle",
        std::string("SmoothQuant changed nothing: ")
            + (hasAny ? "the channels of what products with constant weights read are alike, or were not measured"
                      : "no node it is meant for reads constant float weights"),
        {}};
}

} // namespace

bool changesFloatModel(const QuantizationSettings& settings)
{
    return settings.corrections.crossLayerEqualization || smoothQuantMatMul(settings) >= 0
        || smoothQuantConvolution(settings) >= 0;
}

Result<Snapshot> withFloatChanges(const Snapshot& snapshot, const std::vector<FloatChange>& changes)
{
    const Model& model = *snapshot.model;
    DUO_TRY(edits, floatChangeEdits(model, changes));
    edits.nodeNames = nodeNameEdits(model);
    Recipe recipe = withFloatNodes(snapshot.recipe, edits);
    recipe.quantization = snapshot.settings;
    DUO_TRY(changed, editedModel(model, std::move(edits)));
    Snapshot next;
    next.model = std::move(changed);
    next.opened = snapshot.opened;
    next.transforms = snapshot.transforms;
    next.recipe.transforms = snapshot.recipe.transforms; // they are not to run again
    next.scopeRecord = std::make_shared<std::string>(scopeRecordText(scopeRecord(model, *snapshot.scopes)));
    next.scopes = std::make_shared<Scopes>(findScopes(*next.model, next.sources()));
    return withRecipe(next, std::move(recipe));
}

Result<FloatCorrection> correctFloatModel(
    const Snapshot& snapshot, const Dataset& dataset, const MeasureOptions& options, int threads, const JobContext& job)
{
    FloatCorrection correction;
    const QuantizationSettings& settings = snapshot.settings;
    if (smoothQuantMatMul(settings) >= 0 || smoothQuantConvolution(settings) >= 0) {
        DUO_TRY(measured, measureStatistics(snapshot, dataset, options, threads, job));
        correction.changes = smoothQuantChanges(*snapshot.model, maximaOf(measured.file.statistics),
            smoothQuantMatMul(settings), smoothQuantConvolution(settings), !targetOf(settings).likeNncf);
        correction.made.push_back(madeBy("smooth-quant", correction.changes));
        if (correction.changes.empty())
            correction.notes.push_back(idleNote(*snapshot.model, settings));
    }
    if (settings.corrections.crossLayerEqualization) {
        const auto changes = crossLayerChanges(*snapshot.model);
        correction.made.push_back(madeBy("cross-layer-equalization", changes));
        correction.changes.insert(correction.changes.end(), changes.begin(), changes.end());
    }
    if (correction.changes.empty())
        return correction;
    DUO_TRY(changed, withFloatChanges(snapshot, correction.changes));
    correction.changed = std::make_shared<const Snapshot>(std::move(changed));
    return correction;
}

Status correctBiasesInPlace(const Snapshot& snapshot, const Statistics& statistics, Compression& compression,
    int threads, const JobContext& job)
{
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    if (!correctsBiases(settings) || !correctsBiasesFast(settings))
        return success();
    const Model& model = *snapshot.model;
    InputMeans means;
    for (const NodeId node : correctableNodes(model, compression.setup)) {
        const std::string name = addressOf(model, model.node(node).inputs[0]);
        const auto found = statistics.values.find(name);
        if (found == statistics.values.end() || (found->second.channels.min.empty() && !found->second.channels.vary))
            continue; // statistics of less than everything: the bias stays
        std::vector<double>& channels = means[node];
        for (std::size_t c = 0; c < found->second.channels.min.size(); ++c)
            channels.push_back(found->second.channels.mean(c));
    }
    DUO_TRY(correction,
        fastBiasCorrection(
            model, compression.setup, compression.parameters, means, biasThreshold(settings), threads, job));
    CorrectionMade made = madeBy(model, correction.shifts);
    for (const NodeId node : correction.skipped)
        made.skipped.push_back(model.node(node).name);
    std::erase_if(means, [&](const auto& entry) { return !correction.shifts.contains(entry.first); });
    compression.inputMeans = std::move(means);
    compression.biasShifts = std::move(correction.shifts);
    compression.corrections.push_back(std::move(made));
    return success();
}

std::vector<CorrectionMade> correctionsMade(
    const Model& model, const std::vector<FloatChange>& changes, const BiasShifts& shifts)
{
    std::vector<CorrectionMade> made;
    for (const FloatChangeKind kind : {FloatChangeKind::SmoothQuant, FloatChangeKind::CrossLayer}) {
        std::vector<FloatChange> ofKind;
        std::ranges::copy_if(
            changes, std::back_inserter(ofKind), [&](const FloatChange& change) { return change.kind == kind; });
        if (!ofKind.empty())
            made.push_back(madeBy(floatChangeText(kind), ofKind));
    }
    if (!shifts.empty())
        made.push_back(madeBy(model, shifts));
    return made;
}

} // namespace duo
