// SPDX-License-Identifier: Apache-2.0
// MainWindow: makes the panes of the list and passes what the session knows and what panes ask for between the two; it
// decides nothing itself.
#pragma once

#include "app/gui/actions.h"
#include "app/gui/appearance.h"
#include "app/gui/arrangements.h"
#include "app/gui/graph_center.h"
#include "app/gui/graph_files.h"
#include "app/gui/graph_forms.h"
#include "app/gui/marking.h"
#include "app/gui/messages.h"
#include "app/gui/overlays.h"
#include "app/gui/proposal_maker.h"
#include "app/gui/view_memory.h"
#include "app/session/model_watch.h"
#include "app/session/parameter_reader.h"
#include "app/session/recent_files.h"
#include "app/session/session.h"
#include "app/session/setting_outlook.h"
#include "views/find/find_bar.h"
#include "views/find/palette_view.h"
#include "views/rules/proposal_panel.h"
#include "views/shell/banner.h"
#include "views/shell/help_window.h"
#include "views/shell/start_page.h"
#include "views/shell/status_strip.h"
#include "views/style/file_dialog.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>
#include <QStackedWidget>

#include <functional>

class QMenuBar;
class QToolBar;

namespace duo::app {

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// @param settings must outlive the window; @param tidy layout engine for small scopes, may be empty
    MainWindow(QSettings& settings, LayoutEngine tidy, const QStringList& samples);
    ~MainWindow() override;

    /// Where it stood last; at first in its usual size, or filling a screen that has no room for that and a frame.
    void showOnScreen();
    void openModel(const QString& path, const Companions& companions = {});
    [[nodiscard]] Session& session() { return m_session; }

Q_SIGNALS:
    void pictureShown(); // the graph has a new picture, to be painted next

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool focusNextPrevChild(bool isNext) override;

private:
    // main_window_layout.cpp: what stands where
    void makeCenter();
    void makePanes();
    void makeMenus();
    void makeHead();
    [[nodiscard]] QToolBar* makeToolBar();
    void makeHelpMenu();
    void showHelp(const QString& page);
    void makeAppearanceMenu(QMenu* above);
    QMenu* makeOverlayMenu();
    QAction* makePaneAction(QDockWidget* dock);
    void makePalette();
    void showDocks(bool visible);
    void showWork();
    void showStart();
    void saveLayout();
    [[nodiscard]] QDockWidget* dock(const QString& name) const;
    void raisePane(const QString& name);

    // main_window.cpp: wiring
    void bringOntoScreen();
    void connectActions();
    void connectGraphActions();
    void connectSession();
    void connectNews();
    void connectBoard();
    void connectParameters();
    void showOpened();
    void showSnapshot();
    void showResults();
    void showOutcome();
    void tellSensitivity();
    void showSensitivity();
    void showHalves();
    void measureFor(OverlayKind kind);
    void showActivity();
    void updateActions();
    void updateTitle();
    void setSelection(const ui::Selection& selection);
    void carrySelection();
    void tell(const Message& message);
    /// The same about a result, which says so as long as it is shown and the result is of earlier rules.
    bool tellUnasked(const Message& message);
    void tellResult(std::function<Message()> message);
    void tellResultAgain();
    void showError(const Error& error);
    [[nodiscard]] bool isAboutData(const Error& error) const;
    void showCheckpoint();
    void showRecipe(const OpenedRecipe& opened);
    void showState(const StateSummary& state, bool isInUse);
    void refreshRecent();

    // main_window_rules.cpp: what gestures about rules and estimators come to
    void applySelectionVerb(ui::RuleIntent::Verb verb);
    void applyRuleIntent(const ui::RuleIntent& intent);
    void offer(const ui::Proposals& proposals);
    void applyEstimatorIntent(const ui::EstimatorIntent& intent);

    // main_window_kept.cpp: what is kept of a model, and its file as it changes on disk
    void connectKept();
    void showTakenUp(Message message);
    void startAgain(const UnfinishedRun& run);
    void showReloaded();
    void showChanged(const FileStamp& stamp);
    void reload();
    void goOnWithOther();

    // main_window_files.cpp: files, data, dialogs
    void chooseModel();
    void chooseCheckpoint();
    void addCheckpoint(const std::filesystem::path& path);
    void chooseRecipe();
    void chooseRecipeTarget();
    void chooseStatistics();
    void chooseParameterTarget(ValueId value);
    void chooseData(std::function<void()> then);
    void chooseBounds();
    void chooseLimits();
    void chooseTarget();
    void chooseDeployment();
    void chooseGraphTarget(bool isWhole);
    /// Does it, unless the model is refused; asks for data first where they are needed for it.
    void doWithData(Activity activity, std::function<void()> work);
    void offerOtherData();
    void offerLibrary();
    void offerFolder();
    /// Says that data of the model are absent, with a button that asks for them.
    void tellAbsentData();
    void locateData();
    void showKeys();
    void showAbout();

    QSettings& m_settings;
    QPalette m_systemPalette;
    RecentFiles m_recentFiles;
    Session m_session;
    SettingOutlook m_settingOutlook;
    ParameterReader m_parameters;
    ui::Board m_board;
    Actions m_actions;
    Overlays m_overlays;
    Marking m_marking;
    ui::Selection m_selection;
    std::shared_ptr<const Snapshot> m_shown;
    SensitivityDepth m_depth = SensitivityDepth::Scopes; // of the next measurement

    QMenuBar* m_menus;
    ui::Banner* m_banner;
    std::function<Message()> m_resultMessage; // in the banner; null: something else is
    Message m_told; // by it
    ui::ProposalPanel* m_proposals;
    ProposalMaker* m_proposalMaker;
    ui::FindBar* m_find;
    QStackedWidget* m_pages;
    ui::StartPage* m_start;
    GraphCenter m_graph;
    ViewMemory* m_view = nullptr; // once there are panes
    ModelWatch m_watch;
    GraphForms m_forms;
    GraphFiles m_graphFiles;
    ui::StatusStrip* m_status;
    ui::PaletteView* m_palette;
    std::vector<QDockWidget*> m_docks; // by pane
    Arrangements* m_arrangements = nullptr; // of them
    std::vector<QAction*> m_paneActions; // by pane
    QMenu* m_recentMenu = nullptr;
    ui::HelpWindow* m_help = nullptr; // once it was asked for
};

} // namespace duo::app
