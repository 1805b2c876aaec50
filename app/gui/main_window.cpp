// SPDX-License-Identifier: Apache-2.0
#include "app/gui/main_window.h"

#include "views/graph/box_sizes.h"
#include "views/intent/rule_menu.h"
#include "views/style/format.h"

#include <QClipboard>
#include <QCloseEvent>
#include <QGuiApplication>
#include <QScreen>
#include <QStatusBar>
#include <QVBoxLayout>

/// The library's resources: a macro of Qt that must stand outside every namespace.
static void loadResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace duo::app {
namespace {

constexpr int kLayoutVersion = 4; // of the saved dock layout
constexpr int kLeastGraph = 240; // pixels of width that panes leave the graph and what is said above it

QString activityText(Activity activity)
{
    switch (activity) {
    case Activity::Idle:
        return {};
    case Activity::Opening:
        return QStringLiteral("Opening");
    case Activity::Comparing:
        return QStringLiteral("Comparing with the checkpoint");
    case Activity::Measuring:
        return QStringLiteral("Measuring");
    case Activity::ReadingStatistics:
        return QStringLiteral("Reading statistics");
    case Activity::Calibrating:
        return QStringLiteral("Quantizing");
    case Activity::Sensing:
        return QStringLiteral("Measuring sensitivity");
    case Activity::Exporting:
        return QStringLiteral("Exporting");
    }
    return {};
}

} // namespace

MainWindow::MainWindow(QSettings& settings, LayoutEngine tidy, const QStringList& samples)
    : m_settings(settings)
    , m_systemPalette(QGuiApplication::palette())
    , m_recentFiles(settings)
    , m_pictures(std::move(tidy))
    , m_actions(*this)
    , m_banner(new ui::Banner(this))
    , m_proposals(new ui::ProposalPanel(this))
    , m_pages(new QStackedWidget(this))
    , m_start(new ui::StartPage(this))
    , m_graph(new ui::GraphView(this))
    , m_trees(new ui::ScopeTreesPanel(this))
    , m_rules(new ui::RulesView(this))
    , m_config(new ui::ConfigView(this))
    , m_properties(new ui::PropertiesView(this))
    , m_results(new ui::ResultsView(this))
    , m_statistics(new ui::StatisticsView(this))
    , m_sensitivity(new ui::SensitivityView(this))
    , m_status(new ui::StatusStrip(this))
{
    setObjectName(QStringLiteral("mainWindow"));
    loadResources();
    m_actions.setIcons(palette());
    m_actions.quantizerBoxes->setChecked(m_settings.value(QStringLiteral("graph/quantizerBoxes")).toBool());
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    applyAppearance(readAppearance(m_settings), m_systemPalette);
    auto* center = new QWidget(this);
    center->setMinimumWidth(kLeastGraph);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_banner);
    column->addWidget(m_proposals);
    column->addWidget(m_pages, 1);
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_graph);
    setCentralWidget(center);
    statusBar()->addPermanentWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
    connect(statusBar(), &QStatusBar::messageChanged, m_status, &ui::StatusStrip::setMessage); // it covers the bar
    m_start->setSamples(samples);

    makeDocks();
    makeMenus();
    makeToolBar();
    connectActions();
    connectSession();
    connectViews();
    connectStatistics();
    connectSensitivity();
    refreshRecent();
    showDocks(false);
    showSnapshot();
    showActivity();
    resize(QSize(1400, 900).boundedTo(screen()->availableSize()));
    restoreGeometry(m_settings.value(QStringLiteral("window/geometry")).toByteArray());
}

MainWindow::~MainWindow() = default;

QDockWidget* MainWindow::makeDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    return dock;
}

void MainWindow::makeDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea); // rules are wide
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_treesDock = makeDock(QStringLiteral("dockScopes"), tr("Scopes"), m_trees, Qt::LeftDockWidgetArea);
    m_rulesDock = makeDock(QStringLiteral("dockRules"), tr("Rules"), m_rules, Qt::BottomDockWidgetArea);
    m_configDock = makeDock(QStringLiteral("dockConfig"), tr("Config"), m_config, Qt::BottomDockWidgetArea);
    m_propertiesDock
        = makeDock(QStringLiteral("dockProperties"), tr("Properties"), m_properties, Qt::RightDockWidgetArea);
    m_resultsDock = makeDock(QStringLiteral("dockResults"), tr("Results"), m_results, Qt::RightDockWidgetArea);
    m_statisticsDock
        = makeDock(QStringLiteral("dockStatistics"), tr("Statistics"), m_statistics, Qt::BottomDockWidgetArea);
    m_sensitivityDock
        = makeDock(QStringLiteral("dockSensitivity"), tr("Sensitivity"), m_sensitivity, Qt::BottomDockWidgetArea);
    tabifyDockWidget(m_rulesDock, m_configDock);
    tabifyDockWidget(m_configDock, m_statisticsDock);
    tabifyDockWidget(m_statisticsDock, m_sensitivityDock);
    m_rulesDock->raise();
    tabifyDockWidget(m_propertiesDock, m_resultsDock);
    m_propertiesDock->raise();
}

void MainWindow::showDocks(bool visible)
{
    for (QDockWidget* dock : {m_treesDock, m_rulesDock, m_propertiesDock, m_resultsDock, m_configDock, m_statisticsDock,
             m_sensitivityDock}) {
        dock->setVisible(visible);
        dock->toggleViewAction()->setEnabled(visible);
    }
}

void MainWindow::restoreLayout()
{
    showDocks(true);
    m_rulesDock->raise();
    m_propertiesDock->raise();
    const QByteArray saved = m_settings.value(QStringLiteral("window/docks")).toByteArray();
    if (!saved.isEmpty() && restoreState(saved, kLayoutVersion))
        return;
    resizeDocks({m_treesDock, m_propertiesDock}, {width() * 46 / 100, width() * 19 / 100}, Qt::Horizontal);
    resizeDocks({m_rulesDock}, {height() * 22 / 100}, Qt::Vertical);
}

void MainWindow::connectActions()
{
    const auto on = [this](QAction* action, auto work) { connect(action, &QAction::triggered, this, work); };
    on(m_actions.open, &MainWindow::chooseModel);
    on(m_actions.addCheckpoint, &MainWindow::chooseCheckpoint);
    on(m_actions.leaveCheckpointOut, &MainWindow::leaveCheckpointOut);
    on(m_actions.openRecipe, &MainWindow::chooseRecipe);
    on(m_actions.saveRecipe, &MainWindow::chooseRecipeTarget);
    on(m_actions.exportModel, &MainWindow::chooseTarget);
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
    on(m_actions.find, [this] {
        m_treesDock->show();
        m_trees->focusFilter();
    });
    on(m_actions.counterpart, [this] { goToCounterpart(true); });
    on(m_actions.counterpartBack, [this] { goToCounterpart(false); });
    on(m_actions.chooseData, [this] { chooseData({}); });
    on(m_actions.chooseBounds, &MainWindow::chooseBounds);
    on(m_actions.quantize, &MainWindow::quantize);
    on(m_actions.stop, [this] { m_session.stop(); });
    constexpr double kZoomStep = 1.25;
    on(m_actions.zoomIn, [this] { m_graph->zoomBy(kZoomStep); });
    on(m_actions.zoomOut, [this] { m_graph->zoomBy(1 / kZoomStep); });
    on(m_actions.zoomOne, [this] { m_graph->zoomBy(1 / m_graph->zoom()); });
    on(m_actions.fit, [this] { m_graph->fit(); });
    on(m_actions.reveal, [this] { m_graph->reveal(); });
    on(m_actions.expand, [this] { m_graph->setBoxOpen(m_graph->currentBox(), true); });
    on(m_actions.collapse, [this] { m_graph->setBoxOpen(m_graph->currentBox(), false); });
    connect(m_actions.quantizerBoxes, &QAction::toggled, this, [this](bool isOn) {
        m_settings.setValue(QStringLiteral("graph/quantizerBoxes"), isOn);
        if (m_graph->picture())
            requestPicture(m_graph->picture()->open);
    });
    on(m_actions.shortcuts, &MainWindow::showKeys);
    on(m_actions.about, &MainWindow::showAbout);
    connect(m_session.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
}

void MainWindow::connectSession()
{
    connect(&m_session, &Session::opened, this, &MainWindow::showOpened);
    connect(&m_session, &Session::rulesChanged, this, [this] {
        m_proposals->dismiss(); // they were made from other rules
        m_rules->setRules(m_session.rules());
        m_config->setRecipe(m_session.recipe());
        updateTitle();
    });
    connect(&m_session, &Session::snapshotChanged, this, &MainWindow::showSnapshot);
    connect(&m_session, &Session::activityChanged, this, &MainWindow::showActivity);
    connect(&m_session, &Session::progressed, m_status, &ui::StatusStrip::setProgress);
    connect(&m_session, &Session::calibrated, this, &MainWindow::showCalibrated);
    connect(&m_session, &Session::exported, this, &MainWindow::showExported);
    connect(&m_session, &Session::failed, this, &MainWindow::showError);
    connect(&m_session, &Session::stopped, this, &MainWindow::showStopped);
    connect(&m_session, &Session::checkpointChanged, this, &MainWindow::showCheckpoint);
    connect(&m_pictures, &PictureMaker::ready, this, [this](const std::shared_ptr<const ui::Picture>& picture) {
        m_graph->setPicture(picture);
        Q_EMIT pictureShown();
    });
    connect(&m_pictures, &PictureMaker::busyChanged, m_graph, &ui::GraphView::setBusy);
    connect(&m_pictures, &PictureMaker::failed, this, &MainWindow::showError);
}

void MainWindow::connectViews()
{
    connect(m_start, &ui::StartPage::openRequested, this, &MainWindow::chooseModel);
    connect(m_start, &ui::StartPage::pathChosen, this, &MainWindow::openModel);
    connect(m_status, &ui::StatusStrip::stopRequested, this, [this] { m_session.stop(); });
    connect(m_trees, &ui::ScopeTreesPanel::selected, this, &MainWindow::setSelection);
    connect(m_graph, &ui::GraphView::selected, this, [this](const ui::Selection& selection) {
        // The picture may still be of other scopes: a new one is made in the background.
        setSelection(ui::carryOver(selection, *m_graph->picture()->snapshot->scopes, *m_session.snapshot()->scopes));
    });
    connect(m_rules, &ui::RulesView::selected, this, &MainWindow::setSelection);
    connect(m_properties, &ui::PropertiesView::selected, this, &MainWindow::setSelection);
    connect(m_properties, &ui::PropertiesView::rulesIntended, this, &MainWindow::applyRuleIntent);
    connect(m_properties, &ui::PropertiesView::ruleRequested, this, &MainWindow::goToRule);
    connect(m_trees, &ui::ScopeTreesPanel::rulesIntended, this, &MainWindow::applyRuleIntent);
    connect(m_graph, &ui::GraphView::rulesIntended, this, &MainWindow::applyRuleIntent);
    connect(m_rules, &ui::RulesView::rulesIntended, this, &MainWindow::applyRuleIntent);
    connect(m_results, &ui::ResultsView::rulesIntended, this, &MainWindow::applyRuleIntent);
    connect(m_rules, &ui::RulesView::previewed, this, &MainWindow::showPreview);
    connect(m_rules, &ui::RulesView::editRequested, this,
        [this](const RuleSet& rules, const QString& text, const QString& mergeKey) {
            m_session.editRules(rules, text, mergeKey);
        });
    connect(m_config, &ui::ConfigView::recipeEdited, this,
        [this](const Recipe& recipe, const QString& text, const QString& mergeKey) {
            m_session.editRecipe(recipe, text, mergeKey);
        });
    connect(m_proposals, &ui::ProposalPanel::previewed, this, &MainWindow::showPreview);
    connect(m_proposals, &ui::ProposalPanel::accepted, this,
        [this](const RuleSet& rules, const QString& text) { m_session.editRules(rules, text); });
    connect(m_graph, &ui::GraphView::openRequested, this,
        [this](const std::set<std::string>& keys) { requestPicture(keys); });
}

void MainWindow::requestPicture(std::optional<std::set<std::string>> open)
{
    if (const auto snapshot = m_session.snapshot())
        m_pictures.request(snapshot, std::move(open), ui::boxSizes(ui::measureText(m_graph->font())),
            m_actions.quantizerBoxes->isChecked());
}

void MainWindow::showSnapshot()
{
    const auto snapshot = m_session.snapshot();
    m_trees->setSnapshot(snapshot);
    m_properties->setSnapshot(snapshot);
    m_rules->setSnapshot(snapshot);
    m_config->setSnapshot(snapshot);
    carrySelection();
    const ui::Picture* picture = m_graph->picture();
    if (snapshot && picture && picture->snapshot->model == snapshot->model)
        requestPicture(picture->open);
    else
        requestPicture(std::nullopt);
    m_status->setSnapshot(snapshot.get(), m_session.result() && !m_session.isResultCurrent());
    const bool isStale = m_results->hasReport() && m_exportedRecipe != m_session.recipe();
    m_results->setStale(isStale);
    const bool isUnexported = m_session.isResultCurrent() && m_session.result()->compression != m_exported.lock();
    m_results->setQuantized(isUnexported ? m_session.result()->compression : nullptr);
    m_graph->setRuns(isStale ? nullptr : m_runs); // what ran is of the rules exported
    colourBySensitivity();
    m_properties->setReport(isStale ? nullptr : m_report);
    m_resultsDock->setWindowTitle(isStale ? tr("Results !") : tr("Results"));
    updateActions();
    if (snapshot)
        reportRecipe();
}

void MainWindow::carrySelection()
{
    const auto snapshot = m_session.snapshot();
    const auto before = std::exchange(m_shown, snapshot);
    if (!before || !snapshot || before->scopes == snapshot->scopes)
        return;
    setSelection(before->model == snapshot->model ? ui::carryOver(m_selection, *before->scopes, *snapshot->scopes)
                                                  : ui::Selection());
}

void MainWindow::showActivity()
{
    m_status->setRunning(activityText(m_session.activity()));
    updateActions();
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
    for (QAction* action : {m_actions.ignore, m_actions.target, m_actions.clear, m_actions.asSubgraph,
             m_actions.makePattern, m_actions.copyName, m_actions.reveal})
        action->setEnabled(hasSelection);
    for (QAction* action : {m_actions.quantize, m_actions.exportModel, m_actions.chooseData, m_actions.addCheckpoint,
             m_actions.measure, m_actions.measureSensitivity, m_actions.chooseBounds, m_actions.openStatistics})
        action->setEnabled(hasModel && isIdle);
    m_statistics->setMeasurable(hasModel && isIdle);
    m_sensitivity->setMeasurable(hasModel && isIdle);
    m_actions.leaveCheckpointOut->setEnabled(hasModel && isIdle && m_session.snapshot()->checkpoint);
    for (QAction* action : {m_actions.zoomIn, m_actions.zoomOut, m_actions.zoomOne, m_actions.fit, m_actions.find,
             m_actions.counterpart, m_actions.counterpartBack, m_actions.expand, m_actions.collapse,
             m_actions.openRecipe, m_actions.saveRecipe})
        action->setEnabled(hasModel);
    m_actions.stop->setEnabled(!isIdle);
}

void MainWindow::updateTitle()
{
    const auto snapshot = m_session.snapshot();
    setWindowTitle(snapshot ? tr("%1 — Duoscope").arg(ui::pathText(snapshot->model->path.filename())) : tr("Duoscope"));
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_actions.setIcons(palette());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    if (m_session.snapshot())
        m_settings.setValue(QStringLiteral("window/docks"), saveState(kLayoutVersion));
    QMainWindow::closeEvent(event);
}

} // namespace duo::app
