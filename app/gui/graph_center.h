// SPDX-License-Identifier: Apache-2.0
// GraphCenter: the graph in the middle of the window. Pictures of what the board shows are made in the background.
#pragma once

#include "app/gui/picture_maker.h"
#include "views/graph/graph_view.h"
#include "views/intent/board.h"

#include <QObject>

namespace duo::app {

class GraphCenter : public QObject
{
    Q_OBJECT

public:
    /// Makes the view with that parent.
    GraphCenter(LayoutEngine tidy, ui::Board& board, bool hasQuantizerBoxes, QWidget* parent);

    [[nodiscard]] ui::GraphView* view() const { return m_view; }
    void setQuantizerBoxes(bool areShown);

Q_SIGNALS:
    void pictureShown();
    void failed(const duo::Error& error);

private:
    void connectBoard(ui::Board& board);
    void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void showReport(
        const std::shared_ptr<const ExportReport>& report, const std::shared_ptr<const Snapshot>& of, bool isStale);
    void requestPicture(std::optional<std::set<std::string>> open);

    ui::GraphView* m_view;
    PictureMaker m_pictures;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const ExportReport> m_report; // of which the view has the runs
    bool m_hasQuantizerBoxes;
};

} // namespace duo::app
