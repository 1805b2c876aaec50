// SPDX-License-Identifier: Apache-2.0
#include "core/transform/pass.h"

#include "tests/support/model_builder.h"

#include <algorithm>
#include <set>

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
        testing::ElementsAre("raise-opset", "initializer-inputs", "constant-nodes", "shape-computation", "branches",
            "identity", "dropout", "no-op", "same-size", "transpose-pairs", "transpose-sinking", "reshape-chains",
            "squeeze-chains", "slice-chains", "duplicates", "fold-constants", "pads", "batch-norm", "activations",
            "norms", "dead-code", "gemm", "channel-bias", "split-gemm", "attention", "split-attention", "group-norm",
            "split-norms", "split-activations", "quantizers", "newer-opset", "lower-opset", "half", "fold-batch-norm"));
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

TEST(Passes, StandInOneListOfAStageAndTargetsNameTheirOwnOnly)
{
    for (const TransformTarget& target : transformTargets()) {
        for (const std::string_view id : target.passes) {
            const auto pass = std::ranges::find(passes(), id, &Pass::id);
            ASSERT_NE(pass, passes().end()) << id;
            EXPECT_EQ(pass->stage, PassStage::Target) << target.name << " would retune another stage by " << id;
        }
    }
    for (const Pass& pass : passes()) {
        EXPECT_EQ(std::ranges::count(passes(), pass.id, &Pass::id), 1) << pass.id;
        const auto undone = std::ranges::find(passes(), pass.undoes, &Pass::id);
        EXPECT_TRUE(pass.undoes.empty() || undone != passes().end()) << pass.id;
        EXPECT_TRUE(pass.undoes.empty() || pass.stage == PassStage::Target) << pass.id;
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
