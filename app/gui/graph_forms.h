// SPDX-License-Identifier: Apache-2.0
// GraphForms: which form of the graph is shown. What the engine runs is found when it is asked for first.
#pragma once

#include "app/gui/graph_center.h"
#include "app/session/session.h"
#include "core/graph/graph_form.h"
#include "views/intent/board.h"

#include <QAction>
#include <QElapsedTimer>
#include <QObject>

#include <array>

namespace duo::app {

/// The model as the file has it, before calls were written out and transforms ran.
std::shared_ptr<const Model> modelOfFile(const Snapshot& snapshot);

class GraphForms : public QObject
{
    Q_OBJECT

public:
    /// @param actions checkable, in the order of GraphForm; all must outlive it
    GraphForms(Session& session, ui::Board& board, GraphCenter& graph, std::array<QAction*, kGraphForms> actions);

    void choose(GraphForm form);
    /// As soon as it can be, of the model just opened; as it is run only where the engine tells that soon.
    void comeBackTo(GraphForm form);
    [[nodiscard]] GraphForm wanted() const { return m_wanted; }

private:
    void refresh();
    [[nodiscard]] GraphForm affordable(GraphForm form) const;
    void find();
    void giveUp();
    void describe();
    std::shared_ptr<const RunGraph> opened();
    [[nodiscard]] QString aboutOpened() const;
    [[nodiscard]] QString whyNot(GraphForm form) const; // "": it can be shown
    [[nodiscard]] QString aboutRun() const;

    Session& m_session;
    ui::Board& m_board;
    GraphCenter& m_graph;
    std::array<QAction*, kGraphForms> m_actions;
    std::array<QString, kGraphForms> m_tips; // of actions that can be used
    std::shared_ptr<const Model> m_model; // that the form was chosen for
    std::shared_ptr<const Model> m_file; // that it is of, before transforms
    std::shared_ptr<const RunGraph> m_told; // on the board
    std::shared_ptr<const RunGraph> m_opened;
    std::shared_ptr<const Scopes> m_openedOf; // the scopes that it was made with
    GraphForm m_wanted = GraphForm::Compressed;
    GraphForm m_shown = GraphForm::Compressed;
    bool m_isFinding = false;
    QElapsedTimer m_since; // while it is found
};

} // namespace duo::app
