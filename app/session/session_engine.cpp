// SPDX-License-Identifier: Apache-2.0
// What the engine tells of the model as it stands: where the output error comes from, how long its nodes take, and
// which kernels it runs. What was measured is found again another time.
#include "app/session/session.h"

#include "core/pipeline/kept_halves.h"
#include "core/pipeline/kept_sensitivity.h"
#include "core/pipeline/kept_times.h"
#include "core/support/file.h"

#include <utility>

namespace duo::app {

void Session::forgetSensitivity()
{
    if (!std::exchange(m_sensitivity, {}).report)
        return;
    Q_EMIT sensitivityChanged();
}

void Session::measureSensitivity(SensitivityDepth by)
{
    if (!isReady())
        return;
    const auto work = [snapshot = m_snapshot, inputs = inputs(), by](
                          const JobContext& job) { return runSensitivity(*snapshot, inputs, by, job); };
    noteRun(UnfinishedKind::Sensitivity);
    start<SensitivityResult>(Activity::Sensing, work, [this, model = m_snapshot->model](SensitivityResult&& result) {
        m_sensitivity = std::move(result);
        keepSensitivity(model);
        if (m_sensitivity.statistics.file)
            setStatistics(m_sensitivity.statistics);
        Q_EMIT sensitivityChanged();
    });
}

/// @param model it was measured for; that which ran may be a rescaled one
void Session::keepSensitivity(const std::shared_ptr<const Model>& model)
{
    const Recipe& recipe = m_sensitivity.snapshot->recipe;
    keepResult({ResultKind::Sensitivity, {}, sensitivityText(*m_sensitivity.report), {}}, recipe);
    if (m_runs)
        m_runs->keep(Measured::Sensitivity,
            [report = m_sensitivity.report, recipe, of = resultOrigin(recipe, m_data, m_stamp), model] {
                return keptSensitivityText({*report, recipe, of}, *model);
            });
}

/// What was measured last of this model with this data.
LatestJob<SensitivityResult>::Work Session::findingSensitivity() const
{
    if (!m_snapshot || !m_runs || m_sensitivity.report || m_data.spec.empty())
        return {};
    return [snapshot = m_snapshot, file = m_runs->fileOf(Measured::Sensitivity), of = origin()](
               const JobContext& job) -> Result<SensitivityResult> {
        DUO_TRY(text, readTextFile(file, kLongestSensitivity));
        DUO_TRY(kept, parseKeptSensitivity(text, *snapshot->model, of, file.string()));
        DUO_TRY(then, withWanted(*snapshot, kept.recipe, job));
        return SensitivityResult{std::make_shared<const SensitivityReport>(std::move(kept.report)),
            std::make_shared<const Snapshot>(std::move(then)), {}};
    };
}

/// What was measured meanwhile is newer; a kept one that cannot be used is as none.
void Session::takeSensitivity(Result<SensitivityResult>&& kept, bool isStale)
{
    const bool isWanted
        = kept && !isStale && m_snapshot && kept->snapshot->model == m_snapshot->model && !m_sensitivity.report;
    if (!isWanted)
        return;
    m_sensitivity = *std::move(kept);
    Q_EMIT sensitivityTakenUp();
}

void Session::measureTimes()
{
    if (!m_snapshot || m_data.spec.empty())
        return;
    const auto work
        = [snapshot = m_snapshot, data = m_data](const JobContext& job) { return runTiming(*snapshot, data, job); };
    start<TimesResult>(Activity::Timing, work, [this](TimesResult&& result) {
        m_times = std::move(result);
        if (m_runs)
            m_runs->keep(Measured::Times,
                [times = m_times, stamp = m_stamp] { return keptTimesText(*times.times, *times.model, stamp); });
        Q_EMIT timesMeasured();
    });
}

/// Those measured last of this model, in an earlier session or before it was changed and changed back.
LatestJob<TimesResult>::Work Session::findingTimes() const
{
    if (!m_snapshot || !m_runs || m_times.model == m_snapshot->model)
        return {};
    return [model = m_snapshot->model, file = m_runs->fileOf(Measured::Times), stamp = m_stamp](
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
        keepHalves(std::move(result));
        Q_EMIT halvesMeasured();
    });
}

void Session::keepHalves(HalvesResult&& result)
{
    m_halves = std::move(result);
    if (m_runs)
        m_runs->keep(Measured::Halves, [halves = m_halves, stamp = m_stamp] {
            return keptHalvesText({*halves.report, halves.of->recipe}, *halves.of->model, stamp);
        });
}

/// Those found last of this model, whatever the data.
LatestJob<HalvesResult>::Work Session::findingHalves() const
{
    if (!m_snapshot || !m_runs || m_halves.report)
        return {};
    return [snapshot = m_snapshot, file = m_runs->fileOf(Measured::Halves), stamp = m_stamp](
               const JobContext& job) -> Result<HalvesResult> {
        DUO_TRY(text, readTextFile(file, kLongestHalves));
        DUO_TRY(kept, parseKeptHalves(text, *snapshot->model, stamp, file.string()));
        DUO_TRY(then, withWanted(*snapshot, kept.recipe, job));
        return HalvesResult{std::make_shared<const PassReport>(std::move(kept.report)),
            std::make_shared<const Snapshot>(std::move(then))};
    };
}

/// As takeSensitivity().
void Session::takeHalves(Result<HalvesResult>&& kept, bool isStale)
{
    if (!kept || isStale || !m_snapshot || kept->of->model != m_snapshot->model || m_halves.report)
        return;
    m_halves = *std::move(kept);
    Q_EMIT halvesTakenUp();
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
