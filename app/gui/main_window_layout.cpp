// SPDX-License-Identifier: Apache-2.0
// MainWindow: docks of all panes, menus, tool bar, and the saved layout.
#include "app/gui/function_making.h"
#include "app/gui/half_saving.h"
#include "app/gui/main_window.h"
#include "app/gui/panes.h"
#include "app/gui/quantizer_saving.h"
#include "app/gui/run_table.h"
#include "app/gui/setup_comparing.h"
#include "app/gui/setup_importing.h"
#include "core/graph/overlay.h"
#include "views/style/format.h"

#include <QActionGroup>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace duo::app {
namespace {

constexpr int kLeastGraph = 240; // pixels of width that panes leave the graph and what is said above it

QString helpFolder()
{
    return QStringLiteral(":/docs");
}

/// False in a pane behind another one.
bool isInSight(const QWidget* widget)
{
    while (widget && !qobject_cast<const QDockWidget*>(widget))
        widget = widget->parentWidget();
    return !widget || !widget->visibleRegion().isEmpty();
}

/// Whatever can be chosen in a menu or in those below it.
void collectCommands(const QMenu& menu, const QString& name, std::vector<ui::PaletteCommand>& into)
{
    for (QAction* action : menu.actions()) {
        if (const QMenu* below = action->menu())
            collectCommands(*below, QStringLiteral("%1: %2").arg(name, below->title()), into);
        else if (!action->isSeparator())
            into.push_back({action, name});
    }
}

} // namespace

void MainWindow::makeCenter()
{
    auto* center = new QWidget(this);
    center->setMinimumWidth(kLeastGraph);
    auto* column = new QVBoxLayout(center);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_proposals);
    column->addWidget(m_find);
    column->addWidget(m_pages, 1);
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_graph.view());
    setCentralWidget(center);
    statusBar()->addPermanentWidget(m_status, 1);
    statusBar()->setSizeGripEnabled(false);
    connect(statusBar(), &QStatusBar::messageChanged, m_status, &ui::StatusStrip::setMessage); // it covers the bar
}

/// Menus, tools, and what there is to say, all as wide as the window.
void MainWindow::makeHead()
{
    auto* head = new QWidget(this);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_menus);
    column->addWidget(makeToolBar());
    column->addWidget(m_banner);
    setMenuWidget(head);
}

void MainWindow::makePanes()
{
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea); // rules are wide
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    std::map<Qt::DockWidgetArea, QDockWidget*> lastIn;
    std::vector<ui::MakesAhead> ahead;
    for (const ui::Pane& pane : allPanes()) {
        QWidget* widget = pane.make(this);
        auto* dock = new QDockWidget(pane.place.title, this);
        dock->setObjectName(pane.place.name);
        dock->setWidget(widget);
        connect(widget, &QWidget::windowTitleChanged, dock, &QWidget::setWindowTitle);
        pane.shows(*widget, m_board);
        pane.asks(*widget, m_board);
        if (pane.ahead)
            ahead.push_back(pane.ahead(*widget));
        addDockWidget(pane.place.area, dock);
        if (QDockWidget* before = std::exchange(lastIn[pane.place.area], dock))
            tabifyDockWidget(before, dock);
        m_docks.push_back(dock);
    }
    m_session.setMadeAhead(MadeAhead(std::move(ahead)));
    m_arrangements = new Arrangements(*this, m_docks, m_settings);
    connect(m_arrangements, &Arrangements::said, &m_board, &ui::Board::said);
}

void MainWindow::showDocks(bool visible)
{
    for (QDockWidget* dock : m_docks) {
        dock->setVisible(visible);
        dock->toggleViewAction()->setEnabled(visible);
    }
    for (QAction* action : m_paneActions)
        action->setEnabled(visible);
    m_arrangements->setEnabled(visible);
}

/// The graph and the panes instead of the start page, laid out at once: the first picture is made for their sizes.
void MainWindow::showWork()
{
    if (m_pages->currentWidget() == m_graph.view())
        return;
    m_pages->setCurrentWidget(m_graph.view());
    m_pages->removeWidget(m_start); // or it keeps the window as high as itself
    showDocks(true);
    m_arrangements->restore();
    centralWidget()->layout()->activate();
}

/// Where no model could be opened.
void MainWindow::showStart()
{
    if (m_session.snapshot() || m_session.activity() != Activity::Idle || m_pages->currentWidget() == m_start)
        return;
    m_pages->addWidget(m_start);
    m_pages->setCurrentWidget(m_start);
    showDocks(false);
}

void MainWindow::saveLayout()
{
    setIfChanged(m_settings, QStringLiteral("window/geometry"), saveGeometry());
    if (m_session.snapshot())
        m_arrangements->save();
}

QDockWidget* MainWindow::dock(const QString& name) const
{
    const auto found = std::ranges::find(m_docks, name, &QObject::objectName);
    if (found == m_docks.end())
        qFatal("no pane has the dock %s", qUtf8Printable(name));
    return *found;
}

void MainWindow::raisePane(const QString& name)
{
    dock(name)->show();
    dock(name)->raise();
}

/// A pane behind another one counts as shown in Qt: the Tab key passes over it here.
bool MainWindow::focusNextPrevChild(bool isNext)
{
    const QWidget* first = nullptr;
    while (QMainWindow::focusNextPrevChild(isNext)) {
        const QWidget* now = focusWidget();
        if (isInSight(now) || now == first)
            return true;
        if (!first)
            first = now;
    }
    return false;
}

void MainWindow::makeMenus()
{
    const auto* functions = new FunctionMaking(m_session, m_board, this);
    connect(functions, &FunctionMaking::told, this, &MainWindow::tell);
    const auto* quantizers = new QuantizerSaving(m_session, m_board, this);
    connect(quantizers, &QuantizerSaving::told, this, &MainWindow::tell);
    const auto* half = new HalfSaving(m_session, this);
    connect(half, &HalfSaving::told, this, &MainWindow::tell);
    const auto* setups = new SetupComparing(m_session, m_board, this);
    const auto* imports = new SetupImporting(m_session, m_board, this);
    connect(imports, &SetupImporting::told, this, &MainWindow::tell);
    const auto* runs = new RunTable(m_session, m_board, this);
    connect(runs, &RunTable::told, this, &MainWindow::tell);
    QMenu* file = m_menus->addMenu(tr("&File"));
    file->addActions({m_actions.open, m_actions.reload, m_actions.otherSession});
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setObjectName(QStringLiteral("menuRecent"));
    file->addSeparator();
    file->addActions({m_actions.addCheckpoint, m_actions.leaveCheckpointOut});
    file->addSeparator();
    file->addActions({m_actions.openRecipe, m_actions.saveRecipe, setups->action(), imports->action()});
    file->addSeparator();
    file->addActions({m_actions.exportModel, m_actions.deploy, functions->saveAction(), functions->inlineAction(),
        m_actions.savePicture, m_actions.saveGraph});
    file->addActions({half->action(), quantizers->floatAction()});
    file->addMenu(quantizers->encodingsMenu());
    file->addSeparator();
    file->addAction(m_actions.quit);

    QMenu* edit = m_menus->addMenu(tr("&Edit"));
    edit->addActions({m_actions.undo, m_actions.redo});
    edit->addSeparator();
    edit->addActions({m_actions.ignore, m_actions.target, m_actions.clear});
    edit->addActions({m_actions.asSubgraph, m_actions.makePattern});
    QMenu* marks = edit->addMenu(tr("Mar&ks"));
    marks->setObjectName(QStringLiteral("menuMarks"));
    m_marking.fillMenu(*marks);
    edit->addActions({functions->makeAction(), functions->forgetAction()});
    edit->addSeparator();
    edit->addActions({m_actions.selectUpstream, m_actions.selectDownstream, m_actions.selectBetween});
    edit->addSeparator();
    edit->addActions({m_actions.copyName, m_actions.counterpart, m_actions.counterpartBack});
    edit->addSeparator();
    edit->addActions({m_actions.goTo, m_actions.find, m_actions.findNext, m_actions.findPrevious, m_actions.filter});

    QMenu* view = m_menus->addMenu(tr("&View"));
    view->addActions({m_actions.zoomIn, m_actions.zoomOut, m_actions.zoomOne, m_actions.fit});
    view->addActions({m_actions.goBack, m_actions.goForward});
    view->addSeparator();
    view->addActions({m_actions.expand, m_actions.collapse, m_actions.reveal, m_actions.quantizerBoxes});
    QMenu* forms = view->addMenu(tr("&Graph"));
    forms->setObjectName(QStringLiteral("menuForms"));
    forms->addActions({m_actions.showOriginal, m_actions.showCompressed, m_actions.showAsRun});
    view->addMenu(makeOverlayMenu());
    view->addSeparator();
    for (QDockWidget* dock : m_docks) {
        m_paneActions.push_back(makePaneAction(dock));
        m_paneActions.back()->setShortcut(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + m_paneActions.size()));
        view->addAction(m_paneActions.back());
    }
    view->addSeparator();
    QMenu* arrangement = view->addMenu(tr("Arra&ngement"));
    arrangement->setObjectName(QStringLiteral("menuArrangement"));
    m_arrangements->fillMenu(*arrangement);
    QMenu* places = view->addMenu(tr("&Place of panes"));
    places->setObjectName(QStringLiteral("menuPlaces"));
    m_arrangements->fillPlaces(*places);
    makeAppearanceMenu(view);

    QMenu* quantize = m_menus->addMenu(tr("&Quantize"));
    quantize->addActions({m_actions.chooseData, m_actions.measure, m_actions.openStatistics});
    quantize->addSeparator();
    quantize->addActions({m_actions.measureSensitivity, m_actions.measureTimes, m_actions.chooseBounds,
        m_actions.quantize, imports->keepAction(), m_actions.stop});
    quantize->addSeparator();
    quantize->addActions({runs->action(), m_actions.limits});
    makeHelpMenu();
}

/// Checked while the pane is seen; one behind another counts as shown in Qt, whose own action would close it.
QAction* MainWindow::makePaneAction(QDockWidget* dock)
{
    auto* action = new QAction(dock->windowTitle(), dock);
    action->setObjectName(dock->objectName() + QStringLiteral(":action"));
    action->setCheckable(true);
    connect(dock, &QDockWidget::windowTitleChanged, action, &QAction::setText);
    connect(dock, &QDockWidget::visibilityChanged, action, &QAction::setChecked);
    connect(action, &QAction::triggered, dock, [this, dock](bool isWanted) {
        if (isWanted)
            raisePane(dock->objectName());
        else
            dock->hide();
    });
    return action;
}

void MainWindow::makePalette()
{
    connect(m_actions.goTo, &QAction::triggered, m_palette, [this] {
        std::vector<ui::PaletteCommand> commands;
        for (const QAction* entry : m_menus->actions())
            collectCommands(*entry->menu(), entry->text(), commands);
        std::erase_if(commands, [this](const auto& command) { return command.action == m_actions.goTo; });
        m_palette->open(commands);
    });
    connect(&m_board, &ui::Board::snapshotShown, m_palette, &ui::PaletteView::setSnapshot);
    connect(&m_board, &ui::Board::recipeShown, m_palette,
        [this](const Recipe& recipe) { m_palette->setRules(recipe.rules); });
    connect(m_palette, &ui::PaletteView::ruleRequested, &m_board, &ui::Board::ruleRequested);
    connect(m_palette, &ui::PaletteView::refused, &m_board, &ui::Board::said);
    connect(m_palette, &ui::PaletteView::selected, this, [this](const ui::Selection& selection) {
        setSelection(selection);
        m_graph.view()->reveal();
    });
}

/// A page of the help is a file of the resources; the menu has one entry for each.
void MainWindow::makeHelpMenu()
{
    QMenu* help = m_menus->addMenu(tr("&Help"));
    help->setObjectName(QStringLiteral("menuHelp"));
    help->addAction(m_actions.shortcuts);
    help->addSeparator();
    for (const ui::HelpPage& page : ui::helpPages(helpFolder())) {
        QAction* action = help->addAction(page.title);
        action->setObjectName(QStringLiteral("help:") + page.file);
        action->setStatusTip(tr("Read about it"));
        connect(action, &QAction::triggered, this, [this, file = page.file] { showHelp(file); });
    }
    help->addSeparator();
    help->addAction(m_actions.about);
}

void MainWindow::showHelp(const QString& page)
{
    if (!m_help)
        m_help = new ui::HelpWindow(helpFolder(), this);
    m_help->open({page, {}});
    m_help->show();
    m_help->raise();
    m_help->activateWindow();
}

QMenu* MainWindow::makeOverlayMenu()
{
    auto* menu = new QMenu(tr("C&olour by"), this);
    menu->addActions(m_overlays.actions());
    menu->addSeparator();
    menu->addAction(m_actions.overlayNext);
    return menu;
}

void MainWindow::makeAppearanceMenu(QMenu* above)
{
    QMenu* appearance = above->addMenu(tr("&Appearance"));
    auto* group = new QActionGroup(this);
    for (const auto& [value, text, name] : {std::tuple(Appearance::System, tr("As the &system"), "appearanceSystem"),
             {Appearance::Light, tr("&Light"), "appearanceLight"}, {Appearance::Dark, tr("&Dark"), "appearanceDark"}}) {
        QAction* action = appearance->addAction(text);
        action->setObjectName(QLatin1String(name));
        action->setCheckable(true);
        action->setChecked(readAppearance(m_settings) == value);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = value] {
            writeAppearance(m_settings, chosen);
            applyAppearance(chosen, m_systemPalette);
        });
    }
}

QToolBar* MainWindow::makeToolBar()
{
    auto* bar = new QToolBar(tr("Tools"), this);
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setIconSize({20, 20});
    bar->addAction(m_actions.open);
    bar->addSeparator();
    bar->addActions({m_actions.undo, m_actions.redo});
    bar->addSeparator();
    bar->addActions({m_actions.ignore, m_actions.target, m_actions.clear});
    bar->addSeparator();
    bar->addActions({m_actions.quantize, m_actions.stop, m_actions.exportModel});
    bar->addSeparator();
    bar->addAction(m_actions.fit);
    auto* colours = new QToolButton(bar);
    colours->setObjectName(QStringLiteral("overlayButton"));
    colours->setMenu(makeOverlayMenu());
    colours->setPopupMode(QToolButton::InstantPopup);
    colours->setToolTip(tr("What trees and graph are coloured by (O: the next)"));
    bar->addWidget(colours);
    const auto name
        = [colours](OverlayKind kind) { colours->setText(tr("Colour: %1").arg(ui::toQt(overlayTitle(kind)))); };
    name(m_overlays.kind());
    connect(&m_overlays, &Overlays::chosen, colours, name);
    return bar;
}

} // namespace duo::app
