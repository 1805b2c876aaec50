// SPDX-License-Identifier: Apache-2.0
// What the engine tells of the model as it stands: how long its nodes take, and which kernels it runs.
#include "app/session/session.h"

#include "core/pipeline/kept_times.h"
#include "core/support/file.h"

#include <utility>

namespace duo::app {

void Session::measureTimes()
{
    if (!m_snapshot || m_data.spec.empty())
        return;
    const auto work
        = [snapshot = m_snapshot, data = m_data](const JobContext& job) { return runTiming(*snapshot, data, job); };
    start<TimesResult>(Activity::Timing, work, [this](TimesResult&& result) {
        m_times = std::move(result);
        if (m_runs)
            m_runs->keepTimes(
                [times = m_times, stamp = m_stamp] { return keptTimesText(*times.times, *times.model, stamp); });
        Q_EMIT timesMeasured();
    });
}

/// Those measured last of this model, in an earlier session or before it was changed and changed back.
LatestJob<TimesResult>::Work Session::findingTimes() const
{
    if (!m_snapshot || !m_runs || m_times.model == m_snapshot->model)
        return {};
    return [model = m_snapshot->model, file = m_runs->timesFile(), stamp = m_stamp](
               const JobContext&) -> Result<TimesResult> {
        DUO_TRY(text, readTextFile(file, kLongestTimes));
        DUO_TRY(times, parseKeptTimes(text, *model, stamp, file.string()));
        return TimesResult{std::make_shared<const NodeTimes>(std::move(times)), model};
    };
}

/// What was measured meanwhile is newer; kept ones that cannot be used are as none.
void Session::takeTimes(Result<TimesResult>&& kept)
{
    const bool isWanted = kept && m_snapshot && kept->model == m_snapshot->model && m_times.model != kept->model;
    if (!isWanted)
        return;
    m_times = *std::move(kept);
    Q_EMIT timesTakenUp();
}

void Session::measureHalves()
{
    if (m_activity != Activity::Idle || !isReady())
        return;
    const auto work = [snapshot = m_snapshot, data = m_data](const JobContext& job) -> Result<HalvesResult> {
        DUO_TRY(made, runHalving(*snapshot, data, job));
        return HalvesResult{std::make_shared<const PassReport>(std::move(made.report.passes.back())), snapshot};
    };
    start<HalvesResult>(Activity::Halving, work, [this](HalvesResult&& result) {
        m_halves = std::move(result);
        Q_EMIT halvesMeasured();
    });
}

void Session::findRunGraph()
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    using Graph = std::shared_ptr<const RunGraph>;
    const auto report = m_export.report;
    const auto exported = report ? report->files.front() : std::filesystem::path();
    const auto work = [snapshot = m_snapshot, exported](const JobContext& job) {
        return duo::findRunGraph(*snapshot->model, *snapshot->scopes, exported, job);
    };
    start<Graph>(Activity::Optimizing, work, [this, report, scopes = m_snapshot->scopes](Graph&& graph) {
        m_run = {std::move(graph), scopes, report};
        Q_EMIT runGraphFound();
    });
}

std::shared_ptr<const RunGraph> Session::runGraph() const
{
    const bool isPresent = m_snapshot && m_run.scopes == m_snapshot->scopes && m_run.report == m_export.report;
    return isPresent ? m_run.graph : nullptr;
}

} // namespace duo::app
