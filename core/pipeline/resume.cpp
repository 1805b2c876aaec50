// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/resume.h"

#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

std::vector<std::string> hashNotes(const ModelHashes& now, const ModelHashes& then)
{
    std::vector<std::string> notes;
    if (now.graph != then.graph)
        notes.push_back("the graph is not the one the state was made for");
    if (now.weights != then.weights)
        notes.push_back("the weights are not the ones the state was made for; their scales may not fit");
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

/// Simplified as it was for the state.
Result<Snapshot> withTransforms(const Snapshot& opened, const StateText& state, const JobContext& job)
{
    DUO_TRY(wanted, state.transforms());
    Recipe recipe;
    recipe.transforms = std::move(wanted);
    return withRecipe(withScopes(opened, state.scopes()), std::move(recipe), job);
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

Result<Resumed> resumeFrom(
    const Snapshot& opened, const std::filesystem::path& path, bool strict, const JobContext& job)
{
    DUO_CHECK(checkCanRun(*opened.model));
    DUO_TRY(state, StateText::read(path));
    DUO_TRY(changes, state.floatChanges());
    DUO_TRY(base, withTransforms(opened, state, job));
    Snapshot changed = base;
    if (!changes.empty()) {
        DUO_TRY(made, withFloatChanges(base, changes));
        changed = std::move(made);
    }
    DUO_TRY(read, state.onto(*changed.model));
    DUO_TRY(hashes, hashModel(*opened.model, job));
    Resumed resumed;
    resumed.notes = hashNotes(hashes, read.state.model);
    for (std::string& note : passNotes(passRuns(base), read.state.transforms))
        resumed.notes.push_back(std::move(note));
    resumed.notes.insert(resumed.notes.end(), read.leftOut.begin(), read.leftOut.end());
    resumed.identicalSetup = resumed.notes.empty();
    if (strict && !resumed.identicalSetup)
        return Error{ErrorCode::BadState, resumed.notes.front(), path.string(),
            "use the model the state was made for, or leave --strict out"};
    DUO_TRY(snapshot, withRecipe(base, read.state.recipe, job));
    resumed.snapshot = std::move(snapshot);
    if (!changes.empty()) {
        DUO_TRY(made, withFloatChanges(resumed.snapshot, changes));
        resumed.compression.changed = std::make_shared<const Snapshot>(std::move(made));
    }
    const Snapshot& placed = placedBy(resumed.compression, resumed.snapshot);
    if (!read.state.keptFloat.empty()) {
        DUO_TRY(kept, withKeptFloat(placed, read.state.keptFloat));
        resumed.compression.changed = std::make_shared<const Snapshot>(std::move(kept));
        resumed.compression.keptFloat = std::move(read.state.keptFloat);
    } else if (read.leftOut.empty()) {
        DUO_TRY(left, asLeftOut(placed, read.state.setup));
        resumed.compression.changed = left ? left : resumed.compression.changed;
    }
    resumed.compression.floatChanges = std::move(changes);
    resumed.compression.biasShifts = std::move(read.state.biasShifts);
    resumed.compression.setup = std::move(read.state.setup);
    resumed.compression.parameters = std::move(read.state.parameters);
    resumed.compression.samples = read.state.samples;
    resumed.compression.engine = std::move(read.state.engine);
    return resumed;
}

} // namespace duo
