// SPDX-License-Identifier: Apache-2.0
#include "core/graph/alike.h"

#include "core/graph/view_builder.h"
#include "tests/core/graph/drawn_view.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

#include <string>

namespace duo {
namespace {

struct Net {
    std::shared_ptr<const Model> model;
    Scopes scopes;
    Containment containment;

    [[nodiscard]] std::string drawnWith(const std::set<std::string>& open) const
    {
        return test::drawn(buildView(*model, scopes, nullptr, withFolds(containment, scopes, open), open));
    }
};

/// net/layers.N of Conv and Relu, one after the other. @param odd the layer that has a Tanh instead
Net layersOf(std::size_t count, std::size_t odd, bool isTurned = false)
{
    test::ModelBuilder builder;
    builder.input("v0").weight("w", {1, 1, 1, 1});
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        const std::string scope = "net/layers." + n;
        const auto conv = [&] { builder.node("Conv", "conv" + n, {"v" + n, "w"}, {"c" + n}); };
        const auto act = [&] { builder.node(i == odd ? "Tanh" : "Relu", "act" + n, {"v" + n}, {"a" + n}); };
        isTurned&& i % 2 == 1 ? act() : conv();
        isTurned&& i % 2 == 1 ? conv() : act();
        builder.node("Add", "add" + n, {"c" + n, "a" + n}, {"v" + std::to_string(i + 1)});
        paths.insert(paths.end(), 3, scope);
    }
    Net net{builder.output("v" + std::to_string(count)).build(), test::scopesOf(paths), {}};
    net.containment = findContainment(*net.model, net.scopes);
    return net;
}

TEST(Alike, NeighboursOfTheSameInsideAreARun)
{
    const Net net = layersOf(6, 4);
    const auto runs = allAlike(*net.model, net.containment);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs.front().containers.size(), 4U); // layers.4 is another one, and layers.5 alone
    EXPECT_EQ(runs.front().mark, "//fold net/layers.0//x4");
    EXPECT_EQ(foldOfMark(runs.front().mark), "net/layers.0//x4");
    EXPECT_EQ(markOfFold("net/layers.0//x4"), runs.front().mark);
}

TEST(Alike, MoreThanAPageIsFoldedIntoOneBoxToo)
{
    const Net net = layersOf(620, 619);
    const auto runs = allAlike(*net.model, net.containment);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs.front().containers.size(), 619U);
    const std::string& mark = runs.front().mark;
    EXPECT_EQ(net.drawnWith({"net", mark}), R"(
[input v0]
[-net 1860]
  [layers.0–618 ×619 1857]
  [layers.619 3]
[output v620]
v0 -> layers.0–618 ×619
layers.0–618 ×619 -> layers.619
layers.619 -> v620
)");
    const std::string fold = foldOfMark(mark);
    const Containment folded = withFolds(net.containment, net.scopes, {mark});
    for (const Container& container : folded.containers)
        EXPECT_LE(container.items.size(), folded.most) << container.key;
    EXPECT_EQ(folded.keysTo(folded.ofNode[0]), (std::vector<std::string>{"net", fold, "net/layers.0"}));
    const auto keys = folded.keysTo(folded.ofNode[900]);
    EXPECT_EQ(keys.size(), 5U) << "net, fold, rest, page, layer";
    EXPECT_FALSE(markOfFold(keys[3]));
}

TEST(Alike, TheOrderOfNodesInTheFileDoesNotMatter)
{
    const Net net = layersOf(6, 6, true);
    ASSERT_EQ(allAlike(*net.model, net.containment).size(), 1U);
    EXPECT_EQ(allAlike(*net.model, net.containment).front().containers.size(), 6U);
}

TEST(Alike, AFoldIsOneBoxAndShowsTheFirstWhenItIsOpen)
{
    const Net net = layersOf(6, 4);
    const std::string mark = "//fold net/layers.0//x4";
    EXPECT_EQ(net.drawnWith({"net", mark}), R"(
[input v0]
[-net 18]
  [layers.0–3 ×4 12]
  [layers.4 3]
  [layers.5 3]
[output v6]
v0 -> layers.0–3 ×4
layers.0–3 ×4 -> layers.4
layers.4 -> layers.5
layers.5 -> v6
)");
    EXPECT_EQ(net.drawnWith({"net", mark, "net/layers.0//x4", "net/layers.0"}), R"(
[input v0]
[-net 18]
  [-layers.0–3 ×4 12]
    [-layers.0 3]
      (Conv conv0)
      (Relu act0)
      (Add add0)
    [layers.1–3 ×3 9]
  [layers.4 3]
  [layers.5 3]
[output v6]
v0 -> Conv conv0
v0 -> Relu act0
Conv conv0 -> Add add0
Relu act0 -> Add add0
Add add0 -> layers.1–3 ×3
layers.1–3 ×3 -> layers.4
layers.4 -> layers.5
layers.5 -> v6
)");
}

TEST(Alike, OfTwoTheSecondIsTheOthers)
{
    const Net net = layersOf(2, 2);
    EXPECT_EQ(net.drawnWith({"net", "//fold net/layers.0//x2", "net/layers.0//x2"}), R"(
[input v0]
[-net 6]
  [-layers.0–1 ×2 6]
    [layers.0 3]
    [layers.1 3]
[output v2]
v0 -> layers.0
layers.0 -> layers.1
layers.1 -> v2
)");
}

TEST(Alike, NodesThatAreFoldedAwayAreFoundInTheirFold)
{
    const Net net = layersOf(6, 6);
    const std::string mark = "//fold net/layers.0//x6";
    const Containment folded = withFolds(net.containment, net.scopes, {mark});
    EXPECT_EQ(folded.keysTo(folded.ofNode[14]),
        (std::vector<std::string>{"net", "net/layers.0//x6", "net/layers.0//x6/rest", "net/layers.4"}));
    EXPECT_TRUE(isRestOfFold("net/layers.0//x6/rest"));
    EXPECT_FALSE(markOfFold("net/layers.0//x6/rest"));
    for (const std::string& key : openWithin(folded, 1000))
        EXPECT_FALSE(isRestOfFold(key)); // one opened shows one
}

TEST(Alike, MarksThatFitNothingCountForNothing)
{
    const Net net = layersOf(3, 3);
    for (const char* mark :
        {"//fold ", "//fold net/layers.0//x4", "//fold net/layers.0//x99999999999", "//fold net//x2",
            "//fold net/layers.0//x", "//fold //x3", "//fold net/layers.7//x2", "//fold net/layers.0//x0"})
        EXPECT_EQ(net.drawnWith({"net", mark}), net.drawnWith({"net"})) << mark;
}

} // namespace
} // namespace duo
