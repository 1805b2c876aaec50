// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/applied_steps.h"

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
    return steps;
}

std::vector<std::string> stepNotes(const std::vector<AppliedStep>& recorded)
{
    std::vector<AppliedStep> known = passSteps();
    std::ranges::transform(kFloatChanges, std::back_inserter(known), stepOf);
    known.push_back(biasStep());
    std::vector<std::string> notes;
    for (const AppliedStep& step : recorded) {
        const auto here = std::ranges::find(known, step.id, &AppliedStep::id);
        if (here != known.end() && here->version == step.version)
            continue;
        notes.push_back("the state was made with " + step.id + " of version " + std::to_string(step.version)
            + (here == known.end() ? ", which this Duoscope does not have"
                                   : ", this Duoscope has " + std::to_string(here->version))
            + ": the result may be another one");
    }
    return notes;
}

} // namespace duo
