// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout_composer.h"

#include "core/graph/layout/layered_layout.h"
#include "core/graph/layout/layout.h"
#include "core/graph/layout/layout_protocol.h"
#include "core/graph/layout/ranks.h"
#include "core/graph/main_paths.h"
#include "core/graph/picture_cost.h"
#include "core/graph/short_exits.h"
#include "core/graph/view_levels.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

namespace duo {

namespace {

constexpr std::size_t kMostTidyItems = 300;
constexpr std::size_t kMostFollowed = 600; // boxes of a view in which ports follow lines
constexpr std::size_t kMostTidyCrossed = 1500;
constexpr Size kPortSize{10, 1};
constexpr double kClearlySmaller = 0.97; // of the pane, for a shape that wraps more
constexpr double kOtherWhole = 1.6; // how far from the pane's own shape a better one is looked for
constexpr double kFull = 0.8; // of a pane, beyond which no other shape is looked for
constexpr std::size_t kMostAdvice = 2000; // layouts of the other engine that are kept
constexpr int kMostTries = 100; // orders of ports of one view
constexpr std::size_t kMostLowered = 8; // sources of a level that are tried a row below
constexpr double kTitleGap = 4; // px between a title and the lines left of it and below it

/// A level with its layout and, for an open box, where the content lies inside the frame.
struct PlacedLevel {
    LayoutResult layout;
    Size frame;
    double titleLeft = 0;
    Point content; // of the layout's (0, 0), from the frame's top left; absolute in the end
};

/// As ViewLevel::branches has them: the one that is taken where the condition holds comes first.
std::vector<std::uint32_t> branchPairs(const ViewGraph& view, const ViewLevel& level)
{
    constexpr std::string_view kThen = " [then]";
    constexpr std::string_view kElse = " [else]";
    std::map<std::string_view, std::uint32_t> thens; // by the path of their node
    const auto titled = [&](std::uint32_t member, std::string_view branch) {
        const ViewBox& box = view.boxes[level.members[member]];
        const bool isScope = box.kind == ViewBox::Kind::Scope;
        return isScope && box.key.ends_with(branch)
            ? std::string_view(box.key).substr(0, box.key.size() - branch.size())
            : std::string_view();
    };
    for (std::uint32_t member = 0; member < level.members.size(); ++member) {
        if (const auto node = titled(member, kThen); !node.empty())
            thens.emplace(node, member);
    }
    std::vector<std::uint32_t> pairs;
    for (std::uint32_t member = 0; member < level.members.size() && !thens.empty(); ++member) {
        if (const auto found = thens.find(titled(member, kElse)); found != thens.end())
            pairs.insert(pairs.end(), {found->second, member});
    }
    return pairs;
}

class InputMaker
{
public:
    InputMaker(const ViewGraph& view, const ViewLevels& cut, const std::vector<PlacedLevel>& placed,
        const BoxSizes& sizes, const PictureShape& shape)
        : m_view(view)
        , m_cut(cut)
        , m_placed(placed)
        , m_sizes(sizes)
        , m_shape(shape)
    {
    }

    [[nodiscard]] LayoutInput inputOf(const ViewLevel& level) const
    {
        LayoutInput input;
        for (const std::uint32_t box : level.members) {
            const ViewBox& shown = m_view.boxes[box];
            if (shown.kind == ViewBox::Kind::Scope
                || shown.kind == ViewBox::Kind::Group) // branches begin at one height
                input.atTop.push_back(static_cast<std::uint32_t>(input.boxes.size()));
            input.boxes.push_back(shown.open ? m_placed[m_cut.levelInside[box]].frame : m_sizes(shown));
        }
        input.boxes.resize(level.members.size() + level.ports.size(), kPortSize);
        input.leftFirst = level.branches;
        input.pins = pinsOf(m_view, level);
        for (const ViewLevel::Edge& edge : level.edges)
            input.edges.push_back(
                {edge.from, edge.to, place(level, edge.from, edge.leaves), place(level, edge.to, edge.enters)});
        input.spine = level.spine;
        input.aspect = level.box < 0 ? m_shape.whole : level.closed <= m_shape.straight ? 0 : m_shape.inside;
        input.spread = m_shape.spread;
        input.keepsPinOrder = level.keepsPorts;
        return input;
    }

private:
    /// Where a port inside an open box meets its border, px right of the middle.
    [[nodiscard]] std::optional<double> place(const ViewLevel& level, std::uint32_t member, std::uint32_t port) const
    {
        if (port == ViewLevel::kNoPort)
            return std::nullopt;
        const PlacedLevel& inside = m_placed[m_cut.levelInside[level.members[member]]];
        const double half = inside.frame.width / 2;
        return std::clamp(inside.content.x + inside.layout.centers[port].x - half, -half, half);
    }

    const ViewGraph& m_view;
    const ViewLevels& m_cut;
    const std::vector<PlacedLevel>& m_placed;
    const BoxSizes& m_sizes;
    PictureShape m_shape;
};

/// The order of the ports of open boxes in which lines would come to them if they could meet them anywhere, by level
/// inside.
/// @param layout of the level, with such lines
std::map<std::uint32_t, std::vector<std::uint32_t>> portsAlongLines(
    const ViewLevels& cut, const ViewLevel& level, const LayoutResult& layout)
{
    struct Port {
        double sum = 0; // px
        std::size_t lines = 0;
    };
    std::map<std::uint32_t, std::vector<Port>> meets;
    const auto note = [&](std::uint32_t member, std::uint32_t port, double x) {
        if (port == ViewLevel::kNoPort)
            return;
        const std::uint32_t inside = cut.levelInside[level.members[member]];
        auto& ports = meets[inside];
        ports.resize(cut.levels[inside].ports.size());
        Port& met = ports[port - cut.levels[inside].members.size()];
        met.sum += x;
        ++met.lines;
    };
    for (std::size_t e = 0; e < level.edges.size(); ++e) {
        note(level.edges[e].from, level.edges[e].leaves, layout.lines[e].front().x);
        note(level.edges[e].to, level.edges[e].enters, layout.lines[e].back().x);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> orders;
    for (const auto& [inside, ports] : meets) {
        std::vector<std::uint32_t>& order = orders[inside];
        order.resize(ports.size());
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, {}, [&](std::uint32_t p) {
            return ports[p].sum / static_cast<double>(std::max(ports[p].lines, std::size_t{1}));
        });
    }
    return orders;
}

/// Where the title finds room between the lines that enter from above: px from the left, or nothing.
std::optional<double> roomForTitle(const PlacedLevel& placed, const std::vector<double>& ports, double title)
{
    double left = 0;
    for (const double port : ports) {
        if (placed.content.x + port - left >= title)
            return left;
        left = placed.content.x + port + kTitleGap;
    }
    return placed.frame.width - left >= title ? std::optional(left) : std::nullopt;
}

/// The frame around a level: title bar, padding (rows of ports need none), wide enough for the title beside the lines
/// that enter.
void frameInPlace(PlacedLevel& placed, const ViewLevel& level, Size title)
{
    std::vector<double> entering;
    for (std::size_t p = 0; p < level.ports.size(); ++p) {
        if (level.ports[p] == Pin::Top)
            entering.push_back(placed.layout.centers[level.members.size() + p].x);
    }
    std::ranges::sort(entering);
    const bool isLeft = std::ranges::find(level.ports, Pin::Bottom) != level.ports.end();
    const Size& inner = placed.layout.size;
    placed.frame.width = std::max(inner.width + 2 * kFramePadding, title.width);
    const double top = kTitleBarHeight + (entering.empty() ? kFramePadding : kTitleGap);
    placed.frame.height = top + inner.height + (isLeft ? 0 : kFramePadding);
    placed.content = {(placed.frame.width - inner.width) / 2, top};
    const auto room = roomForTitle(placed, entering, title.width);
    placed.titleLeft = room.value_or(0);
    if (room)
        return;
    placed.content.x = std::max(kFramePadding, title.width - entering.front());
    placed.frame.width = placed.content.x + inner.width + kFramePadding;
}

/// Orders the ports of open boxes like the lines that come to them, where fewer lines cross then.
class PortOrderer
{
public:
    PortOrderer(const ViewGraph& view, const BoxSizes& sizes)
        : m_view(view)
        , m_sizes(sizes)
        , m_cut(cutIntoLevels(view))
        , m_placed(m_cut.levels.size())
    {
        const MainPaths paths = findMainPaths(view, m_cut);
        for (std::size_t l = 0; l < m_cut.levels.size(); ++l)
            m_cut.levels[l].spine = paths.inside[l];
        for (ViewLevel& level : m_cut.levels)
            level.branches = branchPairs(view, level);
    }

    Result<ViewLevels> order(const JobContext& job)
    {
        if (m_view.boxes.size() > kMostFollowed || m_cut.levels.size() == 1)
            return std::move(m_cut);
        for (std::size_t l = m_cut.levels.size(); l-- > 0;)
            DUO_CHECK(placeInPlace(m_placed[l], l));
        for (std::size_t l = 0; l < m_cut.levels.size(); ++l) {
            if (job.stopped())
                return cancelledError();
            if (!isGood(l))
                DUO_CHECK(orderInside(l));
            if (m_placed[l].layout.crossings > 0)
                DUO_CHECK(lowerSources(l));
        }
        return std::move(m_cut);
    }

private:
    [[nodiscard]] LayoutInput inputOf(std::size_t level) const
    {
        return InputMaker(m_view, m_cut, m_placed, m_sizes, {}).inputOf(m_cut.levels[level]);
    }

    Status placeInPlace(PlacedLevel& placed, std::size_t level) const
    {
        DUO_TRY(layout, layeredLayout(inputOf(level)));
        placed.layout = std::move(layout);
        const std::int32_t box = m_cut.levels[level].box;
        if (box >= 0)
            frameInPlace(placed, m_cut.levels[level], m_sizes(m_view.boxes[static_cast<std::size_t>(box)]));
        return success();
    }

    /// Of the open boxes in a level, one after the other: as if lines could meet all of them anywhere, then as if only
    /// this one.
    Status orderInside(std::size_t level)
    {
        DUO_TRY(free, layeredLayout(freed(level, ViewLevel::kNoPort)));
        std::map<std::uint32_t, std::vector<std::uint32_t>> orders = portsAlongLines(m_cut, m_cut.levels[level], free);
        std::erase_if(orders, [](const auto& order) { return order.second.size() < 2; });
        if (orders.size() > 1 && isMisplaced(level)) // of both branches the ports change sides together
            DUO_CHECK(tryOrders(level, orders));
        for (const auto& order : orders)
            DUO_CHECK(tryOrders(level, {order}));
        const auto members = static_cast<std::uint32_t>(m_cut.levels[level].members.size());
        for (std::uint32_t member = 0; member < members && !isGood(level); ++member) {
            const std::uint32_t inside = m_cut.levelInside[m_cut.levels[level].members[member]];
            if (inside == 0 || m_cut.levels[inside].ports.size() < 2)
                continue;
            DUO_TRY(alone, layeredLayout(freed(level, member)));
            const auto along = portsAlongLines(m_cut, m_cut.levels[level], alone);
            if (const auto order = along.find(inside); order != along.end())
                DUO_CHECK(tryOrders(level, {*order}));
        }
        return success();
    }

    /// Boxes that read nothing and are read by several, one after the other: between their readers their lines may
    /// cross fewer others.
    Status lowerSources(std::size_t level)
    {
        const std::vector<std::uint32_t> sources = sourcesIn(m_cut.levels[level]);
        for (std::size_t i = 0; i < std::min(sources.size(), kMostLowered); ++i) {
            const Arranged before{m_cut.levels, m_placed};
            m_cut.levels[level].lowered.push_back(sources[i]);
            DUO_CHECK(placeInPlace(m_placed[level], level));
            DUO_CHECK(orderInside(level));
            keepIfFewer(before);
        }
        return success();
    }

    [[nodiscard]] std::vector<std::uint32_t> sourcesIn(const ViewLevel& level) const
    {
        std::vector<std::size_t> readers(level.members.size() + level.ports.size(), 0);
        std::vector<bool> reads(readers.size(), false);
        for (const ViewLevel::Edge& edge : level.edges) {
            ++readers[edge.from];
            reads[edge.to] = true;
        }
        std::vector<std::uint32_t> sources;
        for (std::uint32_t member = 0; member < level.members.size(); ++member) {
            if (readers[member] > 1 && !reads[member])
                sources.push_back(member);
        }
        return sources;
    }

    /// Pairs of branches that stand the wrong way round.
    [[nodiscard]] std::uint64_t misplacedIn(std::size_t level, const PlacedLevel& placed) const
    {
        std::uint64_t misplaced = 0;
        const std::vector<std::uint32_t>& pairs = m_cut.levels[level].branches;
        for (std::size_t p = 0; p + 1 < pairs.size(); p += 2)
            misplaced += placed.layout.centers[pairs[p]].x > placed.layout.centers[pairs[p + 1]].x ? 1 : 0;
        return misplaced;
    }

    [[nodiscard]] bool isMisplaced(std::size_t level) const { return misplacedIn(level, m_placed[level]) > 0; }

    /// Neither lines that cross nor branches that stand the wrong way round.
    [[nodiscard]] bool isGood(std::size_t level) const
    {
        return m_placed[level].layout.crossings == 0 && !isMisplaced(level);
    }

    /// Crossings, and of as many the pairs that stand the wrong way round.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> costOf(const std::vector<PlacedLevel>& placed) const
    {
        std::pair<std::uint64_t, std::uint64_t> sum(0, 0);
        for (std::size_t level = 0; level < placed.size(); ++level) {
            sum.first += placed[level].layout.crossings;
            sum.second += misplacedIn(level, placed[level]);
        }
        return sum;
    }

    /// The level with lines that may meet a member anywhere; all members for kNoPort.
    [[nodiscard]] LayoutInput freed(std::size_t level, std::uint32_t member) const
    {
        LayoutInput input = inputOf(level);
        for (LayoutInput::Edge& edge : input.edges) {
            if (member == ViewLevel::kNoPort || edge.from == member)
                edge.leaves = std::nullopt;
            if (member == ViewLevel::kNoPort || edge.to == member)
                edge.enters = std::nullopt;
        }
        return input;
    }

    /// Lines inside that cross then may not once the ports of boxes in there follow.
    /// @param orders by level inside
    Status tryOrders(std::size_t level, const std::map<std::uint32_t, std::vector<std::uint32_t>>& orders)
    {
        if (m_tries == 0)
            return success();
        --m_tries;
        const Arranged before{m_cut.levels, m_placed};
        for (const auto& [inside, order] : orders) {
            reorderPortsInPlace(m_cut, inside, order);
            m_cut.levels[inside].keepsPorts = true;
            DUO_CHECK(placeInPlace(m_placed[inside], inside));
            if (!isGood(inside))
                DUO_CHECK(orderInside(inside));
        }
        DUO_CHECK(placeInPlace(m_placed[level], level));
        keepIfFewer(before);
        return success();
    }

    struct Arranged {
        std::vector<ViewLevel> levels;
        std::vector<PlacedLevel> placed;
    };

    void keepIfFewer(const Arranged& before)
    {
        if (costOf(m_placed) < costOf(before.placed))
            return;
        m_cut.levels = before.levels;
        m_placed = before.placed;
    }

    const ViewGraph& m_view;
    const BoxSizes& m_sizes;
    ViewLevels m_cut;
    std::vector<PlacedLevel> m_placed;
    int m_tries = kMostTries;
};

/// Joins the pieces of a view edge: inner points of every level, border points at ports, ends at the two boxes.
class LineJoiner
{
public:
    LineJoiner(
        const ViewLevels& cut, const std::vector<PlacedLevel>& placed, const std::vector<PictureLayout::Frame>& frames)
        : m_cut(cut)
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
            addEnd(points, step.level, {edge.from, edge.leaves}, piece.front(), true);
            for (std::size_t i = 1; i + 1 < piece.size(); ++i)
                points.push_back(absolute(step.level, piece[i]));
            addEnd(points, step.level, {edge.to, edge.enters}, piece.back(), false);
        }
        return points;
    }

private:
    [[nodiscard]] Point absolute(std::uint32_t level, Point point) const
    {
        const Point& origin = m_placed[level].content;
        return {origin.x + point.x, origin.y + point.y};
    }

    struct StepEnd {
        std::uint32_t end = 0; // members, then ports
        std::uint32_t inside = ViewLevel::kNoPort; // the port in an open box that leads on
    };

    /// An end at a box is a point; where it goes on inside an open box the neighbouring step's port gives it.
    void addEnd(std::vector<Point>& points, std::uint32_t level, StepEnd at, Point point, bool isStart) const
    {
        const ViewLevel& inside = m_cut.levels[level];
        const std::uint32_t end = at.end;
        if (end < inside.members.size()) {
            if (at.inside == ViewLevel::kNoPort)
                points.push_back(absolute(level, point));
            return;
        }
        const auto& frame = m_frames[static_cast<std::size_t>(inside.box)];
        const Point port = absolute(level, m_placed[level].layout.centers[end]);
        const bool isTop = inside.ports[end - inside.members.size()] == Pin::Top;
        const double border = isTop ? frame.topLeft.y : frame.topLeft.y + frame.size.height;
        points.push_back(isStart ? Point{port.x, border} : port);
        points.push_back(isStart ? port : Point{port.x, border});
    }

    const ViewLevels& m_cut;
    const std::vector<PlacedLevel>& m_placed;
    const std::vector<PictureLayout::Frame>& m_frames;
};

std::string engineText(const std::vector<PlacedLevel>& placed)
{
    std::vector<std::string> names;
    for (const PlacedLevel& level : placed)
        names.push_back(level.layout.engine);
    sortUniqueInPlace(names);
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
    for (std::size_t l = 0; l < cut.levels.size(); ++l) {
        const PlacedLevel& level = placed[l];
        for (std::size_t m = 0; m < cut.levels[l].members.size(); ++m) {
            const std::uint32_t box = cut.levels[l].members[m];
            const Size size = view.boxes[box].open ? placed[cut.levelInside[box]].frame : sizes(view.boxes[box]);
            const Point center = level.layout.centers[m];
            frames[box]
                = {{level.content.x + center.x - size.width / 2, level.content.y + center.y - size.height / 2}, size};
            if (!view.boxes[box].open)
                continue;
            Point& content = placed[cut.levelInside[box]].content;
            frames[box].titleLeft = placed[cut.levelInside[box]].titleLeft;
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
    Result<LayoutResult> result = layeredLayout(input);
    if (!result)
        return result;
    if (result->crossings > 0) {
        if (const LayoutResult* advice = adviceFor(input)) {
            Result<LayoutResult> advised = layeredLayout(input, advice);
            if (advised && advised->crossings < result->crossings) {
                result = *std::move(advised);
                result->engine = advice->engine;
            }
        }
    }
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

/// The same for every shape. Failures are kept too: what did not come once is not waited for again.
const LayoutResult* LayoutComposer::adviceFor(const LayoutInput& input)
{
    if (!m_tidy || input.boxes.size() > kMostTidyItems || crossedRows(input) > kMostTidyCrossed)
        return nullptr;
    LayoutInput shapeless = input;
    shapeless.spine.clear();
    shapeless.atTop.clear();
    shapeless.leftFirst.clear();
    shapeless.aspect = 0;
    shapeless.spread = 1;
    const auto [entry, isNew] = m_advice.try_emplace(encodeRequest(shapeless));
    if (isNew) {
        if (auto advice = m_tidy(shapeless))
            entry->second = *std::move(advice);
        if (m_advice.size() > kMostAdvice)
            m_advice.erase(std::next(entry) == m_advice.end() ? m_advice.begin() : std::next(entry));
    }
    return entry->second ? &*entry->second : nullptr;
}

Result<PictureShape> LayoutComposer::shapeFor(
    const ViewGraph& view, const BoxSizes& sizes, double aspect, const JobContext& job)
{
    PictureShape best{aspect, 0};
    double smallest = HUGE_VAL;
    double filled = 0;
    DUO_TRY(cut, PortOrderer(view, sizes).order(job));
    const auto consider = [&](double whole, double inside, std::size_t straight, double spread = 1) -> Status {
        const PictureShape shape{std::min(whole, kMostAspect), inside, spread, straight};
        DUO_TRY(picture, compose(view, cut, sizes, job, shape));
        const double pane = pictureCost(view, picture, aspect);
        if (pane >= smallest * kClearlySmaller)
            return success();
        smallest = pane;
        best = shape;
        filled = filledShare(picture.size, aspect);
        return success();
    };
    for (const std::size_t straight : {kMostStraight, std::size_t{0}}) {
        if (filled >= kWellFilled)
            break;
        for (const double inside : {0.0, 0.25, 0.5, 1.0, 2.0}) {
            for (const double other : {1.0, 1 / kOtherWhole, kOtherWhole, kOtherWhole * kOtherWhole})
                DUO_CHECK(consider(aspect * other, inside, straight));
        }
        for (const double inside : {0.15, 0.35, 0.7, 0.85, 1.2, 1.4, 1.7, 2.5, 3.0, 5.0}) {
            for (const double other : {1.0, 0.4, 4.0}) {
                if (filled < kFull)
                    DUO_CHECK(consider(aspect * other, inside, straight));
            }
        }
    }
    for (const double spread : {0.8, kLeastSpread, 1.5, 2.0, 2.5, 3.0, kMostSpread}) {
        if (filled < kWellFilled)
            DUO_CHECK(consider(best.whole, best.inside, best.straight, spread));
    }
    return best;
}

Result<PictureLayout> LayoutComposer::compose(
    const ViewGraph& view, const BoxSizes& sizes, const JobContext& job, const PictureShape& shape)
{
    DUO_TRY(cut, PortOrderer(view, sizes).order(job));
    return compose(view, cut, sizes, job, shape);
}

Result<PictureLayout> LayoutComposer::compose(const ViewGraph& view, const ViewLevels& cut, const BoxSizes& sizes,
    const JobContext& job, const PictureShape& shape)
{
    std::vector<PlacedLevel> placed(cut.levels.size());
    const InputMaker inputs(view, cut, placed, sizes, shape);
    for (std::size_t l = cut.levels.size(); l-- > 0;) {
        if (job.stopped())
            return cancelledError();
        const ViewLevel& level = cut.levels[l];
        DUO_TRY(layoutOfLevel, layout(inputs.inputOf(level)));
        placed[l].layout = std::move(layoutOfLevel);
        if (level.box < 0)
            continue;
        frameInPlace(placed[l], level, sizes(view.boxes[static_cast<std::size_t>(level.box)]));
    }
    PictureLayout picture;
    picture.size = placed.front().layout.size;
    picture.engine = engineText(placed);
    picture.frames = placeFrames(view, cut, placed, sizes);
    const LineJoiner joiner(cut, placed, picture.frames);
    for (const auto& steps : cut.steps)
        picture.lines.push_back(joiner.line(steps));
    shortenExitsInPlace(view, picture);
    return picture;
}

} // namespace duo
