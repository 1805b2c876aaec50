// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/snapshot.h"

#include "core/content/match_content.h"
#include "core/formats/read_checkpoint.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/quantize/chosen_settings.h"
#include "core/scope/counterparts.h"
#include "core/support/file.h"

namespace duo {
namespace {

RuleHits withoutRules(const Model& model)
{
    RuleHits hits;
    hits.ignoredBy.assign(model.nodes.size(), RuleHits::kNoRule);
    hits.targeted.assign(model.nodes.size(), true);
    return hits;
}

constexpr std::size_t kRecentOutcomes = 8;

/// Settings without what is only asked for once quantizers are placed.
QuantizationSettings placingSettings(QuantizationSettings settings)
{
    settings.activationsRangeEstimator.reset();
    settings.rangeEstimatorRules.clear();
    settings.subsetSize.reset();
    return settings;
}

/// A model that cannot be quantized can still be looked at: the refusal is kept instead of a placement.
void prepareInPlace(Snapshot& next, std::vector<Note> notes)
{
    next.base = nullptr;
    next.unruled = nullptr;
    next.recent.clear();
    if (const Status canRun = checkCanRun(*next.model); !canRun) {
        next.refusal = canRun.error();
        return;
    }
    auto base = preparePlacement(*next.model, next.settings, std::move(notes));
    if (!base) {
        next.refusal = base.error();
        return;
    }
    auto unruled = placeQuantizers(*next.model, **base, withoutRules(*next.model));
    if (!unruled) {
        next.refusal = unruled.error();
        return;
    }
    if (const Status whole = checkMappedFiles(); !whole) {
        next.refusal = whole.error();
        return;
    }
    next.base = *std::move(base);
    next.unruled = std::make_shared<Placement>(*std::move(unruled));
}

std::shared_ptr<const Placement> place(const Snapshot& next, const Placement* previous, std::optional<Error>& refusal)
{
    if (!next.base)
        return nullptr;
    auto placement = placeQuantizers(*next.model, *next.base, *next.hits, previous);
    if (placement)
        return std::make_shared<Placement>(*std::move(placement));
    refusal = placement.error();
    return nullptr;
}

/// What undoing and redoing come back to.
const RulesOutcome* recentOutcome(const Snapshot& snapshot, const RuleSet& rules)
{
    for (const auto& outcome : snapshot.recent) {
        if (outcome->matched == snapshot.scopes && outcome->rules == rules)
            return outcome.get();
    }
    return nullptr;
}

void rememberInPlace(Snapshot& next)
{
    if (next.recent.size() == kRecentOutcomes)
        next.recent.erase(next.recent.begin());
    next.recent.push_back(std::make_shared<const RulesOutcome>(
        RulesOutcome{next.recipe.rules, next.matched, next.hits, next.placement, next.effects, next.refusal}));
}

/// Scopes from the model alone, which then help to compare values, then from both.
Status addCheckpoint(Snapshot& snapshot, const std::filesystem::path& path, int threads, const JobContext& job)
{
    DUO_TRY(checkpoint, readCheckpoint(path, job));
    const Scopes alone = findScopes(*snapshot.model);
    DUO_TRY(matches, matchContent(*snapshot.model, *checkpoint, job, threads, contentPriors(alone)));
    DUO_CHECK(checkMappedFiles());
    snapshot.scopeRecord = nullptr;
    snapshot.checkpoint = std::move(checkpoint);
    snapshot.matches = std::make_shared<ContentMatches>(std::move(matches));
    snapshot.scopes = std::make_shared<Scopes>(findScopes(*snapshot.model, snapshot.sources()));
    return success();
}

} // namespace

Status Snapshot::checkPlaced() const
{
    if (placement)
        return success();
    return refusal.value_or(Error{ErrorCode::Internal, "there is no placement", {}, {}});
}

Result<Snapshot> openScopes(const std::filesystem::path& path, const OpenOptions& options, const JobContext& job)
{
    DUO_TRY(read, readModelFile(path, options.read, job));
    DUO_TRY(model, asOpened(std::move(read), job));
    if (job.stopped())
        return cancelledError();
    Snapshot snapshot;
    snapshot.model = model;
    if (options.checkpoint.empty()) {
        snapshot.scopes = std::make_shared<Scopes>(findScopes(*model));
    } else {
        DUO_CHECK(addCheckpoint(snapshot, options.checkpoint, options.threads, job));
    }
    if (job.stopped())
        return cancelledError();
    return snapshot;
}

Result<Snapshot> openSnapshot(const std::filesystem::path& path, const OpenOptions& options, const JobContext& job)
{
    DUO_TRY(snapshot, openScopes(path, options, job));
    return withRecipe(snapshot, Recipe{});
}

Result<Snapshot> withCheckpoint(
    const Snapshot& snapshot, const std::filesystem::path& checkpoint, int threads, const JobContext& job)
{
    Snapshot next = snapshot;
    DUO_CHECK(addCheckpoint(next, checkpoint, threads, job));
    return withRecipe(next, snapshot.recipe);
}

Result<Snapshot> withRecipe(const Snapshot& snapshot, Recipe recipe)
{
    Snapshot next = snapshot;
    const bool sameSettings
        = snapshot.unruled && placingSettings(snapshot.recipe.quantization) == placingSettings(recipe.quantization);
    next.recipe = std::move(recipe);
    next.refusal.reset();
    if (!sameSettings || snapshot.recipe.quantization != next.recipe.quantization) {
        ChosenSettings chosen = chosenSettings(*next.model, next.recipe.quantization);
        next.settings = std::move(chosen.settings);
        if (!sameSettings)
            prepareInPlace(next, chosen.note ? std::vector{*std::move(chosen.note)} : std::vector<Note>{});
    }
    if (next.recipe.rules.rules.empty()) {
        next.hits = std::make_shared<RuleHits>(withoutRules(*next.model));
        next.placement = next.unruled;
        next.effects = std::make_shared<std::vector<RuleEffect>>();
        return next;
    }
    if (const RulesOutcome* outcome = recentOutcome(next, next.recipe.rules)) {
        next.hits = outcome->hits;
        next.matched = outcome->matched;
        next.placement = outcome->placement;
        next.effects = outcome->effects;
        next.refusal = outcome->refusal;
        return next;
    }
    const RuleHits* known = snapshot.matched == snapshot.scopes ? snapshot.hits.get() : nullptr;
    next.hits = std::make_shared<RuleHits>(matchRules(*next.model, *next.scopes, next.recipe.rules, known));
    next.matched = next.scopes;
    const Placement* previous = snapshot.placement ? snapshot.placement.get() : next.unruled.get();
    next.placement = place(next, previous, next.refusal);
    next.effects = std::make_shared<std::vector<RuleEffect>>(
        ruleEffects(*next.model, *next.hits, next.placement.get(), next.unruled.get()));
    rememberInPlace(next);
    return next;
}

} // namespace duo
