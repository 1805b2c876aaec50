// SPDX-License-Identifier: Apache-2.0
#include "app/session/session.h"

#include "app/session/edit_recipe_command.h"
#include "app/session/recipe_files.h"
#include "core/engine/find_value_types.h"
#include "core/formats/file_formats.h"
#include "core/pipeline/deployment.h"
#include "core/quantize/recipe/starting_recipe.h"
#include "core/report/measured_line.h"
#include "core/report/note_groups.h"
#include "core/support/file.h"
#include "core/support/parallel.h"
#include "core/support/phrases.h"

#include <chrono>
#include <utility>

namespace duo::app {
namespace {

constexpr int kThreads = 4; // jobs at once besides the foreground one: placement, foresight, pictures, a look at data

/// Also for a next time, in another folder; what is no file stays as it is.
std::filesystem::path wholePath(const std::filesystem::path& path)
{
    std::error_code unknown;
    const bool isThere = !path.empty() && std::filesystem::exists(path, unknown);
    return isThere ? std::filesystem::absolute(path, unknown) : path;
}

DataSource withWholePath(DataSource data)
{
    data.spec = wholePath(data.spec).string();
    return data;
}

bool isLeftOpen(const Recipe& recipe)
{
    return recipe.transforms == startingTransforms(recipe.quantization);
}

/// What cannot be simplified can still be looked at.
Result<Snapshot> started(const Snapshot& opened, const JobContext& job)
{
    auto simplified = withRecipe(opened, startingRecipe(), job);
    if (simplified || simplified.error().code == ErrorCode::Cancelled)
        return simplified;
    return withRecipe(opened, Recipe{}, job);
}

double secondsSince(std::chrono::steady_clock::time_point begun)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

/// @param report of its export; null: there is none
std::shared_ptr<const NodeOutcomes> outcomesOf(
    const Snapshot& planned, const Compression& made, const ExportReport* report = nullptr)
{
    const NodeRuns* runs = report ? runsIn(*report) : nullptr;
    return std::make_shared<const NodeOutcomes>(nodeOutcomes(planned, placedBy(made, planned), runs));
}

/// As it is kept: lines.
std::string quantizedText(const Compression& compression)
{
    std::string text = counted(compression.setup.points.size(), "quantizer", "quantizers") + ", ranges measured on "
        + std::to_string(compression.samples) + " samples\n";
    for (const NoteGroup& group : groupNotes(compression.notes))
        text += noteLine(group) + "\n";
    return text;
}

} // namespace

Session::Session(QObject* parent)
    : QObject(parent)
    , m_previewing(
          m_pool, *this, [this] { return previewing(); },
          [this](Result<Preview>&& preview, bool isStale) { finishPreview(std::move(preview), isStale); })
    , m_foreseeingTransforms(
          m_pool, *this, [this] { return foreseeingTransforms(); },
          [this](Result<TransformsMade>&& report, bool isStale) { finishTransforms(std::move(report), isStale); })
    , m_findingTypes(
          m_pool, *this, [this] { return findingTypes(); },
          [this](Result<FoundTypes>&& result, bool isStale) {
              if (isStale || !result)
                  return;
              m_types = *std::move(result);
              Q_EMIT typesChanged();
          })
    , m_placing(
          m_pool, *this, [this] { return placing(); },
          [this](Result<Snapshot>&& result, bool isStale) { finishPlacing(std::move(result), isStale); })
    , m_findingOutcome(
          m_pool, *this, [this] { return findingOutcome(); },
          [this](Result<FoundOutcome>&& result, bool) {
              if (!result)
                  return;
              m_found = *std::move(result);
              showOutcome();
              Q_EMIT nodeRunsChanged();
          })
    , m_foreseeingSize(
          m_pool, *this, [this] { return foreseeingSize(); },
          [this](Result<FoundSize>&& result, bool) {
              if (!result)
                  return;
              m_size = *std::move(result);
              Q_EMIT sizeForeseen();
          })
    , m_findingTimes(
          m_pool, *this, [this] { return findingTimes(); },
          [this](Result<TimesResult>&& kept, bool) { takeTimes(std::move(kept)); })
    , m_findingSensitivity(
          m_pool, *this, [this] { return findingSensitivity(); },
          [this](Result<SensitivityResult>&& kept, bool isStale) { takeSensitivity(std::move(kept), isStale); })
    , m_findingHalves(
          m_pool, *this, [this] { return findingHalves(); },
          [this](Result<HalvesResult>&& kept, bool isStale) { takeHalves(std::move(kept), isStale); })
    , m_foreseeing(
          m_pool, *this, [this] { return foreseeing(); },
          [this](Result<MadeForesight>&& result, bool isStale) { finishForeseeing(std::move(result), isStale); })
    , m_foreseeingErrors(
          m_pool, *this, [this] { return foreseeingErrors(); },
          [this](Result<MadeForesight>&& result, bool isStale) { finishForeseeingErrors(std::move(result), isStale); })
{
    m_pool.setMaxThreadCount(kThreads);
    connect(&m_job, &ForegroundJob::progressed, this, &Session::progressed);
}

Session::~Session()
{
    m_undo.disconnect(); // it tells of being emptied when the rest is gone
    m_job.stop();
    m_previewing.stop();
    m_foreseeingTransforms.stop();
    m_findingTypes.stop();
    m_placing.stop();
    m_findingOutcome.stop();
    m_foreseeingSize.stop();
    m_findingTimes.stop();
    m_findingSensitivity.stop();
    m_findingHalves.stop();
    m_foreseeing.stop();
    m_foreseeingErrors.stop();
    m_pool.waitForDone();
}

std::optional<Error> Session::refusal() const
{
    return m_snapshot ? m_snapshot->refusal : std::nullopt;
}

bool Session::lacksData(Activity activity) const
{
    if (activity == Activity::Exporting && isResultCurrent())
        return false;
    const bool takesStatistics = activity == Activity::Calibrating || activity == Activity::Exporting;
    return m_data.spec.empty() && !(takesStatistics && m_statistics.file);
}

void Session::setActivity(Activity activity)
{
    m_activity = activity;
    Q_EMIT activityChanged();
}

void Session::finish(const Error& error)
{
    const auto checkpoint = std::exchange(m_comparing, {});
    if (error.code == ErrorCode::Cancelled)
        Q_EMIT stopped(checkpoint);
    else if (!checkpoint.empty() && m_origin == CheckpointOrigin::FoundBeside)
        Q_EMIT checkpointUnusable(checkpoint, error);
    else if (!checkpoint.empty() && m_origin == CheckpointOrigin::TakenUp)
        Q_EMIT notTakenUp(checkpoint, error);
    else
        Q_EMIT failed(error);
}

void Session::open(const std::filesystem::path& path, const Companions& companions)
{
    m_opening = path;
    m_companions = companions;
    read({});
}

void Session::read(const ReadOptions& options)
{
    m_comparing.clear();
    m_isTakingUp = false;
    const auto work = [path = m_opening, options, folder = keptFolder(), ahead = m_ahead](
                          const JobContext& job) -> Result<ReadModel> {
        const FileStamp stamp = stampOf(path); // before: what is written meanwhile is told from it
        OpenOptions open;
        open.read = options;
        DUO_TRY(opened, openScopes(path, open, job));
        DUO_TRY(snapshot, ahead(started(opened, job)));
        auto kept = folder.empty() ? SessionMemory::ReadSessions() : SessionMemory::readAhead(folder, path);
        return ReadModel{std::move(snapshot), stamp, std::move(kept)};
    };
    start<ReadModel>(
        Activity::Opening, work, [this, options](ReadModel&& read) { takeOpened(std::move(read), options); });
}

void Session::openAgain(const std::filesystem::path& allowExternal)
{
    ReadOptions options;
    options.allowExternal = allowExternal;
    read(options);
}

void Session::takeOpened(ReadModel&& read, const ReadOptions& options)
{
    m_undo.clear();
    m_reading = options;
    m_result.reset();
    m_results.clear();
    m_unfinished.reset();
    m_export = {};
    m_leftInFloat.reset();
    m_openedRecipe.clear();
    m_comparing.clear();
    setStatistics({});
    forgetSensitivity();
    m_times = {};
    m_halves = {};
    m_run = {};
    const Companions companions = takeCompanions();
    m_data = withWholePath(companions.data);
    m_recipe = read.snapshot->recipe;
    m_saved = m_recipe;
    m_savedAs.clear();
    setSnapshot(std::move(read.snapshot));
    m_stamp = read.stamp;
    const auto kept = beginKeeping(std::move(read.kept));
    m_placing.stop();
    Q_EMIT rulesChanged();
    Q_EMIT snapshotChanged();
    Q_EMIT dataChanged();
    if (kept)
        takeUpRecipe(*kept);
    Q_EMIT opened();
    use(companions);
    lookForState();
    lookAtModelAnew();
}

/// After it was read or made, in the background: the types of its values, for which the engine may have to be asked,
/// and what was measured of it earlier.
void Session::lookAtModelAnew()
{
    if (std::exchange(m_types, nullptr))
        Q_EMIT typesChanged();
    m_findingTypes.run();
    m_findingTimes.run();
    m_findingSensitivity.run();
    m_findingHalves.run();
}

LatestJob<Session::FoundTypes>::Work Session::findingTypes() const
{
    return [model = m_snapshot->model](const JobContext& job) -> Result<FoundTypes> {
        DUO_TRY(types, findValueTypes(*model, job));
        return std::make_shared<const ValueTypes>(std::move(types));
    };
}

/// In the background: a state has a megabyte for every 20,000 channels.
void Session::lookForState()
{
    if (metadataValue(m_snapshot->model->metadata, kStateDigestKey).empty())
        return;
    using Found = std::optional<StateSummary>;
    const auto work = [model = m_snapshot->model](const JobContext&) { return stateOfExport(*model); };
    const auto end = [this, model = m_snapshot->model](Result<Found>&& found) {
        if (m_snapshot->model != model || !found || !*found)
            return;
        m_leftInFloat = (*found)->keptFloat;
        m_findingOutcome.run();
        Q_EMIT stateFound(**found, m_recipe == (*found)->recipe);
    };
    startJob<Found>(m_pool, *this, work, {}, end);
}

/// Those of the model just opened: they are nobody else's.
Companions Session::takeCompanions()
{
    Companions own = std::exchange(m_companions, {});
    Companions first = std::exchange(m_firstCompanions, {});
    if (own.data.spec.empty())
        own.data = std::move(first.data);
    if (own.checkpoint.empty())
        own.checkpoint = std::move(first.checkpoint);
    if (own.recipe.empty())
        own.recipe = std::move(first.recipe);
    return own;
}

void Session::use(const Companions& companions)
{
    if (!companions.recipe.empty())
        readRecipe(companions.recipe, {}); // whatever was taken up
    if (!locateAgain(companions.checkpoint))
        useCheckpoint(companions.checkpoint);
}

/// @param wanted "": what was kept, or lies beside the model
void Session::useCheckpoint(const std::filesystem::path& wanted)
{
    const auto& model = m_snapshot->model->path;
    std::error_code unknown;
    if (!wanted.empty())
        addCheckpoint(wanted);
    else if (!m_keptCheckpoint.empty() && std::filesystem::exists(m_keptCheckpoint, unknown))
        compare(m_keptCheckpoint, CheckpointOrigin::TakenUp);
    else if (const auto found = checkpointBeside(model); !found.empty() && m_memory && !m_memory->isLeftOut(model))
        compare(found, CheckpointOrigin::FoundBeside);
    m_isTakingUp = m_activity != Activity::Idle;
    if (!m_isTakingUp)
        takeUpStatistics();
}

bool Session::setCustomOps(const std::vector<std::filesystem::path>& libraries)
{
    ReadOptions options = m_reading;
    options.customOps = libraries;
    return readAgain(options, [this, libraries] { Q_EMIT customOpsTaken(libraries); });
}

bool Session::locateData(const std::filesystem::path& path)
{
    ReadOptions options = m_reading;
    options.allowExternal = path;
    return readAgain(options, [this, path] {
        m_located = wholePath(path);
        Q_EMIT dataLocated();
    });
}

bool Session::readAgain(const ReadOptions& options, std::function<void()> then)
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return false;
    OpenOptions open{options, {}, defaultThreads()};
    if (m_snapshot->checkpoint)
        open.checkpoint = m_snapshot->checkpoint->path;
    const auto work = [base = m_snapshot, open, ahead = m_ahead](const JobContext& job) -> Result<Shown> {
        DUO_TRY(snapshot, openSnapshot(base->model->path, open, job));
        return ahead(withRecipe(snapshot, base->recipe, job));
    };
    start<Shown>(Activity::Opening, work, [this, options, then = std::move(then)](Shown&& snapshot) {
        m_reading = options;
        m_result.reset();
        takeSnapshot(std::move(snapshot));
        lookAtModelAnew();
        then();
    });
    return true;
}

bool Session::addCheckpoint(const std::filesystem::path& path)
{
    if (!m_snapshot) {
        Q_EMIT failed(Error{ErrorCode::Usage, "a checkpoint needs the model that it belongs to", path.string(),
            "open the model first, then add the checkpoint"});
        return true;
    }
    if (m_activity != Activity::Idle)
        return false;
    leaveOut(false);
    compare(path, CheckpointOrigin::Asked);
    return true;
}

void Session::leaveCheckpointOut()
{
    if (!m_snapshot || m_activity != Activity::Idle)
        return;
    leaveOut(true);
    compare({}, CheckpointOrigin::Asked);
}

void Session::leaveOut(bool isLeftOut)
{
    if (m_memory)
        m_memory->setLeftOut(m_snapshot->model->path, isLeftOut);
}

/// "": with none.
void Session::compare(const std::filesystem::path& checkpoint, CheckpointOrigin origin)
{
    m_comparing = checkpoint;
    m_origin = origin;
    const auto work = [base = m_snapshot, checkpoint, ahead = m_ahead](const JobContext& job) {
        return ahead(withCheckpoint(*base, checkpoint, defaultThreads(), job));
    };
    start<Shown>(Activity::Comparing, work, [this](Shown&& snapshot) {
        const auto used = std::exchange(m_comparing, {});
        m_keptCheckpoint = m_origin == CheckpointOrigin::FoundBeside ? std::filesystem::path() : wholePath(used);
        takeSnapshot(std::move(snapshot));
        Q_EMIT checkpointChanged();
    });
}

void Session::takeSnapshot(Shown&& snapshot)
{
    setSnapshot(std::move(snapshot));
    if (m_snapshot->recipe != m_recipe) // the rules were edited meanwhile
        m_placing.run();
    Q_EMIT snapshotChanged();
    reportRecipe();
    foreseeAgain();
}

void Session::openRecipe(const std::filesystem::path& path)
{
    if (!m_snapshot) {
        Q_EMIT failed(Error{ErrorCode::Usage, "a recipe needs the model that it is for", path.string(),
            "open the model first, then the recipe"});
        return;
    }
    readRecipe(path, m_recipe);
}

void Session::readRecipe(const std::filesystem::path& path, const Recipe& present)
{
    auto reading = readRecipeOver(present, path);
    if (!reading) {
        Q_EMIT failed(reading.error());
        return;
    }
    m_openedRecipe = path.filename();
    m_recipeNotes = std::move(reading->notes);
    m_saved = reading->recipe;
    m_savedAs = path;
    Q_EMIT recipeRead();
    if (reading->recipe == m_recipe) {
        keepSession();
        reportRecipe();
    } else {
        editRecipe(reading->recipe, tr("Open recipe %1").arg(QString::fromStdString(m_openedRecipe.string())));
    }
}

/// Once the rules of a recipe just opened are evaluated.
void Session::reportRecipe()
{
    if (m_openedRecipe.empty() || !m_snapshot->hits || m_snapshot->recipe != m_recipe)
        return;
    Q_EMIT recipeOpened({std::exchange(m_openedRecipe, {}), std::exchange(m_recipeNotes, {}),
        unmatchedRules(*m_snapshot), m_recipe.rules.rules.size()});
}

Status Session::saveRecipeAs(const std::filesystem::path& path)
{
    if (m_snapshot && isSameFile(path, m_snapshot->model->path))
        return Error{
            ErrorCode::NotWritable, "the recipe would replace the model", path.string(), "choose another name"};
    DUO_CHECK(saveRecipe(m_recipe, path));
    m_saved = m_recipe;
    m_savedAs = path;
    keepSession();
    return success();
}

/// Transforms that nobody has chosen go with the settings.
void Session::editRecipe(const Recipe& wanted, const QString& text, const QString& mergeKey)
{
    Recipe recipe = wanted;
    if (recipe.transforms == m_recipe.transforms && isLeftOpen(m_recipe))
        recipe.transforms = startingTransforms(recipe.quantization);
    if (!m_snapshot || recipe == m_recipe)
        return;
    m_undo.push(new EditRecipeCommand(m_recipe, recipe, text, mergeKey, [this](const Recipe& to) { applyRecipe(to); }));
}

void Session::editRules(const RuleSet& rules, const QString& text, const QString& mergeKey)
{
    Recipe recipe = m_recipe;
    recipe.rules = rules;
    editRecipe(recipe, text, mergeKey);
}

void Session::avoidSaturation()
{
    Recipe recipe = m_recipe;
    recipe.quantization.overflowFix = OverflowFix::Enable;
    editRecipe(recipe, tr("overflow_fix: enable"));
}

void Session::applyRecipe(const Recipe& recipe)
{
    m_recipe = recipe;
    takeUpAgain();
    keepSession();
    Q_EMIT rulesChanged();
    m_placing.run();
}

LatestJob<Snapshot>::Work Session::placing()
{
    m_placingFrom = m_snapshot;
    return [base = m_snapshot, recipe = m_recipe](const JobContext& job) { return withRecipe(*base, recipe, job); };
}

/// What was made of rules that changed meanwhile is shown too: the next one follows.
void Session::finishPlacing(Result<Snapshot>&& result, bool isStale)
{
    const auto base = std::exchange(m_placingFrom, nullptr);
    if (m_snapshot->model != base->model) // another model was opened meanwhile
        return;
    if (m_snapshot->scopes != base->scopes) { // another checkpoint is in use
        m_placing.run();
    } else if (result) {
        setSnapshot(std::make_shared<const Snapshot>(*std::move(result)));
        if (m_snapshot->model != base->model)
            forgetModelBefore();
        Q_EMIT snapshotChanged();
        reportRecipe();
        foreseeAgain();
    } else if (!isStale) {
        Q_EMIT failed(result.error());
    }
}

void Session::setData(const DataSource& named)
{
    const DataSource data = withWholePath(named);
    if (data == m_data)
        return;
    m_data = data;
    if (m_result && !m_result->taken)
        m_result.reset();
    m_export = {}; // is an earlier result now
    m_found = {};
    m_findingOutcome.run();
    showOutcome();
    setStatistics({});
    forgetSensitivity();
    m_findingSensitivity.run();
    keepSession();
    Q_EMIT dataChanged();
}

bool Session::isReady()
{
    if (!m_snapshot)
        return false;
    if (lacksData(Activity::Calibrating)) {
        Q_EMIT failed(Error{ErrorCode::BadData, "no calibration data chosen", {}, "choose it in the Quantize menu"});
        return false;
    }
    return !isOverwritten();
}

bool Session::isReadyToExport()
{
    return isResultCurrent() ? !isOverwritten() : isReady();
}

/// Its weights are mapped: what is written into the same file is in the model already, or is cut off it.
bool Session::isOverwritten()
{
    const auto& path = m_snapshot->model->path;
    const FileStamp now = stampOf(path);
    if (now.inode != m_stamp.inode || now.isSameContent(m_stamp))
        return false;
    Q_EMIT failed(Error{ErrorCode::FileNotReadable, "the model's file was written over since it was read",
        path.string(), "reload it (F5)"});
    return true;
}

CalibrationInputs Session::inputs() const
{
    return {m_recipe, m_data, m_statistics, m_cache, arraysOf(m_demands.verdict)};
}

void Session::calibrate()
{
    if (!isReady())
        return;
    using Made = std::pair<std::shared_ptr<CalibrationResult>, std::shared_ptr<const NodeOutcomes>>;
    const auto work = [snapshot = m_snapshot, inputs = inputs()](const JobContext& job) -> Result<Made> {
        DUO_TRY(result, runCalibration(*snapshot, inputs, job));
        auto nodes = outcomesOf(result->snapshot, *result->compression);
        return Made(std::move(result), std::move(nodes));
    };
    noteRun(UnfinishedKind::Quantization);
    start<Made>(Activity::Calibrating, work, [this, begun = std::chrono::steady_clock::now()](Made&& made) {
        m_result = std::move(made.first);
        showOutcome();
        setStatistics(m_result->statistics);
        const Recipe& recipe = m_result->snapshot.recipe;
        keepResult({ResultKind::Quantization, {}, quantizedText(*m_result->compression), {}, {}, made.second}, recipe);
        keepRun(runOf(*m_result->compression, recipe, resultOrigin(recipe, m_data, m_stamp), secondsSince(begun)),
            *m_result);
        Q_EMIT calibrated();
    });
}

void Session::setDemands(const ExportDemands& demands)
{
    m_demands = demands;
    keepSession();
}

FilesRead Session::filesRead() const
{
    return {.data = m_data.spec,
        .recipe = m_savedAs,
        .statistics = m_statistics.path,
        .checkpoint = m_snapshot->checkpoint ? m_snapshot->checkpoint->path : std::filesystem::path()};
}

void Session::exportTo(const std::filesystem::path& target)
{
    if (!isReadyToExport())
        return;
    if (const Status free = checkExportTarget(*m_snapshot->model, filesRead(), target); !free)
        Q_EMIT failed(free.error());
    else
        startExport(target, runExport, UnfinishedKind::Export);
}

void Session::deployTo(const std::filesystem::path& folder)
{
    if (!isReadyToExport())
        return;
    if (const Status free = checkDeployment(*m_snapshot->model, filesRead(), folder); !free)
        Q_EMIT failed(free.error());
    else
        startExport(folder, runDeployment, UnfinishedKind::Deployment);
}

void Session::startExport(const std::filesystem::path& target, ExportRun run, UnfinishedKind kind)
{
    const auto ready = isResultCurrent() ? m_result : nullptr;
    const auto work = [ready, target, run, snapshot = m_snapshot, inputs = inputs(), demands = m_demands](
                          const JobContext& job) -> Result<ExportResult> {
        DUO_TRY(wanted, withWanted(ready ? ready->snapshot : *snapshot, inputs.recipe, job));
        DUO_CHECK(checkRules(wanted, "nothing was written"));
        auto result = ready;
        if (!result) {
            DUO_TRY(calibrated, runCalibration(wanted, inputs, job));
            result = std::move(calibrated);
        }
        DUO_TRY(made, run(std::move(result), inputs, demands, target, job));
        if (!made.calibration->taken) // else the plan is not what was made
            made.nodes = outcomesOf(made.calibration->snapshot, *made.written, made.report.get());
        return made;
    };
    const auto begun = std::chrono::steady_clock::now();
    noteRun(kind, target);
    start<ExportResult>(Activity::Exporting, work, [this, begun, before = m_recipe](ExportResult&& result) {
        m_result = std::move(result.calibration);
        setStatistics(m_result->statistics);
        if (result.kept > 0 && m_recipe == before)
            editRecipe(m_result->snapshot.recipe, tr("keep %n scope(s) in float for the bounds", nullptr, result.kept));
        m_export = {result.report, std::make_shared<const Snapshot>(m_result->snapshot), m_result->compression,
            std::move(result.written)};
        showOutcome();
        const Recipe& recipe = m_result->snapshot.recipe;
        keepResult({ResultKind::Export, {}, exportText(*result.report), {}, measuredLine(*result.report),
                       std::move(result.nodes)},
            recipe);
        keepRun(runOf(*m_result->compression, *result.report, recipe, resultOrigin(recipe, m_data, m_stamp),
                    secondsSince(begun)),
            *m_result);
        Q_EMIT exported(result.report);
    });
}

void Session::stop()
{
    m_job.stop();
}

} // namespace duo::app
