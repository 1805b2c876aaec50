// SPDX-License-Identifier: Apache-2.0
// GraphView: the compressed graph. Shows pictures made elsewhere; asks for others when boxes are opened or closed.
#pragma once

#include "views/graph/graph_painter.h"
#include "views/graph/graph_strip.h"
#include "views/graph/graph_walk.h"
#include "views/graph/minimap.h"
#include "views/graph/overlay_legend.h"
#include "views/graph/place_history.h"
#include "views/graph/selection_bar.h"
#include "views/intent/rule_intent.h"
#include "views/intent/shown_overlay.h"

#include <QElapsedTimer>
#include <QGraphicsView>
#include <QLabel>
#include <QRubberBand>
#include <QTimer>
#include <QVariantAnimation>

#include <array>
#include <limits>
#include <memory>
#include <span>

class QMenu;

namespace duo::ui {

/// Where a small widget stands in a pane.
struct PaneEdge {
    bool isTop = false; // else at the bottom
    double along = 0; // 0: at the left, 1: at the right
};

class GraphView : public QGraphicsView
{
    Q_OBJECT

public:
    explicit GraphView(QWidget* parent = nullptr);
    ~GraphView() override;

    /// Null clears it. The box the user opened or closed stays where it is on the screen; a picture of another model
    /// is shown whole.
    void setPicture(std::shared_ptr<const Picture> picture); // another form of the same model is seen from where one is
    /// Above the picture: where one is, and where the form of the graph is chosen.
    [[nodiscard]] GraphStrip* strip() const { return m_strip; }
    /// Nodes of the model in what another picture of it would be looked at by; none where the whole is seen, or a
    /// page.
    [[nodiscard]] std::vector<NodeId> nodesToHold() const;
    void setSelection(const Selection& selection);
    /// Marks nodes as what a rule would catch, and goes there if none of them is in sight; none: nothing is marked.
    void setPreview(const std::vector<NodeId>& nodes);
    [[nodiscard]] const std::vector<NodeId>& preview() const { return m_previewed; }
    /// Marks what a search has found, and goes to what it stands at unless that is in sight; null: nothing is marked.
    void setFound(std::shared_ptr<const FoundMarks> marks);
    /// As reveal(), for a node of the file that went from the model, as soon as a picture of the file is there.
    void revealGone();
    /// Badges that say how nodes run; null: none.
    void setRuns(std::shared_ptr<const RunsOfNodes> runs);
    /// What flows along the edges, shown where the zoom allows; null: nothing.
    void setTypes(std::shared_ptr<const ValueTypes> types);
    /// What of these the picture shows as it is seen now; null: nothing.
    [[nodiscard]] std::shared_ptr<const RunsOfNodes> writtenRuns() const;
    [[nodiscard]] std::shared_ptr<const ValueTypes> writtenTypes() const;
    /// What boxes are coloured by, and the legend of it; null: their states, and no legend.
    void setOverlay(std::shared_ptr<const ShownOverlay> overlay);
    [[nodiscard]] const std::shared_ptr<const ShownOverlay>& overlay() const { return m_overlay; }
    /// A new picture is being made: says so, the old one stays.
    void setBusy(bool busy);
    [[nodiscard]] const Picture* picture() const { return m_picture.get(); }
    [[nodiscard]] int currentBox() const { return m_current; }
    [[nodiscard]] double zoom() const;
    /// What a whole picture is seen in, px.
    [[nodiscard]] QSizeF pane() const;

    /// The picture was made for a pane of another size or shape.
    [[nodiscard]] bool isForOtherPane(const Picture& picture) const;

    /// The picture is shown whole, as it came.
    [[nodiscard]] bool isUntouched() const { return m_keeps == Keeps::FirstView; }
    [[nodiscard]] bool isWhole() const { return m_keeps != Keeps::Place; } // likewise, or fitted

    /// It is shown whole, and much of it is boxes that are open but have no room for what is inside.
    [[nodiscard]] bool isBlank() const;

    void lookAt(const QPointF& middle, double zoom); // px of the picture
    [[nodiscard]] QPointF middle() const; // what is looked at, px of the picture
    void zoomBy(double factor); // around the middle of the view
    void zoomTo(double zoom); // likewise
    void fit(); // the whole picture, above the bar; also in a pane of another size, until the user moves
    void goToWhole(); // fit(), and goBack() undoes it
    void fitWidth(); // from the top, at a readable size
    /// Opens what hides the selected nodes, moves there and takes the focus.
    void reveal();
    void revealQuietly(); // the focus stays where it is
    void setBoxOpen(int box, bool open); // a node's box: the box it stands in
    /// Folds the scopes that are like the box, or unfolds those it is folded with; nothing where there are none.
    void toggleFold(int box);
    /// To where the view was before it jumped, and back again.
    void goBack();
    void goForward();
    enum class Reach { Upstream, Downstream, Between };
    /// Selects what feeds the selection, what it feeds, or what lies on the ways among it, with the selection itself.
    void selectReach(Reach reach);

Q_SIGNALS:
    void selected(const duo::ui::Selection& selection);
    void rulesIntended(const duo::ui::RuleIntent& intent);
    /// The user wants these boxes open too, or this one closed (keys); others may have been asked for meanwhile.
    void openRequested(const std::set<std::string>& keys);
    void closeRequested(const std::string& key);
    void overlayMeasureRequested(duo::OverlayKind kind); // what the overlay takes
    /// These closed boxes are large enough on the screen to show what is inside them.
    void insideRequested(const std::set<std::string>& keys);
    /// The pane has another size than the picture was made for, and nobody has moved in it yet; or there is none yet.
    void shapeWanted();
    /// The same, where the user asks for the whole picture, or which boxes are open was chosen for another form.
    void wholeWanted();

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class LayerItem;

    void makeLayers();
    void chooseCurrent(); // after the selection or the picture changed
    void refreshMarks();
    void hover(int box);
    void makeCurrent(int box);
    void walkTo(Step step);
    bool jumpByKey(const QKeyEvent& event);
    void select(const Selection& selection); // made here
    void endBand(Qt::KeyboardModifiers modifiers);
    void goToSelection(); // as reveal()
    void goToArea(const std::vector<int>& boxes);
    void goToBoxes(const std::vector<int>& boxes); // unless one is in sight
    void refreshPreview();
    int refreshFound();
    void goToGone();
    void placeBar();
    void chooseBarPlace();
    void refreshRuns();
    [[nodiscard]] bool hasTypes() const;
    void refreshTypes();
    void refreshOverlay();
    void showMenu(int box, const QPoint& globalPos);
    [[nodiscard]] QPointF middleOf(const QRectF& pane) const;
    void zoomAround(double zoom, const QPointF& held, const QPointF& at);
    void scrollBy(const QPointF& way); // px the picture moves by
    [[nodiscard]] double mostZoom() const;
    [[nodiscard]] QRectF room() const;
    void giveRoom();
    void placeStrip();
    void followSize();
    void followPane(int selected);
    [[nodiscard]] bool mayBeClickedAgain() const; // a second click would make a double one
    void fitAnew(); // and asks for another picture where this one is of another pane or form, or isBlank()
    [[nodiscard]] double fitZoom(const QRectF& area) const;
    struct Fit {
        double zoom = 1;
        QPointF middle; // of the picture, px of the viewport
    };
    [[nodiscard]] QRectF wholeArea() const;
    [[nodiscard]] Fit fitBesideLegend(const QRectF& area) const;
    [[nodiscard]] bool hasFreeEdge(const Fit& fit, const QPointF& middle) const; // for the legend
    void fitAgain(); // where it was fitted, with what stands over it now
    // graph_view_places.cpp
    void makePlaces();
    void notePlace(); // the view is about to jump
    [[nodiscard]] GraphPlace placeNow() const; // of the picture there is
    void goTo(const GraphPlace& place);
    void bringIntoSight(int box);
    void bringFoundIntoSight(int box); // whole, where it has room
    [[nodiscard]] int selectedBoxIn(const QRectF& sight) const; // px of the viewport; or kNoBox
    void bringIntoSight();
    void leaveNothingness();
    /// px of the picture, in the middle of what the bar leaves, at most so large.
    void showWhole(const QRectF& area, double most = std::numeric_limits<double>::infinity());
    void refreshPlaces();
    /// Legend and map stand where they cover least; they stay there while the user moves.
    void chooseEdges();
    void chooseMapEdge();
    static constexpr std::array<PaneEdge, 10> kLegendEdges{{{false, 0}, {true, 0}, {true, 1}, {false, 1}, {false, 0.5},
        {true, 0.5}, {false, 0.25}, {false, 0.75}, {true, 0.25}, {true, 0.75}}};
    static constexpr std::array<PaneEdge, 4> kMapEdges{{{false, 1}, {true, 1}, {false, 0}, {true, 0}}};
    [[nodiscard]] PaneEdge freest(const QSize& size, std::span<const PaneEdge> edges, const QRect& taken) const;
    [[nodiscard]] QRect atEdge(const PaneEdge& edge, const QSize& size) const; // px of the viewport
    [[nodiscard]] bool isBarAtTop() const;
    void startMove(const Picture& before, const QTransform& was);
    void lookInside(); // asks for what is inside boxes that are large by now
    void scrollContentsBy(int dx, int dy) override;
    void keepAnchor(int box);
    void restoreAnchor();
    struct HeldPlace {
        GraphPlace place;
        QPointF at; // px of the viewport
    };
    [[nodiscard]] std::optional<HeldPlace> placeToHold() const;
    [[nodiscard]] int boxToHold(bool looksForSelection) const;
    void placeBusyLabel();
    [[nodiscard]] int boxAtViewport(const QPoint& position) const;
    [[nodiscard]] QString tipAt(const QPoint& position) const; // of the viewport
    [[nodiscard]] QString toolTipOf(int box) const;

    std::shared_ptr<const Picture> m_picture;
    std::shared_ptr<const RunsOfNodes> m_runs;
    std::shared_ptr<const ValueTypes> m_types;
    std::shared_ptr<const ShownOverlay> m_overlay;
    std::shared_ptr<const ShownOverlay> m_drawnOverlay; // the same, of kernels where these are drawn
    std::vector<std::optional<double>> m_values; // [boxes] of the overlay; empty: none
    GraphPainter m_painter;
    std::array<LayerItem*, 4> m_layers = {};
    Selection m_selection;
    std::vector<int> m_marked; // boxes of the selection
    std::vector<NodeId> m_previewed;
    std::shared_ptr<const FoundMarks> m_found;
    int m_current = Picture::kNoBox;
    int m_hovered = Picture::kNoBox;
    std::string m_anchorKey; // box that must not move when the next picture comes
    QPointF m_anchorAt; // its top middle on the screen
    double m_anchorScale = 1; // that it is drawn at
    bool m_hasAnchor = false;
    bool m_revealsNext = false;
    bool m_revealTakesFocus = true;
    bool m_revealsGone = false;
    /// What of the view stays when the pane or the picture becomes another one, until the user moves in it.
    enum class Keeps { Place, Whole, FirstView }; // the first view is a whole one that nobody has asked for
    Keeps m_keeps = Keeps::Place;
    bool m_isPanning = false;
    bool m_hasPanned = false;
    bool m_isSpaceDown = false;
    PlaceHistory m_history;
    QVariantAnimation m_moving; // of boxes, after one was opened or closed
    QTimer m_look; // until the view has come to rest
    QPointF m_middle; // looked at last, picture px
    QPointF m_wheelHolds; // what the wheel keeps under the pointer, picture px
    QPoint m_panFrom;
    QPoint m_pressedAt; // px of the screen
    QPointF m_pressed; // what was there, px of the picture
    QElapsedTimer m_sincePress;
    QPoint m_bandFrom;
    QRubberBand* m_band; // shown while the user draws it
    SelectionBar* m_bar;
    OverlayLegend* m_legend;
    GraphStrip* m_strip;
    QLabel* m_busy;
    Minimap* m_minimap;
    PaneEdge m_legendEdge = kLegendEdges.front();
    PaneEdge m_mapEdge = kMapEdges.front();
    bool m_hasMapEdge = false; // it was shown since the view jumped last
};

} // namespace duo::ui
