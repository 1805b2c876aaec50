// SPDX-License-Identifier: Apache-2.0
// What the engine tells of the model as it stands: how long its nodes take, and which kernels it runs.
#include "app/session/session.h"

namespace duo::app {

void Session::measureTimes()
{
    if (!m_snapshot || m_data.spec.empty())
        return;
    const auto work
        = [snapshot = m_snapshot, data = m_data](const JobContext& job) { return runTiming(*snapshot, data, job); };
    start<TimesResult>(Activity::Timing, work, [this](TimesResult&& result) {
        m_times = std::move(result);
        Q_EMIT timesMeasured();
    });
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
