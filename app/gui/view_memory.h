// SPDX-License-Identifier: Apache-2.0
// ViewMemory: how a model stands in the window: what is open and selected in trees and graph, and where one looks. It
// is told to the session as it changes, and shown again when the model is opened another time
// (resources/docs/session.md, "What is kept").
#pragma once

#include "app/gui/graph_center.h"
#include "app/gui/graph_forms.h"
#include "app/gui/overlays.h"
#include "app/session/session.h"
#include "views/trees/scope_trees_panel.h"

#include <QObject>
#include <QTimer>

namespace duo::app {

class ViewMemory : public QObject
{
    Q_OBJECT

public:
    /// All of them outlive it.
    ViewMemory(Session& session, GraphCenter& graph, GraphForms& forms, Overlays& overlays, ui::ScopeTreesPanel& trees,
        ui::Board& board);

    /// As the session has it, of the model just opened or read anew; what it does not know stays.
    void goBack();
    /// Scopes that it has open, besides those that are: they have been found anew.
    void reopenTrees();

Q_SIGNALS:
    void looked(); // something has changed in the window

private:
    void capture();
    [[nodiscard]] nlohmann::ordered_json selectionJson() const;
    void selectAgain(const nlohmann::ordered_json& json);

    Session& m_session;
    GraphCenter& m_graph;
    GraphForms& m_forms;
    Overlays& m_overlays;
    ui::ScopeTreesPanel& m_trees;
    ui::Board& m_board;
    ui::Selection m_selection;
    QTimer m_timer;
};

} // namespace duo::app
