// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/resume.h"

#include "core/pipeline/applied_steps.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/calibration/renewed_weights.h"
#include "core/pipeline/setup_agreement.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/quantize/points/point_index.h"
#include "core/state/unmade_changes.h"
#include "core/support/file.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace duo {
namespace {

constexpr int kThreads = 1; // the result does not depend on it

std::vector<std::string> hashNotes(const ModelHashes& now, const ModelHashes& then)
{
    std::vector<std::string> notes;
    if (now.graph != then.graph)
        notes.push_back("the graph is not the one the state was made for");
    if (now.weights != then.weights)
        notes.push_back("the weights are not the ones the state was made for: what is of weights was made again");
    return notes;
}

/// The scopes the state was made with, unless the checkpoint that told them is open now.
Snapshot withScopes(Snapshot snapshot, const std::string& record)
{
    if (record.empty() || snapshot.checkpoint)
        return snapshot;
    snapshot.scopeRecord = std::make_shared<std::string>(record);
    snapshot.scopes = std::make_shared<Scopes>(findScopes(*snapshot.model, snapshot.sources()));
    return snapshot;
}

/// Where the nodes that a state lists are not those of the model that it names.
std::vector<std::string> recordNotes(
    const Snapshot& changed, const Snapshot& base, const RecordedState& recorded, const ModelHashes& now)
{
    constexpr int kSincePorts = 4; // the version whose records are whole
    if (recorded.version < kSincePorts)
        return {};
    const bool areWeightsSame = now.weights == recorded.model.weights;
    const GraphRecord record = graphRecord(*changed.model, *changed.scopes, *base.model);
    const std::string difference = differenceOf(recorded.graph, record, areWeightsSame);
    if (difference.empty())
        return {};
    return {"what the state lists of the model is not the model that it names: " + difference};
}

/// Simplified as it was for the state.
Result<Snapshot> withTransforms(const Snapshot& opened, const RecordedState& recorded, const JobContext& job)
{
    Recipe recipe;
    recipe.transforms = recorded.recipe.transforms;
    return withRecipe(withScopes(beforeTransforms(opened), recorded.scopes), std::move(recipe), job);
}

std::string runText(const PassRun& run)
{
    return "version " + std::to_string(run.version) + " on " + nodesText(static_cast<std::size_t>(run.applied));
}

/// What the passes did otherwise than for the state.
std::vector<std::string> passNotes(const std::vector<PassRun>& now, const std::vector<PassRun>& then)
{
    std::vector<std::string> notes;
    const auto tell = [&](const std::string& id, const std::string& was, const std::string& is) {
        notes.push_back(
            "pass " + id + " simplifies the model otherwise than for the state: then " + was + ", now " + is);
    };
    for (const PassRun& run : then) {
        const auto same = std::ranges::find(now, run.id, &PassRun::id);
        if (same == now.end())
            tell(run.id, runText(run), "nothing");
        else if (*same != run)
            tell(run.id, runText(run), runText(*same));
    }
    for (const PassRun& run : now) {
        if (std::ranges::find(then, run.id, &PassRun::id) == then.end())
            tell(run.id, "nothing", runText(run));
    }
    return notes;
}

/// What cannot be made of a state is an error of its file.
template <typename T> Result<T> ofState(Result<T> made, const std::filesystem::path& path)
{
    if (made || made.error().code == ErrorCode::Cancelled)
        return made;
    Error error = std::move(made).error();
    error.code = ErrorCode::BadState;
    error.where = path.string() + (error.where.empty() ? "" : " " + error.where);
    return error;
}

Compression compressionOf(CompressionState state)
{
    Compression compression;
    compression.setup = std::move(state.setup);
    compression.parameters = std::move(state.parameters);
    compression.biasShifts = std::move(state.biasShifts);
    compression.inputMeans = std::move(state.inputMeans);
    compression.halved = std::move(state.halved);
    compression.keptFloat = std::move(state.keptFloat).value_or(KeptFloats());
    compression.samples = state.samples;
    compression.engine = std::move(state.engine);
    compression.data = std::move(state.data);
    compression.rangesDigest = std::move(state.statistics);
    return compression;
}

struct ChangesHere {
    std::vector<FloatChange> made; // with the names that nodes have here
    std::vector<AddedNode> added; // their Muls, but for the names that these have here: [made], "" where there is none
    std::vector<FloatChange> unmade; // as recorded
};

/// @param leftOut gets a sentence for each that cannot be made
ChangesHere changesHere(const NodesThere& nodes, const RecordedState& recorded, std::vector<std::string>& leftOut)
{
    ChangesHere changes;
    const std::vector<std::string> muls = mulsOf(recorded.graph, recorded.floatChanges);
    for (std::size_t i = 0; i < muls.size(); ++i) {
        const FloatChange& change = recorded.floatChanges[i];
        auto here = nodes.renamed(change);
        if (here) {
            changes.made.push_back(*std::move(here));
            changes.added.push_back({muls[i], {}, change.nodes.front()});
            continue;
        }
        const Error& why = here.error();
        leftOut.push_back("a change of the float model was left out: " + why.what
            + (why.where.empty() ? std::string() : ", at " + why.where));
        changes.unmade.push_back(change);
    }
    return changes;
}

/// The nodes in the model with the changes made.
NodesThere nodesIn(const Model& changed, const NodesThere& nodes, ChangesHere& changes)
{
    for (std::size_t i = 0; i < changes.made.size(); ++i) {
        const Node& reader = changed.node(changed.findNode(changes.made[i].nodes.front()));
        const NodeId mul = changed.value(reader.inputs.front()).producer;
        if (!changes.added[i].was.empty() && mul.valid())
            changes.added[i].is = changed.node(mul).name;
    }
    std::erase_if(changes.added, [](const AddedNode& node) { return node.is.empty(); });
    return nodes.in(changed, changes.added);
}

/// A model with float changes, under a recipe. @param changed made under no rules: those it has are of new nodes
Result<Snapshot> underRecipeOf(const Snapshot& snapshot, const Snapshot& changed)
{
    Recipe recipe = snapshot.recipe;
    recipe.quantization = snapshot.settings;
    const std::vector<Rule>& ofNewNodes = changed.recipe.rules.rules;
    recipe.rules.rules.insert(recipe.rules.rules.end(), ofNewNodes.begin(), ofNewNodes.end());
    return withRecipe(changed, std::move(recipe));
}

/// That nodes are here which the state does not know; nothing where there are none.
std::vector<std::string> newNodesNotes(const Model& model, const NodesThere& nodes)
{
    std::vector<std::string> names;
    for (const NodeId node : nodes.newNodes())
        names.push_back(inQuotes(model.node(node).name));
    if (names.empty())
        return {};
    constexpr std::size_t kShown = 3;
    return {"the state does not know " + nodesText(names.size()) + " (" + firstOf(names, kShown)
        + "): what is behind was measured without them"};
}

void addTo(std::vector<std::string>& notes, const std::vector<std::vector<std::string>>& more)
{
    for (const auto& some : more)
        notes.insert(notes.end(), some.begin(), some.end());
}

/// What the compression's setup is of, and what the recipe makes otherwise.
/// @param unruled the model with the compression's float changes, if any, under no rules
/// @param isWhole nothing of the state was left out: what its setup lacks, it lacked then, unless it is new
Status placedAsThen(
    Resumed& resumed, const Snapshot& unruled, const NodesThere& nodes, const RecordedState& recorded, bool isWhole)
{
    Compression& compression = resumed.compression;
    if (!compression.floatChanges.empty()) {
        DUO_TRY(made, underRecipeOf(resumed.snapshot, unruled));
        compression.changed = std::make_shared<const Snapshot>(std::move(made));
    }
    const Snapshot placed = placedBy(compression, resumed.snapshot);
    const auto unknown = unknownToState(placed, nodes, compression.setup);
    if (!compression.keptFloat.empty()) {
        DUO_TRY(kept, withKeptFloat(placed, compression.keptFloat));
        compression.changed = std::make_shared<const Snapshot>(std::move(kept));
    }
    const Snapshot kept = placedBy(compression, resumed.snapshot);
    DUO_TRY(left, asLeftOut(kept, compression.setup));
    compression.changed = left ? std::move(left) : compression.changed;
    const bool isAsThen = isWhole && unknown.empty();
    addTo(resumed.notes, {newNodesNotes(*placed.model, nodes), unknown});
    std::vector<std::string>& otherwise = isOfAnotherTool(compression.engine) ? resumed.remarks : resumed.notes;
    if (!isAsThen) {
        addTo(otherwise, {notMadeBy(compression.keptFloat.empty() ? placed : kept, compression.setup)});
        return success();
    }
    addTo(otherwise, {notMadeBy(placedBy(compression, resumed.snapshot), compression.setup)});
    if (recorded.tellsKeptFloat)
        addTo(otherwise, {notInSetup(kept, compression.setup), unlikeGroups(kept, compression.setup)});
    else if (recorded.version >= kSinceFloatNodes)
        otherwise.emplace_back("the state does not tell which nodes stay in float");
    return success();
}

Result<Resumed> takenUp(const Snapshot& model, const std::filesystem::path& path, bool strict, const JobContext& job)
{
    DUO_CHECK(checkCanRun(*model.model));
    DUO_TRY(state, StateText::read(path));
    const RecordedState& recorded = state.recorded();
    DUO_TRY(base, ofState(withTransforms(model, recorded, job), path));
    DUO_TRY(hashes, hashModel(*model.model, job));
    const bool isSameGraph = hashes.graph == recorded.model.graph && passRuns(base) == recorded.transforms;
    const NodesThere nodes(
        *base.model, *base.scopes, beforeChanges(recorded.graph, recorded.floatChanges), isSameGraph);
    if (nodes.areAllGone())
        return Error{ErrorCode::BadState, "the state is of another model, of whose nodes this one has none",
            path.string(), "name the model that the state was made for"};
    std::vector<std::string> leftOut;
    ChangesHere changes = changesHere(nodes, recorded, leftOut);
    Snapshot changed = base;
    std::optional<NodesThere> changedNodes;
    if (!changes.made.empty()) {
        DUO_TRY(made, ofState(withFloatChanges(base, changes.made), path));
        changed = std::move(made);
        changedNodes.emplace(nodesIn(*changed.model, nodes, changes));
    }
    std::vector<std::string> ofRecord;
    if (isSameGraph && changes.unmade.empty())
        ofRecord = recordNotes(changed, base, recorded, hashes);
    ReadState read = state.onto(*changed.model, changedNodes ? *changedNodes : nodes, changes.unmade);
    leftOut.insert(leftOut.end(), read.leftOut.begin(), read.leftOut.end());
    Resumed resumed;
    addTo(resumed.notes,
        {state.unlike(), hashNotes(hashes, recorded.model), passNotes(passRuns(base), recorded.transforms), ofRecord,
            stepNotes(recorded), leftOut});
    resumed.recorded = recorded.setup.points.size();
    resumed.leftOut = leftOut;
    resumed.found = std::move(read.found);
    Recipe recipe = read.state.recipe;
    resumed.compression = compressionOf(std::move(read.state));
    resumed.compression.floatChanges = std::move(changes.made);
    recipe.rules = nodes.renamed(std::move(recipe.rules));
    DUO_TRY(snapshot, ofState(withRecipe(base, std::move(recipe), job), path));
    resumed.snapshot = std::move(snapshot);
    DUO_CHECK(
        ofState(placedAsThen(resumed, changed, changedNodes ? *changedNodes : nodes, recorded, leftOut.empty()), path));
    if (hashes.weights != recorded.model.weights || !changes.unmade.empty()) {
        const Snapshot placed = placedBy(resumed.compression, resumed.snapshot);
        DUO_TRY(renewed, ofState(renewWeightsInPlace(placed, resumed.compression, kThreads, job), path));
        addTo(resumed.notes, {renewed});
    } else if (!isOfAnotherTool(resumed.compression.engine)) {
        const Snapshot placed = placedBy(resumed.compression, resumed.snapshot);
        DUO_TRY(unlike, unlikeWeights(placed, resumed.compression, kThreads, job));
        addTo(resumed.notes, {unlikeCodes(placed, resumed.compression), unlike});
    }
    resumed.compression.corrections = correctionsMade(*placedBy(resumed.compression, resumed.snapshot).model,
        resumed.compression.floatChanges, resumed.compression.biasShifts);
    resumed.identicalSetup = resumed.notes.empty();
    if (strict && !resumed.identicalSetup)
        return Error{ErrorCode::BadState, resumed.notes.front(), path.string(),
            "use the model the state was made for, or leave --strict out"};
    return resumed;
}

} // namespace

std::vector<PassRun> passRuns(const Snapshot& snapshot)
{
    std::vector<PassRun> runs;
    if (!snapshot.transforms)
        return runs;
    for (const PassReport& pass : snapshot.transforms->passes) {
        if (!pass.applied.empty())
            runs.push_back({pass.id, pass.version, static_cast<std::int64_t>(pass.applied.size())});
    }
    return runs;
}

Result<Resumed> resumeFrom(const Snapshot& model, const std::filesystem::path& path, bool strict, const JobContext& job)
{
    return ifFilesWhole(takenUp(model, path, strict, job));
}

} // namespace duo
