// SPDX-License-Identifier: Apache-2.0
#include "views/graph/insides.h"

#include "views/graph/inside_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace duo::ui {
namespace {

constexpr double kRoomTop = 0.34; // of the box's height: what is inside begins; lines lead between the title and it
constexpr double kRoomBottom = 0.9; // and ends
constexpr double kSideShare = 0.05; // of the width, left and right
constexpr double kAtBorder = 0.01; // of a side: so near to it a line ends at it
constexpr double kStraight = 0.001; // of a side: so little aside a line goes straight on

QRectF roomIn(const QRectF& box)
{
    return {box.left() + box.width() * kSideShare, box.top() + box.height() * kRoomTop,
        box.width() * (1 - 2 * kSideShare), box.height() * (kRoomBottom - kRoomTop)};
}

/// Puts a laid out inside into the room of a box of a picture, and leads its lines on to those of the box.
class Appender
{
public:
    Appender(Picture& picture, std::size_t into, const Inside& inside)
        : m_picture(picture)
        , m_into(static_cast<std::uint32_t>(into))
        , m_inside(inside)
        , m_frame(picture.frame(static_cast<int>(into)))
        , m_room(roomIn(m_frame))
    {
        for (std::uint32_t e = 0; e < picture.graph.edges.size(); ++e) {
            if (picture.graph.edges[e].to == m_into)
                m_arriving.push_back(e);
            if (picture.graph.edges[e].from == m_into)
                m_leaving.push_back(e);
        }
    }

    void append()
    {
        place();
        appendBoxes();
        for (const ViewEdge& edge : m_inside.graph.edges) { // a value has one, in and out
            if (edge.from == 0 || edge.to == 0)
                m_lanes.emplace(edge.value, m_lanes.size() + 1);
        }
        for (std::size_t e = 0; e < m_inside.graph.edges.size(); ++e) {
            const ViewEdge& edge = m_inside.graph.edges[e];
            std::vector<Point> line = m_inside.layout.lines[e];
            std::ranges::transform(line, line.begin(), [this](Point point) { return placed(point); });
            if (edge.from == 0)
                appendEntering(edge, line);
            else if (edge.to == 0)
                appendLeaving(edge, line);
            else
                push(edge, std::move(line));
        }
    }

private:
    /// In the middle of the room, or where the first line that comes in goes straight on.
    void place()
    {
        const Size whole = m_inside.layout.size;
        m_scale = std::min(m_room.width() / std::max(whole.width, 1.0), m_room.height() / std::max(whole.height, 1.0));
        const double across = std::max(m_room.width() - whole.width * m_scale, 0.0) / 2; // less by rounding
        const double along = std::max(m_room.height() - whole.height * m_scale, 0.0) / 2;
        m_origin = {m_room.left() + across, m_room.top() + along};
        const auto first
            = std::ranges::find_if(m_inside.graph.edges, [](const ViewEdge& edge) { return edge.from == 0; });
        const auto arrival = first == m_inside.graph.edges.end() ? std::optional<Point>() : arrivalOf(first->value);
        if (!arrival || isAtSide(*arrival, m_frame.left()) != m_inside.isSideways)
            return;
        const auto at = static_cast<std::size_t>(first - m_inside.graph.edges.begin());
        const Point port = placed(m_inside.layout.lines[at].front());
        if (m_inside.isSideways)
            m_origin.y += std::clamp(arrival->y - port.y, -along, along);
        else
            m_origin.x += std::clamp(arrival->x - port.x, -across, across);
    }

    [[nodiscard]] bool isAtSide(const Point& point, double x) const
    {
        return std::abs(point.x - x) < kAtBorder * m_frame.width();
    }

    [[nodiscard]] Point placed(Point point) const
    {
        return {m_origin.x + point.x * m_scale, m_origin.y + point.y * m_scale};
    }

    void appendBoxes()
    {
        m_boxes = {m_into};
        for (std::size_t b = 1; b < m_inside.graph.boxes.size(); ++b) {
            m_boxes.push_back(static_cast<std::uint32_t>(m_picture.graph.boxes.size()));
            m_picture.graph.boxes.push_back(m_inside.graph.boxes[b]);
            m_picture.graph.boxes.back().parent = static_cast<std::int32_t>(m_into);
            const auto& frame = m_inside.layout.frames[b];
            m_picture.layout.frames.push_back(
                {placed(frame.topLeft), {frame.size.width * m_scale, frame.size.height * m_scale}, 0});
            m_picture.scales.push_back(m_scale);
        }
    }

    void appendEntering(const ViewEdge& edge, std::vector<Point> line)
    {
        const double title = m_frame.top() + m_frame.height() * kInsideTitleShare;
        const auto way = wayTo(line.front(), arrivalOf(edge.value),
            {m_frame.top(), title, m_room.top(), m_frame.left(), m_room.left()}, laneOf(edge.value));
        line.insert(line.begin(), way.begin(), way.end());
        push(edge, std::move(line));
    }

    /// A value may go on to several boxes.
    void appendLeaving(ViewEdge edge, const std::vector<Point>& line)
    {
        edge.badge.clear(); // its readers have the quantizer
        const Side side{m_frame.bottom(), m_frame.bottom(), m_room.bottom(), m_frame.right(), m_room.right()};
        const auto lead = [&](const std::optional<Point>& end) {
            const auto way = wayTo(line.back(), end, side, laneOf(edge.value));
            std::vector<Point> whole = line;
            whole.insert(whole.end(), way.rbegin(), way.rend());
            push(edge, std::move(whole));
        };
        std::vector<Point> ends;
        for (const std::uint32_t e : departuresOf(edge.value)) {
            const Point& end = m_picture.layout.lines[e].front();
            if (std::ranges::find(ends, end) != ends.end())
                continue;
            ends.push_back(end);
            edge.badge = m_picture.graph.edges[e].badge; // that line goes on
            lead(end);
        }
        if (ends.empty())
            lead(std::nullopt);
    }

    [[nodiscard]] double laneOf(ValueId value) const
    {
        return static_cast<double>(m_lanes.at(value)) / static_cast<double>(m_lanes.size() + 1);
    }

    struct Side {
        double border = 0; // y, of the frame
        double from = 0; // y, between which and
        double to = 0; // lines may lead sideways
        double side = 0; // x of the border beside the room, of the frame
        double room = 0; // x, of the room
    };

    /// From the place on the frame where a line arrives to a port of what is inside; where none is known, from the
    /// frame straight to the port.
    /// @param lane which of those that lead sideways it takes, 0..1
    [[nodiscard]] std::vector<Point> wayTo(
        const Point& port, const std::optional<Point>& arrival, const Side& side, double lane) const
    {
        const double x = side.side + (side.room - side.side) * lane;
        const double y = side.from + (side.to - side.from) * lane;
        const bool isBeside = arrival && isAtSide(*arrival, side.side);
        const bool isAbove = arrival && !isBeside && std::abs(arrival->y - side.border) < kAtBorder * m_frame.height();
        if (m_inside.isSideways) {
            if (isBeside && std::abs(arrival->y - port.y) < kStraight * m_frame.height())
                return {*arrival};
            return isBeside ? std::vector<Point>{*arrival, {x, arrival->y}, {x, port.y}}
                : isAbove   ? std::vector<Point>{*arrival, {arrival->x, y}, {x, y}, {x, port.y}}
                            : std::vector<Point>{{side.side, port.y}};
        }
        if (isAbove && std::abs(arrival->x - port.x) < kStraight * m_frame.width())
            return {*arrival};
        return isAbove ? std::vector<Point>{*arrival, {arrival->x, y}, {port.x, y}}
            : isBeside ? std::vector<Point>{*arrival, {x, arrival->y}, {x, y}, {port.x, y}}
                       : std::vector<Point>{{port.x, side.border}};
    }

    void push(const ViewEdge& edge, std::vector<Point> line)
    {
        m_picture.graph.edges.push_back(edge);
        ViewEdge& added = m_picture.graph.edges.back();
        added.from = m_boxes[edge.from];
        added.to = m_boxes[edge.to];
        m_picture.layout.lines.push_back(std::move(line));
    }

    [[nodiscard]] std::optional<Point> arrivalOf(ValueId value) const
    {
        const NodeId producer = model().value(value).producer;
        const std::vector<int> boxes = producer.valid() ? m_picture.boxesOfDrawn({producer}) : std::vector<int>();
        for (const std::uint32_t e : m_arriving) {
            const ViewEdge& edge = m_picture.graph.edges[e];
            if (edge.value == value || saysOf(edge.from, value)
                || (!boxes.empty() && isAround(edge.from, boxes.front())))
                return m_picture.layout.lines[e].back();
        }
        return std::nullopt;
    }

    [[nodiscard]] std::vector<std::uint32_t> departuresOf(ValueId value) const
    {
        std::vector<NodeId> readers;
        for (const Use& use : model().value(value).uses)
            readers.push_back(use.node);
        const std::vector<int> boxes = m_picture.boxesOfDrawn(readers);
        std::vector<std::uint32_t> edges;
        for (const std::uint32_t e : m_leaving) {
            const ViewEdge& edge = m_picture.graph.edges[e];
            const bool leads = edge.value == value || saysOf(edge.to, value)
                || std::ranges::any_of(boxes, [&](int box) { return isAround(edge.to, box); });
            if (leads)
                edges.push_back(e);
        }
        return edges;
    }

    [[nodiscard]] const Model& model() const
    {
        return m_picture.run ? *m_picture.run->kernels : *m_picture.snapshot->model;
    }

    /// An input, an output or a stub of it.
    [[nodiscard]] bool saysOf(std::uint32_t box, ValueId value) const
    {
        const ViewBox& shown = m_picture.graph.boxes[box];
        return shown.value == value || std::ranges::find(shown.moreValues, value) != shown.moreValues.end();
    }

    /// Beside the frame, not the one that holds it.
    [[nodiscard]] bool isAround(std::uint32_t box, int inner) const
    {
        const auto outer = static_cast<int>(box);
        return m_picture.graph.boxes[m_into].parent != outer && m_picture.isInside(inner, outer);
    }

    Picture& m_picture;
    std::uint32_t m_into;
    const Inside& m_inside;
    QRectF m_frame;
    QRectF m_room;
    std::vector<std::uint32_t> m_arriving; // edges of the picture
    std::vector<std::uint32_t> m_leaving;
    std::vector<std::uint32_t> m_boxes; // [boxes inside] of the picture
    double m_scale = 1;
    Point m_origin;
    std::map<ValueId, std::size_t> m_lanes; // of values that come in or go out, from 1
};

} // namespace

Result<const Inside*> Insides::inside(const Picture& picture, const std::string& key, double aspect,
    LayoutComposer& composer, const BoxSizes& sizes, const JobContext& job)
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
    DUO_TRY(made,
        layoutInside(
            drawnInside(picture.drawn(), *picture.containment, container->second), aspect, composer, sizes, job));
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
        DUO_TRY(found, inside(picture, key, room.width() / room.height(), composer, sizes, job));
        if (found == nullptr || found->graph.boxes.size() < 2)
            continue;
        Appender(picture, b, *found).append();
        picture.inside.insert(key);
    }
    return success();
}

} // namespace duo::ui
