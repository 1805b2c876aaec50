// SPDX-License-Identifier: Apache-2.0
// Session: the current snapshot, the rules wanted, the jobs that make new ones, and undo. The window shows it.
#pragma once

#include "app/session/calibration.h"
#include "app/session/checkpoint_memory.h"
#include "app/session/foreground_job.h"
#include "app/session/latest_job.h"
#include "app/session/made_ahead.h"
#include "app/session/retired.h"
#include "app/session/run_memory.h"
#include "app/session/session_memory.h"
#include "core/calibrate/samples/dataset_preview.h"
#include "core/graph/run_graph.h"
#include "core/interchange/encodings.h"
#include "core/model/value_types.h"
#include "core/outline/plan_outline.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export_demands.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/import_setup.h"
#include "core/pipeline/rule_findings.h"
#include "core/pipeline/sensitivity/foresight.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/state/setup_difference.h"
#include "core/state/state_file.h"

#include <QObject>
#include <QThreadPool>
#include <QUndoStack>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace duo::app {

/// What runs in the background and can be stopped. Recomputing the placement after a rule edit is not listed: it is
/// quick and always runs to its end.
enum class Activity {
    Idle,
    Opening,
    Comparing,
    ComparingSetup,
    ImportingSetup,
    Measuring,
    ReadingStatistics,
    Calibrating,
    Sensing,
    Timing,
    Halving,
    Optimizing,
    Saving,
    Exporting
};

/// What goes with a model that is opened: named together with it, or dropped together with it.
struct Companions {
    DataSource data = {};
    std::filesystem::path checkpoint = {};
    std::filesystem::path recipe = {};
};

enum class CheckpointOrigin { Asked, FoundBeside, TakenUp };

/// What of an earlier use of the model it goes on with.
struct TakenUp {
    std::string date; // of its last change, "2026-11-22T14:05:00.250Z"; "": nothing was kept
    bool recipe = false;
    bool data = false;
    bool demands = false;
    bool hasChanged = false; // the model's file is another one since
    std::vector<std::filesystem::path> gone; // files it names that are not there any more
    int window = 1; // the session of which window
    bool isShared = false; // another window has the model open: this one keeps a session of its own
    std::optional<Error> refused; // what was kept cannot be read
    std::string other; // date of another session of the model; "": there is none
    std::optional<UnfinishedRun> unfinished; // what ran as the window was closed or killed
};

/// A recipe that was opened, once its rules are evaluated.
struct OpenedRecipe {
    std::filesystem::path name; // of its file, without folders
    std::vector<Note> notes; // of reading it
    UnmatchedRules unmatched;
    std::size_t rules = 0;
};

/// A model that became a file in float.
struct FloatFile {
    std::filesystem::path path;
    std::size_t quantizers = 0; // taken out
    std::size_t weights = 0; // constants that are floats again
    std::size_t operators = 0; // on codes
    std::vector<std::string> kept; // what stays, a sentence each
};

class Session : public QObject
{
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override; // stops what runs and waits for it

    /// Null before the first model. Its rules may lag behind rules() while a new placement is computed. Its placement
    /// is the plan; with a result of the present recipe, also of an earlier run, and of an export, what became of the
    /// plan: some of it may have had to stay in float. That may follow a moment later.
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return m_shown; }
    [[nodiscard]] const RuleSet& rules() const { return m_recipe.rules; }
    [[nodiscard]] const Recipe& recipe() const { return m_recipe; } // wanted, as rules()
    /// It differs from the file it was read from or saved as last; without one from that of a model just opened.
    [[nodiscard]] bool isRecipeEdited() const { return m_recipe != m_saved; }
    [[nodiscard]] const CalibrationResult* result() const { return m_result.get(); }
    /// The last calibration was made with the present recipe, and its rules still catch the same nodes.
    [[nodiscard]] bool isResultCurrent() const;
    /// What was quantized last, whatever the recipe is by now, and is not written yet; null: nothing.
    [[nodiscard]] std::shared_ptr<const Compression> unexported() const;
    /// Of the last export of this model; null: none.
    [[nodiscard]] std::shared_ptr<const ExportReport> report() const { return m_export.report; }
    [[nodiscard]] const std::shared_ptr<const Snapshot>& exportedSnapshot() const { return m_export.snapshot; }
    /// The recipe is still the one exported and catches the same nodes, or nothing was exported.
    [[nodiscard]] bool isReportCurrent() const;
    /// There is one, and it is not current.
    [[nodiscard]] bool isResultStale() const { return m_result && !isResultCurrent(); }
    /// Quantizers were taken from a file, or a run, and are what the next export writes.
    [[nodiscard]] bool isTakenInUse() const
    {
        return m_result && m_result->taken && m_result->snapshot.recipe == m_recipe;
    }
    /// The plan once it is of the recipe wanted; null meanwhile.
    [[nodiscard]] std::shared_ptr<const Snapshot> settled() const;
    /// What the recipe wanted comes to: as measured of its export, also of an earlier run, else as foreseen from
    /// statistics, else its size alone. None: not known.
    struct Outcome {
        std::string measured; // measuredLine()
        std::shared_ptr<const Foresight> foreseen;
        std::optional<ForeseenSize> size;
    };
    [[nodiscard]] Outcome outcome() const;
    /// How the nodes of snapshot() ran in the last export under the present recipe, of now or of an earlier session;
    /// null: not known.
    [[nodiscard]] std::shared_ptr<const RunsOfNodes> nodeRuns();
    [[nodiscard]] Activity activity() const { return m_activity; }
    /// Why nothing can be done with the model but look at it.
    [[nodiscard]] std::optional<Error> refusal() const;
    /// Samples, or at least statistics, have to be named before this can be done.
    [[nodiscard]] bool lacksData(Activity activity) const;
    [[nodiscard]] QUndoStack* undoStack() { return &m_undo; }
    [[nodiscard]] const DataSource& data() const { return m_data; }

    /// Of the values of the snapshot's model; null while they are looked for.
    [[nodiscard]] std::shared_ptr<const ValueTypes> types() const { return m_types; }
    [[nodiscard]] const KnownStatistics& statistics() const { return m_statistics; }
    /// What the recipe comes to under the statistics; of the last snapshot it was made for, which may lag behind. Null
    /// without statistics.
    [[nodiscard]] std::shared_ptr<const Foresight> foresight() const { return m_foresight; }

    /// Of the last measurement with this data; its recipe may lag behind.
    [[nodiscard]] const SensitivityResult& sensitivity() const { return m_sensitivity; }
    [[nodiscard]] bool isSensitivityCurrent() const;

    /// How long each node of the open model takes; nothing until it was measured, or found among what is kept.
    [[nodiscard]] const TimesResult& times() const { return m_times; }
    /// Which nodes of the open model can compute in 16 bits; nothing until it was measured or saved so.
    [[nodiscard]] const HalvesResult& halves() const { return m_halves; }

    /// What the engine runs: of the last export, or where there is none of the model itself. Null until it was found
    /// for the present scopes.
    [[nodiscard]] std::shared_ptr<const RunGraph> runGraph() const;

    /// Where statistics are remembered; nothing: nowhere.
    void setStatisticsCache(std::optional<StatisticsCache> cache) { m_cache = std::move(cache); }
    /// What to calibrate with. Forgets a calibration made with other data, and statistics; not what was taken.
    void setData(const DataSource& data);
    /// Looks at the first samples, whatever else runs; a question not answered yet is dropped.
    void previewData(const DataSource& data);
    void setMadeAhead(MadeAhead ahead) { m_ahead = std::move(ahead); }
    /// Then uses what goes with it, or the checkpoint saved beside it, unless that was left out before.
    void open(const std::filesystem::path& path, const Companions& companions = {});
    /// The same file with the same companions; its data may also lie below this folder.
    void openAgain(const std::filesystem::path& allowExternal);
    /// What goes with the first model that can be opened, where that has no such companion of its own.
    void setFirstCompanions(const Companions& companions) { m_firstCompanions = companions; }
    [[nodiscard]] const std::filesystem::path& opening() const { return m_opening; } // asked for last
    /// Where it is remembered which models' checkpoints are left out; nothing: none is picked up by itself.
    void setCheckpointMemory(std::optional<CheckpointMemory> memory) { m_memory = std::move(memory); }
    /// Where each model's session is kept as it is at work, and taken up again from; without one nowhere.
    void keepSessionsIn(const std::filesystem::path& folder);
    [[nodiscard]] std::filesystem::path keptFolder() const
    {
        return m_kept ? m_kept->folder() : std::filesystem::path();
    }
    /// Of the open model and this window; "": none is kept.
    [[nodiscard]] std::filesystem::path keptFile() const;
    [[nodiscard]] const TakenUp& takenUp() const { return m_takenUp; }
    /// What runs of the model and is lost by closing; the next time it can be begun again. Nothing: none of the sort.
    [[nodiscard]] const std::optional<UnfinishedRun>& unfinished() const { return m_unfinished; }
    /// The recipe was taken up as the model was opened, as the first step of undo, which still stands.
    [[nodiscard]] bool isRecipeTakenUp() const { return m_takenUp.recipe && m_undo.index() > 0; }
    /// A checkpoint or statistics are still being taken up.
    [[nodiscard]] bool isTakingUp() const { return m_isTakingUp; }
    /// The recipe of a model just opened, as one undoable change.
    void startWithoutKept();
    /// Goes on with the other session of the model, where one is kept; its recipe is one undoable change.
    /// @return false: something else runs, and nothing happened
    bool goOnWithOther();
    /// Writes what is not kept yet.
    void finishKeeping();
    /// How it stands in the window, which alone knows what it means: kept with the rest.
    [[nodiscard]] const nlohmann::ordered_json& view() const { return m_view; }
    void setView(nlohmann::ordered_json view);
    /// Results of this model's earlier runs that no run since has replaced.
    [[nodiscard]] std::vector<EarlierResult> earlierResults() const;
    /// Quantizations and exports of this model so far, the newest first, those of other windows among them.
    [[nodiscard]] std::vector<KeptRun> runs() const;
    /// Its recipe becomes the one wanted, as one step of undo, and its quantizers what the next export writes; where
    /// not all of them fit any more setupImported() shows them first. A run without its state restores the recipe.
    /// Nothing happens while something else runs; likewise the next one.
    void restoreRun(const KeptRun& run);
    /// Then runsCompared().
    void compareRuns(const KeptRun& first, const KeptRun& second);
    void removeRun(const KeptRun& run);
    /// Of a result made under the recipe wanted.
    [[nodiscard]] ResultOrigin origin() const { return resultOrigin(m_recipe, m_data, m_stamp); }
    /// Of the model's file as it was read.
    [[nodiscard]] const FileStamp& modelStamp() const { return m_stamp; }
    /// Reads the model's file once more; rules, undo, checkpoint and data stay, and what was made of the old one
    /// becomes an earlier result. @return false: there is no model or something else runs, and nothing happened
    bool reload();
    /// Reads the open model once more, with these libraries to run its own operators; rules, undo, checkpoint and data
    /// stay. @return false: there is no model or something else runs, and nothing happened
    bool setCustomOps(const std::vector<std::filesystem::path>& libraries);
    /// Reads the open model once more, with its external data from this folder or file; rules, undo, checkpoint and
    /// samples stay. @return as setCustomOps()
    bool locateData(const std::filesystem::path& path);
    /// Compares a checkpoint with the open model and finds the scopes anew; rules, undo and data stay.
    /// @return false: something else runs, and nothing happened
    bool addCheckpoint(const std::filesystem::path& path);
    /// Of the one in use, or compared last.
    [[nodiscard]] CheckpointOrigin checkpointOrigin() const { return m_origin; }
    /// Finds the scopes without it, and does not pick it up again. Only while nothing else runs.
    void leaveCheckpointOut();
    /// Rules and settings of a file, in any form: read over the recipe in use, as one undoable change.
    void openRecipe(const std::filesystem::path& path);
    /// @return NotWritable, also for the model's own file
    Status saveRecipeAs(const std::filesystem::path& path);
    /// One undoable change; nothing happens if the recipe is the same. `text` names it in the menu. Changes in a row
    /// with the same `mergeKey` are undone together; "": each on its own.
    void editRecipe(const Recipe& recipe, const QString& text, const QString& mergeKey = {});
    void editRules(const RuleSet& rules, const QString& text, const QString& mergeKey = {});
    /// Sets what keeps CPUs without VNNI from wrong sums, as one undoable change.
    void avoidSaturation();
    /// Statistics of the data, for every recipe.
    void measure();
    /// Statistics of a file, which are then used instead of data.
    void openStatistics(const std::filesystem::path& path);
    /// What these would do to the model as it was opened, whatever else runs; one not answered yet is dropped.
    void foreseeTransforms(const TransformOptions& options);
    void calibrate();
    /// Which scopes and nodes the output error comes from.
    void measureSensitivity(SensitivityDepth by = SensitivityDepth::Scopes);
    /// How long each node takes in the engine, on the first sample of the data.
    void measureTimes();
    void measureHalves();
    /// Which kernels the engine runs, and what each came from. Nothing happens while something else runs.
    void findRunGraph();
    /// What the next exports have to reach; scopes stay in float for it, and the recipe then says so.
    void setDemands(const ExportDemands& demands);
    [[nodiscard]] const ExportDemands& demands() const { return m_demands; }
    /// Calibrates first where the last calibration is not current.
    void exportTo(const std::filesystem::path& target);
    /// The same into a folder, with all that belongs to it (deployFolder).
    void deployTo(const std::filesystem::path& folder);
    /// The model as its file has it, with the functions of the recipe. Nothing happens while something else runs;
    /// likewise the next four.
    void saveWithFunctions(const std::filesystem::path& target);
    /// The model as its file has it, with calls of its functions written out (inlineFile).
    void saveWithoutFunctions(const std::filesystem::path& target);
    /// The model as its file has it without what others quantized.
    void saveInFloat(const std::filesystem::path& target);
    /// The model, simplified as the recipe says, in float16 where its values fit on the data; what no pass is to touch
    /// stays. Refused without data.
    void saveInHalf(const std::filesystem::path& target);
    /// The quantizers of the file in the form of another tool; of a float model those of a current result, and without
    /// one what the recipe places (setup_forms.h).
    void saveEncodings(const std::string& form, const std::filesystem::path& target);
    /// What a state, a recipe or a quantized model says otherwise than the open one: then setupCompared().
    void compareSetup(const std::filesystem::path& file);
    /// Reads a state, or quantizers of another tool, for the open model: then setupImported(). Nothing is changed.
    void importSetup(const std::filesystem::path& file);
    /// Its recipe becomes the one wanted, as one step of undo, and its quantizers what the next export writes.
    /// @return false: another model is open, or something runs, and nothing happened
    /// @param text names the step
    bool useSetup(const ImportedSetup& imported, const QString& text);
    /// Rules changed since quantizers were taken: what they leave stays as it was taken, and the rest is made anew
    /// (continue_setup.h). Then setupContinued(). Under the rules that they were taken under they are in use by
    /// themselves.
    void continueTaken();
    [[nodiscard]] bool mayContinueTaken() const { return m_result && m_result->taken && !isTakenInUse(); }
    /// What runs has stopped a moment later, except what writes files: that is not left half done.
    void stop();

Q_SIGNALS:
    void opened();
    void rulesChanged(); // or another part of the recipe wanted; a snapshot follows
    void snapshotChanged();
    void nodeRunsChanged();
    void typesChanged();
    void checkpointChanged(); // another one is in use, or none; the snapshot has it
    void checkpointUnusable(const std::filesystem::path& path, const duo::Error& error); // one that nobody asked for
    void customOpsTaken(const std::vector<std::filesystem::path>& libraries); // the snapshot has them
    void dataLocated(); // the snapshot was read with what was found there, which may not be all
    /// The open model was exported with it, and it lies beside it.
    /// @param isInUse its recipe is the one wanted
    void stateFound(const duo::StateSummary& state, bool isInUse);
    void recipeRead(); // its rules are wanted now
    void sessionNotKept(const duo::Error& error); // what is edited now is lost by closing
    void sessionTakenUp(); // another one than that of the model opened: recipe, data, view
    void notTakenUp(const std::filesystem::path& path, const duo::Error& error); // a file that the session names
    void reloaded(); // the snapshot is of the file as it is now
    void recipeOpened(const duo::app::OpenedRecipe& recipe);
    void dataChanged();
    void statisticsChanged();
    void measured(); // or read from a file, as was asked for
    void foresightChanged();
    void sizeForeseen();
    void transformsForeseen(const std::shared_ptr<const duo::TransformReport>& report);
    void dataPreviewed(const duo::DataSource& data, const std::shared_ptr<const duo::DatasetPreview>& preview);
    /// @param sizes dimensions to be given a size, where the engine refuses those that random samples are made with
    void dataNotPreviewed(const duo::DataSource& data, const duo::Error& error, const std::vector<std::string>& sizes);
    void activityChanged();
    void progressed(const duo::Progress& progress);
    void calibrated();
    void sensitivityChanged(); // measured, or forgotten
    void sensitivityTakenUp(); // measured earlier
    void timesMeasured();
    void timesTakenUp(); // measured earlier
    void halvesMeasured();
    void halvesTakenUp(); // measured earlier
    void runGraphFound();
    void exported(const std::shared_ptr<const duo::ExportReport>& report);
    void setupCompared(
        const std::filesystem::path& file, const std::shared_ptr<const duo::SetupDifference>& difference);
    void setupImported(const std::filesystem::path& file, const std::shared_ptr<const duo::ImportedSetup>& imported);
    void setupUsed();
    void setupContinued(const QString& what); // "50 quantizers stay as they were, 2 are made anew"
    void runsChanged();
    void runRestored(const duo::KeptRun& run, bool hasQuantizers);
    void runsCompared(const duo::KeptRun& first, const duo::KeptRun& second,
        const std::shared_ptr<const duo::SetupDifference>& difference);
    void savedWithFunctions(const std::filesystem::path& target, const std::shared_ptr<const duo::OutlinePlan>& plan);
    void savedWithoutFunctions(const std::filesystem::path& target, std::int64_t calls);
    void savedInFloat(const duo::app::FloatFile& file);
    /// @param report its last row is of the halving
    void savedInHalf(const std::filesystem::path& target, const std::shared_ptr<const duo::TransformReport>& report);
    void savedEncodings(const std::filesystem::path& target, const duo::EncodingsText& made);
    void failed(const duo::Error& error); // the state is as it was before
    void stopped(const std::filesystem::path& checkpoint); // that was being compared; "": something else

private:
    /// The last export, and what it was made from.
    struct Exported {
        std::shared_ptr<const ExportReport> report;
        std::shared_ptr<const Snapshot> snapshot;
        std::weak_ptr<const Compression> compression; // asked for
        std::shared_ptr<const Compression> written; // that the file holds
    };
    /// The graph that is run, and what it is of.
    struct Run {
        std::shared_ptr<const RunGraph> graph;
        std::shared_ptr<const Scopes> scopes;
        std::shared_ptr<const ExportReport> report; // null: the model itself
    };
    /// A plan, and what became of it, where that has to be found: null where it is not known.
    struct FoundOutcome {
        std::shared_ptr<const Placement> plan;
        std::shared_ptr<const Placement> became;
        std::shared_ptr<const NodeOutcomes> of = {}; // that `runs` are from
        std::shared_ptr<const NodeRuns> runs = {}; // null: not known
    };
    /// How nodes ran, as it is shown.
    struct RunsShown {
        std::shared_ptr<const NodeRuns> known;
        std::shared_ptr<const Model> model;
        std::shared_ptr<const RunsOfNodes> runs;
    };
    using MadeForesight = std::shared_ptr<const Foresight>;
    using FoundTypes = std::shared_ptr<const ValueTypes>;
    using Preview = std::shared_ptr<const DatasetPreview>;
    using TransformsMade = std::shared_ptr<const TransformReport>;

    template <typename T, typename Work, typename Done> void start(Activity activity, Work work, Done done);
    void noteRun(UnfinishedKind kind, const std::filesystem::path& target = {});
    /// It was made with the present recipe, and its rules still catch the same nodes.
    [[nodiscard]] bool isOfPresentRules(const Snapshot& then) const;
    void finish(const Error& error);
    [[nodiscard]] FilesRead filesRead() const;
    /// @param run runExport() or runDeployment()
    void startExport(const std::filesystem::path& target, ExportRun run, UnfinishedKind kind);
    void setActivity(Activity activity);
    using Shown = std::shared_ptr<const Snapshot>;
    struct ReadModel {
        Shown snapshot;
        FileStamp stamp; // of its file
        SessionMemory::ReadSessions kept;
    };
    void takeOpened(ReadModel&& read, const ReadOptions& options);
    void read(const ReadOptions& options);
    [[nodiscard]] bool readAgain(const ReadOptions& options, std::function<void()> then);
    [[nodiscard]] Companions takeCompanions();
    void use(const Companions& companions);
    void useCheckpoint(const std::filesystem::path& wanted);
    bool locateAgain(const std::filesystem::path& checkpoint);
    void compare(const std::filesystem::path& checkpoint, CheckpointOrigin origin);
    void lookForState();
    void lookAtModelAnew();
    [[nodiscard]] LatestJob<FoundTypes>::Work findingTypes() const;
    [[nodiscard]] LatestJob<Preview>::Work previewing() const;
    void finishPreview(Result<Preview>&& preview, bool isStale);
    [[nodiscard]] LatestJob<TransformsMade>::Work foreseeingTransforms();
    void finishTransforms(Result<TransformsMade>&& report, bool isStale);
    void leaveOut(bool isLeftOut);
    void applyRecipe(const Recipe& recipe);
    // session_keeping.cpp: what is kept and taken up
    [[nodiscard]] std::optional<KeptSession> beginKeeping(SessionMemory::ReadSessions ahead);
    void describeTakenUp(const SessionMemory::Begun& begun);
    void takeUpRecipe(const KeptSession& kept);
    void takeUpData(const KeptSession& kept);
    void takeUpStatistics();
    void takeReloaded(Shown&& snapshot, const FileStamp& stamp);
    void endJob(Activity ended, bool isStopped);
    void keepSession();
    void keepResult(EarlierResult result, const Recipe& recipe);
    [[nodiscard]] const EarlierResult* keptOf(const std::function<bool(const EarlierResult&)>& isMeant) const;
    void setSnapshot(Shown snapshot);
    [[nodiscard]] std::shared_ptr<const Placement> placementMade() const;
    [[nodiscard]] std::shared_ptr<const Placement> outcomePlacement() const;
    [[nodiscard]] std::shared_ptr<const Snapshot> withOutcome() const;
    [[nodiscard]] LatestJob<FoundOutcome>::Work findingOutcome() const;
    struct FoundSize {
        std::shared_ptr<const Placement> of;
        std::optional<ForeseenSize> size;
    };
    [[nodiscard]] LatestJob<FoundSize>::Work foreseeingSize() const;
    void keepSensitivity(const std::shared_ptr<const Model>& model);
    [[nodiscard]] LatestJob<SensitivityResult>::Work findingSensitivity() const;
    void takeSensitivity(Result<SensitivityResult>&& kept, bool isStale);
    void keepHalves(HalvesResult&& result);
    [[nodiscard]] LatestJob<HalvesResult>::Work findingHalves() const;
    void takeHalves(Result<HalvesResult>&& kept, bool isStale);
    [[nodiscard]] LatestJob<TimesResult>::Work findingTimes() const;
    void takeTimes(Result<TimesResult>&& kept);
    void showOutcome();
    void takeUpAgain();
    void keepRun(KeptRun run, const CalibrationResult& made);
    void rememberSources(const KeptSession& kept);
    void readRecipe(const std::filesystem::path& path, const Recipe& present);
    void reportRecipe();
    [[nodiscard]] LatestJob<Snapshot>::Work placing();
    void forgetModelBefore();
    void finishPlacing(Result<Snapshot>&& result, bool isStale);
    void takeSnapshot(Shown&& snapshot); // of the same model
    [[nodiscard]] bool isReady();
    [[nodiscard]] bool isReadyToExport(); // what was imported needs no data
    /// Says so, where what is read of the model is no longer what it was opened with.
    [[nodiscard]] bool isOverwritten();
    [[nodiscard]] CalibrationInputs inputs() const;
    [[nodiscard]] std::shared_ptr<const NodeRuns> knownRuns() const; // null: not known
    void setStatistics(KnownStatistics statistics);
    void forgetSensitivity();
    void foreseeAgain();
    [[nodiscard]] LatestJob<MadeForesight>::Work foreseeing() const;
    void finishForeseeing(Result<MadeForesight>&& result, bool isStale);
    [[nodiscard]] LatestJob<MadeForesight>::Work foreseeingErrors();
    void finishForeseeingErrors(Result<MadeForesight>&& result, bool isStale);

    ForegroundJob m_job;
    MadeAhead m_ahead;
    QThreadPool m_pool;
    Retired m_retired{m_pool};
    QUndoStack m_undo;
    std::shared_ptr<const Snapshot> m_snapshot; // the plan: what jobs start from
    std::shared_ptr<const Snapshot> m_shown; // the plan, or with its outcome
    ReadOptions m_reading; // how its model was read
    std::filesystem::path m_opening;
    Companions m_companions; // of m_opening
    Companions m_firstCompanions;
    std::optional<CheckpointMemory> m_memory;
    std::filesystem::path m_comparing; // the checkpoint being compared; "": none
    CheckpointOrigin m_origin = CheckpointOrigin::Asked;
    std::filesystem::path m_openedRecipe; // its rules not looked at yet; "": none
    std::vector<Note> m_recipeNotes; // of it
    Recipe m_recipe; // wanted
    Recipe m_saved; // what it is compared with to tell whether it is edited
    std::filesystem::path m_savedAs; // "": m_saved is that of a model just opened
    std::unique_ptr<SessionMemory> m_kept; // null: nothing is kept
    std::unique_ptr<RunMemory> m_runs; // of the open model; null: none are kept
    TakenUp m_takenUp;
    bool m_isTakingUp = false; // a checkpoint or statistics
    std::filesystem::path m_keptCheckpoint; // asked for; "": none, or the one that lies beside the model
    std::filesystem::path m_located; // what the user has pointed at for absent external data; "": none
    std::filesystem::path m_keptStatistics; // read from; "": none
    bool m_isMeasured = false; // statistics are those of the data
    std::vector<EarlierResult> m_results; // the last of each kind, of now or earlier
    nlohmann::ordered_json m_view = nlohmann::ordered_json::object();
    std::optional<UnfinishedRun> m_unfinished; // runs
    FileStamp m_stamp; // of the model's file as it was read
    DataSource m_data;
    std::shared_ptr<CalibrationResult> m_result;
    Exported m_export;
    KnownStatistics m_statistics;
    SensitivityResult m_sensitivity;
    TimesResult m_times;
    HalvesResult m_halves;
    Run m_run;
    /// By name, as the state of the open model tells that is an export; nothing: it is none.
    std::optional<std::vector<std::pair<std::string, KeptFloat>>> m_leftInFloat;
    FoundOutcome m_found;
    RunsShown m_runsShown; // the last
    ExportDemands m_demands;
    std::optional<StatisticsCache> m_cache;
    MadeForesight m_foresight;
    FoundSize m_size;
    Activity m_activity = Activity::Idle;
    DataSource m_previewOf; // looked at
    TransformOptions m_transformsOf; // whose effects are looked at
    std::shared_ptr<const Model> m_transformed; // by them
    std::shared_ptr<const Snapshot> m_placingFrom;
    MadeForesight m_errorsOf; // what errors are foreseen of
    FoundTypes m_types;
    LatestJob<Preview> m_previewing;
    LatestJob<TransformsMade> m_foreseeingTransforms;
    LatestJob<FoundTypes> m_findingTypes;
    LatestJob<Snapshot> m_placing;
    LatestJob<FoundOutcome> m_findingOutcome;
    LatestJob<FoundSize> m_foreseeingSize;
    LatestJob<TimesResult> m_findingTimes;
    LatestJob<SensitivityResult> m_findingSensitivity;
    LatestJob<HalvesResult> m_findingHalves;
    LatestJob<MadeForesight> m_foreseeing;
    LatestJob<MadeForesight> m_foreseeingErrors; // a session of the engine that is being made cannot be stopped
};

template <typename T, typename Work, typename Done> void Session::start(Activity activity, Work work, Done done)
{
    const auto end = [this, activity, done = std::move(done)](Result<T>&& result) {
        m_unfinished.reset();
        setActivity(Activity::Idle);
        const bool isStopped = !result && result.error().code == ErrorCode::Cancelled;
        const bool isRun = activity == Activity::Measuring || activity == Activity::Calibrating
            || activity == Activity::Sensing || activity == Activity::Exporting;
        if (!result)
            finish(result.error());
        else if (!isRun || !isOverwritten())
            done(*std::move(result));
        endJob(activity, isStopped);
    };
    setActivity(activity);
    const bool isWriting = activity == Activity::Exporting || activity == Activity::Saving;
    m_job.start<T>(std::move(work), end, isWriting ? Stopping::WaitsForIt : Stopping::LeavesIt);
}

} // namespace duo::app
