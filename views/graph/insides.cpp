// SPDX-License-Identifier: Apache-2.0
#include "views/graph/insides.h"

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr double kTitleShare = 0.3; // of the box's height, above what is inside
constexpr double kFootShare = 0.16; // below it, for the bar of states
constexpr double kSideShare = 0.04; // of the width, left and right

QRectF roomIn(const QRectF& box)
{
    return box.adjusted(
        box.width() * kSideShare, box.height() * kTitleShare, -box.width() * kSideShare, -box.height() * kFootShare);
}

/// Puts a laid out graph into the room of a box.
void append(Picture& picture, std::size_t into, const QRectF& room, const ViewGraph& graph, const PictureLayout& layout)
{
    const Size whole = layout.size;
    const double scale
        = std::min(room.width() / std::max(whole.width, 1.0), room.height() / std::max(whole.height, 1.0));
    const Point origin{room.center().x() - whole.width * scale / 2, room.center().y() - whole.height * scale / 2};
    const auto placed = [&](Point point) { return Point{origin.x + point.x * scale, origin.y + point.y * scale}; };
    const auto first = static_cast<std::uint32_t>(picture.graph.boxes.size());
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
        picture.graph.boxes.push_back(graph.boxes[i]);
        std::int32_t& parent = picture.graph.boxes.back().parent;
        parent = parent < 0 ? static_cast<std::int32_t>(into) : parent + static_cast<std::int32_t>(first);
        const auto& frame = layout.frames[i];
        picture.layout.frames.push_back(
            {placed(frame.topLeft), {frame.size.width * scale, frame.size.height * scale}, frame.titleLeft * scale});
        picture.scales.push_back(scale);
    }
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        picture.graph.edges.push_back(graph.edges[e]);
        picture.graph.edges.back().from += first;
        picture.graph.edges.back().to += first;
        picture.layout.lines.push_back(layout.lines[e]);
        std::ranges::transform(picture.layout.lines.back(), picture.layout.lines.back().begin(), placed);
    }
}

} // namespace

Result<const Insides::Inside*> Insides::inside(
    const Picture& picture, const std::string& key, double aspect, LayoutComposer& composer, const BoxSizes& sizes)
{
    if (const auto known = m_known.find(key); known != m_known.end())
        return &known->second;
    if (m_containers.empty()) {
        const auto& containers = picture.containment->containers;
        for (std::uint32_t c = 1; c < containers.size(); ++c)
            m_containers.emplace(containers[c].key, c);
    }
    const auto container = m_containers.find(key);
    if (container == m_containers.end())
        return nullptr;
    Inside made;
    made.graph = drawnInside(picture.drawn(), *picture.containment, container->second);
    DUO_TRY(shape, composer.shapeFor(made.graph, sizes, std::clamp(aspect, 0.1, kMostAspect)));
    DUO_TRY(layout, composer.compose(made.graph, sizes, {}, shape));
    made.layout = std::move(layout);
    return &m_known.emplace(key, std::move(made)).first->second;
}

Status Insides::addInPlace(Picture& picture, const std::set<std::string>& keys, LayoutComposer& composer,
    const BoxSizes& sizes, const JobContext& job)
{
    picture.scales.resize(picture.graph.boxes.size(), 1);
    if (std::exchange(m_most, picture.containment->most) != m_most) {
        m_containers.clear();
        m_known.clear();
    }
    for (std::size_t b = 0; b < picture.graph.boxes.size(); ++b) { // grows: boxes inside have insides too
        const std::string key = picture.graph.boxes[b].key;
        if (picture.graph.boxes[b].open || key.empty() || !keys.contains(key))
            continue;
        if (job.stopped())
            return cancelledError();
        const QRectF room = roomIn(picture.frame(static_cast<int>(b)));
        DUO_TRY(found, inside(picture, key, room.width() / room.height(), composer, sizes));
        if (found == nullptr || found->graph.boxes.empty())
            continue;
        append(picture, b, room, found->graph, found->layout);
        picture.inside.insert(key);
    }
    return success();
}

} // namespace duo::ui
