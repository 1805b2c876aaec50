// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/renewed_weights.h"

#include "core/quantize/points/point_index.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/support/phrases.h"

#include <set>

namespace duo {
namespace {

/// Parameters that are not of a weight alone.
ParametersByPoint measuredOnes(const Compression& compression)
{
    std::set<PointId> shared;
    for (const auto& [id, members] : compression.setup.unifiedScaleGroups)
        shared.insert(members.begin(), members.end());
    ParametersByPoint measured;
    for (const auto& [id, point] : compression.setup.points) {
        if (!point.isWeight || shared.contains(id))
            measured.emplace(id, compression.parameters.at(id));
    }
    return measured;
}

} // namespace

Result<std::vector<std::string>> renewWeightsInPlace(
    const Snapshot& placed, Compression& compression, int threads, const JobContext& job)
{
    const Model& model = *placed.model;
    const QuantizationSettings& settings = placed.recipe.quantization;
    std::vector<std::string> notes;
    DUO_TRY(
        parameters, withWeightParameters(model, compression.setup, measuredOnes(compression), settings, threads, job));
    for (const auto& [id, point] : compression.setup.points) {
        if (point.isWeight && parameters.at(id) != compression.parameters.at(id))
            notes.push_back(pointText(model, point) + " has other weights: its scales were made again");
    }
    compression.parameters = std::move(parameters);
    DUO_TRY(correction,
        fastBiasCorrection(model, compression.setup, compression.parameters, compression.inputMeans,
            biasThreshold(settings), threads, job));
    for (const auto& [node, shift] : compression.biasShifts) {
        const auto made = correction.shifts.find(node);
        const std::string bias = "the bias of " + inQuotes(model.node(node).name);
        if (made == correction.shifts.end())
            notes.push_back(bias + " was corrected, and is left as it is: "
                + (compression.inputMeans.contains(node) ? "the shift would be too large for it"
                                                         : "the state has no means to correct it by"));
        else if (made->second != shift)
            notes.push_back(bias + " was corrected again, for other weights");
    }
    compression.biasShifts = std::move(correction.shifts);
    return notes;
}

} // namespace duo
