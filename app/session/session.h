// SPDX-License-Identifier: Apache-2.0
// Session: the current snapshot, the rules wanted, the jobs that make new ones, and undo. The window shows it.
#pragma once

#include "app/session/job.h"
#include "core/calibrate/preview/dataset_preview.h"
#include "core/pipeline/compression.h"
#include "core/pipeline/snapshot.h"

#include <QElapsedTimer>
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
enum class Activity { Idle, Opening, Comparing, Calibrating, Exporting };

/// A calibration and what it was made from.
struct CalibrationResult {
    Snapshot snapshot;
    std::shared_ptr<const Dataset> dataset;
    std::shared_ptr<const Compression> compression;
};

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

    /// What to calibrate with. Forgets a calibration made with other data.
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
    void calibrate();
    /// Calibrates first where the last calibration is not current.
    void exportTo(const std::filesystem::path& target);
    void stop();

Q_SIGNALS:
    void opened();
    void rulesChanged(); // or another part of the recipe wanted; a snapshot follows
    void snapshotChanged();
    void checkpointChanged(); // another one is in use, or none; the snapshot has it
    void dataChanged();
    void dataPreviewed(const duo::DataSource& data, const std::shared_ptr<const duo::DatasetPreview>& preview);
    void dataNotPreviewed(const duo::DataSource& data, const duo::Error& error);
    void activityChanged();
    void progressed(const duo::Progress& progress);
    void calibrated();
    void exported(const std::shared_ptr<const duo::ExportReport>& report);
    void failed(const duo::Error& error); // the state is as it was before
    void stopped();

private:
    using Exported = std::pair<std::shared_ptr<CalibrationResult>, std::shared_ptr<const ExportReport>>;

    template <typename T, typename Work, typename Done> void start(Activity activity, Work work, Done done);
    void finish(const Error& error);
    void setActivity(Activity activity);
    void applyRecipe(const Recipe& recipe);
    void startPlacing();
    void finishPlacing(const std::shared_ptr<const Snapshot>& base, Result<Snapshot>&& result);
    void takeScopes(Snapshot&& snapshot);
    [[nodiscard]] std::function<void(const Progress&)> reporter();
    [[nodiscard]] bool isReady();

    QThreadPool m_pool;
    QUndoStack m_undo;
    std::shared_ptr<const Snapshot> m_snapshot;
    ReadOptions m_reading; // how its model was read
    Recipe m_recipe; // wanted
    DataSource m_data;
    std::shared_ptr<CalibrationResult> m_result;
    Activity m_activity = Activity::Idle;
    std::stop_source m_stop;
    std::stop_source m_stopPreview;
    std::uint64_t m_generation = 0; // of the stoppable job; results of older ones are dropped
    bool m_isPlacing = false;
    bool m_isPlacingStale = false; // rules changed while a placement was computed
};

} // namespace duo::app
