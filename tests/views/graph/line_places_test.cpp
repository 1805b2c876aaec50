// SPDX-License-Identifier: Apache-2.0
#include "views/graph/line_places.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

ViewEdge edgeOf(std::uint32_t from, std::uint32_t to, std::uint32_t value)
{
    ViewEdge edge;
    edge.from = from;
    edge.to = to;
    edge.value = ValueId(value);
    return edge;
}

QPolygonF lineOf(QList<QPointF> points)
{
    return QPolygonF(std::move(points));
}

/// Two lines 6 px apart, which part at their ends.
TEST(LinePlaces, TellsNeighboursFromTheLineItself)
{
    const std::vector<ViewEdge> edges{edgeOf(0, 2, 0), edgeOf(1, 3, 1)};
    const std::vector<QPolygonF> lines{lineOf({{0, 0}, {100, 0}, {100, 500}}), lineOf({{106, -80}, {106, 500}})};
    const LinePlaces places(edges, lines);
    EXPECT_TRUE(places.meetOther({91, 200, 18, 12}, 0)) << "over both";
    EXPECT_TRUE(places.meetOther({97, 200, 18, 12}, 1));
    EXPECT_FALSE(places.meetOther({20, -6, 18, 12}, 0)) << "before they meet";
    EXPECT_FALSE(places.meetOther({97, -60, 18, 12}, 1));
}

TEST(LinePlaces, OneValueMayLeadToSeveral)
{
    const std::vector<ViewEdge> edges{edgeOf(0, 1, 7), edgeOf(0, 2, 7), edgeOf(0, 3, 8)};
    const std::vector<QPolygonF> lines(3, lineOf({{0, 0}, {0, 100}}));
    const LinePlaces places(edges, lines);
    EXPECT_TRUE(places.meetOther({-9, 40, 18, 12}, 0)) << "of another value";
    const LinePlaces same({edges.data(), 2}, {lines.data(), 2});
    EXPECT_FALSE(same.meetOther({-9, 40, 18, 12}, 0));
    EXPECT_FALSE(same.meetOther({-9, 40, 18, 12}, 1));
}

TEST(LinePlaces, ASlantedLineIsWhereItRuns)
{
    const std::vector<ViewEdge> edges{edgeOf(0, 1, 0), edgeOf(0, 2, 1)};
    const std::vector<QPolygonF> lines{lineOf({{0, 0}, {300, 300}}), lineOf({{500, 0}, {500, 9}})};
    const LinePlaces places(edges, lines);
    EXPECT_TRUE(places.meetOther({140, 144, 20, 12}, 1));
    EXPECT_FALSE(places.meetOther({240, 40, 20, 12}, 1)) << "in the rectangle around it all";
}

} // namespace
} // namespace duo::ui
