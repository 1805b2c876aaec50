// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/snapshot.h"

#include "core/content/match_content.h"
#include "core/formats/read_checkpoint.h"
#include "core/pipeline/snapshot/carried_scopes.h"
#include "core/pipeline/snapshot/opened_model.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/pipeline/snapshot/transform_model.h"
#include "core/pipeline/snapshot/written_out_calls.h"
#include "core/quantize/chosen_settings.h"
#include "core/rules/carry_hits.h"
#include "core/scope/counterparts.h"
#include "core/scope/make_record.h"
#include "core/support/file.h"
#include "core/support/phrases.h"
#include "core/transform/halve.h"
#include "core/transform/pass.h"
#include "core/transform/raise_opset.h"

#include <algorithm>

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

bool isSimplified(const TransformReport& report)
{
    return std::ranges::any_of(report.passes, [](const PassReport& pass) { return !pass.applied.empty(); });
}

/// What was chosen for the model, and that it was simplified before.
std::vector<Note> firstNotes(const Snapshot& next, std::optional<Note> chosen)
{
    std::vector<Note> notes;
    if (chosen)
        notes.push_back(*std::move(chosen));
    const auto& ofModel = next.model->notes;
    if (const auto stay = std::ranges::find(ofModel, kCallsStay, &Note::kind); stay != ofModel.end())
        notes.push_back(*stay);
    if (const auto joined = std::ranges::find(ofModel, kOpsetsJoined, &Note::kind); joined != ofModel.end())
        notes.push_back(*joined);
    if (next.opened && std::ranges::any_of(next.opened->model->nodes, &Node::isCall))
        notes.push_back({"calls-written-out",
            "what is inside functions is quantized like anything else: " + callsText(*next.opened->model), {},
            Severity::Remark});
    if (next.opened && isSimplified(*next.transforms))
        notes.push_back({"transformed",
            "the model was simplified before anything was placed: " + nodesText(next.transforms->nodesBefore)
                + " became " + countText(next.transforms->nodesAfter),
            {}});
    if (next.transforms && !next.transforms->beyondTarget.empty())
        notes.push_back({"beyond-target", next.transforms->beyondTarget, {}});
    if (next.recipe.transforms && halfTypeOf(*next.recipe.transforms) && !isHalvedInExport(next))
        notes.push_back({"half-not-made",
            "pass " + std::string(kHalfPass)
                + ", which the recipe asks for, is left out here: `transform` runs it on what is exported, with data",
            {}});
    return notes;
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

/// Scopes from the model alone, which then help to compare values, then from both. @param path "": without a checkpoint
Status findScopesInPlace(Snapshot& snapshot, const std::filesystem::path& path, int threads, const JobContext& job)
{
    if (path.empty()) {
        snapshot.scopeRecord = nullptr;
        snapshot.checkpoint = nullptr;
        snapshot.matches = nullptr;
        snapshot.scopes = std::make_shared<Scopes>(findScopes(*snapshot.model));
        return success();
    }
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

/// Forgets what is of the model there was.
void forgetPlacementInPlace(Snapshot& next)
{
    next.recipe = {};
    next.settings = {};
    next.hits = nullptr;
    next.matched = nullptr;
    next.placement = nullptr;
    next.base = nullptr;
    next.unruled = nullptr;
    next.effects = nullptr;
    next.recent.clear();
    next.refusal.reset();
}

/// What was done to the opset before is told of the model that transforms made, too.
std::shared_ptr<const Model> withOpsetNote(std::shared_ptr<const Model> model, const Model& before)
{
    std::vector<Note> told;
    std::ranges::copy_if(before.notes, std::back_inserter(told), [](const Note& note) {
        return note.kind == kOpsetRaised || note.kind == kOpsetKept || note.kind == kOpsetsJoined;
    });
    if (told.empty())
        return model;
    auto copy = std::make_shared<Model>(*model);
    copy->notes.insert(copy->notes.begin(), told.begin(), told.end());
    return copy;
}

/// Scopes of what transforms made: those of the model as it was opened, by the names of the nodes that stayed.
void takeTransformedInPlace(Snapshot& next, std::shared_ptr<const Model> made)
{
    forgetPlacementInPlace(next);
    if (!next.opened) // else calls were written out before
        next.opened
            = std::make_shared<const OpenedModel>(OpenedModel{next.model, next.matches, next.scopeRecord, next.scopes});
    next.scopeRecord = std::make_shared<const std::string>(carriedRecordText(*next.model, *next.scopes, *made));
    next.matches = nullptr;
    next.model = std::move(made);
    next.scopes = std::make_shared<const Scopes>(findScopes(*next.model, next.sources()));
}

/// What calls of functions stand for, in place of them. A report of no passes stands for the transforms.
Status writeOutCallsInPlace(Snapshot& next, const JobContext& job)
{
    DUO_TRY(made, withCallsWrittenOut(next.model, job));
    if (made == next.model)
        return success();
    if (std::ranges::any_of(made->nodes, &Node::isCall)) {
        next.model = std::move(made); // with a note that says why
        return success();
    }
    const std::shared_ptr<const Model> opened = next.model;
    takeTransformedInPlace(next, withOpsetNote(std::move(made), *opened));
    TransformReport report;
    report.nodesBefore = report.nodesAfter = next.model->nodes.size();
    next.transforms = std::make_shared<const TransformReport>(std::move(report));
    return success();
}

/// The model as it was opened, with these transforms, and without another recipe.
Result<Snapshot> withTransforms(
    const Snapshot& snapshot, const std::optional<TransformOptions>& wanted, const JobContext& job)
{
    Snapshot next = beforeTransforms(snapshot);
    forgetPlacementInPlace(next); // its notes tell of the transforms, also of such as change nothing
    next.transforms = nullptr;
    const bool canRun = bool(checkCanRun(*next.model));
    if (canRun)
        DUO_CHECK(writeOutCallsInPlace(next, job));
    if (wanted && canRun && !next.model->mainGraph().outputs.empty()) {
        DUO_TRY(made, transformModel(next.model, *wanted, job, next.scopes.get()));
        next.transforms = std::make_shared<const TransformReport>(std::move(made.report));
        if (made.model != next.model)
            takeTransformedInPlace(next, withOpsetNote(std::move(made.model), *next.model));
    }
    next.recipe.transforms = wanted;
    return next;
}

/// What passes did, in the scopes that are known by now.
TransformReport retold(TransformReport report, const Model& model, const Scopes& scopes)
{
    for (PassReport& pass : report.passes) {
        for (auto* list : {&pass.applied, &pass.skipped}) {
            for (TransformedNode& told : *list) {
                if (const NodeId node = model.findNode(told.name); node.valid())
                    told.scope = scopes.nodes[node.index].execution;
            }
        }
    }
    return report;
}

/// The transforms of another snapshot, which go by no scope, on the same model with scopes found anew.
Snapshot withSameTransforms(Snapshot next, const Snapshot& known)
{
    next.transforms = std::make_shared<const TransformReport>(retold(*known.transforms, *next.model, *next.scopes));
    takeTransformedInPlace(next, known.model);
    next.recipe.transforms = known.recipe.transforms;
    return next;
}

/// What rules catch, those of the model as it was opened counted.
RuleHits hitsOf(const Snapshot& next, const RuleHits* known)
{
    RuleHits here = matchRules(*next.model, *next.scopes, next.recipe.rules, known);
    if (!next.opened)
        return here;
    const RuleHits before = matchRules(*next.opened->model, *next.opened->scopes, next.recipe.rules);
    return carriedHits(*next.model, std::move(here), *next.opened->model, before);
}

/// With the transforms there are.
Result<Snapshot> underRecipe(const Snapshot& snapshot, Recipe recipe)
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
            prepareInPlace(next, firstNotes(next, std::move(chosen.note)));
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
    next.hits = std::make_shared<RuleHits>(hitsOf(next, known));
    next.matched = next.scopes;
    const Placement* previous = snapshot.placement ? snapshot.placement.get() : next.unruled.get();
    next.placement = place(next, previous, next.refusal);
    next.effects = std::make_shared<std::vector<RuleEffect>>(
        ruleEffects(*next.model, *next.hits, next.placement.get(), next.unruled.get()));
    rememberInPlace(next);
    return next;
}

} // namespace

bool isHalvedInExport(const Snapshot& snapshot)
{
    const TransformTarget* target = findTarget(profileText(snapshot.settings.profile));
    return snapshot.recipe.transforms && halfTypeOf(*snapshot.recipe.transforms) == ElementType::Float16
        && target != nullptr && target->isTyped && !snapshot.settings.nncfCompatible;
}

Snapshot beforeTransforms(const Snapshot& snapshot)
{
    Snapshot next = snapshot;
    if (!snapshot.opened)
        return next;
    forgetPlacementInPlace(next);
    next.model = snapshot.opened->model;
    next.matches = snapshot.opened->matches;
    next.scopeRecord = snapshot.opened->scopeRecord;
    next.scopes = snapshot.opened->scopes;
    next.opened = nullptr;
    next.transforms = nullptr;
    return next;
}

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
    return scopesOf(std::move(model), options, job);
}

Result<Snapshot> scopesOf(std::shared_ptr<const Model> model, const OpenOptions& options, const JobContext& job)
{
    if (job.stopped())
        return cancelledError();
    Snapshot snapshot;
    snapshot.model = std::move(model);
    DUO_CHECK(findScopesInPlace(snapshot, options.checkpoint, options.threads, job));
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
    Snapshot next = beforeTransforms(snapshot);
    DUO_CHECK(findScopesInPlace(next, checkpoint, threads, job));
    const auto& transforms = snapshot.recipe.transforms;
    if (snapshot.opened && (!transforms || transforms->keep.rules.empty()))
        next = withSameTransforms(std::move(next), snapshot);
    return withRecipe(next, snapshot.recipe, job);
}

Result<Snapshot> withRecipe(const Snapshot& snapshot, Recipe recipe, const JobContext& job)
{
    const bool isWrittenOut = snapshot.opened || !hasCallsToWriteOut(*snapshot.model);
    if (snapshot.recipe.transforms == recipe.transforms && isWrittenOut)
        return underRecipe(snapshot, std::move(recipe));
    DUO_TRY(transformed, withTransforms(snapshot, recipe.transforms, job));
    return underRecipe(transformed, std::move(recipe));
}

} // namespace duo
