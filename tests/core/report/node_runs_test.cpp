// SPDX-License-Identifier: Apache-2.0
#include "core/report/node_runs.h"

#include "tests/core/scope/found_scopes.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(NodeRuns, AreFoundByTheNodesOfAModel)
{
    const auto model = FoundScopes::ofFile("cases/a_sibling.onnx").model;
    const std::size_t last = model->nodes.size() - 1;
    const RunsOfNodes runs(
        std::make_shared<const NodeRuns>(NodeRuns{{"of another model", RunsAs::Int8, "QLinearConv", {}, ""},
            {model->nodes[last].name, RunsAs::Float, "Gemm", {}, "a reason"}}),
        *model);
    ASSERT_NE(runs.of(NodeId(last)), nullptr);
    EXPECT_EQ(runs.of(NodeId(last))->reason, "a reason");
    EXPECT_EQ(runs.of(NodeId(0)), nullptr) << "it was not planned";
    EXPECT_EQ(runs.of(NodeId(last + 1)), nullptr) << "of a larger model";
    EXPECT_FALSE(runs.isEmpty());
}

TEST(NodeRuns, OfAnotherModelAreNone)
{
    const auto model = FoundScopes::ofFile("cases/a_sibling.onnx").model;
    const RunsOfNodes runs(
        std::make_shared<const NodeRuns>(NodeRuns{{"no such node", RunsAs::Int8, "", {}, ""}}), *model);
    EXPECT_TRUE(runs.isEmpty());
    EXPECT_EQ(runs.of(NodeId(0)), nullptr);
}

} // namespace
} // namespace duo::test
