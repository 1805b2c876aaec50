// SPDX-License-Identifier: Apache-2.0
// Layout: boxes and edges in, positions and polylines out. Pure data; engines are interchangeable.
#pragma once

#include <cstdint>
#include <optional>
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

/// Where a box must stand: anywhere, above all others, or below all others (where an edge enters or leaves a scope), or
/// beside its reader, where it pushes nothing (only if it reads nothing and one free box alone reads it), or in a row
/// of its own below the one where it would stand.
enum class Pin : std::uint8_t { Free, Top, Bottom, Beside, Lowered };

/// One flat graph to lay out: boxes of fixed size, edges between them by index. Units: px at zoom 1, y down.
struct LayoutInput {
    std::vector<Size> boxes; // each side finite, 0..kMaxBoxSide
    std::vector<Pin> pins; // [boxes], or empty: all free
    struct Edge {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::optional<double> leaves = {}; // where on the border of `from`, px right of its middle; nothing: anywhere
        std::optional<double> enters = {}; // likewise of `to`
        bool operator==(const Edge&) const = default;
    };
    std::vector<Edge> edges;
    std::vector<std::uint32_t> spine; // edges, one after the other, that shall lie on one vertical line as far as they
                                      // lead down; empty: those of the longest path
    std::vector<std::uint32_t> atTop; // boxes that stand at the top of their rows, not in the middle
    std::vector<std::uint32_t> leftFirst; // boxes, two by two: of such a pair in one row the first stands on the left,
                                          // where that costs no crossing; most pairs decide
    double aspect = 0; // width to height to come near by wrapping what is too long; 0: nothing is wrapped
    double spread = 1; // how much farther apart than usual rows stand; kLeastSpread..kMostSpread
    bool keepsPinOrder = false; // boxes pinned to the top, and those to the bottom, stand from left to right as listed
    bool operator==(const LayoutInput&) const = default;

    [[nodiscard]] Pin pin(std::size_t box) const { return pins.empty() ? Pin::Free : pins[box]; }
};

/// Scopes hold scopes, so a box may be as large as a fully opened model.
inline constexpr double kMaxBoxSide = 1e8;

inline constexpr double kMostAspect = 100;
inline constexpr double kLeastSpread = 0.6; // lines find their way between rows
inline constexpr double kMostSpread = 4;

struct LayoutResult {
    Size size; // of the whole
    std::vector<Point> centers; // [boxes]
    std::vector<std::vector<Point>> lines; // [edges] polyline, at least two points
    std::string engine; // "dot", "layered"
    std::uint64_t crossings = 0; // pairs of edges between neighbouring rows that cross; 0 where the engine counts none
    bool operator==(const LayoutResult&) const = default;
};

} // namespace duo
