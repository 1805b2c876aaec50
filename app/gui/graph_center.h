// SPDX-License-Identifier: Apache-2.0
// GraphCenter: the graph in the middle of the window. Pictures of what the board shows are made in the background.
#pragma once

#include "app/session/latest_job.h"
#include "views/graph/graph_sight.h"
#include "views/graph/graph_view.h"
#include "views/graph/insides.h"
#include "views/graph/picture.h"
#include "views/intent/board.h"

#include <QObject>
#include <QSizeF>
#include <QThreadPool>
#include <QTimer>

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace duo::app {

/// Makes pictures of the graph in the background, one at a time; only the last one asked for arrives.
class PictureMaker : public QObject
{
    Q_OBJECT

public:
    /// @param tidy the engine for small scopes, called in the worker thread; may be empty
    explicit PictureMaker(LayoutEngine tidy, QObject* parent = nullptr);
    ~PictureMaker() override; // stops what runs and waits for it

    struct Request {
        std::shared_ptr<const Snapshot> snapshot;
        std::optional<std::set<std::string>> open = {}; // keys of open boxes; nothing: chosen for a first picture
        std::optional<PictureShape> shape = {}; // nothing: chosen to fill the pane
        QSizeF pane = {1, 1}; // px that a whole picture is seen in
        BoxSizes sizes = {};
        bool hasQuantizerBoxes = false; // quantizers as boxes, not badges
        std::set<std::string> inside = {}; // keys of closed boxes that show what is inside them
        GraphForm form = GraphForm::Compressed;
        std::shared_ptr<const RunGraph> run = {}; // of the snapshot, for GraphForm::AsRun
        GraphForm openFor = GraphForm::Compressed; // Picture::openFor
        std::vector<NodeId> held = {}; // nodes that must not vanish in a page which is another one in this form
    };
    void request(Request request);

Q_SIGNALS:
    void ready(const std::shared_ptr<const duo::ui::Picture>& picture);
    void busyChanged(bool busy); // true only if a picture takes longer than the eye forgives
    void failed(const duo::Error& error);

private:
    using Made = std::shared_ptr<const ui::Picture>;
    [[nodiscard]] LatestJob<Made>::Work work();
    void finish(const Result<Made>& result, bool isStale);

    QThreadPool m_pool;
    std::shared_ptr<LayoutComposer> m_composer; // used by the worker thread only
    std::shared_ptr<ui::Insides> m_insides; // likewise, of the snapshot drawn last
    std::shared_ptr<const Containment> m_containment; // of m_scopes, which are those of the form drawn; nothing folded
    std::set<std::string> m_folds; // marks in the picture drawn last
    std::shared_ptr<const Scopes> m_scopes;
    std::optional<Request> m_wanted;
    LatestJob<Made> m_job;
    QTimer m_patience;
};

class GraphCenter : public QObject
{
    Q_OBJECT

public:
    /// Makes the view with that parent.
    GraphCenter(LayoutEngine tidy, ui::Board& board, bool hasQuantizerBoxes, QWidget* parent);

    [[nodiscard]] ui::GraphView* view() const { return m_view; }
    void setQuantizerBoxes(bool areShown);
    /// What is looked at stays where it is; where that is the whole, and which boxes are open was for us to choose, it
    /// is chosen for this form. Who comes back finds it as he left it. @param run of the snapshot shown, for
    /// GraphForm::AsRun; null for others
    void setForm(GraphForm form, std::shared_ptr<const RunGraph> run);
    /// Boxes open in the picture of the present model; nothing while there is none yet.
    [[nodiscard]] std::optional<std::set<std::string>> open() const;
    [[nodiscard]] const std::optional<PictureShape>& shape() const { return m_shape; } // of that picture
    /// It is seen whole, and nobody has opened or closed a box of it.
    [[nodiscard]] bool isOurs() const { return m_isFirst && m_view->isWhole(); }
    /// As it was another time: these boxes open, laid out in that shape (nothing: as fits the pane), looked at from
    /// there.
    void goBackTo(std::set<std::string> open, std::optional<PictureShape> shape, std::optional<ui::GraphSight> sight);

Q_SIGNALS:
    void pictureShown();
    void failed(const duo::Error& error);

private:
    void arrangeAnew();
    void connectBoard(ui::Board& board);
    void showSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void leaveForm();
    void requestPicture();
    [[nodiscard]] PictureMaker::Request wanted() const;

    ui::GraphView* m_view;
    PictureMaker m_pictures;
    std::shared_ptr<const Snapshot> m_snapshot;
    std::set<std::string> m_inside; // closed boxes that show what is inside them
    std::optional<PictureShape> m_shape; // of the picture of this model; nothing: to be chosen
    std::optional<PictureShape> m_otherShape; // of the model where what is run is drawn, and of that where it is not
    std::optional<std::set<std::string>> m_open; // boxes asked for last, shown or not yet; nothing: any, of a new model
    /// A form as it was left, for who comes back without having moved or selected anything meanwhile.
    struct Left {
        std::set<std::string> open;
        PictureShape shape;
        std::shared_ptr<const RunGraph> run; // that was drawn
        bool isFirst = false; // as m_isFirst
        GraphForm openFor = GraphForm::Compressed; // as m_openFor
        ui::GraphSight sight;
    };
    std::array<std::optional<Left>, kGraphForms> m_left;
    std::optional<ui::GraphSight> m_arrived; // where the form that is shown was seen from at first
    GraphForm m_openFor = GraphForm::Compressed; // Picture::openFor
    bool m_isFirst
        = true; // which boxes are open is for us to choose: nobody has asked for others, or the whole said nothing
    bool m_isMadeAnew = false; // the first picture, before it was shown
    bool m_isOtherForm = false; // the next picture, where nobody has left it
    std::optional<ui::GraphSight> m_back; // where to look in the next picture; nothing: where one does
    bool m_hasQuantizerBoxes;
    GraphForm m_form = GraphForm::Compressed;
    std::shared_ptr<const RunGraph> m_run;
    std::vector<NodeId> m_held; // by the next picture
};

} // namespace duo::app
