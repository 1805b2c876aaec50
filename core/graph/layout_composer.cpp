// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout_composer.h"

#include "core/graph/layout/layered_layout.h"
#include "core/graph/layout/layout_protocol.h"
#include "core/graph/layout/ranks.h"
#include "core/graph/view_levels.h"

#include <algorithm>

namespace duo {
namespace {

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
