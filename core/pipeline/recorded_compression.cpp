// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/recorded_compression.h"

#include "core/pipeline/applied_steps.h"
#include "core/pipeline/calibration/ranges_digest.h"
#include "core/pipeline/resume.h"
#include "core/pipeline/setup_agreement.h"
#include "core/report/decision_sentences.h"
#include "core/rules/match.h"
#include "core/scope/make_record.h"
#include "core/support/version.h"

#include <optional>
#include <utility>

namespace duo {

namespace {

/// All that stays in float although the recipe would quantize it; of another tool's quantizers the setup alone tells.
std::optional<KeptFloats> keptFloatOf(const Snapshot& placed, const Compression& compression)
{
    if (isOfAnotherTool(compression.engine))
        return compression.keptFloat.empty() ? std::nullopt : std::optional(compression.keptFloat);
    return placed.placement && placed.placement->kept ? *placed.placement->kept : compression.keptFloat;
}

} // namespace

CompressionState stateOf(const Snapshot& snapshot, const Compression& compression, ModelHashes hashes)
{
    CompressionState state;
    state.producer = std::string("duoscope ") + kVersion;
    state.engine = compression.engine;
    state.data = compression.statistics ? compression.statistics->origin.data : compression.data;
    state.statistics = compression.statistics
        ? rangesDigest(*placedBy(compression, snapshot).model, compression.setup, compression.statistics->statistics)
        : compression.rangesDigest;
    state.model = std::move(hashes);
    const Snapshot opened = beforeTransforms(snapshot);
    if (opened.checkpoint || opened.scopeRecord)
        state.scopes = scopeRecordText(scopeRecord(*opened.model, *opened.scopes));
    const Snapshot& placed = placedBy(compression, snapshot);
    state.graph = graphRecord(*placed.model, *placed.scopes, *snapshot.model);
    state.recipe = snapshot.recipe;
    state.transforms = passRuns(snapshot);
    state.recipe.quantization = snapshot.settings;
    state.recipe.rules = withMeantNodes(*opened.model, *opened.scopes, std::move(state.recipe.rules));
    state.steps = appliedSteps(compression);
    state.setup = compression.setup;
    state.parameters = compression.parameters;
    state.floatChanges = compression.floatChanges;
    state.biasShifts = compression.biasShifts;
    state.inputMeans = compression.inputMeans;
    state.halved = compression.halved;
    state.keptFloat = keptFloatOf(placed, compression);
    state.samples = compression.samples;
    return state;
}

Result<std::string> stateTextOf(const Snapshot& snapshot, const Compression& compression, const JobContext& job)
{
    DUO_TRY(hashes, hashModel(*snapshot.model, job));
    return stateText(*placedBy(compression, snapshot).model, stateOf(snapshot, compression, std::move(hashes)));
}

} // namespace duo
