// SPDX-License-Identifier: Apache-2.0
#include "views/properties/found_decisions.h"

#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

std::vector<NodeId> allNodes(const Snapshot& snapshot)
{
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < snapshot.model->nodes.size(); ++i)
        nodes.emplace_back(i);
    return nodes;
}

TEST(FoundDecisions, OfFewNodesAreFoundAtOnce)
{
    const auto snapshot = test::exampleSnapshot();
    FoundDecisions decisions;
    ASSERT_TRUE(decisions.find(snapshot, allNodes(*snapshot)));
    EXPECT_FALSE(decisions.groups().empty());
    EXPECT_TRUE(decisions.find(snapshot, {}));
    EXPECT_TRUE(decisions.groups().empty());
}

TEST(FoundDecisions, OfManyNodesAreFoundInSteps)
{
    std::vector<test::NodeLine> lines;
    for (int i = 0; i < 17'000; ++i)
        lines.push_back({"n" + std::to_string(i), i % 3 == 0 ? "Conv" : "Relu", "s", {}, {}});
    const auto snapshot = test::makeSnapshot(lines);
    const auto nodes = allNodes(*snapshot);
    FoundDecisions decisions;
    EXPECT_FALSE(decisions.find(snapshot, nodes));
    EXPECT_TRUE(decisions.groups().empty());
    EXPECT_FALSE(decisions.find(snapshot, nodes));
    ASSERT_TRUE(decisions.find(snapshot, nodes));
    const auto expected = groupDecisions(*snapshot->model, *snapshot->placement, nodes);
    ASSERT_EQ(decisions.groups().size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(decisions.groups()[i].nodes, expected[i].nodes);

    EXPECT_FALSE(decisions.find(snapshot, std::vector(nodes.rbegin(), nodes.rend()))) << "others begin anew";
}

} // namespace
} // namespace duo::ui
