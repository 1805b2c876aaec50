// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/applied_steps.h"

#include "core/transform/halve.h"
#include "core/transform/pass.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace duo {
namespace {

constexpr std::array kFloatChanges{FloatChangeKind::SmoothQuant, FloatChangeKind::CrossLayer};

std::vector<AppliedStep> passSteps()
{
    std::vector<AppliedStep> steps;
    for (const Pass& pass : passes()) {
        if (pass.stage == PassStage::Open || pass.stage == PassStage::Write)
            steps.push_back({std::string(pass.id), pass.version});
    }
    return steps;
}

AppliedStep stepOf(FloatChangeKind kind)
{
    return {std::string(floatChangeText(kind)), kFloatChangesVersion};
}

AppliedStep biasStep()
{
    return {"bias-correction", kBiasCorrectionVersion};
}

/// Of floats of 16 bits.
AppliedStep halfStep()
{
    return {std::string(kHalfPass), halfPass().version};
}

bool asksFor(const QuantizationSettings& settings, FloatChangeKind kind)
{
    return kind == FloatChangeKind::CrossLayer
        ? settings.corrections.crossLayerEqualization
        : smoothQuantMatMul(settings) >= 0 || smoothQuantConvolution(settings) >= 0;
}

/// @param isHeld the state has what the correction made @param isAsked its recipe says so
void noteStep(
    const RecordedState& recorded, const AppliedStep& step, bool isHeld, bool isAsked, std::vector<std::string>& notes)
{
    if (isHeld && !isAsked)
        notes.push_back("the state holds what " + step.id + " made, which its recipe does not ask for");
    const bool isStep = std::ranges::find(recorded.steps, step.id, &AppliedStep::id) != recorded.steps.end();
    if (isStep != isHeld)
        notes.push_back(isStep ? "the state was made with " + step.id + ", and holds nothing that it made"
                               : "the state holds what " + step.id + " made, which is none of its steps");
}

} // namespace

std::vector<AppliedStep> appliedSteps(const Compression& compression)
{
    std::vector<AppliedStep> steps = passSteps();
    for (const FloatChangeKind kind : kFloatChanges) {
        if (std::ranges::find(compression.floatChanges, kind, &FloatChange::kind) != compression.floatChanges.end())
            steps.push_back(stepOf(kind));
    }
    if (!compression.biasShifts.empty())
        steps.push_back(biasStep());
    if (compression.halved)
        steps.push_back(halfStep());
    return steps;
}

std::vector<std::string> stepNotes(const RecordedState& recorded)
{
    std::vector<AppliedStep> known = passSteps();
    std::ranges::transform(kFloatChanges, std::back_inserter(known), stepOf);
    known.push_back(biasStep());
    known.push_back(halfStep());
    std::vector<std::string> notes;
    for (const AppliedStep& step : recorded.steps) {
        const auto here = std::ranges::find(known, step.id, &AppliedStep::id);
        if (here != known.end() && here->version == step.version)
            continue;
        notes.push_back("the state was made with " + step.id + " of version " + std::to_string(step.version)
            + (here == known.end() ? ", which this Duoscope does not have"
                                   : ", this Duoscope has " + std::to_string(here->version))
            + ": the result may be another one");
    }
    if (recorded.version == 1) // had none
        return notes;
    for (const AppliedStep& step : passSteps()) {
        if (std::ranges::find(recorded.steps, step.id, &AppliedStep::id) == recorded.steps.end())
            notes.push_back("the state was made without " + step.id + ", which this Duoscope does: the result may be "
                + "another one");
    }
    const QuantizationSettings& settings = recorded.recipe.quantization;
    for (const FloatChangeKind kind : kFloatChanges) {
        const bool isHeld
            = std::ranges::find(recorded.floatChanges, kind, &FloatChange::kind) != recorded.floatChanges.end();
        noteStep(recorded, stepOf(kind), isHeld, asksFor(settings, kind), notes);
    }
    noteStep(recorded, biasStep(), !recorded.biasShifts.empty(), correctsBiases(settings), notes);
    const auto& transforms = recorded.recipe.transforms;
    const bool asksForHalf = transforms && halfTypeOf(*transforms) == HalvedNodes().type;
    noteStep(recorded, halfStep(), recorded.halved.has_value(), asksForHalf, notes);
    return notes;
}

} // namespace duo
