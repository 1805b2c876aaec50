// SPDX-License-Identifier: Apache-2.0
// MainWindow: puts the views around a session and passes values and intents between them; it decides nothing itself.
#pragma once

#include "app/gui/actions.h"
#include "app/gui/appearance.h"
#include "app/gui/picture_maker.h"
#include "app/session/recent_files.h"
#include "app/session/session.h"
#include "views/config/config_view.h"
#include "views/edit/proposal_panel.h"
#include "views/graph/graph_view.h"
#include "views/intent/rule_intent.h"
#include "views/properties/properties_view.h"
#include "views/results/results_view.h"
#include "views/rules/rules_view.h"
#include "views/sensitivity/sensitivity_view.h"
#include "views/shell/banner.h"
#include "views/shell/start_page.h"
#include "views/shell/status_strip.h"
#include "views/statistics/statistics_view.h"
#include "views/trees/scope_trees_panel.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <QStackedWidget>

#include <functional>

namespace duo::app {

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// @param settings must outlive the window; @param tidy layout engine for small scopes, may be empty
    MainWindow(QSettings& settings, LayoutEngine tidy, const QStringList& samples);
    ~MainWindow() override;

    void openModel(const QString& path);
    void setDataSpec(const QString& spec); // of the next model opened, as --data has it
    void setCheckpoint(const QString& path); // of the next model opened
    void setRecipe(const QString& path); // of the next model opened
    [[nodiscard]] Session& session() { return m_session; }

Q_SIGNALS:
    void pictureShown(); // the graph has a new picture, to be painted next

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    // main_window.cpp: wiring
    void makeDocks();
    QDockWidget* makeDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void connectActions();
    void connectSession();
    void connectViews();
    void showDocks(bool visible);
    void restoreLayout();
    void requestPicture(std::optional<std::set<std::string>> open);
    void showSnapshot();
    void carrySelection();
    void showActivity();
    void updateActions();
    void updateTitle();

    // main_window_menus.cpp
    void makeMenus();
    void makeToolBar();

    // main_window_rules.cpp: selection and rules
    void setSelection(const ui::Selection& selection);
    void applySelectionVerb(ui::RuleIntent::Verb verb);
    void applyRuleIntent(const ui::RuleIntent& intent);
    [[nodiscard]] Snapshot withWantedRules();
    bool proposeUnignoring(const ui::RuleIntent& intent);
    void offer(ui::Proposals proposals);
    void showPreview(const std::vector<NodeId>& nodes);
    void goToCounterpart(bool isForward);
    void goToRule(int row);

    // main_window_checkpoint.cpp: checkpoints and drops
    void chooseCheckpoint();
    void addCheckpoint(const std::filesystem::path& path, bool isPickedUp);
    void addCheckpointBeside();
    void leaveCheckpointOut();
    void rememberLeftOut(bool isLeftOut);
    void showCheckpoint();
    bool showPickedUpError(const Error& error);
    void showStopped();

    // main_window_statistics.cpp
    void connectStatistics();
    void measure();
    void chooseStatistics();
    void showStatistics();
    void showForesight();
    void applyEstimatorIntent(const ui::EstimatorIntent& intent);

    // main_window_sensitivity.cpp
    void connectSensitivity();
    void measureSensitivity();
    void showSensitivity();
    void colourBySensitivity();
    void keepInFloat(const std::vector<Rule>& rules, const QString& text);

    // main_window_recipe.cpp
    void chooseRecipe();
    void openRecipe(const std::filesystem::path& path);
    void reportRecipe();
    void chooseRecipeTarget();
    void saveRecipeAs(const std::filesystem::path& path);

    // main_window_files.cpp: files, data, dialogs
    void chooseModel();
    void chooseData(std::function<void()> then);
    void chooseBounds();
    /// Says why the model cannot be quantized, if so, before data is asked for.
    bool isRefused();
    void quantize();
    void chooseTarget();
    void showOpened();
    void showCalibrated();
    void showExported(const std::shared_ptr<const ExportReport>& report);
    void showError(const Error& error);
    void refreshRecent();
    void showKeys();
    void showAbout();

    QSettings& m_settings;
    QPalette m_systemPalette;
    RecentFiles m_recentFiles;
    Session m_session;
    PictureMaker m_pictures;
    Actions m_actions;
    ui::Selection m_selection;
    QString m_pendingData; // --data, for the next model
    std::filesystem::path m_opening;
    std::filesystem::path m_pendingCheckpoint; // for the next model
    std::filesystem::path m_comparing; // the checkpoint being added
    bool m_isPickedUp = false; // the last one added was found beside the model
    std::shared_ptr<const Snapshot> m_shown;

    std::filesystem::path m_pendingRecipe; // for the next model
    std::filesystem::path m_openedRecipe; // just opened, its rules not looked at yet; "": none
    QString m_recipeNotes; // of the last recipe opened
    Recipe m_exportedRecipe; // of the report shown
    std::weak_ptr<const Compression> m_exported; // of the last export
    std::shared_ptr<const ExportReport> m_report; // shown
    std::shared_ptr<const ui::KernelRuns> m_runs; // of the report shown
    std::shared_ptr<const ui::SensitivityMarks> m_marks; // of the sensitivity shown
    bool m_isColoured = true; // by it

    ui::Banner* m_banner;
    ui::ProposalPanel* m_proposals;
    QStackedWidget* m_pages;
    ui::StartPage* m_start;
    ui::GraphView* m_graph;
    ui::ScopeTreesPanel* m_trees;
    ui::RulesView* m_rules;
    ui::ConfigView* m_config;
    ui::PropertiesView* m_properties;
    ui::ResultsView* m_results;
    ui::StatisticsView* m_statistics;
    ui::SensitivityView* m_sensitivity;
    ui::StatusStrip* m_status;
    QDockWidget* m_treesDock = nullptr;
    QDockWidget* m_rulesDock = nullptr;
    QDockWidget* m_configDock = nullptr;
    QDockWidget* m_propertiesDock = nullptr;
    QDockWidget* m_resultsDock = nullptr;
    QDockWidget* m_statisticsDock = nullptr;
    QDockWidget* m_sensitivityDock = nullptr;
    QMenu* m_recentMenu = nullptr;
};

/// What an intent does to the rules, for the undo menu: "Ignore scope encoder.layer.3 (41 nodes)".
QString editText(const ui::RuleIntent& intent, const RuleSet& before, const RuleSet& after, const Snapshot& snapshot);

} // namespace duo::app
