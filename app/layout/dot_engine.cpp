// SPDX-License-Identifier: Apache-2.0
#include "app/layout/dot_engine.h"

#include "core/graph/dot_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace duo {
namespace {

constexpr double kPointsPerInch = 72; // one px of ours is one point
constexpr int kCurveSteps = 6;

struct DrawnGraph {
    Graph graph;
    std::vector<Agnode_t*> boxes;
    std::vector<Agedge_t*> edges;
};

std::string inches(double px)
{
    return dotNumber(px / kPointsPerInch, 6);
}

/// The C API takes char* but does not write to it.
void set(void* object, std::string name, std::string value)
{
    std::string fallback;
    agsafeset(object, name.data(), value.data(), fallback.data());
}

void setDefaults(Agraph_t* graph)
{
    setDefault(graph, AGRAPH, "nslimit", "1"); // unlimited simplex took 99 s where 4 s give the same picture
    setDefault(graph, AGRAPH, "nslimit1", "1");
    setDefault(graph, AGRAPH, "splines", "polyline");
    setDefault(graph, AGRAPH, "nodesep", "0.28");
    setDefault(graph, AGRAPH, "ranksep", "0.4");
    setDefault(graph, AGNODE, "shape", "box");
    setDefault(graph, AGNODE, "fixedsize", "true");
    setDefault(graph, AGNODE, "label", "");
    setDefault(graph, AGEDGE, "dir", "none");
}

/// Boxes with one pin share the outermost row.
void addPins(Agraph_t* graph, const LayoutInput& input, const std::vector<Agnode_t*>& boxes)
{
    for (const Pin pin : {Pin::Top, Pin::Bottom}) {
        Agraph_t* row = nullptr;
        for (std::size_t b = 0; b < boxes.size(); ++b) {
            if (input.pin(b) != pin)
                continue;
            if (row == nullptr) {
                std::string name = pin == Pin::Top ? "top" : "bottom";
                row = agsubg(graph, name.data(), 1);
                set(row, "rank", pin == Pin::Top ? "source" : "sink");
            }
            agsubnode(row, boxes[b], 1);
        }
    }
}

DrawnGraph makeGraph(const LayoutInput& input)
{
    std::string name = "g";
    DrawnGraph drawn;
    drawn.graph.reset(agopen(name.data(), Agdirected, nullptr));
    setDefaults(drawn.graph.get());
    for (std::size_t b = 0; b < input.boxes.size(); ++b) {
        name = std::to_string(b);
        drawn.boxes.push_back(agnode(drawn.graph.get(), name.data(), 1));
        set(drawn.boxes.back(), "width", inches(std::max(input.boxes[b].width, 1.0)));
        set(drawn.boxes.back(), "height", inches(std::max(input.boxes[b].height, 1.0)));
    }
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        name = std::to_string(e); // the name keeps parallel edges apart
        drawn.edges.push_back(agedge(
            drawn.graph.get(), drawn.boxes[input.edges[e].from], drawn.boxes[input.edges[e].to], name.data(), 1));
    }
    addPins(drawn.graph.get(), input, drawn.boxes);
    return drawn;
}

/// From Graphviz' points, y up from the lower left corner, to ours.
struct Flip {
    double left;
    double top;
    [[nodiscard]] Point operator()(pointf point) const { return {point.x - left, top - point.y}; }
};

bool isStraight(const std::array<Point, 4>& curve)
{
    const auto distance = [&](Point p) {
        const double dx = curve[3].x - curve[0].x;
        const double dy = curve[3].y - curve[0].y;
        const double length = std::hypot(dx, dy);
        return length == 0 ? std::hypot(p.x - curve[0].x, p.y - curve[0].y)
                           : std::abs((p.x - curve[0].x) * dy - (p.y - curve[0].y) * dx) / length;
    };
    return distance(curve[1]) < 0.5 && distance(curve[2]) < 0.5;
}

/// Appends a cubic Bezier piece without its first point.
void appendCurve(std::vector<Point>& line, const std::array<Point, 4>& curve)
{
    const int steps = isStraight(curve) ? 1 : kCurveSteps;
    for (int step = 1; step <= steps; ++step) {
        const double t = static_cast<double>(step) / steps;
        const double u = 1 - t;
        const std::array<double, 4> weight{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
        Point point;
        for (std::size_t i = 0; i < 4; ++i) {
            point.x += weight[i] * curve[i].x;
            point.y += weight[i] * curve[i].y;
        }
        line.push_back(point);
    }
}

void dropRepeatsInPlace(std::vector<Point>& line)
{
    const auto isSame = [](Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y) < 0.05; };
    const Point last = line.back();
    line.erase(std::unique(line.begin(), line.end(), isSame), line.end());
    if (line.size() < 2)
        line.push_back(last);
}

/// The middle of the side of a box that faces a height.
Point facing(Point center, Size box, double y)
{
    return {center.x, center.y + (y > center.y ? box.height / 2 : -box.height / 2)};
}

std::vector<Point> lineOf(Agedge_t* edge, const Flip& flip)
{
    std::vector<Point> line;
    const splines* route = ED_spl(edge);
    if (route == nullptr || route->size == 0 || route->list[0].size < 4)
        return line;
    const bezier& first = route->list[0];
    line.push_back(flip(first.list[0]));
    for (int i = 0; i + 3 < first.size; i += 3)
        appendCurve(
            line, {flip(first.list[i]), flip(first.list[i + 1]), flip(first.list[i + 2]), flip(first.list[i + 3])});
    dropRepeatsInPlace(line);
    return line;
}

LayoutResult readLayout(const LayoutInput& input, const DrawnGraph& drawn)
{
    const boxf bounds = GD_bb(drawn.graph.get());
    const Flip flip{bounds.LL.x, bounds.UR.y};
    LayoutResult result;
    result.engine = "dot";
    result.size = {bounds.UR.x - bounds.LL.x, bounds.UR.y - bounds.LL.y};
    for (Agnode_t* box : drawn.boxes)
        result.centers.push_back(flip(ND_coord(box)));
    for (std::size_t e = 0; e < input.edges.size(); ++e) {
        std::vector<Point> line = lineOf(drawn.edges[e], flip);
        if (line.empty()) { // an edge that dot lost: straight
            const auto& edge = input.edges[e];
            const Point from = result.centers[edge.from];
            const Point to = result.centers[edge.to];
            line.push_back(facing(from, input.boxes[edge.from], to.y));
            line.push_back(facing(to, input.boxes[edge.to], from.y));
        }
        result.lines.push_back(std::move(line));
    }
    return result;
}

} // namespace

DotEngine::DotEngine()
    : m_context(makeContext())
{
}

Result<LayoutResult> DotEngine::layout(const LayoutInput& input)
{
    if (input.boxes.empty())
        return LayoutResult{{}, {}, {}, "dot"};
    const DrawnGraph drawn = makeGraph(input);
    const LaidOut layout(m_context.get(), drawn.graph.get(), "dot");
    if (!layout.succeeded())
        return Error{ErrorCode::EngineFailed, graphvizMessage(), {}, {}};
    return readLayout(input, drawn);
}

} // namespace duo
