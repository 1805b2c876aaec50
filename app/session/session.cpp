// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"

#include "app/session/recipe/edit_recipe_command.h"
#include "core/pipeline/forecast/foreseen_error.h"
#include "core/support/parallel.h"

#include <utility>

namespace duo::app {
namespace {

constexpr int kThreads = 4; // jobs at once besides the foreground one: placement, foresight, pictures, a look at data

Result<Snapshot> withoutCheckpoint(const Snapshot& snapshot)
{
    Snapshot next = snapshot;
    next.checkpoint.reset();
    next.matches.reset();
    next.scopes = std::make_shared<const Scopes>(findScopes(*next.model));
    return withRecipe(next, snapshot.recipe);
}

/// An enabled rule that catches nothing stops writing (resources/docs/rules.md, "What unmatched means").
Status checkRules(const Snapshot& snapshot)
{
    if (!snapshot.recipe.rules.validate || !snapshot.hits)
        return success();
    for (std::size_t i = 0; i < snapshot.hits->hits.size(); ++i) {
        const Rule& rule = snapshot.recipe.rules.rules[i];
        if (rule.enabled && snapshot.hits->hits[i].nodes.empty())
            return Error{ErrorCode::InvalidRule, "a rule matches no node, so nothing was written", ruleText(rule),
                "correct, disable or remove it in the rules table"};
    }
    return success();
}

/// The same, saying why its error is not known.
std::shared_ptr<const Foresight> withoutErrors(const Foresight& foresight, const Error& error)
{
    Forecast forecast = *foresight.forecast;
    forecast.whyNoError = error.line();
    return withForecast(foresight, std::move(forecast));
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(kThreads);
    connect(&m_job, &ForegroundJob::progressed, this, &Session::progressed);
}

Session::~Session()
{
    m_job.stop();
    m_stopPreview.request_stop();
    m_stopForeseeing.request_stop();
    m_pool.waitForDone();
}

bool Session::isResultCurrent() const
{
    if (!m_result || !m_snapshot || m_result->snapshot.model != m_snapshot->model
        || m_result->snapshot.recipe != m_recipe)
        return false;
    if (m_result->snapshot.scopes == m_snapshot->scopes)
        return true;
    const auto& then = *m_result->snapshot.hits; // a checkpoint may have moved nodes to other scopes
    const auto& now = *m_snapshot->hits;
    return then.ignoredBy == now.ignoredBy && then.targeted == now.targeted;
}

void Session::setActivity(Activity activity)
{
    m_activity = activity;
    Q_EMIT activityChanged();
}

template <typename T, typename Work, typename Done> void Session::start(Activity activity, Work work, Done done)
{
    const auto end = [this, done = std::move(done)](Result<T>&& result) {
        setActivity(Activity::Idle);
        if (result)
            done(*std::move(result));
        else
            finish(result.error());
    };
    setActivity(activity); // first: a job that is done by now ends inside start()
    m_job.start<T>(std::move(work), end, activity == Activity::Exporting ? Stopping::WaitsForIt : Stopping::LeavesIt);
}

void Session::finish(const Error& error)
{
    if (error.code == ErrorCode::Cancelled)
        Q_EMIT stopped();
    else
        Q_EMIT failed(error);
}

void Session::open(const std::filesystem::path& path, const ReadOptions& options)
{
    const auto work = [path, options](const JobContext& job) {
        OpenOptions open;
        open.read = options;
        return openSnapshot(path, open, job);
    };
    start<Snapshot>(Activity::Opening, work, [this, options](Snapshot&& snapshot) {
        m_undo.clear();
        m_reading = options;
        m_result.reset();
        setStatistics({});
        forgetSensitivity();
        m_data = {};
        m_recipe = snapshot.recipe;
        m_isPlacingStale = false;
        m_snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
        Q_EMIT rulesChanged();
        Q_EMIT snapshotChanged();
        Q_EMIT dataChanged();
        Q_EMIT opened();
    });
}

void Session::setCustomOps(const std::vector<std::filesystem::path>& libraries)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    OpenOptions open{m_reading, {}, defaultThreads()};
    open.read.customOps = libraries;
    if (m_snapshot->checkpoint)
        open.checkpoint = m_snapshot->checkpoint->path;
    const auto work = [base = m_snapshot, open](const JobContext& job) -> Result<Snapshot> {
        DUO_TRY(snapshot, openSnapshot(base->model->path, open, job));
        return withRecipe(snapshot, base->recipe);
    };
    start<Snapshot>(Activity::Opening, work, [this, reading = open.read](Snapshot&& snapshot) {
        m_reading = reading;
        m_result.reset();
        takeSnapshot(std::move(snapshot));
    });
}

void Session::setCheckpoint(const std::filesystem::path& path)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    const auto work = [base = m_snapshot, path](const JobContext& job) {
        return path.empty() ? withoutCheckpoint(*base) : withCheckpoint(*base, path, defaultThreads(), job);
    };
    start<Snapshot>(Activity::Comparing, work, [this](Snapshot&& snapshot) {
        takeSnapshot(std::move(snapshot));
        Q_EMIT checkpointChanged();
    });
}

void Session::takeSnapshot(Snapshot&& snapshot)
{
    m_snapshot = std::make_shared<const Snapshot>(std::move(snapshot));
    if (m_snapshot->recipe != m_recipe) // the rules were edited meanwhile
        startPlacing();
    Q_EMIT snapshotChanged();
    startForeseeing();
}

void Session::editRecipe(const Recipe& recipe, const QString& text, const QString& mergeKey)
{
    if (!m_snapshot || recipe == m_recipe)
        return;
    m_undo.push(
        new EditRecipeCommand(m_recipe, recipe, text, mergeKey, [this](const Recipe& wanted) { applyRecipe(wanted); }));
}

void Session::editRules(const RuleSet& rules, const QString& text, const QString& mergeKey)
{
    Recipe recipe = m_recipe;
    recipe.rules = rules;
    editRecipe(recipe, text, mergeKey);
}

void Session::applyRecipe(const Recipe& recipe)
{
    m_recipe = recipe;
    Q_EMIT rulesChanged();
    startPlacing();
}

void Session::startPlacing()
{
    if (m_isPlacing) {
        m_isPlacingStale = true;
        return;
    }
    m_isPlacing = true;
    m_isPlacingStale = false;
    const auto work = [base = m_snapshot, recipe = m_recipe](const JobContext&) { return withRecipe(*base, recipe); };
    auto job = startJob<Snapshot>(m_pool, work, {});
    job.future.then(this, [this, base = m_snapshot](const std::shared_ptr<Result<Snapshot>>& result) {
        m_isPlacing = false;
        finishPlacing(base, std::move(*result));
        if (m_isPlacingStale)
            startPlacing();
    });
}

void Session::finishPlacing(const std::shared_ptr<const Snapshot>& base, Result<Snapshot>&& result)
{
    if (m_snapshot->model != base->model) // another model was opened meanwhile
        return;
    if (m_snapshot->scopes != base->scopes) { // another checkpoint is in use
        m_isPlacingStale = true;
    } else if (result) {
        m_snapshot = std::make_shared<const Snapshot>(*std::move(result));
        Q_EMIT snapshotChanged();
        startForeseeing();
    } else if (!m_isPlacingStale) {
        Q_EMIT failed(result.error());
    }
}

void Session::setData(const DataSource& data)
{
    if (data == m_data)
        return;
    m_data = data;
    m_result.reset();
    setStatistics({});
    forgetSensitivity();
    Q_EMIT dataChanged();
}

void Session::previewData(const DataSource& data)
{
    m_stopPreview.request_stop();
    if (!m_snapshot)
        return;
    using Preview = std::shared_ptr<const DatasetPreview>;
    const auto work = [model = m_snapshot->model, data](const JobContext& job) -> Result<Preview> {
        DUO_TRY(dataset, openDataset(data.spec, *model, data.options, job));
        DUO_TRY(preview, previewDataset(*dataset, job));
        return std::make_shared<const DatasetPreview>(std::move(preview));
    };
    auto job = startJob<Preview>(m_pool, work, {});
    m_stopPreview = job.stop;
    job.future.then(this, [this, data](const std::shared_ptr<Result<Preview>>& result) {
        if (*result)
            Q_EMIT dataPreviewed(data, **result);
        else if (result->error().code != ErrorCode::Cancelled)
            Q_EMIT dataNotPreviewed(data, result->error());
    });
}

bool Session::isReady()
{
    if (!m_snapshot)
        return false;
    if (m_data.spec.empty() && !m_statistics.file) {
        Q_EMIT failed(Error{ErrorCode::BadData, "no calibration data chosen", {}, "choose it in the Quantize menu"});
        return false;
    }
    return true;
}

CalibrationInputs Session::inputs() const
{
    return {m_recipe, m_data, m_statistics, m_cache};
}

void Session::measure()
{
    if (!m_snapshot || m_data.spec.empty())
        return;
    const auto work = [snapshot = m_snapshot, inputs = inputs()](
                          const JobContext& job) { return runMeasuring(*snapshot, inputs, job); };
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
        m_result.reset(); // it was made from others
        setStatistics(std::move(statistics));
        Q_EMIT measured();
    });
}

void Session::setStatistics(KnownStatistics statistics)
{
    if (statistics.file == m_statistics.file)
        return;
    m_statistics = std::move(statistics);
    m_foresight.reset();
    Q_EMIT statisticsChanged();
    startForeseeing();
}

void Session::startForeseeing()
{
    m_stopForeseeing.request_stop();
    if (m_isForeseeing) {
        m_isForeseeingStale = true;
        return;
    }
    m_isForeseeingStale = false;
    if (!m_statistics.file || !m_snapshot)
        return;
    m_isForeseeing = true;
    using Made = std::shared_ptr<const Foresight>;
    const auto work = [snapshot = m_snapshot, statistics = m_statistics.file, known = m_foresight](
                          const JobContext& job) -> Result<Made> {
        return foresee(snapshot, statistics, known.get(), defaultThreads(), job);
    };
    auto job = startJob<Made>(m_pool, work, {});
    m_stopForeseeing = job.stop;
    job.future.then(this, [this](const std::shared_ptr<Result<Made>>& result) {
        m_isForeseeing = false;
        if (m_isForeseeingStale) {
            startForeseeing();
        } else if (*result && (**result)->statistics == m_statistics.file) {
            m_foresight = **result;
            Q_EMIT foresightChanged();
            startForeseeingErrors();
        }
    });
}

/// Of the foresight there is. One at a time: a session of the engine that is being made cannot be stopped.
void Session::startForeseeingErrors()
{
    if (m_isForeseeingErrors || !m_foresight || m_foresight->problem || m_data.spec.empty()
        || m_statistics.data != m_data)
        return;
    m_isForeseeingErrors = true;
    using Made = std::shared_ptr<const Foresight>;
    const auto work
        = [snapshot = m_snapshot, foresight = m_foresight, data = m_data](const JobContext& job) -> Result<Made> {
        DUO_TRY(dataset, openDataset(data.spec, *snapshot->model, data.options, job));
        return withErrors(foresight, *snapshot, *dataset, defaultThreads(), job);
    };
    auto job = startJob<Made>(m_pool, work, {});
    m_stopForeseeing = job.stop;
    job.future.then(this, [this, of = m_foresight](const std::shared_ptr<Result<Made>>& result) {
        m_isForeseeingErrors = false;
        if (m_isForeseeing)
            return; // it starts this again
        if (of != m_foresight) {
            startForeseeingErrors();
        } else if (const Made made = *result ? **result : withoutErrors(*of, result->error()); made != m_foresight) {
            m_foresight = made;
            Q_EMIT foresightChanged();
        }
    });
}

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
    start<SensitivityResult>(Activity::Sensing, work, [this](SensitivityResult&& result) {
        m_sensitivity = std::move(result);
        if (m_sensitivity.statistics.file)
            setStatistics(m_sensitivity.statistics);
        Q_EMIT sensitivityChanged();
    });
}

void Session::calibrate()
{
    if (!isReady())
        return;
    const auto work = [snapshot = m_snapshot, inputs = inputs()](
                          const JobContext& job) { return runCalibration(*snapshot, inputs, job); };
    start<std::shared_ptr<CalibrationResult>>(
        Activity::Calibrating, work, [this](std::shared_ptr<CalibrationResult>&& result) {
            m_result = std::move(result);
            setStatistics(m_result->statistics);
            Q_EMIT calibrated();
        });
}

void Session::setDemands(const ExportDemands& demands)
{
    m_demands = demands;
}

void Session::exportTo(const std::filesystem::path& target)
{
    if (!isReady())
        return;
    const auto ready = isResultCurrent() ? m_result : nullptr;
    const auto work = [ready, target, snapshot = m_snapshot, inputs = inputs(), demands = m_demands](
                          const JobContext& job) -> Result<ExportResult> {
        DUO_TRY(wanted, withWanted(ready ? ready->snapshot : *snapshot, inputs.recipe));
        DUO_CHECK(checkRules(wanted));
        auto result = ready;
        if (!result) {
            DUO_TRY(calibrated, runCalibration(wanted, inputs, job));
            result = std::move(calibrated);
        }
        return runExport(std::move(result), inputs, demands, target, job);
    };
    start<ExportResult>(Activity::Exporting, work, [this, before = m_recipe](ExportResult&& result) {
        m_result = std::move(result.calibration);
        setStatistics(m_result->statistics);
        if (result.kept > 0 && m_recipe == before)
            editRecipe(m_result->snapshot.recipe, tr("keep %n scope(s) in float for the bounds", nullptr, result.kept));
        Q_EMIT exported(result.report);
    });
}

void Session::stop()
{
    m_job.stop();
}

} // namespace duo::app
