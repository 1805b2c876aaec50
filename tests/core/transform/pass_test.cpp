// SPDX-License-Identifier: Apache-2.0
#include "core/transform/pass.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using duo::test::ModelBuilder;

namespace duo {
namespace {

TEST(Passes, StandOnceAndInTheirOrder)
{
    std::vector<std::string_view> ids;
    for (const Pass& pass : passes()) {
        ids.push_back(pass.id);
        EXPECT_NE(pass.run, nullptr) << pass.id;
    }
    EXPECT_THAT(ids,
        testing::ElementsAre("raise-opset", "constant-nodes", "identity", "dropout", "no-op", "same-size",
            "transpose-pairs", "reshape-chains", "duplicates", "dead-code", "fold-batch-norm"));
}

TEST(Passes, LeaveAModelAloneThatHasNothingForThem)
{
    const auto model = ModelBuilder().input("x", {1, 4}).node("Relu", "relu", {"x"}, {"y"}).output("y").build();
    for (const Pass& pass : passes()) {
        const PassResult result = pass.run({*model, {model->findNode("relu")}});
        EXPECT_FALSE(result.edits) << pass.id;
        EXPECT_THAT(result.notes, testing::IsEmpty()) << pass.id;
    }
}

TEST(EditList, JoinsTheEditsOfTwo)
{
    EditList edits;
    edits.removedNodes = {NodeId(1)};
    edits.irVersion = 7;
    EditList more;
    more.removedNodes = {NodeId(2)};
    more.outputs = {{NodeId(3), 0, "y"}};
    addInPlace(edits, std::move(more));
    EXPECT_THAT(edits.removedNodes, testing::ElementsAre(NodeId(1), NodeId(2)));
    EXPECT_EQ(edits.outputs.size(), 1U);
    EXPECT_EQ(edits.irVersion, 7);
}

} // namespace
} // namespace duo
