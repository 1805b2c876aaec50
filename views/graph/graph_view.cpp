// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_view.h"

#include "views/graph/box_sizes.h"
#include "views/graph/fold_offer.h"

#include <QGraphicsItem>
#include <QScrollBar>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace duo::ui {

namespace {

constexpr double kRoom = 400; // px around the picture that layers may draw on

/// What must be open to see the selection: of an execution scope its box, which may stay closed, else its first node.
std::set<std::string> keysToReveal(const Picture& picture, const Selection& selection)
{
    const auto around = picture.keysAround(selection.nodes);
    auto end = around.end();
    if (selection.scope && selection.scope->tree == TreeKind::Execution) {
        const Scope& scope = picture.snapshot->scopes->execution.scope(selection.scope->scope);
        end = scope.path.empty() ? around.begin() : std::ranges::find(around, scope.path);
    }
    return {around.begin(), end};
}

} // namespace

/// One layer of the picture as one scene item; there is no item per box.
class GraphView::LayerItem : public QGraphicsItem
{
public:
    LayerItem(const GraphPainter& painter, GraphPainter::Layer layer)
        : m_painter(painter)
        , m_layer(layer)
    {
        setFlag(ItemUsesExtendedStyleOption); // else exposedRect is the whole item
        setAcceptedMouseButtons(Qt::NoButton);
    }

    void setBounds(const QRectF& bounds)
    {
        prepareGeometryChange();
        m_bounds = bounds;
    }

    [[nodiscard]] QRectF boundingRect() const override { return m_bounds; }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override
    {
        const double zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
        painter->save();
        m_painter.paint(*painter, m_layer, option->exposedRect, zoom);
        painter->restore();
    }

private:
    const GraphPainter& m_painter;
    GraphPainter::Layer m_layer;
    QRectF m_bounds;
};

GraphView::GraphView(QWidget* parent)
    : QGraphicsView(new QGraphicsScene, parent)
    , m_band(new QRubberBand(QRubberBand::Rectangle, viewport()))
    , m_bar(new SelectionBar(this))
    , m_legend(new OverlayLegend(this))
    , m_strip(new GraphStrip(this))
    , m_busy(new QLabel(this))
    , m_minimap(new Minimap(viewport()))
{
    scene()->setParent(this);
    scene()->setItemIndexMethod(QGraphicsScene::NoIndex);
    setObjectName(QStringLiteral("graph"));
    setAccessibleName(tr("Compressed graph"));
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAcceptDrops(false); // the window takes models that are dropped
    setTransformationAnchor(NoAnchor); // zoomAround() says what stays
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // map and path tell where one is; bars would only take room
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportUpdateMode(MinimalViewportUpdate);
    setOptimizationFlag(DontSavePainterState);
    m_busy->setObjectName(QStringLiteral("graphBusy"));
    m_busy->setText(tr("Laying out…"));
    m_busy->setAutoFillBackground(true);
    m_busy->setFrameShape(QFrame::Box);
    m_busy->setMargin(4);
    m_busy->hide();
    m_look.setSingleShot(true);
    m_look.setInterval(80);
    connect(&m_look, &QTimer::timeout, this, &GraphView::lookInside);
    m_painter.setTheme(themeFor(palette()));
    setBackgroundBrush(themeFor(palette()).base);
    makeLayers();
    makePlaces();
    connect(m_bar, &SelectionBar::rulesIntended, this, &GraphView::rulesIntended);
    connect(m_legend, &OverlayLegend::measureRequested, this, &GraphView::overlayMeasureRequested);
    connect(m_legend, &OverlayLegend::resized, this, [this] {
        placeBar();
        fitAgain();
    });
    connect(m_strip, &GraphStrip::changed, this, &GraphView::placeStrip);
    // Who scrolls has left the first view, however the scroll bars were moved.
    for (QScrollBar* bar : {horizontalScrollBar(), verticalScrollBar()})
        connect(bar, &QScrollBar::actionTriggered, this, [this] { m_keeps = Keeps::Place; });
}

GraphView::~GraphView() = default;

void GraphView::makeLayers()
{
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        m_layers[i] = new LayerItem(m_painter, static_cast<GraphPainter::Layer>(i));
        m_layers[i]->setZValue(static_cast<double>(i));
        scene()->addItem(m_layers[i]);
    }
}

void GraphView::setPicture(std::shared_ptr<const Picture> picture)
{
    const bool isSameModel = picture && m_picture && picture->snapshot->model == m_picture->snapshot->model;
    const bool isOtherForm = isSameModel && picture->form != m_picture->form;
    const std::optional<HeldPlace> held = isOtherForm ? placeToHold() : std::nullopt;
    const std::shared_ptr<const Picture> before = std::exchange(m_picture, std::move(picture));
    const QTransform was = viewportTransform();
    const bool isMoreOfIt = isSameModel && !isOtherForm && before->open == m_picture->open; // inside closed boxes
    const bool moves = isSameModel && m_hasAnchor && m_picture->isOfSameNodes(*before);
    m_moving.stop();
    m_painter.setPicture(m_picture, font());
    m_minimap->setPicture(m_picture);
    m_hovered = Picture::kNoBox;
    const QRectF bounds = m_picture ? m_picture->bounds().adjusted(-kRoom, -kRoom, kRoom, kRoom) : QRectF(0, 0, 1, 1);
    for (LayerItem* layer : m_layers)
        layer->setBounds(bounds);
    giveRoom();
    if (!m_picture || (before && !isSameModel)) { // what is selected before a first picture comes is in it
        m_selection = {};
        m_previewed.clear();
    }
    placeBar(); // what is shown whole stands above it
    if (!m_picture) {
        m_current = Picture::kNoBox;
    } else if (!isSameModel) {
        m_current = Picture::kNoBox;
        m_hasAnchor = m_revealsNext = false;
        m_history.clear();
        followSize();
    } else if (m_keeps == Keeps::FirstView) {
        followSize(); // the pane may have changed while the picture was made
    } else if (m_keeps == Keeps::Whole) {
        m_hasAnchor = false;
        fit();
    } else if (held) {
        m_hasAnchor = false;
        zoomAround(zoomOf(*m_picture, held->place), pointOf(*m_picture, held->place), held->at);
    } else {
        restoreAnchor();
    }
    chooseCurrent();
    refreshMarks();
    refreshPreview();
    refreshFound();
    refreshTypes();
    refreshRuns();
    refreshOverlay();
    placeBar();
    fitAgain(); // with what is written at its edges
    if (moves)
        startMove(*before, was);
    if (std::exchange(m_revealsNext, false))
        goToSelection();
    if (m_revealsGone)
        goToGone();
    m_look.start();
    if (isMoreOfIt)
        refreshPlaces(); // the map does not move while one moves
    else
        chooseEdges();
    viewport()->update();
}

void GraphView::setSelection(const Selection& selection)
{
    if (selection == m_selection)
        return;
    m_selection = selection;
    chooseCurrent();
    refreshMarks();
    placeBar();
    if (m_picture && !selection.nodes.empty())
        goToBoxes(m_picture->boxesOf(selection));
}

void GraphView::goToBoxes(const std::vector<int>& boxes)
{
    const QRectF seen = mapToScene(viewport()->rect()).boundingRect();
    const bool isSeen
        = std::any_of(boxes.begin(), boxes.end(), [&](int box) { return m_picture->frame(box).intersects(seen); });
    if (boxes.empty() || isSeen)
        return;
    notePlace();
    m_keeps = Keeps::Place;
    centerOn(m_picture->frame(boxes.front()).center());
    chooseEdges();
}

void GraphView::setPreview(const std::vector<NodeId>& nodes)
{
    if (nodes == m_previewed)
        return;
    m_previewed = nodes;
    refreshPreview();
    if (m_picture && !nodes.empty())
        goToBoxes(m_picture->boxesOf(selectNodes(nodes)));
}

void GraphView::refreshPreview()
{
    m_painter.setPreviewed(m_picture ? m_picture->boxesOf(selectNodes(m_previewed)) : std::vector<int>());
    m_layers.back()->update();
}

void GraphView::setFound(std::shared_ptr<const FoundMarks> marks)
{
    m_found = std::move(marks);
    m_revealsGone = false;
    if (const int box = refreshFound(); box != Picture::kNoBox)
        bringFoundIntoSight(box);
}

/// @return the box of what it stands at
int GraphView::refreshFound()
{
    FoundBoxes found = m_picture ? foundBoxes(m_found.get(), *m_picture) : FoundBoxes();
    const int current = found.current;
    m_painter.setFound(std::move(found));
    m_layers.back()->update();
    return current;
}

void GraphView::revealGone()
{
    m_revealsGone = m_found && m_found->gone().valid();
    if (m_revealsGone)
        goToGone();
}

void GraphView::goToGone()
{
    if (!m_picture || !m_picture->isOpened())
        return; // one of the file comes
    const auto around = m_picture->keysAroundDrawn({m_found->gone()});
    if (const std::set<std::string> keys(around.begin(), around.end()); !std::ranges::includes(m_picture->open, keys)) {
        Q_EMIT openRequested(keys);
        return;
    }
    m_revealsGone = false;
    goToArea(m_picture->boxesOfDrawn({m_found->gone()}));
}

void GraphView::setRuns(std::shared_ptr<const RunsOfNodes> runs)
{
    if (runs == m_runs)
        return;
    m_runs = std::move(runs);
    refreshRuns();
    fitAgain();
}

/// What runs is said of what was planned.
std::shared_ptr<const RunsOfNodes> GraphView::writtenRuns() const
{
    return m_picture && m_picture->form == GraphForm::Compressed ? m_runs : nullptr;
}

void GraphView::refreshRuns()
{
    const auto runs = writtenRuns();
    m_painter.setRuns(runs ? runBadges(*runs, *m_picture) : std::vector<RunBadge>());
    viewport()->update();
}

void GraphView::setTypes(std::shared_ptr<const ValueTypes> types)
{
    m_types = std::move(types);
    refreshTypes();
    fitAgain();
}

/// Types may be of a model that has no picture yet.
bool GraphView::hasTypes() const
{
    return m_types && m_picture && m_types->types.size() == m_picture->snapshot->model->values.size();
}

std::shared_ptr<const ValueTypes> GraphView::writtenTypes() const
{
    return hasTypes() && EdgeTypes::isShownAt(zoom()) ? m_types : nullptr;
}

void GraphView::refreshTypes()
{
    const bool fits = hasTypes();
    std::vector<QRectF> badges;
    if (fits)
        std::ranges::transform(m_painter.badges(1), std::back_inserter(badges), &GraphPainter::Badge::rect);
    m_painter.setEdgeTypes(fits ? EdgeTypes(*m_picture, *m_types, subtitleFont(font()), badges) : EdgeTypes());
    viewport()->update();
}

void GraphView::setOverlay(std::shared_ptr<const ShownOverlay> overlay)
{
    m_overlay = std::move(overlay);
    refreshOverlay();
    placeBar();
    chooseEdges();
    fitAgain(); // the legend may have come
}

/// Of kernels only what is known of what is run.
void GraphView::refreshOverlay()
{
    const bool isOfModel = m_picture && m_overlay && m_overlay->scopes == m_picture->snapshot->scopes;
    const bool isOfKernels = isOfModel && m_overlay->values && m_picture->run;
    m_drawnOverlay = m_overlay;
    if (isOfKernels) {
        auto drawn = std::make_shared<ShownOverlay>(*m_overlay);
        drawn->values = overlayOfKernels(*m_overlay->values, *m_picture->run);
        drawn->kind = drawn->values ? drawn->values->kind : drawn->kind;
        m_drawnOverlay = std::move(drawn);
    }
    m_legend->setOverlay(m_drawnOverlay, !isOfKernels || m_drawnOverlay->values);
    const bool isColoured = isOfModel && m_drawnOverlay->hasColumn();
    m_values.clear();
    std::vector<bool> areMixed;
    if (isColoured) {
        m_values = overlayOfBoxes(*m_drawnOverlay->values, m_picture->graph, *m_picture->containment);
        areMixed = mixedBoxes(*m_drawnOverlay->values, m_picture->graph, *m_picture->containment);
    }
    m_painter.setOverlay(isColoured ? m_drawnOverlay : nullptr, m_values, std::move(areMixed));
    viewport()->update();
}

void GraphView::chooseCurrent()
{
    m_marked = m_picture ? m_picture->boxesOf(m_selection) : std::vector<int>();
    if (!std::binary_search(m_marked.begin(), m_marked.end(), m_current))
        m_current = m_marked.empty() ? Picture::kNoBox : m_marked.front();
}

void GraphView::refreshMarks()
{
    m_painter.setMarked(m_marked);
    m_painter.setHovered(m_hovered);
    m_painter.setCurrent(hasFocus() ? m_current : Picture::kNoBox);
    m_layers.back()->update();
}

void GraphView::makeCurrent(int box)
{
    m_current = box;
    if (box != Picture::kNoBox)
        setAccessibleDescription(toolTipOf(box));
    select(box == Picture::kNoBox ? Selection() : m_picture->selectionOf(box));
}

void GraphView::select(const Selection& selection)
{
    m_selection = selection;
    m_marked = m_picture ? m_picture->boxesOf(m_selection) : std::vector<int>();
    refreshMarks();
    placeBar();
    Q_EMIT selected(m_selection);
}

void GraphView::hover(int box)
{
    if (box == m_hovered)
        return;
    m_hovered = box;
    refreshMarks();
}

void GraphView::walkTo(Step step)
{
    if (!m_picture)
        return;
    // What is drawn closed is one step, whatever is inside.
    const Detail& detail = m_painter.detail(zoom());
    int box = m_current;
    for (std::size_t steps = 0; steps < m_picture->graph.boxes.size(); ++steps) {
        const int next = walk(*m_picture, box, step);
        if (next == Picture::kNoBox || next == box)
            return;
        box = next;
        if (m_current == Picture::kNoBox || detail.shown(box) != detail.shown(m_current))
            break;
    }
    box = detail.shown(box);
    if (box == m_current)
        return;
    m_keeps = Keeps::Place;
    makeCurrent(box);
    ensureVisible(m_picture->frame(box), 40, 40);
}

void GraphView::setBoxOpen(int box, bool open)
{
    if (!m_picture || box == Picture::kNoBox)
        return;
    const auto& boxes = m_picture->graph.boxes;
    while (!open && !boxes[static_cast<std::size_t>(box)].open) { // closing what the box stands in
        box = boxes[static_cast<std::size_t>(box)].parent;
        if (box == Picture::kNoBox)
            return;
    }
    const ViewBox& shown = boxes[static_cast<std::size_t>(box)];
    if (open && shown.open && m_painter.detail(zoom()).look(box) == Detail::Look::Closed) {
        notePlace();
        showWhole(m_picture->frame(box)); // open, but too small to be drawn so
        return;
    }
    if (shown.key.empty() || shown.open == open)
        return;
    notePlace();
    keepAnchor(box);
    if (!open) {
        Q_EMIT closeRequested(shown.key);
        return;
    }
    std::set<std::string> keys = withOpened(*m_picture->containment, {}, shown.key);
    for (int at = shown.parent; at != Picture::kNoBox; at = boxes[static_cast<std::size_t>(at)].parent)
        keys.insert(boxes[static_cast<std::size_t>(at)].key); // of boxes that are only drawn inside others
    Q_EMIT openRequested(keys);
}

void GraphView::toggleFold(int box)
{
    const auto offer = m_picture ? foldOffer(*m_picture, box) : std::nullopt;
    if (!offer)
        return;
    while (m_picture->graph.boxes[static_cast<std::size_t>(box)].key.empty())
        box = m_picture->graph.boxes[static_cast<std::size_t>(box)].parent;
    notePlace();
    keepAnchor(box);
    m_anchorKey = offer->stands;
    if (offer->isFolded)
        Q_EMIT closeRequested(offer->mark);
    else
        Q_EMIT openRequested({offer->mark});
}

void GraphView::lookInside()
{
    constexpr double kLargeEnough = 80; // px of height on the screen
    constexpr std::size_t kMostBoxes = 3000; // drawn for what was looked into before
    if (!m_picture || m_isPanning)
        return;
    leaveNothingness();
    const QRectF seen = viewportTransform().inverted().mapRect(QRectF(viewport()->rect()));
    std::set<std::string> keys;
    for (std::size_t i = 0; i < m_picture->graph.boxes.size(); ++i) {
        const ViewBox& box = m_picture->graph.boxes[i];
        const QRectF frame = m_picture->frame(static_cast<int>(i));
        if (!box.open && !box.key.empty() && box.total > 0 && frame.height() * zoom() >= kLargeEnough
            && frame.intersects(seen))
            keys.insert(box.key);
    }
    if (std::ranges::includes(m_picture->inside, keys))
        return;
    if (m_picture->graph.boxes.size() < kMostBoxes)
        keys.insert(m_picture->inside.begin(), m_picture->inside.end());
    Q_EMIT insideRequested(keys);
}

void GraphView::scrollContentsBy(int dx, int dy)
{
    QGraphicsView::scrollContentsBy(dx, dy);
    m_look.start();
    refreshPlaces();
}

void GraphView::reveal()
{
    m_revealTakesFocus = true;
    goToSelection();
}

void GraphView::revealQuietly()
{
    m_revealTakesFocus = false;
    goToSelection();
}

void GraphView::goToSelection()
{
    if (!m_picture || m_selection.nodes.empty())
        return;
    const std::set<std::string> keys = keysToReveal(*m_picture, m_selection);
    if (!std::ranges::includes(m_picture->open, keys)) {
        m_revealsNext = true;
        Q_EMIT openRequested(keys);
        return;
    }
    const std::vector<int> boxes = m_picture->boxesOf(m_selection);
    goToArea(boxes);
    if (!boxes.empty() && m_revealTakesFocus)
        setFocus();
}

void GraphView::setBusy(bool busy)
{
    m_busy->setVisible(busy);
    placeBusyLabel();
}

void GraphView::placeBusyLabel()
{
    constexpr int kGap = 10; // px to the edge of what is in sight
    m_busy->adjustSize();
    m_busy->move((width() - m_busy->width()) / 2, viewport()->y() + kGap);
    m_busy->raise();
}

/// The picture stays where it is on the screen when the strip becomes higher or lower.
void GraphView::placeStrip()
{
    const int height = m_strip->isHidden() ? 0 : m_strip->takeWidth(width());
    const int lower = height - viewportMargins().top();
    m_strip->resize(width(), height);
    if (lower == 0)
        return;
    const QPointF middle = QRectF(viewport()->rect()).center();
    const QPointF held = viewportTransform().inverted().map(middle);
    setViewportMargins(0, height, 0, 0);
    if (m_picture && m_keeps == Keeps::Place)
        zoomAround(zoom(), held, middle - QPointF(0, lower));
}

int GraphView::boxAtViewport(const QPoint& position) const
{
    const int box
        = m_picture ? m_picture->boxAt(viewportTransform().inverted().map(QPointF(position))) : Picture::kNoBox;
    return box == Picture::kNoBox ? box : m_painter.detail(zoom()).shown(box);
}

} // namespace duo::ui
