// SPDX-License-Identifier: Apache-2.0
// Actions: everything the window can be told to do, with text, shortcut, icon and status tip.
#pragma once

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QPalette>

#include <vector>

namespace duo::app {

struct Actions {
    explicit Actions(QMainWindow& window); // the actions belong to the window

    QAction* open;
    QAction* reload;
    QAction* otherSession;
    QAction* addCheckpoint;
    QAction* leaveCheckpointOut;
    QAction* openRecipe;
    QAction* saveRecipe;
    QAction* exportModel;
    QAction* deploy;
    QAction* savePicture;
    QAction* saveGraph;
    QAction* quit;
    QAction* undo;
    QAction* redo;
    QAction* ignore;
    QAction* target;
    QAction* clear;
    QAction* asSubgraph;
    QAction* makePattern;
    QAction* copyName;
    QAction* markMode;
    QAction* find;
    QAction* findNext;
    QAction* findPrevious;
    QAction* filter;
    QAction* goTo;
    QAction* selectUpstream;
    QAction* selectDownstream;
    QAction* selectBetween;
    QAction* counterpart;
    QAction* counterpartBack;
    QAction* chooseData;
    QAction* chooseBounds;
    QAction* limits;
    QAction* measure;
    QAction* openStatistics;
    QAction* measureSensitivity;
    QAction* measureTimes;
    QAction* overlayNext;
    QAction* quantize;
    QAction* stop;
    QAction* zoomIn;
    QAction* zoomOut;
    QAction* zoomOne;
    QAction* fit;
    QAction* goBack;
    QAction* goForward;
    QAction* reveal;
    QAction* expand;
    QAction* collapse;
    QAction* quantizerBoxes;
    QAction* showOriginal; // forms of the graph; of the three one is checked
    QAction* showCompressed;
    QAction* showAsRun;
    QAction* shortcuts;
    QAction* about;

    void setIcons(const QPalette& palette);

private:
    QAction* add(const char* name, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
        const char* icon = nullptr);
    QMainWindow& m_window;
    std::vector<std::pair<QAction*, QString>> m_icons;
};

} // namespace duo::app
