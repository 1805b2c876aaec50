// SPDX-License-Identifier: Apache-2.0
// Menus and tool bar of the main window.
#include "app/gui/main_window.h"

#include <QActionGroup>
#include <QMenuBar>
#include <QToolBar>

namespace duo::app {

void MainWindow::makeMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_actions.open);
    m_recentMenu = file->addMenu(tr("Open &recent"));
    m_recentMenu->setObjectName(QStringLiteral("menuRecent"));
    file->addSeparator();
    file->addActions({m_actions.addCheckpoint, m_actions.leaveCheckpointOut});
    file->addSeparator();
    file->addActions({m_actions.openRecipe, m_actions.saveRecipe});
    file->addSeparator();
    file->addAction(m_actions.exportModel);
    file->addSeparator();
    file->addAction(m_actions.quit);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions({m_actions.undo, m_actions.redo});
    edit->addSeparator();
    edit->addActions({m_actions.ignore, m_actions.target, m_actions.clear});
    edit->addActions({m_actions.asSubgraph, m_actions.makePattern});
    edit->addSeparator();
    edit->addActions({m_actions.copyName, m_actions.find, m_actions.counterpart, m_actions.counterpartBack});

    QMenu* view = menuBar()->addMenu(tr("&View"));
    view->addActions({m_actions.zoomIn, m_actions.zoomOut, m_actions.zoomOne, m_actions.fit});
    view->addSeparator();
    view->addActions({m_actions.expand, m_actions.collapse, m_actions.reveal, m_actions.quantizerBoxes});
    view->addSeparator();
    int number = 1;
    for (QDockWidget* dock : {m_treesDock, m_rulesDock, m_propertiesDock, m_resultsDock, m_configDock, m_statisticsDock,
             m_sensitivityDock}) {
        dock->toggleViewAction()->setShortcut(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++));
        view->addAction(dock->toggleViewAction());
    }
    view->addSeparator();
    QMenu* appearance = view->addMenu(tr("&Appearance"));
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

    QMenu* quantize = menuBar()->addMenu(tr("&Quantize"));
    quantize->addActions({m_actions.chooseData, m_actions.measure, m_actions.openStatistics});
    quantize->addSeparator();
    quantize->addActions({m_actions.measureSensitivity, m_actions.chooseBounds, m_actions.quantize, m_actions.stop});
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addActions({m_actions.shortcuts, m_actions.about});
}

void MainWindow::makeToolBar()
{
    QToolBar* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->setMovable(false);
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
}

} // namespace duo::app
