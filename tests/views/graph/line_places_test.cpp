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

using Line = std::vector<Point>;

LinePlaces placesOf(const std::vector<ViewEdge>& edges, const std::vector<Line>& lines)
{
    Picture picture;
    picture.graph.edges = edges;
    picture.layout.lines = lines;
    return LinePlaces(picture);
}

/// Two lines 6 px apart, which part at their ends.
TEST(LinePlaces, TellsNeighboursFromTheLineItself)
{
    const std::vector<ViewEdge> edges{edgeOf(0, 2, 0), edgeOf(1, 3, 1)};
    const auto places = placesOf(edges, {{{0, 0}, {100, 0}, {100, 500}}, {{106, -80}, {106, 500}}});
    EXPECT_TRUE(places.meetOther({91, 200, 18, 12}, 0)) << "over both";
    EXPECT_TRUE(places.meetOther({97, 200, 18, 12}, 1));
    EXPECT_FALSE(places.meetOther({20, -6, 18, 12}, 0)) << "before they meet";
    EXPECT_FALSE(places.meetOther({97, -60, 18, 12}, 1));
}

TEST(LinePlaces, OneValueMayLeadToSeveral)
{
    const std::vector<ViewEdge> edges{edgeOf(0, 1, 7), edgeOf(0, 2, 7), edgeOf(0, 3, 8)};
    const Line line{{0, 0}, {0, 100}};
    const auto places = placesOf(edges, {line, line, line});
    EXPECT_TRUE(places.meetOther({-9, 40, 18, 12}, 0)) << "of another value";
    const auto same = placesOf({edges[0], edges[1]}, {line, line});
    EXPECT_FALSE(same.meetOther({-9, 40, 18, 12}, 0));
    EXPECT_FALSE(same.meetOther({-9, 40, 18, 12}, 1));
}

TEST(LinePlaces, ASlantedLineIsWhereItRuns)
{
    const std::vector<ViewEdge> edges{edgeOf(0, 1, 0), edgeOf(0, 2, 1)};
    const auto places = placesOf(edges, {{{0, 0}, {300, 300}}, {{500, 0}, {500, 9}}});
    EXPECT_TRUE(places.meetOther({140, 144, 20, 12}, 1));
    EXPECT_FALSE(places.meetOther({240, 40, 20, 12}, 1)) << "in the rectangle around it all";
}

} // namespace
} // namespace duo::ui
