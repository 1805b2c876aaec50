// SPDX-License-Identifier: Apache-2.0
// Layout: boxes and edges in, positions and polylines out. Pure data; engines are interchangeable.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

struct Point {
    double x = 0;
    double y = 0;
    bool operator==(const Point&) const = default;
};

struct Size {
    double width = 0;
    double height = 0;
    bool operator==(const Size&) const = default;
};

/// One flat graph to lay out: boxes of fixed size, edges between them by index. Units: px at zoom 1, y down.
struct LayoutInput {
    std::vector<Size> boxes;
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        bool operator==(const Edge&) const = default;
    };
    std::vector<Edge> edges;
    bool operator==(const LayoutInput&) const = default;
};

struct LayoutResult {
    Size size; // of the whole
    std::vector<Point> centers; // [boxes]
    std::vector<std::vector<Point>> lines; // [edges] polyline, at least two points
    std::string engine; // "dot", "layered"
    bool operator==(const LayoutResult&) const = default;
};

} // namespace duo
