// SPDX-License-Identifier: Apache-2.0
// Session: the runs of the open model: kept as they are made, compared, restored.
#include "app/session/session.h"

#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/snapshot/read_setup.h"
#include "core/support/parallel.h"

#include <utility>

namespace duo::app {

std::vector<KeptRun> Session::runs() const
{
    return m_runs ? m_runs->runs() : std::vector<KeptRun>();
}

void Session::keepRun(KeptRun run, const CalibrationResult& made)
{
    if (!m_runs)
        return;
    m_runs->keep(std::move(run), [snapshot = made.snapshot, compression = made.compression](const JobContext& job) {
        return stateTextOf(snapshot, *compression, job);
    });
}

void Session::restoreRun(const KeptRun& run)
{
    if (!m_runs || !m_snapshot || m_activity != Activity::Idle)
        return;
    const std::filesystem::path state = m_runs->stateOf(run);
    if (state.empty()) {
        editRecipe(run.recipe, tr("Restore a run"));
        Q_EMIT runRestored(run, false);
        return;
    }
    using Imported = std::shared_ptr<const ImportedSetup>;
    const auto work = [snapshot = m_snapshot, recipe = m_recipe, state](const JobContext& job) -> Result<Imported> {
        DUO_TRY(wanted, withWanted(*snapshot, recipe, job));
        DUO_TRY(imported, duo::importSetup(wanted, state, {nullptr, defaultThreads()}, job));
        return std::make_shared<const ImportedSetup>(std::move(imported));
    };
    start<Imported>(Activity::ImportingSetup, work, [this, run, state](Imported&& imported) {
        if (imported->resumed.notes.empty() && useSetup(*imported, tr("Restore a run")))
            Q_EMIT runRestored(run, true);
        else
            Q_EMIT setupImported(state, imported);
    });
}

void Session::compareRuns(const KeptRun& first, const KeptRun& second)
{
    if (!m_runs || !m_snapshot || m_activity != Activity::Idle)
        return;
    const auto work = [first, second, one = m_runs->stateOf(first), other = m_runs->stateOf(second)](
                          const JobContext& job) -> Result<SetupDifference> {
        if (one.empty() || other.empty())
            return setupDifference(comparableSetup(first.recipe), comparableSetup(second.recipe));
        return compareSetups(one, other, {}, job);
    };
    start<SetupDifference>(Activity::ComparingSetup, work, [this, first, second](SetupDifference&& difference) {
        Q_EMIT runsCompared(first, second, std::make_shared<const SetupDifference>(std::move(difference)));
    });
}

void Session::removeRun(const KeptRun& run)
{
    if (!m_runs)
        return;
    m_runs->remove(run);
    Q_EMIT runsChanged();
}

} // namespace duo::app
