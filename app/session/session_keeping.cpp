// SPDX-License-Identifier: Apache-2.0
// Session: what is kept of a model while one is at work, what is taken up as it is opened again, and what stays when
// its file is read anew.
#include "app/session/session.h"

#include "core/onnx/absent_data.h"
#include "core/pipeline/deployment.h"
#include "core/quantize/recipe/starting_recipe.h"
#include "core/support/parallel.h"
#include "core/support/staged_files.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace duo::app {
namespace {

bool isThere(const std::filesystem::path& path)
{
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

/// The file that an export of the model puts in place as its last; empty: it is no export.
std::filesystem::path exportedFile(const UnfinishedRun& run, const Model& model)
{
    if (run.kind == UnfinishedKind::Deployment)
        return deployedModel(model, run.target);
    return run.kind == UnfinishedKind::Export ? run.target : std::filesystem::path();
}

/// An export puts its files in place all at once, maybe just before the program ended.
bool isInPlace(const std::filesystem::path& exported, const UnfinishedRun& run)
{
    const FileStamp file = stampOf(exported);
    return !exported.empty() && file.exists() && dateOf(file.modified) >= run.begun;
}

/// What a killed program left of an export.
void removeLeftovers(const std::filesystem::path& exported)
{
    if (!exported.empty() && isThere(exported.parent_path()))
        (void)StagedFiles::beside(exported);
}

} // namespace

void Session::keepSessionsIn(const std::filesystem::path& folder)
{
    m_kept = std::make_unique<SessionMemory>(folder, [this](const Error& error) { Q_EMIT sessionNotKept(error); });
}

std::filesystem::path Session::keptFile() const
{
    const auto file = m_kept ? m_kept->file() : std::filesystem::path();
    return isThere(file) ? file : std::filesystem::path();
}

/// What begins now: kept at once, so that the next session can tell.
void Session::noteRun(UnfinishedKind kind, const std::filesystem::path& target)
{
    m_unfinished = UnfinishedRun{kind, dateNow(), target};
    keepSession();
}

/// Of the model just opened. Data named with it win over those kept.
std::optional<KeptSession> Session::beginKeeping(SessionMemory::ReadSessions ahead)
{
    m_takenUp = {};
    m_results.clear();
    m_view = nlohmann::ordered_json::object();
    rememberSources({});
    m_runs.reset();
    if (!m_kept)
        return std::nullopt;
    auto begun = m_kept->begin(m_snapshot->model->path, std::move(ahead));
    m_runs = std::make_unique<RunMemory>(m_kept->runsFolder(), [this](const Status& status) {
        if (!status)
            Q_EMIT sessionNotKept(status.error());
        Q_EMIT runsChanged();
    });
    describeTakenUp(begun);
    if (begun.kept)
        takeUpData(*begun.kept);
    return std::move(begun.kept);
}

void Session::describeTakenUp(const SessionMemory::Begun& begun)
{
    m_takenUp = {};
    m_takenUp.window = begun.window;
    m_takenUp.isShared = begun.isShared;
    m_takenUp.refused = begun.refused;
    m_takenUp.other = begun.other;
    if (!begun.kept)
        return;
    const KeptSession& kept = *begun.kept;
    m_takenUp.date = kept.written;
    if (kept.unfinished) {
        const auto exported = exportedFile(*kept.unfinished, *m_snapshot->model);
        if (!isInPlace(exported, *kept.unfinished)) {
            m_takenUp.unfinished = kept.unfinished;
            removeLeftovers(exported);
        }
    }
    m_takenUp.hasChanged = !kept.stamp.isSameContent(m_stamp);
    for (const auto& path : {kept.checkpoint, kept.statistics}) {
        if (!path.empty() && !isThere(path))
            m_takenUp.gone.push_back(path);
    }
}

void Session::rememberSources(const KeptSession& kept)
{
    m_keptCheckpoint = kept.checkpoint;
    m_keptStatistics = kept.statistics;
    m_located = kept.located;
    m_isMeasured = kept.isMeasured;
}

void Session::takeUpData(const KeptSession& kept)
{
    rememberSources(kept);
    m_takenUp.data = m_data.spec.empty() && !kept.data.spec.empty();
    if (m_takenUp.data)
        m_data = kept.data;
    m_takenUp.demands = kept.demands != ExportDemands();
    m_demands = kept.demands;
    m_results = kept.results;
    m_findingOutcome.run();
    m_view = kept.view;
}

/// External data that are absent, where they were located another time; then the checkpoint, as useCheckpoint() does.
/// @return false where there is nothing to locate, or it is gone too
bool Session::locateAgain(const std::filesystem::path& checkpoint)
{
    if (m_located.empty() || checkHasData(*m_snapshot->model) || !isThere(m_located))
        return false;
    ReadOptions options = m_reading;
    options.allowExternal = m_located;
    return readAgain(options, [this, checkpoint] {
        Q_EMIT dataLocated();
        useCheckpoint(checkpoint);
    });
}

/// As the first step of undo.
void Session::takeUpRecipe(const KeptSession& kept)
{
    m_takenUp.recipe = kept.recipe != m_recipe;
    m_saved = kept.saved;
    m_savedAs = kept.savedAs;
    if (m_takenUp.recipe)
        editRecipe(kept.recipe, tr("Go on with the last recipe"));
}

/// Those that were in use: of a file, or measured before and remembered. No sample is run for them.
void Session::takeUpStatistics()
{
    const bool isWanted = isThere(m_keptStatistics) || (m_isMeasured && !m_data.spec.empty() && m_cache);
    if (!isWanted || m_statistics.file || refusal())
        return;
    using Taken = std::pair<std::optional<KnownStatistics>, std::optional<Error>>;
    const auto work
        = [snapshot = m_snapshot, inputs = inputs(), path = m_keptStatistics](const JobContext& job) -> Result<Taken> {
        auto known = path.empty() ? runRemembering(*snapshot, inputs, job) : runReadingStatistics(*snapshot, path, job);
        if (known)
            return Taken(*std::move(known), std::nullopt);
        if (job.stopped())
            return cancelledError();
        return Taken(std::nullopt, path.empty() ? std::nullopt : std::optional(known.error()));
    };
    start<Taken>(Activity::ReadingStatistics, work, [this, path = m_keptStatistics](Taken&& taken) {
        if (taken.first)
            setStatistics(*std::move(taken.first));
        else if (taken.second)
            Q_EMIT notTakenUp(path, *taken.second);
    });
}

/// What a job has changed is kept; the comparison with a checkpoint may have been the first thing to take up.
void Session::endJob(Activity ended, bool isStopped)
{
    keepSession();
    if (m_activity != Activity::Idle) // another one has been started
        return;
    const bool wasTakingUp = std::exchange(m_isTakingUp, false);
    if (wasTakingUp && ended == Activity::Comparing && !isStopped)
        takeUpStatistics();
}

void Session::startWithoutKept()
{
    m_takenUp.recipe = false;
    m_saved = startingRecipe();
    m_savedAs.clear();
    editRecipe(startingRecipe(), tr("Start without the last recipe"));
}

bool Session::goOnWithOther()
{
    if (!m_snapshot || !m_kept || m_activity != Activity::Idle)
        return false;
    keepSession();
    auto begun = m_kept->beginOther();
    describeTakenUp(begun);
    if (!begun.kept)
        return true;
    const KeptSession& kept = *begun.kept;
    setData(kept.data);
    takeUpData(kept);
    m_takenUp.recipe = kept.recipe != m_recipe;
    m_saved = kept.saved;
    m_savedAs = kept.savedAs;
    editRecipe(kept.recipe, tr("Go on with the other session"));
    const auto used = m_snapshot->checkpoint ? m_snapshot->checkpoint->path : std::filesystem::path();
    if (kept.checkpoint != used && isThere(kept.checkpoint)) {
        compare(kept.checkpoint, CheckpointOrigin::TakenUp);
        m_isTakingUp = true;
    } else {
        takeUpStatistics();
    }
    Q_EMIT sessionTakenUp();
    return true;
}

void Session::finishKeeping()
{
    if (m_kept)
        m_kept->finish();
    if (m_runs)
        m_runs->finish();
}

void Session::setView(nlohmann::ordered_json view)
{
    if (view == m_view)
        return;
    m_view = std::move(view);
    keepSession();
}

void Session::keepSession()
{
    if (!m_kept || !m_snapshot)
        return;
    KeptSession kept;
    kept.stamp = m_stamp;
    kept.recipe = m_recipe;
    kept.saved = m_saved;
    kept.savedAs = m_savedAs;
    kept.data = m_data;
    kept.checkpoint = m_keptCheckpoint;
    kept.statistics = m_keptStatistics;
    kept.located = m_located;
    kept.isMeasured = m_isMeasured;
    kept.demands = m_demands;
    kept.results = m_results;
    kept.unfinished = m_unfinished;
    kept.view = m_view;
    m_kept->keep(std::move(kept));
}

/// In place of the last of its kind. @param result without date and origin; @param recipe it was made under
void Session::keepResult(EarlierResult result, const Recipe& recipe)
{
    std::erase_if(m_results, [&](const EarlierResult& other) {
        return other.kind == result.kind // an export says all that its quantization said
            || (result.kind == ResultKind::Export && other.kind == ResultKind::Quantization);
    });
    result.date = dateNow();
    result.of = resultOrigin(recipe, m_data, m_stamp);
    result.statistics = m_keptStatistics;
    m_results.push_back(std::move(result));
    keepSession();
    m_findingOutcome.run();
}

/// The last such result that was made under the present recipe, of the same data or statistics and file; null: none.
const EarlierResult* Session::keptOf(const std::function<bool(const EarlierResult&)>& isMeant) const
{
    if (std::ranges::none_of(m_results, isMeant))
        return nullptr;
    const ResultOrigin present = origin();
    const auto found = std::find_if(m_results.rbegin(), m_results.rend(), [&](const EarlierResult& result) {
        return isMeant(result) && result.statistics == m_keptStatistics && result.of == present;
    });
    return found == m_results.rend() ? nullptr : &*found;
}

std::vector<EarlierResult> Session::earlierResults() const
{
    std::vector<EarlierResult> earlier;
    for (const EarlierResult& result : m_results) {
        const bool isShown = result.kind == ResultKind::Export ? m_export.report != nullptr
            : result.kind == ResultKind::Quantization          ? m_result != nullptr
                                                               : m_sensitivity.report != nullptr;
        if (!isShown)
            earlier.push_back(result);
    }
    return earlier;
}

bool Session::reload()
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return false;
    OpenOptions open{m_reading, {}, defaultThreads()};
    if (m_snapshot->checkpoint)
        open.checkpoint = m_snapshot->checkpoint->path;
    using Read = std::pair<Shown, FileStamp>;
    const auto work = [base = m_snapshot, open, ahead = m_ahead](const JobContext& job) -> Result<Read> {
        const FileStamp stamp = stampOf(base->model->path);
        DUO_TRY(snapshot, openSnapshot(base->model->path, open, job));
        DUO_TRY(placed, ahead(withRecipe(snapshot, base->recipe, job)));
        return Read(std::move(placed), stamp);
    };
    start<Read>(Activity::Opening, work, [this](Read&& read) { takeReloaded(std::move(read.first), read.second); });
    return true;
}

void Session::takeReloaded(Shown&& snapshot, const FileStamp& stamp)
{
    const auto statistics = m_keptStatistics;
    const bool isMeasured = m_isMeasured;
    m_stamp = stamp;
    m_result.reset();
    m_export = {};
    setStatistics({});
    forgetSensitivity();
    m_keptStatistics = statistics;
    m_isMeasured = isMeasured;
    m_leftInFloat.reset();
    takeSnapshot(std::move(snapshot));
    lookForState();
    Q_EMIT reloaded();
    takeUpStatistics();
}

} // namespace duo::app
