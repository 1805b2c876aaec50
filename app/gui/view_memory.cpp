// SPDX-License-Identifier: Apache-2.0
#include "app/gui/view_memory.h"

#include <QScrollBar>

#include <chrono>
#include <set>
#include <string>
#include <utility>

namespace duo::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kDelay{300}; // from a change until the session knows; it writes soon after
constexpr std::size_t kMostSelected = 5000; // nodes by name; a scope is one name

/// Never throws: the text of a view is whatever stands in a file.
const Json& member(const Json& json, const char* key)
{
    static const Json kNone;
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() ? *found : kNone;
}

std::string textOf(const Json& json)
{
    return json.is_string() ? json.get<std::string>() : std::string();
}

double numberOf(const Json& json, double otherwise)
{
    return json.is_number() ? json.get<double>() : otherwise;
}

std::set<std::string> textsOf(const Json& json)
{
    std::set<std::string> texts;
    for (const Json& item : json.is_array() ? json : Json::array())
        texts.insert(textOf(item));
    return texts;
}

/// @param pane px, as files of before told its top left corner instead of its middle
std::optional<ui::GraphSight> sightOf(const Json& json, const QSizeF& pane)
{
    constexpr double kLargest = 1e9; // px
    constexpr double kClosest = 100;
    const double zoom = numberOf(member(json, "zoom"), 0);
    const QPointF corner(numberOf(member(json, "x"), 0), numberOf(member(json, "y"), 0));
    const QPointF inPane = zoom > 0 ? QPointF(pane.width(), pane.height()) / (2 * zoom) : QPointF();
    const Json& middle = member(json, "middle");
    const ui::GraphSight sight{textOf(member(json, "box")),
        middle.is_object() ? QPointF(numberOf(member(middle, "x"), 0), numberOf(member(middle, "y"), 0))
                           : corner + inPane,
        zoom, member(json, "whole") == true};
    const bool isUsable = !sight.box.empty() && sight.zoom > 1 / kClosest / kClosest && sight.zoom < kClosest
        && std::abs(sight.middle.x()) < kLargest && std::abs(sight.middle.y()) < kLargest;
    return isUsable ? std::optional(sight) : std::nullopt;
}

Json sightJson(const ui::GraphSight& sight)
{
    Json json{{"box", sight.box}, {"middle", {{"x", sight.middle.x()}, {"y", sight.middle.y()}}}, {"zoom", sight.zoom}};
    if (sight.isWhole)
        json["whole"] = true;
    return json;
}

/// What was seen whole in a pane of another size is laid out for this one.
/// @param graph as captured. @param pane px
std::optional<PictureShape> shapeOf(const Json& graph, const QSizeF& pane)
{
    constexpr double kMost = 1000;
    const Json& of = member(graph, "pane");
    const bool isOfOtherPane
        = of.is_object() && QSizeF(numberOf(member(of, "width"), 0), numberOf(member(of, "height"), 0)) != pane;
    if (isOfOtherPane && member(graph, "whole") == true)
        return std::nullopt;
    const Json& json = member(graph, "shape");
    const double straight = numberOf(member(json, "straight"), kMostStraight);
    const PictureShape shape{numberOf(member(json, "whole"), -1), numberOf(member(json, "inside"), -1),
        numberOf(member(json, "spread"), -1),
        straight > 0 && straight < kMost ? static_cast<std::size_t>(straight) : 0};
    const bool isUsable = shape.whole >= 0 && shape.whole < kMost && shape.inside >= 0 && shape.inside < kMost
        && shape.spread > 1 / kMost && shape.spread < kMost;
    return isUsable ? std::optional(shape) : std::nullopt;
}

Json treeJson(const ui::ScopeTreeView& tree)
{
    const ui::ScopeTreeView::Sight sight = tree.sight();
    return {{"open", sight.open}, {"top", sight.scrolled}};
}

void goBackIn(ui::ScopeTreeView& tree, const Json& json)
{
    constexpr double kMostRows = 1e9;
    const double top = numberOf(member(json, "top"), 0);
    if (json.is_object())
        tree.goToSight({textsOf(member(json, "open")), top > 0 && top < kMostRows ? static_cast<int>(top) : 0});
}

} // namespace

ViewMemory::ViewMemory(Session& session, GraphCenter& graph, GraphForms& forms, Overlays& overlays,
    ui::ScopeTreesPanel& trees, ui::Board& board)
    : m_session(session)
    , m_graph(graph)
    , m_forms(forms)
    , m_overlays(overlays)
    , m_trees(trees)
    , m_board(board)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    connect(&m_timer, &QTimer::timeout, this, &ViewMemory::capture);
    const auto start = [this] {
        if (!m_timer.isActive()) // not begun anew: who moves without a pause loses no more
            m_timer.start();
    };
    for (const QScrollBar* bar : {graph.view()->horizontalScrollBar(), graph.view()->verticalScrollBar()}) {
        connect(bar, &QScrollBar::valueChanged, this, start);
        connect(bar, &QScrollBar::rangeChanged, this, start);
    }
    connect(&graph, &GraphCenter::pictureShown, this, start);
    connect(&overlays, &Overlays::chosen, this, start);
    for (const auto kind : {ui::TreeKind::Execution, ui::TreeKind::Storage})
        connect(trees.tree(kind), &ui::ScopeTreeView::sightChanged, this, start);
    connect(&board, &ui::Board::selectionShown, this, [this, start](const ui::Selection& selection) {
        m_selection = selection;
        start();
    });
}

void ViewMemory::capture()
{
    Q_EMIT looked();
    const auto open = m_graph.open();
    const auto sight = sightOf(*m_graph.view());
    if (!open || m_session.isTakingUp()) // what is kept is not shown again yet
        return;
    Json graph{{"form", graphFormText(m_forms.wanted())}};
    if (!m_graph.isOurs()) { // else it is chosen anew, for the pane there is then
        graph["open"] = *open;
        if (sight)
            graph.update(sightJson(*sight));
        const QSizeF pane = m_graph.view()->pane();
        if (const auto& shape = m_graph.shape()) {
            graph["shape"] = {{"whole", shape->whole}, {"inside", shape->inside}, {"spread", shape->spread},
                {"straight", shape->straight}};
            graph["pane"] = {{"width", pane.width()}, {"height", pane.height()}};
        }
    }
    m_session.setView({{"graph", std::move(graph)}, {"execution", treeJson(*m_trees.tree(ui::TreeKind::Execution))},
        {"storage", treeJson(*m_trees.tree(ui::TreeKind::Storage))}, {"selection", selectionJson()},
        {"overlay", overlayKindText(m_overlays.kind())}});
}

Json ViewMemory::selectionJson() const
{
    const Snapshot& snapshot = *m_session.snapshot();
    if (m_selection.scope) {
        const bool isStorage = m_selection.scope->tree == ui::TreeKind::Storage;
        const ScopeTree& tree = ui::treeOf(*snapshot.scopes, m_selection.scope->tree);
        return {{"tree", isStorage ? "storage" : "execution"}, {"scope", tree.scope(m_selection.scope->scope).path}};
    }
    Json nodes = Json::array();
    for (const NodeId node : m_selection.nodes) {
        if (m_selection.nodes.size() <= kMostSelected)
            nodes.push_back(snapshot.model->node(node).name);
    }
    return {{"nodes", std::move(nodes)}};
}

void ViewMemory::goBack()
{
    const Json view = m_session.view(); // a copy: what follows changes it
    const Json& graph = member(view, "graph");
    const auto overlay = overlayKindFrom(textOf(member(view, "overlay")));
    if (overlay && *overlay != m_overlays.kind())
        m_overlays.choose(*overlay);
    if (const auto form = graphFormFrom(textOf(member(graph, "form"))))
        m_forms.comeBackTo(*form);
    if (member(graph, "open").is_array())
        m_graph.goBackTo(textsOf(member(graph, "open")), shapeOf(graph, m_graph.view()->pane()),
            sightOf(graph, m_graph.view()->viewport()->size()));
    goBackIn(*m_trees.tree(ui::TreeKind::Execution), member(view, "execution"));
    goBackIn(*m_trees.tree(ui::TreeKind::Storage), member(view, "storage"));
    const auto select = [this, model = m_session.snapshot()->model, selection = Json(member(view, "selection"))] {
        if (m_session.snapshot() && m_session.snapshot()->model == model)
            selectAgain(selection);
    };
    QMetaObject::invokeMethod(this, select, Qt::QueuedConnection); // all panes say something of it: an event of its own
}

void ViewMemory::reopenTrees()
{
    const Json view = m_session.view();
    m_trees.tree(ui::TreeKind::Execution)->reopen(textsOf(member(member(view, "execution"), "open")));
    m_trees.tree(ui::TreeKind::Storage)->reopen(textsOf(member(member(view, "storage"), "open")));
    if (m_selection.nodes.empty())
        selectAgain(member(view, "selection"));
}

void ViewMemory::selectAgain(const Json& json)
{
    const Snapshot& snapshot = *m_session.snapshot();
    const auto kind = textOf(member(json, "tree")) == "storage" ? ui::TreeKind::Storage : ui::TreeKind::Execution;
    const Json& path = member(json, "scope");
    if (path.is_string()) {
        const ScopeId scope = ui::treeOf(*snapshot.scopes, kind).find(textOf(path));
        if (scope.valid())
            Q_EMIT m_board.selected(ui::selectScope(*snapshot.scopes, kind, scope));
        return;
    }
    std::vector<NodeId> nodes;
    for (const std::string& name : textsOf(member(json, "nodes"))) {
        if (const NodeId node = snapshot.model->findNode(name); node.valid())
            nodes.push_back(node);
    }
    if (!nodes.empty())
        Q_EMIT m_board.selected(ui::selectNodes(std::move(nodes)));
}

} // namespace duo::app
