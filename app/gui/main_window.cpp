// SPDX-License-Identifier: Apache-2.0
#include "app/gui/main_window.h"

#include "core/onnx/absent_data.h"
#include "core/pipeline/sensitivity/suggest_floats.h"
#include "views/intent/pane.h"
#include "views/intent/rule_menu.h"
#include "views/shell/focus_mark.h"
#include "views/shell/tool_tips.h"
#include "views/style/format.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>
#include <QScreen>
#include <QStatusBar>

#include <algorithm>

/// The library's resources: a macro of Qt that must stand outside every namespace.
static void loadResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace duo::app {
namespace {

constexpr int kMessageMs = 10000;
constexpr QSize kUsualSize(1400, 900);
constexpr QSize kFrame(20, 60); // a window manager's, at most: title and edges

QString quantizerBoxesKey()
{
    return QStringLiteral("graph/quantizerBoxes");
}

} // namespace

MainWindow::MainWindow(QSettings& settings, LayoutEngine tidy, const QStringList& samples)
    : m_settings(settings)
    , m_systemPalette(QGuiApplication::palette())
    , m_recentFiles(settings)
    , m_actions(*this)
    , m_overlays(m_session, m_board, this)
    , m_marking(m_session, m_board, m_actions.markMode, this)
    , m_menus(new QMenuBar(this))
    , m_banner(new ui::Banner(this))
    , m_proposals(new ui::ProposalPanel(this))
    , m_proposalMaker(new ProposalMaker(this))
    , m_find(new ui::FindBar(this))
    , m_pages(new QStackedWidget(this))
    , m_start(new ui::StartPage(this))
    , m_graph(std::move(tidy), m_board, settings.value(quantizerBoxesKey()).toBool(), this)
    , m_forms(m_session, m_board, m_graph, {m_actions.showOriginal, m_actions.showCompressed, m_actions.showAsRun})
    , m_status(new ui::StatusStrip(this))
    , m_palette(new ui::PaletteView(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    loadResources();
    m_session.setCheckpointMemory(CheckpointMemory(settings));
    m_session.keepSessionsIn(ui::toPath(QFileInfo(settings.fileName()).absolutePath()) / "sessions");
    m_actions.setIcons(palette());
    m_actions.quantizerBoxes->setChecked(m_settings.value(quantizerBoxesKey()).toBool());
    setAcceptDrops(true);
    new ui::FocusMark(this);
    new ui::ToolTips(this);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    applyAppearance(readAppearance(m_settings), m_systemPalette);
    m_start->setSamples(samples);
    m_start->setKeptIn(ui::pathText(m_session.keptFolder()));
    makeCenter();
    makePanes();
    makeMenus();
    makeHead();
    makePalette();
    connectActions();
    connectGraphActions();
    connectSession();
    connectNews();
    connectBoard();
    connectKept();
    connectParameters();
    refreshRecent();
    showDocks(false);
    showSnapshot();
    showActivity();
    resize(kUsualSize.boundedTo(screen()->availableSize() - kFrame));
    restoreGeometry(m_settings.value(QStringLiteral("window/geometry")).toByteArray());
    bringOntoScreen();
}

/// A window that was closed on a larger screen: Qt takes its place as it was where the screens are about as wide.
void MainWindow::bringOntoScreen()
{
    const QRect room = screen()->availableGeometry();
    const QSize most = room.size() - kFrame;
    if (isMaximized() || isFullScreen() || (room.contains(geometry()) && size().boundedTo(most) == size()))
        return;
    resize(size().boundedTo(most));
    QRect place = geometry();
    place.moveRight(std::min(place.right(), room.right()));
    place.moveBottom(std::min(place.bottom(), room.bottom()));
    place.moveLeft(std::max(place.left(), room.left()));
    place.moveTop(std::max(place.top(), room.top() + kFrame.height() / 2)); // its title is in sight
    setGeometry(place);
}

void MainWindow::showOnScreen()
{
    const bool wasPlaced = m_settings.contains(QStringLiteral("window/geometry"));
    if (wasPlaced || size() == kUsualSize)
        show();
    else
        showMaximized();
}

MainWindow::~MainWindow() = default;

void MainWindow::connectActions()
{
    const auto on = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    on(m_actions.open, &MainWindow::chooseModel);
    on(m_actions.addCheckpoint, &MainWindow::chooseCheckpoint);
    on(m_actions.leaveCheckpointOut, [this] { m_session.leaveCheckpointOut(); });
    on(m_actions.openRecipe, &MainWindow::chooseRecipe);
    on(m_actions.saveRecipe, &MainWindow::chooseRecipeTarget);
    on(m_actions.exportModel, [this] { doWithData(Activity::Exporting, [this] { chooseTarget(); }); });
    on(m_actions.deploy, [this] { doWithData(Activity::Exporting, [this] { chooseDeployment(); }); });
    on(m_actions.savePicture, [this] { chooseGraphTarget(false); });
    on(m_actions.saveGraph, [this] { chooseGraphTarget(true); });
    on(m_actions.quit, &MainWindow::close);
    on(m_actions.undo, [this] { m_session.undoStack()->undo(); });
    on(m_actions.redo, [this] { m_session.undoStack()->redo(); });
    on(m_actions.ignore, [this] { applySelectionVerb(ui::RuleIntent::Verb::Ignore); });
    on(m_actions.target, [this] { applySelectionVerb(ui::RuleIntent::Verb::Target); });
    on(m_actions.clear, [this] { applySelectionVerb(ui::RuleIntent::Verb::Clear); });
    on(m_actions.asSubgraph, [this] { applyRuleIntent({ui::RuleIntent::Verb::AsSubgraph, {}}); });
    on(m_actions.makePattern, [this] { applyRuleIntent({ui::RuleIntent::Verb::MakePattern, {}}); });
    on(m_actions.copyName, [this] {
        const auto& snapshot = *m_session.snapshot();
        QGuiApplication::clipboard()->setText(ui::nameOf(m_selection, *snapshot.model, *snapshot.scopes));
    });
    on(m_actions.find, [this] { m_find->open(); });
    on(m_actions.findNext, [this] { m_find->step(true); });
    on(m_actions.findPrevious, [this] { m_find->step(false); });
    on(m_actions.filter, [this] { Q_EMIT m_board.filterRequested(); });
    on(m_actions.counterpart, [this] { Q_EMIT m_board.counterpartRequested(true); });
    on(m_actions.counterpartBack, [this] { Q_EMIT m_board.counterpartRequested(false); });
    on(m_actions.chooseData, [this] { chooseData({}); });
    on(m_actions.chooseBounds, &MainWindow::chooseBounds);
    on(m_actions.limits, &MainWindow::chooseLimits);
    on(m_actions.measure, [this] {
        m_banner->dismiss();
        doWithData(Activity::Measuring, [this] { m_session.measure(); });
    });
    on(m_actions.openStatistics, &MainWindow::chooseStatistics);
    on(m_actions.measureSensitivity, [this] {
        m_banner->dismiss();
        doWithData(Activity::Sensing, [this] { m_session.measureSensitivity(m_depth); });
    });
    on(m_actions.measureTimes, [this] {
        m_banner->dismiss();
        if (m_session.lacksData(Activity::Timing))
            chooseData([this] { m_session.measureTimes(); });
        else
            m_session.measureTimes();
    });
    on(m_actions.overlayNext, [this] { m_overlays.chooseNext(); });
    on(m_actions.quantize, [this] {
        m_banner->dismiss();
        doWithData(Activity::Calibrating, [this] { m_session.calibrate(); });
    });
    on(m_actions.stop, [this] { m_session.stop(); });
    on(m_actions.shortcuts, &MainWindow::showKeys);
    on(m_actions.about, &MainWindow::showAbout);
    connect(m_session.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
}

void MainWindow::connectGraphActions()
{
    ui::GraphView* graph = m_graph.view();
    const auto on = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    constexpr double kZoomStep = 1.25;
    on(m_actions.zoomIn, [graph] { graph->zoomBy(kZoomStep); });
    on(m_actions.zoomOut, [graph] { graph->zoomBy(1 / kZoomStep); });
    on(m_actions.zoomOne, [graph] { graph->zoomBy(1 / graph->zoom()); });
    on(m_actions.fit, [graph] { graph->goToWhole(); });
    on(m_actions.goBack, [graph] { graph->goBack(); });
    on(m_actions.goForward, [graph] { graph->goForward(); });
    on(m_actions.reveal, [graph] { graph->reveal(); });
    using Reach = ui::GraphView::Reach;
    on(m_actions.selectUpstream, [graph] { graph->selectReach(Reach::Upstream); });
    on(m_actions.selectDownstream, [graph] { graph->selectReach(Reach::Downstream); });
    on(m_actions.selectBetween, [graph] { graph->selectReach(Reach::Between); });
    on(m_actions.expand, [graph] { graph->setBoxOpen(graph->currentBox(), true); });
    on(m_actions.collapse, [graph] { graph->setBoxOpen(graph->currentBox(), false); });
    connect(m_actions.quantizerBoxes, &QAction::toggled, this, [this](bool isOn) {
        m_settings.setValue(quantizerBoxesKey(), isOn);
        m_graph.setQuantizerBoxes(isOn);
    });
}

/// What the session knows, to where it is shown.
void MainWindow::connectSession()
{
    connect(&m_session, &Session::opened, this, &MainWindow::showOpened);
    connect(&m_session, &Session::rulesChanged, this, [this] {
        m_proposals->dismiss(); // they were made from other rules
        m_proposalMaker->forget();
        m_settingOutlook.setSnapshot(m_session.settled());
        Q_EMIT m_board.recipeShown(m_session.recipe());
        showResults(); // not only once there is a snapshot of them
        updateTitle();
    });
    connect(&m_session, &Session::snapshotChanged, this, &MainWindow::showSnapshot);
    connect(&m_session, &Session::typesChanged, this, [this] { Q_EMIT m_board.typesShown(m_session.types()); });
    connect(&m_session, &Session::statisticsChanged, this, [this] {
        Q_EMIT m_board.foresightShown(m_session.foresight());
        showResults();
    });
    connect(&m_session, &Session::dataChanged, this, &MainWindow::showResults);
    connect(
        &m_session, &Session::nodeRunsChanged, this, [this] { Q_EMIT m_board.nodeRunsShown(m_session.nodeRuns()); });
    connect(&m_session, &Session::foresightChanged, this, [this] {
        Q_EMIT m_board.foresightShown(m_session.foresight());
        showOutcome();
    });
    connect(&m_session, &Session::sizeForeseen, this, &MainWindow::showOutcome);
    connect(&m_session, &Session::transformsForeseen, &m_board, &ui::Board::transformsForeseen);
    connect(&m_session, &Session::halvesMeasured, this, &MainWindow::showHalves);
    connect(&m_session, &Session::halvesTakenUp, this, &MainWindow::showHalves);
    connect(&m_session, &Session::sensitivityChanged, this, &MainWindow::showSensitivity);
    connect(&m_session, &Session::sensitivityTakenUp, this, [this] {
        tellSensitivity();
        showResults(); // it is an earlier one no more
    });
    connect(&m_session, &Session::activityChanged, this, &MainWindow::showActivity);
    connect(&m_session, &Session::progressed, m_status, &ui::StatusStrip::setProgress);
    connect(&m_graph, &GraphCenter::pictureShown, this, &MainWindow::pictureShown);
}

/// What the session has done, to the banner.
void MainWindow::connectNews()
{
    connect(&m_session, &Session::measured, this, [this] {
        raisePane(ui::kStatisticsDock);
        tell(measuredMessage(m_session.statistics()));
    });
    connect(&m_session, &Session::calibrated, this, [this] {
        tellResult([this] {
            return m_session.result() ? quantizedMessage(*m_session.result(), m_session.isResultCurrent()) : Message();
        });
        showSnapshot();
        dock(ui::kResultsDock)->raise();
    });
    connect(&m_session, &Session::timesMeasured, this, [this] { tell(timesMessage(*m_session.times().times)); });
    connect(&m_session, &Session::exported, this, [this](const std::shared_ptr<const ExportReport>& report) {
        raisePane(ui::kResultsDock);
        tellResult([this, report] {
            return m_session.report() == report ? exportedMessage(*report, m_session.isReportCurrent()) : Message();
        });
        showSnapshot();
    });
    connect(&m_session, &Session::failed, this, &MainWindow::showError);
    connect(&m_marking, &Marking::told, this, &MainWindow::tell);
    connect(&m_graph, &GraphCenter::failed, this, &MainWindow::showError);
    connect(&m_graphFiles, &GraphFiles::failed, this, [this](const Error& error) {
        statusBar()->clearMessage(); // that it is drawn
        showError(error);
    });
    connect(&m_graphFiles, &GraphFiles::written, this, [this](const ExportedGraph& graph) {
        statusBar()->clearMessage();
        tell(graphWrittenMessage(graph));
    });
    connect(&m_session, &Session::stopped, this,
        [this](const std::filesystem::path& checkpoint) { tell(stoppedMessage(!checkpoint.empty())); });
    connect(&m_session, &Session::checkpointChanged, this, &MainWindow::showCheckpoint);
    connect(&m_session, &Session::checkpointUnusable, this,
        [this](const std::filesystem::path& path, const Error& error) { tell(unusableMessage(path, error)); });
    connect(&m_session, &Session::customOpsTaken, this, [this](const std::vector<std::filesystem::path>& libraries) {
        tell({ui::Banner::Tone::Good, tr("Operators come from %1 now.").arg(ui::pathText(libraries.front()))});
    });
    connect(&m_session, &Session::dataLocated, this, [this] {
        updateTitle();
        if (checkHasData(*m_session.snapshot()->model))
            tell({ui::Banner::Tone::Good, tr("The model is complete now.")});
        else
            tellAbsentData();
    });
    connect(&m_session, &Session::stateFound, this, &MainWindow::showState);
    connect(&m_session, &Session::recipeRead, this, [this] {
        raisePane(ui::kRulesDock);
        updateTitle();
    });
    connect(&m_session, &Session::recipeOpened, this, &MainWindow::showRecipe);
}

/// What panes ask for, to the session.
void MainWindow::connectBoard()
{
    connect(m_start, &ui::StartPage::openRequested, this, &MainWindow::chooseModel);
    connect(m_start, &ui::StartPage::pathChosen, this, [this](const QString& path) { openModel(path); });
    connect(m_status, &ui::StatusStrip::stopRequested, this, [this] { m_session.stop(); });
    connect(m_proposalMaker, &ProposalMaker::made, this, &MainWindow::offer);
    connect(m_proposalMaker, &ProposalMaker::failed, this, &MainWindow::showError);
    connect(m_proposalMaker, &ProposalMaker::takesLong, this,
        [this] { Q_EMIT m_board.said(tr("Looking for the rules that may be meant…")); });
    connect(m_proposals, &ui::ProposalPanel::previewed, &m_board, &ui::Board::previewed);
    connect(m_proposals, &ui::ProposalPanel::accepted, &m_session,
        [this](const RuleSet& rules, const QString& text) { m_session.editRules(rules, text); });
    connect(&m_board, &ui::Board::snapshotShown, m_find, &ui::FindBar::setSnapshot);
    connect(&m_board, &ui::Board::typesShown, m_find, &ui::FindBar::setTypes);
    connect(m_find, &ui::FindBar::shown, &m_board, &ui::Board::foundShown);
    connect(m_find, &ui::FindBar::selected, &m_board, &ui::Board::selected);
    connect(m_find, &ui::FindBar::revealRequested, m_graph.view(), &ui::GraphView::revealQuietly);
    connect(m_find, &ui::FindBar::goneRequested, this, [this] {
        m_forms.choose(GraphForm::Original);
        m_graph.view()->revealGone();
    });
    connect(&m_board, &ui::Board::selected, this, &MainWindow::setSelection);
    connect(&m_board, &ui::Board::rulesIntended, this, &MainWindow::applyRuleIntent);
    connect(&m_board, &ui::Board::estimatorIntended, this, &MainWindow::applyEstimatorIntent);
    connect(&m_board, &ui::Board::rulesEdited, &m_session, &Session::editRules);
    connect(&m_board, &ui::Board::recipeEdited, &m_session, &Session::editRecipe);
    connect(&m_board, &ui::Board::rulesAdded, &m_session, [this](const std::vector<Rule>& rules, const QString& text) {
        m_session.editRecipe(withRules(m_session.recipe(), rules), text);
    });
    connect(&m_board, &ui::Board::measureRequested, m_actions.measure, &QAction::trigger);
    connect(&m_board, &ui::Board::settingEffectsWanted, &m_settingOutlook, &SettingOutlook::setWanted);
    connect(&m_settingOutlook, &SettingOutlook::found, &m_board, &ui::Board::settingEffectsShown);
    connect(&m_board, &ui::Board::statisticsRequested, m_actions.openStatistics, &QAction::trigger);
    connect(&m_board, &ui::Board::sensitivityRequested, m_actions.measureSensitivity, &QAction::trigger);
    connect(&m_board, &ui::Board::transformsWanted, &m_session, &Session::foreseeTransforms);
    connect(&m_board, &ui::Board::depthChosen, this, [this](SensitivityDepth depth) { m_depth = depth; });
    connect(&m_board, &ui::Board::overlayMeasureRequested, this, &MainWindow::measureFor);
    connect(&m_board, &ui::Board::paneRequested, this, &MainWindow::raisePane);
    connect(
        &m_board, &ui::Board::said, this, [this](const QString& text) { statusBar()->showMessage(text, kMessageMs); });
}

void MainWindow::connectParameters()
{
    connect(&m_board, &ui::Board::parameterWanted, this,
        [this](ValueId value) { m_parameters.look(m_session.snapshot()->model, value); });
    connect(&m_board, &ui::Board::parameterSaveRequested, this, &MainWindow::chooseParameterTarget);
    connect(&m_parameters, &ParameterReader::looked, &m_board, &ui::Board::parameterShown);
    connect(&m_parameters, &ParameterReader::failed, this, &MainWindow::showError);
    connect(&m_parameters, &ParameterReader::saved, this, [this](const std::filesystem::path& target) {
        tell({ui::Banner::Tone::Good, tr("The values are saved as %1.").arg(ui::pathText(target))});
    });
}

void MainWindow::showOpened()
{
    m_banner->dismiss();
    setSelection({});
    m_recentFiles.add(ui::pathText(m_session.snapshot()->model->path));
    refreshRecent();
    updateTitle();
    Q_EMIT m_board.focusRequested();
    m_view->goBack();
    const bool hasResults = m_session.result() || m_session.report() || !m_session.earlierResults().empty();
    if (!hasResults && tabifiedDockWidgets(dock(ui::kResultsDock)).contains(dock(ui::kPropertiesDock)))
        dock(ui::kPropertiesDock)->raise(); // results of another model were looked at
    m_watch.watch(m_session.snapshot()->model->path, m_session.modelStamp());
    if (checkHasData(*m_session.snapshot()->model))
        showTakenUp(openedMessage(*m_session.snapshot()));
    else
        tellAbsentData();
}

void MainWindow::showSnapshot()
{
    const auto snapshot = m_session.snapshot();
    if (snapshot)
        showWork();
    Q_EMIT m_board.snapshotShown(snapshot);
    m_settingOutlook.setSnapshot(m_session.settled());
    carrySelection();
    showResults();
    if (m_session.sensitivity().report)
        Q_EMIT m_board.sensitivityStaleShown(!m_session.isSensitivityCurrent());
    showHalves();
    updateActions();
}

void MainWindow::carrySelection()
{
    const auto snapshot = m_session.snapshot();
    const auto before = std::exchange(m_shown, snapshot);
    if (!before || !snapshot || before->scopes == snapshot->scopes)
        return;
    if (before->model == snapshot->model)
        setSelection(ui::carryOver(m_selection, *before->scopes, *snapshot->scopes));
    else if (before->model->path == snapshot->model->path)
        setSelection(
            ui::carryByName(m_selection, {*before->model, *before->scopes}, {*snapshot->model, *snapshot->scopes}));
    else
        setSelection({});
}

void MainWindow::showActivity()
{
    m_status->setRunning(activityText(m_session.activity()));
    updateActions();
    if (m_session.snapshot())
        return;
    if (m_session.activity() == Activity::Opening)
        showWork(); // panes have their places once the model is there
    else
        QMetaObject::invokeMethod(this, &MainWindow::showStart, Qt::QueuedConnection); // unless it is there by then
}

void MainWindow::updateActions()
{
    const bool hasModel = m_session.snapshot() != nullptr;
    const bool isIdle = m_session.activity() == Activity::Idle;
    const bool hasSelection = hasModel && (m_selection.scope || !m_selection.nodes.empty());
    QUndoStack* undo = m_session.undoStack();
    m_actions.undo->setEnabled(undo->canUndo());
    m_actions.redo->setEnabled(undo->canRedo());
    m_actions.undo->setText(undo->canUndo() ? tr("&Undo: %1").arg(undo->undoText()) : tr("&Undo"));
    m_actions.redo->setText(undo->canRedo() ? tr("&Redo: %1").arg(undo->redoText()) : tr("&Redo"));
    m_actions.undo->setIconText(tr("Undo")); // the tool bar stays short
    m_actions.redo->setIconText(tr("Redo"));
    for (QAction* action :
        {m_actions.ignore, m_actions.target, m_actions.clear, m_actions.asSubgraph, m_actions.makePattern,
            m_actions.copyName, m_actions.reveal, m_actions.selectUpstream, m_actions.selectDownstream})
        action->setEnabled(hasSelection);
    m_actions.selectBetween->setEnabled(hasModel && m_selection.nodes.size() > 1);
    for (QAction* action : {m_actions.quantize, m_actions.exportModel, m_actions.deploy, m_actions.chooseData,
             m_actions.addCheckpoint, m_actions.measure, m_actions.measureSensitivity, m_actions.measureTimes,
             m_actions.chooseBounds, m_actions.openStatistics})
        action->setEnabled(hasModel && isIdle);
    Q_EMIT m_board.readyShown(hasModel && isIdle);
    m_actions.reload->setEnabled(hasModel && isIdle);
    m_actions.otherSession->setEnabled(hasModel && isIdle && !m_session.takenUp().other.empty());
    m_actions.leaveCheckpointOut->setEnabled(hasModel && isIdle && m_session.snapshot()->checkpoint);
    for (QAction* action :
        {m_actions.zoomIn, m_actions.zoomOut, m_actions.zoomOne, m_actions.fit, m_actions.goBack, m_actions.goForward,
            m_actions.find, m_actions.findNext, m_actions.findPrevious, m_actions.filter, m_actions.counterpart,
            m_actions.counterpartBack, m_actions.expand, m_actions.collapse, m_actions.openRecipe, m_actions.saveRecipe,
            m_actions.markMode, m_actions.overlayNext, m_actions.savePicture, m_actions.saveGraph})
        action->setEnabled(hasModel);
    m_actions.stop->setEnabled(!isIdle);
}

void MainWindow::updateTitle()
{
    const auto snapshot = m_session.snapshot();
    const QString mark = QStringLiteral("[*]"); // shown as "*" where the window is modified
    QString name = snapshot ? ui::pathText(snapshot->model->path.filename()) : QString();
    name.replace(mark, mark + mark);
    setWindowTitle(snapshot ? tr("%1%2 — Duoscope").arg(name, mark) : tr("Duoscope"));
    setWindowModified(snapshot && m_session.isRecipeEdited());
}

void MainWindow::setSelection(const ui::Selection& selection)
{
    m_selection = selection;
    Q_EMIT m_board.selectionShown(selection);
    updateActions();
}

void MainWindow::tell(const Message& message)
{
    if (message.text.isEmpty())
        return;
    m_resultMessage = nullptr;
    m_banner->showMessage(message.tone, message.text);
    if (message.offer == Offer::HalfRange)
        m_banner->offer(tr("Set overflow_fix: enable"), [this] {
            m_session.avoidSaturation();
            if (m_resultMessage) // it is of the setting before by now
                tellResult(std::exchange(m_resultMessage, nullptr));
        });
    else if (message.offer == Offer::QuantizeAgain)
        m_banner->offer(tr("Quantize again"), [this] { m_actions.quantize->trigger(); });
    else if (message.offer == Offer::ExportAgain)
        m_banner->offerQuestion(tr("Export again…"), [this] { m_actions.exportModel->trigger(); });
    else if (message.offer == Offer::SenseAgain)
        m_banner->offer(tr("Measure again"), [this] { m_actions.measureSensitivity->trigger(); });
    else if (message.offer == Offer::KeepTheRest)
        m_banner->offer(tr("Keep the others"), [this] { m_session.continueTaken(); });
}

/// What nobody asked for leaves an error standing, and goes to the status bar. @return whether it stands in the banner
bool MainWindow::tellUnasked(const Message& message)
{
    if (!m_banner->isHidden() && m_banner->tone() == ui::Banner::Tone::Bad) {
        Q_EMIT m_board.said(message.text);
        return false;
    }
    tell(message);
    return true;
}

void MainWindow::tellResult(std::function<Message()> message)
{
    m_told = message();
    tell(m_told);
    m_resultMessage = std::move(message);
}

void MainWindow::tellResultAgain()
{
    if (!m_resultMessage || m_banner->isHidden())
        return;
    const Message now = m_resultMessage();
    if (now == m_told)
        return;
    if (now.text.isEmpty())
        m_banner->dismiss();
    else
        tellResult(std::exchange(m_resultMessage, nullptr));
}

/// It tells what cannot be read of the data in use.
bool MainWindow::isAboutData(const Error& error) const
{
    const std::string& spec = m_session.data().spec;
    return !spec.empty() && error.where.starts_with(spec);
}

/// Code is loaded and data outside the model's folder are read only where the user says that it is meant.
void MainWindow::showError(const Error& error)
{
    m_resultMessage = nullptr;
    m_banner->showError(error);
    if (error.remedy == Remedy::NameLibrary)
        m_banner->offerQuestion(tr("Name the library…"), [this] { offerLibrary(); });
    else if (error.remedy == Remedy::AllowFolder && !m_session.opening().empty())
        m_banner->offerQuestion(tr("Allow a folder…"), [this] { offerFolder(); });
    else if (error.code == ErrorCode::BadData && m_session.mayContinueTaken() && m_session.data().spec.empty())
        m_banner->offerQuestion(tr("Choose data…"), [this] { chooseData([this] { m_session.continueTaken(); }); });
    else if (m_session.snapshot() && isAboutData(error))
        offerOtherData();
    else if (m_session.snapshot() && !checkHasData(*m_session.snapshot()->model)) // also where those located do not fit
        m_banner->offerQuestion(tr("Locate…"), [this] { locateData(); });
}

void MainWindow::showCheckpoint()
{
    if (m_session.isTakingUp())
        m_view->reopenTrees();
    if (!m_session.snapshot()->checkpoint) {
        m_banner->dismiss();
        Q_EMIT m_board.said(tr("The checkpoint is left out; scopes are as the model alone tells them"));
        return;
    }
    const CheckpointOrigin origin = m_session.checkpointOrigin();
    const Message used = checkpointMessage(*m_session.snapshot(), origin);
    if (origin != CheckpointOrigin::Asked && !tellUnasked(withTakenUp(used, m_session)))
        return;
    if (origin == CheckpointOrigin::Asked)
        tell(used);
    m_banner->offer(tr("Leave it out"), [this] { m_session.leaveCheckpointOut(); });
}

void MainWindow::showRecipe(const OpenedRecipe& opened)
{
    tell(recipeMessage(opened, m_session.recipe()));
    const std::size_t known = opened.unmatched.known;
    if (known == 0)
        return;
    m_banner->offer(known == 1 ? tr("Use the scope") : tr("Use the scopes"), [this, opened, known] {
        m_session.editRecipe(opened.unmatched.here,
            tr("Take %1 of %2 by their scope").arg(rulesCount(known), ui::pathText(opened.name)));
        m_banner->dismiss();
    });
}

void MainWindow::showState(const StateSummary& state, bool isInUse)
{
    if (tellUnasked(withTakenUp(stateMessage(state), m_session)) && !isInUse)
        m_banner->offer(tr("Use its setup"), [this, path = state.path] { m_session.openRecipe(path); });
}

void MainWindow::refreshRecent()
{
    const QStringList recent = m_recentFiles.list();
    m_start->setRecent(recent);
    m_recentMenu->clear();
    for (const QString& path : recent) {
        QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName());
        action->setStatusTip(path);
        action->setToolTip(path);
        connect(action, &QAction::triggered, this, [this, path] { openModel(path); });
    }
    m_recentMenu->setEnabled(!recent.isEmpty());
    if (recent.isEmpty())
        return;
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("&Clear the list")), &QAction::triggered, this, [this] {
        m_recentFiles.clear();
        refreshRecent();
    });
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_actions.setIcons(palette());
    else if (event->type() == QEvent::ActivationChange && isActiveWindow())
        m_watch.look();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    saveLayout();
    m_session.finishKeeping();
    QMainWindow::closeEvent(event);
}

} // namespace duo::app
