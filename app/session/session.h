// SPDX-License-Identifier: Apache-2.0
// Session: the current snapshot, the rules wanted, the jobs that make new ones, and undo. The window shows it.
#pragma once

#include "app/session/calibration.h"
#include "app/session/foreground_job.h"
#include "core/calibrate/preview/dataset_preview.h"
#include "core/pipeline/compression.h"
#include "core/pipeline/forecast/foresight.h"
#include "core/pipeline/snapshot.h"

#include <QObject>
#include <QThreadPool>
#include <QUndoStack>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace duo::app {

/// What runs in the background and can be stopped. Recomputing the placement after a rule edit is not listed: it is
/// quick and always runs to its end.
enum class Activity { Idle, Opening, Comparing, Measuring, ReadingStatistics, Calibrating, Sensing, Exporting };

class Session : public QObject
{
    Q_OBJECT

public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override; // stops what runs and waits for it

    /// Null before the first model. Its rules may lag behind rules() while a new placement is computed.
    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return m_snapshot; }
    [[nodiscard]] const RuleSet& rules() const { return m_recipe.rules; }
    [[nodiscard]] const Recipe& recipe() const { return m_recipe; } // wanted, as rules()
    [[nodiscard]] const CalibrationResult* result() const { return m_result.get(); }
    /// The last calibration was made with the present recipe, and its rules still catch the same nodes.
    [[nodiscard]] bool isResultCurrent() const;
    [[nodiscard]] Activity activity() const { return m_activity; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_undo; }
    [[nodiscard]] const DataSource& data() const { return m_data; }

    [[nodiscard]] const KnownStatistics& statistics() const { return m_statistics; }
    /// What the recipe comes to under the statistics; of the last snapshot it was made for, which may lag behind. Null
    /// without statistics.
    [[nodiscard]] std::shared_ptr<const Foresight> foresight() const { return m_foresight; }

    /// Of the last measurement with this data; its recipe may lag behind.
    [[nodiscard]] const SensitivityResult& sensitivity() const { return m_sensitivity; }

    /// Where statistics are remembered; nothing: nowhere.
    void setStatisticsCache(std::optional<StatisticsCache> cache) { m_cache = std::move(cache); }
    /// What to calibrate with. Forgets a calibration made with other data, and statistics.
    void setData(const DataSource& data);
    /// Looks at the first samples, whatever else runs; a question not answered yet is dropped.
    void previewData(const DataSource& data);
    void open(const std::filesystem::path& path, const ReadOptions& options = {});
    /// Reads the open model once more, with these libraries to run its own operators; rules, undo, checkpoint and data
    /// stay. Only while nothing else runs.
    void setCustomOps(const std::vector<std::filesystem::path>& libraries);
    /// Compares a checkpoint with the open model and finds the scopes anew; rules, undo and data stay. An empty path
    /// leaves out the one in use. Only while nothing else runs.
    void setCheckpoint(const std::filesystem::path& path);
    /// One undoable change; nothing happens if the recipe is the same. `text` names it in the menu. Changes in a row
    /// with the same `mergeKey` are undone together; "": each on its own.
    void editRecipe(const Recipe& recipe, const QString& text, const QString& mergeKey = {});
    void editRules(const RuleSet& rules, const QString& text, const QString& mergeKey = {});
    /// Statistics of the data, for every recipe.
    void measure();
    /// Statistics of a file, which are then used instead of data.
    void openStatistics(const std::filesystem::path& path);
    void calibrate();
    /// Which scopes and nodes the output error comes from.
    void measureSensitivity(SensitivityDepth by = SensitivityDepth::Scopes);
    /// What the next exports have to reach; scopes stay in float for it, and the recipe then says so.
    void setDemands(const ExportDemands& demands);
    [[nodiscard]] const ExportDemands& demands() const { return m_demands; }
    /// Calibrates first where the last calibration is not current.
    void exportTo(const std::filesystem::path& target);
    /// What runs has stopped a moment later, except an export: what it writes is not left half done.
    void stop();

Q_SIGNALS:
    void opened();
    void rulesChanged(); // or another part of the recipe wanted; a snapshot follows
    void snapshotChanged();
    void checkpointChanged(); // another one is in use, or none; the snapshot has it
    void dataChanged();
    void statisticsChanged();
    void measured(); // or read from a file, as was asked for
    void foresightChanged();
    void dataPreviewed(const duo::DataSource& data, const std::shared_ptr<const duo::DatasetPreview>& preview);
    void dataNotPreviewed(const duo::DataSource& data, const duo::Error& error);
    void activityChanged();
    void progressed(const duo::Progress& progress);
    void calibrated();
    void sensitivityChanged(); // measured, or forgotten
    void exported(const std::shared_ptr<const duo::ExportReport>& report);
    void failed(const duo::Error& error); // the state is as it was before
    void stopped();

private:
    template <typename T, typename Work, typename Done> void start(Activity activity, Work work, Done done);
    void finish(const Error& error);
    void setActivity(Activity activity);
    void applyRecipe(const Recipe& recipe);
    void startPlacing();
    void finishPlacing(const std::shared_ptr<const Snapshot>& base, Result<Snapshot>&& result);
    void takeSnapshot(Snapshot&& snapshot); // of the same model
    [[nodiscard]] bool isReady();
    [[nodiscard]] CalibrationInputs inputs() const;
    void setStatistics(KnownStatistics statistics);
    void forgetSensitivity();
    void startForeseeing();
    void startForeseeingErrors();

    ForegroundJob m_job;
    QThreadPool m_pool;
    QUndoStack m_undo;
    std::shared_ptr<const Snapshot> m_snapshot;
    ReadOptions m_reading; // how its model was read
    Recipe m_recipe; // wanted
    DataSource m_data;
    std::shared_ptr<CalibrationResult> m_result;
    KnownStatistics m_statistics;
    SensitivityResult m_sensitivity;
    ExportDemands m_demands;
    std::optional<StatisticsCache> m_cache;
    std::shared_ptr<const Foresight> m_foresight;
    Activity m_activity = Activity::Idle;
    std::stop_source m_stopPreview;
    std::stop_source m_stopForeseeing;
    bool m_isPlacing = false;
    bool m_isPlacingStale = false; // rules changed while a placement was computed
    bool m_isForeseeing = false;
    bool m_isForeseeingStale = false; // snapshot or statistics changed meanwhile
    bool m_isForeseeingErrors = false;
};

} // namespace duo::app
