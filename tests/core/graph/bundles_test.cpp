// SPDX-License-Identifier: Apache-2.0
#include "core/graph/bundles.h"

#include "core/graph/containment.h"
#include "core/graph/view_graph.h"
#include "tests/core/graph/drawn_view.h"
#include "tests/support/hub_model.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <string>

namespace duo {
namespace {

using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(Bundles, AreBranchesOfOneKindBetweenTheSameHubs)
{
    // 0 feeds ten branches of two, 1 and 2, 3 and 4, ...; 21 reads them all
    std::vector<std::uint64_t> likeness(22, 7);
    Links links;
    for (std::uint32_t branch = 0; branch < 10; ++branch) {
        const std::uint32_t first = 1 + 2 * branch;
        likeness[first + 1] = 8;
        links.insert(links.end(), {{0, first}, {first, first + 1}, {first + 1, 21}});
    }
    const auto bundles = findBundles(likeness, links);
    ASSERT_EQ(bundles.size(), 1U);
    EXPECT_EQ(bundles.front().size(), 20U);
    EXPECT_EQ(bundles.front().front(), 1U);
    EXPECT_EQ(bundles.front().back(), 20U);
    likeness[20] = 9; // nine are left
    EXPECT_EQ(findBundles(likeness, links).front().size(), 18U);
    likeness[18] = 9; // and eight are no bundle
    EXPECT_TRUE(findBundles(likeness, links).empty());
}

TEST(Bundles, AChainIsNone)
{
    const std::vector<std::uint64_t> likeness(100, 7);
    Links links;
    for (std::uint32_t i = 0; i < 99; ++i)
        links.emplace_back(i, i + 1);
    EXPECT_TRUE(findBundles(likeness, links).empty());
}

TEST(Bundles, KeysSayWhatIsOne)
{
    EXPECT_EQ(bundleKey("net", {4, 9}), "net//~5-10");
    EXPECT_TRUE(isBundle("net//~5-10"));
    EXPECT_FALSE(isBundle("net//~5-10//1-45")); // a page inside it
    EXPECT_FALSE(isBundle("net//1-45"));
}

TEST(Bundles, OfManyAreMadeWhereAllWouldFindRoomToo)
{
    const auto boxes = [](std::size_t branches) {
        const auto model = test::hubOf(branches);
        const Scopes scopes = test::scopesOf(std::vector<std::string>(branches + 1));
        return findContainment(*model, scopes).containers.front().items.size();
    };
    EXPECT_EQ(boxes(12), 15U); // with input, sum and output
    EXPECT_EQ(boxes(35), 4U);
}

TEST(Bundles, OfAHubAreOneBoxAndLinesEndAtIt)
{
    const auto model = test::hubOf(100);
    const Scopes scopes = test::scopesOf(std::vector<std::string>(101));
    EXPECT_EQ(test::drawn(test::viewOf(*model, scopes, nullptr, {})), R"(
[input x]
[Relu ×100 100]
(Sum all)
[output y]
x -> Relu ×100
Relu ×100 =100=> Sum all
Sum all -> y
)");
    const ViewGraph open = test::viewOf(*model, scopes, nullptr, {"//~1-100"});
    EXPECT_EQ(open.edges.size(), 3U); // none to what is inside
    EXPECT_EQ(open.boxes[4].title, "Relu ×14: act_0–13");
    EXPECT_EQ(open.boxes[5].title, "Relu ×14: act_14–27");
}

} // namespace
} // namespace duo
