// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout_composer.h"

#include "core/graph/layout/layered_layout.h"
#include "core/graph/layout/layout.h"
#include "core/graph/layout/layout_protocol.h"
#include "core/graph/layout/ranks.h"
#include "core/graph/view_graph.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace duo {
namespace {

/// The inside of one open box (or of the picture): its boxes, then its ports.
struct ViewLevel {
    std::int32_t box = -1; // the open box; -1: the picture
    std::vector<std::uint32_t> members; // view boxes
    std::vector<Pin> ports; // Top: values enter, Bottom: values leave; one per source box outside or inside
    std::vector<LayoutInput::Edge> edges; // distinct; ends index members, then ports
};

/// Part of a view edge inside one level.
struct EdgeStep {
    std::uint32_t level = 0;
    std::uint32_t edge = 0; // ViewLevel::edges
};

struct ViewLevels {
    std::vector<ViewLevel> levels; // [0] the picture, then open boxes in box order: parents before children
    std::vector<std::uint32_t> levelOf; // [boxes] level in which the box stands
    std::vector<std::vector<EdgeStep>> steps; // [view edges] from the source box to the reading box
};

class Cutter
{
public:
    explicit Cutter(const ViewGraph& view)
        : m_view(view)
        , m_local(view.boxes.size())
        , m_levelInside(view.boxes.size(), 0)
    {
        m_result.levels.emplace_back();
        m_depth.push_back(0);
    }

    ViewLevels cut()
    {
        for (std::uint32_t b = 0; b < m_view.boxes.size(); ++b)
            placeBox(b);
        m_edges.resize(m_result.levels.size());
        m_ports.resize(m_result.levels.size());
        for (const ViewEdge& edge : m_view.edges)
            m_result.steps.push_back(stepsOf(edge));
        return std::move(m_result);
    }

private:
    void placeBox(std::uint32_t index)
    {
        const ViewBox& box = m_view.boxes[index];
        const std::uint32_t level = box.parent < 0 ? 0 : m_levelInside[static_cast<std::size_t>(box.parent)];
        m_result.levelOf.push_back(level);
        m_local[index] = static_cast<std::uint32_t>(m_result.levels[level].members.size());
        m_result.levels[level].members.push_back(index);
        if (!box.open)
            return;
        m_levelInside[index] = static_cast<std::uint32_t>(m_result.levels.size());
        m_result.levels.emplace_back().box = static_cast<std::int32_t>(index);
        m_depth.push_back(m_depth[level] + 1);
    }

    std::vector<EdgeStep> stepsOf(const ViewEdge& edge)
    {
        std::vector<EdgeStep> outwards;
        std::vector<EdgeStep> inwards;
        std::uint32_t from = edge.from;
        std::uint32_t to = edge.to;
        while (levelOf(from) != levelOf(to)) {
            if (depthOf(from) >= depthOf(to)) {
                outwards.push_back(addEdge(levelOf(from), m_local[from], port(levelOf(from), edge.from, Pin::Bottom)));
                from = outerBox(from);
            } else {
                inwards.push_back(addEdge(levelOf(to), port(levelOf(to), edge.from, Pin::Top), m_local[to]));
                to = outerBox(to);
            }
        }
        outwards.push_back(addEdge(levelOf(from), m_local[from], m_local[to]));
        outwards.insert(outwards.end(), inwards.rbegin(), inwards.rend());
        return outwards;
    }

    [[nodiscard]] std::uint32_t levelOf(std::uint32_t box) const { return m_result.levelOf[box]; }
    [[nodiscard]] std::uint32_t depthOf(std::uint32_t box) const { return m_depth[levelOf(box)]; }
    [[nodiscard]] std::uint32_t outerBox(std::uint32_t box) const
    {
        return static_cast<std::uint32_t>(m_view.boxes[box].parent);
    }

    std::uint32_t port(std::uint32_t level, std::uint32_t source, Pin side)
    {
        const std::uint64_t key = (std::uint64_t{source} << 8U) | static_cast<std::uint8_t>(side);
        ViewLevel& inside = m_result.levels[level];
        const auto next = static_cast<std::uint32_t>(inside.members.size() + inside.ports.size());
        const auto [entry, isNew] = m_ports[level].try_emplace(key, next);
        if (isNew)
            inside.ports.push_back(side);
        return entry->second;
    }

    EdgeStep addEdge(std::uint32_t level, std::uint32_t from, std::uint32_t to)
    {
        auto& edges = m_result.levels[level].edges;
        const std::uint64_t key = (std::uint64_t{from} << 32U) | to;
        const auto [entry, isNew] = m_edges[level].try_emplace(key, static_cast<std::uint32_t>(edges.size()));
        if (isNew)
            edges.push_back({from, to});
        return {level, entry->second};
    }

    const ViewGraph& m_view;
    std::vector<std::uint32_t> m_local; // [boxes] index in its level
    std::vector<std::uint32_t> m_levelInside; // [boxes] of open boxes
    std::vector<std::uint32_t> m_depth; // [levels]
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> m_edges; // [levels]
    std::vector<std::unordered_map<std::uint64_t, std::uint32_t>> m_ports; // [levels]
    ViewLevels m_result;
};

/// O(boxes + edges * depth).
ViewLevels cutIntoLevels(const ViewGraph& view)
{
    return Cutter(view).cut();
}

constexpr std::size_t kMostTidyItems = 300;
constexpr std::size_t kMostTidyCrossed = 1500;
constexpr Size kPortSize{10, 1};

/// A level with its layout and, for an open box, where the content lies inside the frame.
struct PlacedLevel {
    LayoutResult layout;
    Size frame;
    Point content; // of the layout's (0, 0), from the frame's top left; absolute in the end
};

LayoutInput inputOf(
    const ViewGraph& view, const ViewLevel& level, const BoxSizes& sizes, const std::vector<Size>& frameOfOpen)
{
    LayoutInput input;
    for (const std::uint32_t box : level.members)
        input.boxes.push_back(view.boxes[box].open ? frameOfOpen[box] : sizes(view.boxes[box]));
    input.boxes.resize(level.members.size() + level.ports.size(), kPortSize);
    input.pins.assign(level.members.size(), Pin::Free);
    input.pins.insert(input.pins.end(), level.ports.begin(), level.ports.end());
    input.edges = level.edges;
    return input;
}

/// The frame around a level: title bar, padding (rows of ports need none), at least as wide as the title.
void frameInPlace(PlacedLevel& placed, const ViewLevel& level, Size title)
{
    const auto hasPort
        = [&](Pin side) { return std::find(level.ports.begin(), level.ports.end(), side) != level.ports.end(); };
    const Size& inner = placed.layout.size;
    placed.frame.width = std::max(inner.width + 2 * kFramePadding, title.width);
    const double top = kTitleBarHeight + (hasPort(Pin::Top) ? 0 : kFramePadding);
    placed.frame.height = top + inner.height + (hasPort(Pin::Bottom) ? 0 : kFramePadding);
    placed.content = {(placed.frame.width - inner.width) / 2, top};
}

/// Joins the pieces of a view edge: inner points of every level, border points at ports, ends at the two boxes.
class LineJoiner
{
public:
    LineJoiner(const ViewGraph& view, const ViewLevels& cut, const std::vector<PlacedLevel>& placed,
        const std::vector<PictureLayout::Frame>& frames)
        : m_view(view)
        , m_cut(cut)
        , m_placed(placed)
        , m_frames(frames)
    {
    }

    [[nodiscard]] std::vector<Point> line(const std::vector<EdgeStep>& steps) const
    {
        std::vector<Point> points;
        for (const EdgeStep& step : steps) {
            const auto& piece = m_placed[step.level].layout.lines[step.edge];
            const auto& edge = m_cut.levels[step.level].edges[step.edge];
            addEnd(points, step.level, edge.from, piece.front(), true);
            for (std::size_t i = 1; i + 1 < piece.size(); ++i)
                points.push_back(absolute(step.level, piece[i]));
            addEnd(points, step.level, edge.to, piece.back(), false);
        }
        return points;
    }

private:
    [[nodiscard]] Point absolute(std::uint32_t level, Point point) const
    {
        const Point& origin = m_placed[level].content;
        return {origin.x + point.x, origin.y + point.y};
    }

    /// An end at a closed box is a point; at an open box the neighbouring step's port gives it.
    void addEnd(std::vector<Point>& points, std::uint32_t level, std::uint32_t end, Point point, bool isStart) const
    {
        const ViewLevel& inside = m_cut.levels[level];
        if (end < inside.members.size()) {
            if (!m_view.boxes[inside.members[end]].open)
                points.push_back(absolute(level, point));
            return;
        }
        const auto& frame = m_frames[static_cast<std::size_t>(inside.box)];
        const Point port = absolute(level, m_placed[level].layout.centers[end]);
        const double border = isStart ? frame.topLeft.y : frame.topLeft.y + frame.size.height;
        points.push_back(isStart ? Point{port.x, border} : port);
        points.push_back(isStart ? port : Point{port.x, border});
    }

    const ViewGraph& m_view;
    const ViewLevels& m_cut;
    const std::vector<PlacedLevel>& m_placed;
    const std::vector<PictureLayout::Frame>& m_frames;
};

std::string engineText(const std::vector<PlacedLevel>& placed)
{
    std::vector<std::string> names;
    for (const PlacedLevel& level : placed)
        names.push_back(level.layout.engine);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : " and ") + name;
    return text;
}

/// Frames from the outermost level inwards; contents become absolute on the way.
std::vector<PictureLayout::Frame> placeFrames(
    const ViewGraph& view, const ViewLevels& cut, std::vector<PlacedLevel>& placed, const BoxSizes& sizes)
{
    std::vector<PictureLayout::Frame> frames(view.boxes.size());
    std::vector<std::uint32_t> levelInside(view.boxes.size(), 0);
    for (std::uint32_t l = 1; l < cut.levels.size(); ++l)
        levelInside[static_cast<std::size_t>(cut.levels[l].box)] = l;
    for (std::size_t l = 0; l < cut.levels.size(); ++l) {
        const PlacedLevel& level = placed[l];
        for (std::size_t m = 0; m < cut.levels[l].members.size(); ++m) {
            const std::uint32_t box = cut.levels[l].members[m];
            const Size size = view.boxes[box].open ? placed[levelInside[box]].frame : sizes(view.boxes[box]);
            const Point center = level.layout.centers[m];
            frames[box]
                = {{level.content.x + center.x - size.width / 2, level.content.y + center.y - size.height / 2}, size};
            if (!view.boxes[box].open)
                continue;
            Point& content = placed[levelInside[box]].content;
            content = {content.x + frames[box].topLeft.x, content.y + frames[box].topLeft.y};
        }
    }
    return frames;
}

} // namespace

LayoutComposer::LayoutComposer(LayoutEngine tidy, std::size_t mostBytes)
    : m_tidy(std::move(tidy))
    , m_mostBytes(mostBytes)
{
}

Result<LayoutResult> LayoutComposer::layout(const LayoutInput& input)
{
    DUO_CHECK(checkLayoutInput(input));
    std::string key = encodeRequest(input);
    if (const auto kept = m_kept.find(key); kept != m_kept.end())
        return kept->second;
    Result<LayoutResult> result = Error{};
    if (m_tidy && input.boxes.size() <= kMostTidyItems && crossedRows(input) <= kMostTidyCrossed)
        result = m_tidy(input);
    if (!result)
        result = layeredLayout(input);
    if (!result)
        return result;
    m_bytes += 2 * key.size() + encodeReply(result).size();
    m_oldest.push_back(key);
    m_kept.emplace(std::move(key), *result);
    while (m_bytes > m_mostBytes && m_oldest.size() > 1) {
        const auto oldest = m_kept.find(m_oldest.front());
        m_bytes -= 2 * oldest->first.size() + encodeReply(oldest->second).size();
        m_kept.erase(oldest);
        m_oldest.pop_front();
    }
    return result;
}

Result<PictureLayout> LayoutComposer::compose(const ViewGraph& view, const BoxSizes& sizes, const JobContext& job)
{
    const ViewLevels cut = cutIntoLevels(view);
    std::vector<PlacedLevel> placed(cut.levels.size());
    std::vector<Size> frameOfOpen(view.boxes.size());
    for (std::size_t l = cut.levels.size(); l-- > 0;) {
        if (job.stopped())
            return cancelledError();
        const ViewLevel& level = cut.levels[l];
        DUO_TRY(layoutOfLevel, layout(inputOf(view, level, sizes, frameOfOpen)));
        placed[l].layout = std::move(layoutOfLevel);
        if (level.box < 0)
            continue;
        const auto box = static_cast<std::size_t>(level.box);
        frameInPlace(placed[l], level, sizes(view.boxes[box]));
        frameOfOpen[box] = placed[l].frame;
    }
    PictureLayout picture;
    picture.size = placed.front().layout.size;
    picture.engine = engineText(placed);
    picture.frames = placeFrames(view, cut, placed, sizes);
    const LineJoiner joiner(view, cut, placed, picture.frames);
    for (const auto& steps : cut.steps)
        picture.lines.push_back(joiner.line(steps));
    return picture;
}

} // namespace duo
