// SPDX-License-Identifier: Apache-2.0
// Overlays: what trees and graph are coloured by, made anew as what it rests on changes.
#pragma once

#include "app/session/session.h"
#include "views/intent/board.h"

#include <QActionGroup>
#include <QMenu>
#include <QObject>

#include <map>
#include <memory>
#include <string>

namespace duo::app {

class Overlays : public QObject
{
    Q_OBJECT

public:
    Overlays(Session& session, ui::Board& board, QObject* parent);

    [[nodiscard]] OverlayKind kind() const { return m_kind; }
    /// An action for each, of which one is checked.
    [[nodiscard]] QList<QAction*> actions() const { return m_actions->actions(); }
    void choose(OverlayKind kind);
    void chooseNext(); // of those that have values
    void refresh();

Q_SIGNALS:
    void chosen(duo::OverlayKind kind);

private:
    void showDifference(const SetupDifference& difference);
    [[nodiscard]] bool isForeseen() const;
    [[nodiscard]] std::optional<Overlay> made(OverlayKind kind) const;

    Session& m_session;
    ui::Board& m_board;
    OverlayKind m_kind = OverlayKind::Decision;
    bool m_isAsked = false; // by the user: decisions are shown without a legend until then
    std::shared_ptr<const Model> m_compared; // whose setup was compared last
    std::map<std::string, std::string> m_differences; // of its nodes
    QActionGroup* m_actions;
};

} // namespace duo::app
