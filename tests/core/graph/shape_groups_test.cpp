// SPDX-License-Identifier: Apache-2.0
#include "core/graph/shape_groups.h"

#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Groups = std::vector<std::vector<std::uint32_t>>;
using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr ShapeRole kNone = ShapeRole::None;
constexpr ShapeRole kMeasures = ShapeRole::Measures;
constexpr ShapeRole kComputes = ShapeRole::Computes;

TEST(ShapeRoles, AreThoseOfNodesThatReadNothingButSizesAndConstants)
{
    const auto model = test::ModelBuilder()
                           .input("x", {2, 3})
                           .input("ids", {2}, ElementType::Int64)
                           .ints("first", {0})
                           .node("Shape", "shape", {"x"}, {"s"})
                           .node("Gather", "gather", {"s", "first"}, {"g"})
                           .node("Add", "with_data", {"g", "ids"}, {"a"})
                           .node("Constant", "constant", {}, {"c"})
                           .node("Concat", "concat", {"g", "c"}, {"t"})
                           .node("Shape", "of_shape", {"t"}, {"u"})
                           .node("Reshape", "reshape", {"x", "t"}, {"y"})
                           .output("y")
                           .output("a")
                           .output("u")
                           .build();
    EXPECT_EQ(
        shapeRoles(*model), (std::vector<ShapeRole>{kMeasures, kComputes, kNone, kNone, kComputes, kComputes, kNone}));
}

TEST(ShapeGroups, HoldWhatIsMadeOfTheSameSizes)
{
    const std::vector<ShapeRole> roles{kNone, kMeasures, kComputes, kMeasures, kComputes, kComputes, kNone};
    const Links links{{0, 1}, {1, 2}, {0, 3}, {3, 4}, {2, 5}, {4, 5}, {5, 6}, {0, 6}};
    EXPECT_EQ(findShapeGroups(roles, links), (Groups{{1, 2, 3, 4, 5}}));
}

TEST(ShapeGroups, ReadNothingThatIsMadeOfThem)
{
    // 0 -> 1..4 -> 5 -> 6..9 -> 10, and 9 reads 4 too
    const std::vector<ShapeRole> roles{
        kNone, kMeasures, kComputes, kComputes, kComputes, kNone, kMeasures, kComputes, kComputes, kComputes, kNone};
    const Links links{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {8, 9}, {4, 9}, {9, 10}};
    EXPECT_EQ(findShapeGroups(roles, links), (Groups{{1, 2, 3, 4}, {6, 7, 8, 9}}));
}

TEST(ShapeGroups, AreNotMadeOfAFewNodes)
{
    EXPECT_EQ(findShapeGroups(std::vector{kMeasures, kComputes, kComputes}, Links{{0, 1}, {1, 2}}), Groups{});
}

TEST(ShapeGroups, AreKnownByTheirKeys)
{
    const std::string key = shapeGroupKey("a/b", {3, 9});
    EXPECT_EQ(key, "a/b//shapes4-10");
    EXPECT_TRUE(isShapeGroup(key));
    EXPECT_FALSE(isShapeGroup(key + "//1-20"));
    EXPECT_FALSE(isShapeGroup("a/b//~1-9"));
}

} // namespace
} // namespace duo
