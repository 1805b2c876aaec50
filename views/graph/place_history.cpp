// SPDX-License-Identifier: Apache-2.0
#include "views/graph/place_history.h"

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

std::optional<GraphPlace> taken(std::vector<GraphPlace>& from, std::vector<GraphPlace>& to, const GraphPlace& now)
{
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

/// That shows the same; ids tell it only within one graph.
int sameBox(const Picture& picture, const ViewBox& box, const std::shared_ptr<const RunGraph>& run)
{
    if (run == picture.run)
        return picture.boxLike(box);
    return box.key.empty() ? Picture::kNoBox : picture.boxOfKey(box.key);
}

/// The innermost box that is there of the containers around one.
int boxAround(const Picture& picture, const std::string& key)
{
    const auto& containers = picture.containment->containers;
    auto at = static_cast<std::uint32_t>(std::ranges::find(containers, key, &Container::key) - containers.begin());
    for (; at > 0 && at < containers.size(); at = containers[at].parent) {
        if (const int box = picture.boxOfKey(containers[at].key); box != Picture::kNoBox)
            return box;
    }
    return Picture::kNoBox;
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
    if (place.box && place.box->key.empty())
        place.nodes = picture.selectionOf(box).nodes;
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
    if (const int box = sameBox(picture, *place.box, place.run); box != Picture::kNoBox)
        return box;
    if (!place.nodes.empty()) {
        if (const auto boxes = picture.boxesOf(selectNodes(place.nodes)); !boxes.empty())
            return boxes.front();
    }
    return place.box->key.empty() ? Picture::kNoBox : boxAround(picture, place.box->key);
}

QPointF pointOf(const Picture& picture, const GraphPlace& place)
{
    if (!place.box)
        return pointIn(picture.bounds(), place.at);
    if (const int box = sameBox(picture, *place.box, place.run); box != Picture::kNoBox)
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
