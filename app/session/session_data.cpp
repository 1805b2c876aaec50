// SPDX-License-Identifier: Apache-2.0
// Session: what is known of data before anything is quantized: a look at them, statistics, and what these foretell.
#include "app/session/session.h"
#include "core/calibrate/samples/random_dataset.h"
#include "core/pipeline/foreseen_error.h"
#include "core/support/parallel.h"

#include <utility>

namespace duo::app {
namespace {

/// Of random samples that the engine takes in no size.
std::vector<std::string> refusedSizes(const DataSource& data, const Model& model, const Error& error)
{
    const bool isRefused = isOfEngine(error.code) && data.spec.starts_with("random:");
    return isRefused ? sizesToChoose(model, data.options) : std::vector<std::string>();
}

} // namespace

void Session::previewData(const DataSource& data)
{
    m_previewOf = data;
    m_previewing.run();
}

LatestJob<Session::Preview>::Work Session::previewing() const
{
    if (!m_snapshot)
        return {};
    return [model = m_snapshot->model, data = m_previewOf](const JobContext& job) -> Result<Preview> {
        DUO_TRY(dataset, openDataset(data.spec, *model, data.options, job));
        DUO_TRY(preview, previewDataset(*dataset, job));
        return std::make_shared<const DatasetPreview>(std::move(preview));
    };
}

void Session::finishPreview(Result<Preview>&& preview, bool isStale)
{
    if (isStale)
        return;
    if (preview)
        Q_EMIT dataPreviewed(m_previewOf, *preview);
    else if (preview.error().code != ErrorCode::Cancelled && m_snapshot)
        Q_EMIT dataNotPreviewed(
            m_previewOf, preview.error(), refusedSizes(m_previewOf, *m_snapshot->model, preview.error()));
}

void Session::measure()
{
    if (!m_snapshot || m_data.spec.empty() || isOverwritten())
        return;
    const auto work = [snapshot = m_snapshot, inputs = inputs()](
                          const JobContext& job) { return runMeasuring(*snapshot, inputs, job); };
    noteRun(UnfinishedKind::Statistics);
    start<KnownStatistics>(Activity::Measuring, work, [this](KnownStatistics&& statistics) {
        setStatistics(std::move(statistics));
        Q_EMIT measured();
    });
}

void Session::openStatistics(const std::filesystem::path& path)
{
    if (!m_snapshot)
        return;
    const auto work
        = [snapshot = m_snapshot, path](const JobContext& job) { return runReadingStatistics(*snapshot, path, job); };
    start<KnownStatistics>(Activity::ReadingStatistics, work, [this](KnownStatistics&& statistics) {
        m_result.reset(); // made from others, as what was exported
        m_export = {};
        m_found = {};
        showOutcome();
        setStatistics(std::move(statistics));
        Q_EMIT measured();
    });
}

void Session::setStatistics(KnownStatistics statistics)
{
    if (statistics.file == m_statistics.file)
        return;
    m_statistics = std::move(statistics);
    const bool isOther = m_keptStatistics != m_statistics.path;
    m_keptStatistics = m_statistics.path;
    m_isMeasured = m_statistics.file && m_statistics.path.empty();
    m_foresight.reset();
    if (isOther)
        m_findingOutcome.run();
    Q_EMIT statisticsChanged();
    foreseeAgain();
}

void Session::foreseeAgain()
{
    m_foreseeingErrors.stop();
    m_foreseeing.run();
}

LatestJob<Session::MadeForesight>::Work Session::foreseeing() const
{
    if (!m_statistics.file || !m_snapshot)
        return {};
    return [snapshot = m_shown, statistics = m_statistics.file, known = m_foresight](
               const JobContext& job) { return foresee(snapshot, statistics, known.get(), defaultThreads(), job); };
}

void Session::finishForeseeing(Result<MadeForesight>&& result, bool isStale)
{
    if (isStale || !result || (*result)->statistics != m_statistics.file)
        return;
    m_foresight = *std::move(result);
    Q_EMIT foresightChanged();
    m_foreseeingErrors.run();
}

/// Of the foresight there is.
LatestJob<Session::MadeForesight>::Work Session::foreseeingErrors()
{
    if (!m_foresight || m_foresight->problem || m_data.spec.empty() || m_statistics.data != m_data)
        return {};
    m_errorsOf = m_foresight;
    return
        [snapshot = m_shown, foresight = m_foresight, data = m_data](const JobContext& job) -> Result<MadeForesight> {
            DUO_TRY(dataset, openDataset(data.spec, *snapshot->model, data.options, job));
            return withErrors(foresight, *snapshot, *dataset, defaultThreads(), job);
        };
}

void Session::finishForeseeingErrors(Result<MadeForesight>&& result, bool isStale)
{
    const auto of = std::exchange(m_errorsOf, nullptr);
    if (isStale || m_foreseeing.isRunning() || of != m_foresight) // what comes next starts it again
        return;
    const MadeForesight made = result ? *result : withoutErrors(of, result.error());
    if (made == m_foresight)
        return;
    m_foresight = made;
    Q_EMIT foresightChanged();
}

} // namespace duo::app
