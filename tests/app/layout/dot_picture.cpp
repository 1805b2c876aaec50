// SPDX-License-Identifier: Apache-2.0
#include "tests/app/layout/dot_picture.h"

#include "app/layout/graphviz.h"

#include <array>
#include <cstring>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace duo::test {
namespace {

constexpr unsigned kMostSeconds = 20;
constexpr double kPointsPerInch = 72;
constexpr int kCurveSteps = 6;

using Lines = std::vector<std::vector<Point>>;

void set(void* object, std::string name, std::string value)
{
    std::string fallback;
    agsafeset(object, name.data(), value.data(), fallback.data());
}

void setDefaults(Agraph_t* graph)
{
    setDefault(graph, AGRAPH, "nslimit", "1"); // unlimited it takes minutes, for the same picture
    setDefault(graph, AGRAPH, "nslimit1", "1");
    setDefault(graph, AGRAPH, "splines", "polyline");
    setDefault(graph, AGNODE, "shape", "box");
    setDefault(graph, AGNODE, "fixedsize", "true");
    setDefault(graph, AGNODE, "label", "");
    setDefault(graph, AGEDGE, "dir", "none");
}

struct DotGraph {
    Graph graph;
    std::vector<Agedge_t*> edges;
};

DotGraph makeGraph(const ViewGraph& view, const BoxSizes& sizes)
{
    std::string name = "g";
    DotGraph made;
    made.graph.reset(agopen(name.data(), Agdirected, nullptr));
    setDefaults(made.graph.get());
    std::vector<Agraph_t*> clusters(view.boxes.size(), nullptr);
    std::vector<Agnode_t*> nodes(view.boxes.size(), nullptr);
    for (std::size_t b = 0; b < view.boxes.size(); ++b) {
        const ViewBox& box = view.boxes[b];
        Agraph_t* around = box.parent < 0 ? made.graph.get() : clusters[static_cast<std::size_t>(box.parent)];
        name = (box.open ? "cluster" : "box") + std::to_string(b);
        if (box.open) {
            clusters[b] = agsubg(around, name.data(), 1);
            continue;
        }
        nodes[b] = agnode(around, name.data(), 1);
        for (std::int32_t open = box.parent; open >= 0; open = view.boxes[static_cast<std::size_t>(open)].parent) {
            if (Agnode_t*& first = nodes[static_cast<std::size_t>(open)]; first == nullptr)
                first = nodes[b]; // what an edge of a bundle goes to
        }
        const Size size = sizes(box);
        set(nodes[b], "width", std::to_string(size.width / kPointsPerInch));
        set(nodes[b], "height", std::to_string(size.height / kPointsPerInch));
    }
    for (std::size_t e = 0; e < view.edges.size(); ++e) {
        name = std::to_string(e); // keeps parallel edges apart
        made.edges.push_back(
            agedge(made.graph.get(), nodes[view.edges[e].from], nodes[view.edges[e].to], name.data(), 1));
    }
    return made;
}

Point onCurve(const pointf* curve, double t)
{
    const double u = 1 - t;
    const std::array<double, 4> weight{u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
    Point point;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        point.x += weight[i] * curve[i].x;
        point.y += weight[i] * curve[i].y;
    }
    return point;
}

std::vector<Point> lineOf(Agedge_t* edge)
{
    const splines* route = ED_spl(edge);
    if (route == nullptr || route->size == 0 || route->list[0].size < 4) { // one that dot lost: straight
        const pointf from = ND_coord(agtail(edge));
        const pointf to = ND_coord(aghead(edge));
        return {{from.x, from.y}, {to.x, to.y}};
    }
    const bezier& first = route->list[0];
    std::vector<Point> line{{first.list[0].x, first.list[0].y}};
    for (int i = 0; i + 3 < first.size; i += 3) {
        for (int step = 1; step <= kCurveSteps; ++step)
            line.push_back(onCurve(first.list + i, static_cast<double>(step) / kCurveSteps));
    }
    return line;
}

/// Numbers to a pipe: lines, then the points of each.
void writeLines(int pipe, const Lines& lines)
{
    std::vector<double> numbers{static_cast<double>(lines.size())};
    for (const auto& line : lines) {
        numbers.push_back(static_cast<double>(line.size()));
        for (const Point point : line)
            numbers.insert(numbers.end(), {point.x, point.y});
    }
    const char* bytes = reinterpret_cast<const char*>(numbers.data()); // NOLINT: of this very program
    std::size_t left = numbers.size() * sizeof(double);
    while (left > 0) {
        const ssize_t wrote = write(pipe, bytes, left);
        if (wrote <= 0)
            return;
        bytes += wrote;
        left -= static_cast<std::size_t>(wrote);
    }
}

std::vector<double> readNumbers(int pipe)
{
    std::vector<double> numbers;
    std::string bytes;
    std::array<char, 1U << 16U> piece{};
    for (ssize_t got = 0; (got = read(pipe, piece.data(), piece.size())) > 0;)
        bytes.append(piece.data(), static_cast<std::size_t>(got));
    numbers.resize(bytes.size() / sizeof(double));
    if (!numbers.empty())
        std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(double));
    return numbers;
}

std::optional<Lines> linesOf(const std::vector<double>& numbers)
{
    if (numbers.empty())
        return std::nullopt;
    Lines lines(static_cast<std::size_t>(numbers.front()));
    std::size_t at = 1;
    for (auto& line : lines) {
        line.resize(static_cast<std::size_t>(numbers.at(at++)));
        for (Point& point : line) {
            point.x = numbers.at(at++);
            point.y = numbers.at(at++);
        }
    }
    return lines;
}

[[noreturn]] void drawAndEnd(const ViewGraph& view, const BoxSizes& sizes, int pipe)
{
    alarm(kMostSeconds); // ends this process
    const Context context = makeContext();
    const DotGraph made = makeGraph(view, sizes);
    const LaidOut layout(context.get(), made.graph.get(), "dot");
    if (layout.succeeded()) {
        Lines lines;
        for (Agedge_t* edge : made.edges)
            lines.push_back(lineOf(edge));
        writeLines(pipe, lines);
    }
    _exit(0);
}

} // namespace

std::optional<Lines> dotLines(const ViewGraph& view, const BoxSizes& sizes)
{
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        return std::nullopt;
    const pid_t child = fork();
    if (child == 0)
        drawAndEnd(view, sizes, ends[1]);
    close(ends[1]);
    const std::vector<double> numbers = readNumbers(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    const bool isWhole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    return isWhole ? linesOf(numbers) : std::nullopt;
}

} // namespace duo::test
