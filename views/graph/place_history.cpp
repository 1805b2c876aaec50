// SPDX-License-Identifier: Apache-2.0
#include "views/graph/place_history.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duo::ui {
namespace {

/// Whether the view would not move from one to the other.
bool looksTheSame(const GraphPlace& a, const GraphPlace& b)
{
    constexpr double kNear = 1e-6;
    const bool isOfSameBox = a.box.has_value() == b.box.has_value() && (!a.box || a.box->key == b.box->key)
        && a.nodes == b.nodes && a.value == b.value;
    return isOfSameBox && a.run == b.run && a.open == b.open && (a.at - b.at).manhattanLength() < kNear
        && std::abs(a.zoom - b.zoom) < kNear;
}

/// The last that is another place than this one.
std::optional<GraphPlace> taken(std::vector<GraphPlace>& from, std::vector<GraphPlace>& to, const GraphPlace& now)
{
    while (!from.empty() && looksTheSame(from.back(), now))
        from.pop_back();
    if (from.empty())
        return std::nullopt;
    to.push_back(now);
    GraphPlace place = std::move(from.back());
    from.pop_back();
    return place;
}

QPointF pointIn(const QRectF& rect, const QPointF& share)
{
    return rect.topLeft() + QPointF(share.x() * rect.width(), share.y() * rect.height());
}

bool isOfValue(const ViewBox& box)
{
    return box.kind == ViewBox::Kind::Input || box.kind == ViewBox::Kind::Output || box.kind == ViewBox::Kind::Stub;
}

/// That shows the same of another graph: a scope by its key, an end by its value. Pages have keys that tell other nodes
/// there.
int counterpart(const Picture& picture, const GraphPlace& place)
{
    const ViewBox& box = *place.box;
    if (box.kind == ViewBox::Kind::Scope)
        return picture.boxOfKey(box.key);
    if (!isOfValue(box) || !place.value.valid())
        return Picture::kNoBox;
    const auto found = std::ranges::find_if(picture.graph.boxes, [&](const ViewBox& other) {
        return other.kind == box.kind && picture.valueInModel(other.value) == place.value;
    });
    return found == picture.graph.boxes.end() ? Picture::kNoBox : static_cast<int>(found - picture.graph.boxes.begin());
}

/// That shows the same, or most of it; ids tell it only within one graph.
int sameBox(const Picture& picture, const GraphPlace& place)
{
    const int box = place.run == picture.run ? picture.boxLike(*place.box) : counterpart(picture, place);
    if (box != Picture::kNoBox)
        return box;
    for (const NodeId node : place.nodes) {
        if (const auto boxes = picture.boxesOf(selectNode(node)); !boxes.empty())
            return boxes.front();
    }
    return Picture::kNoBox;
}

/// Nodes of the model that a box stands for; of one that stands for none, those of the nearest boxes that it gives to,
/// else of those that it reads.
std::vector<NodeId> nodesNear(const Picture& picture, int box)
{
    constexpr std::size_t kMostNodes = 32;
    constexpr std::size_t kMostBoxes = 64;
    const auto nodesOf = [&](int from, bool isForward) {
        std::vector<int> boxes{from};
        for (std::size_t i = 0; i < boxes.size() && boxes.size() < kMostBoxes; ++i) {
            std::vector<NodeId> nodes = picture.selectionOf(boxes[i]).nodes;
            if (!nodes.empty()) {
                nodes.resize(std::min(nodes.size(), kMostNodes));
                return nodes;
            }
            for (const ViewEdge& edge : picture.graph.edges) {
                const auto [near, far] = isForward ? std::pair(edge.from, edge.to) : std::pair(edge.to, edge.from);
                if (near == static_cast<std::uint32_t>(boxes[i])
                    && std::ranges::find(boxes, static_cast<int>(far)) == boxes.end())
                    boxes.push_back(static_cast<int>(far));
            }
        }
        return std::vector<NodeId>();
    };
    std::vector<NodeId> nodes = nodesOf(box, true);
    return nodes.empty() ? nodesOf(box, false) : nodes;
}

} // namespace

GraphPlace placeOf(const Picture& picture, const QPointF& middle, double zoom)
{
    return placeOf(picture, picture.boxAt(middle), middle, zoom);
}

GraphPlace placeOf(const Picture& picture, int box, const QPointF& middle, double zoom)
{
    const QRectF around = box == Picture::kNoBox ? picture.bounds() : picture.frame(box);
    GraphPlace place;
    if (box != Picture::kNoBox) {
        place.box = picture.graph.boxes[static_cast<std::size_t>(box)];
        place.scale = picture.scale(box);
    }
    if (place.box) {
        place.nodes = nodesNear(picture, box);
        if (isOfValue(*place.box))
            place.value = picture.valueInModel(place.box->value);
        for (int at = place.box->parent; at != Picture::kNoBox;
             at = picture.graph.boxes[static_cast<std::size_t>(at)].parent)
            place.around.push_back(picture.graph.boxes[static_cast<std::size_t>(at)].key);
    }
    place.run = picture.run;
    place.open = picture.open;
    const QPointF from = middle - around.topLeft();
    place.at = {from.x() / std::max(around.width(), 1e-9), from.y() / std::max(around.height(), 1e-9)};
    place.zoom = zoom;
    return place;
}

int boxOf(const Picture& picture, const GraphPlace& place)
{
    if (!place.box)
        return Picture::kNoBox;
    if (const int box = sameBox(picture, place); box != Picture::kNoBox)
        return box;
    for (const std::string& key : place.around) {
        if (const int box = picture.boxOfKey(key); box != Picture::kNoBox)
            return box;
    }
    return Picture::kNoBox;
}

QPointF pointOf(const Picture& picture, const GraphPlace& place)
{
    if (!place.box)
        return pointIn(picture.bounds(), place.at);
    if (const int box = sameBox(picture, place); box != Picture::kNoBox)
        return pointIn(picture.frame(box), place.at);
    const int around = boxOf(picture, place);
    return around == Picture::kNoBox ? picture.bounds().center() : picture.frame(around).center();
}

double zoomOf(const Picture& picture, const GraphPlace& place)
{
    const int box = boxOf(picture, place);
    return box == Picture::kNoBox ? place.zoom : place.zoom * place.scale / picture.scale(box);
}

void PlaceHistory::leave(const GraphPlace& place)
{
    m_after.clear();
    m_before.push_back(place);
    if (m_before.size() > kMostPlaces)
        m_before.erase(m_before.begin());
}

std::optional<GraphPlace> PlaceHistory::back(const GraphPlace& now)
{
    return taken(m_before, m_after, now);
}

std::optional<GraphPlace> PlaceHistory::forward(const GraphPlace& now)
{
    return taken(m_after, m_before, now);
}

void PlaceHistory::clear()
{
    m_before.clear();
    m_after.clear();
}

} // namespace duo::ui
