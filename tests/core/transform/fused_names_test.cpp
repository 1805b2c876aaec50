// SPDX-License-Identifier: Apache-2.0
#include "core/transform/fused_names.h"

#include "core/onnx/reader.h"
#include "tests/core/transform/transformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

/// The model with one node that another one became a part of.
std::shared_ptr<const Model> fused(
    const std::shared_ptr<const Model>& model, const std::string& stays, const std::string& goes, EditList edits = {})
{
    const std::pair<NodeId, NodeId> pair{model->findNode(stays), model->findNode(goes)};
    addFusedInPlace(edits, *model, std::span(&pair, 1));
    const auto changed = convertedModel(model, edits, {});
    EXPECT_TRUE(changed) << changed.error().line();
    return *changed;
}

std::shared_ptr<const Model> chain()
{
    PassFile file;
    file.op("Relu", "a", {"x"}, {"p"}).op("Neg", "b", {"p"}, {"q"}).op("Abs", "c", {"q"}, {"y"}).result();
    return file.read();
}

TEST(FusedNames, TellWhatBecameAPartOfANode)
{
    const auto model = chain();
    EXPECT_THAT(fusedNames(model->nodes[0]), IsEmpty());
    EXPECT_THAT(fusedNames(fused(model, "a", "b")->nodes[0]), ElementsAre("b"));
}

TEST(FusedNames, AreHandedOnWithTheNodeThatHasThem)
{
    const auto model = fused(fused(chain(), "b", "c"), "a", "b");
    EXPECT_THAT(fusedNames(model->nodes[0]), ElementsAre("b", "c"));
}

TEST(FusedNames, OfANodeThatHasSomeAreAdded)
{
    EXPECT_THAT(fusedNames(fused(fused(chain(), "a", "b"), "a", "c")->nodes[0]), ElementsAre("b", "c"));
}

TEST(FusedNames, GoWithANodeThatIsMadeAnew)
{
    const auto model = chain();
    EditList edits;
    edits.removedNodes.push_back(model->findNode("a"));
    edits.newNodes.push_back({"a", "Relu", "", {"x"}, {"p"}, {}, {}, model->findNode("a"), false, RegionId(0)});
    const auto changed = fused(model, "a", "b", std::move(edits));
    EXPECT_THAT(fusedNames(changed->node(changed->findNode("a"))), ElementsAre("b"));
}

TEST(FusedNames, AreToldOnce)
{
    EXPECT_THAT(fusedNames(fused(fused(chain(), "a", "b"), "a", "b")->nodes[0]), ElementsAre("b"));
}

/// Bodies may have nodes of one name, which the file tells apart by where they stand.
TEST(FusedNames, GoWithTheNodeOfTheSameBody)
{
    PassFile file;
    file.tensor("condition", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& choose = file.node("If", "choose", {"condition"}, {"y"});
    for (const std::string branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(choose, branch);
        body.node("Relu", "a", {"x"}, {"p"});
        body.node("Neg", "b", {"p"}, {branch});
        body.proto().add_output()->set_name(branch);
    }
    const auto model = file.result().read();
    EditList edits;
    std::vector<std::pair<NodeId, NodeId>> pairs;
    for (const std::string branch : {"choose::else_branch::", "choose::then_branch::"}) {
        const NodeId stays = model->findNode(branch + "a");
        pairs.emplace_back(stays, model->findNode(branch + "b"));
        edits.removedNodes.push_back(stays);
        edits.newNodes.push_back({"a", "Relu", "", {"x"}, {"p"}, {}, {}, stays});
    }
    addFusedInPlace(edits, *model, pairs);
    const auto changed = convertedModel(model, edits, {});
    ASSERT_TRUE(changed) << changed.error().line();
    for (const std::string branch : {"choose::then_branch::", "choose::else_branch::"})
        EXPECT_THAT(fusedNames((*changed)->node((*changed)->findNode(branch + "a"))), ElementsAre(branch + "b"));
}

} // namespace
} // namespace duo::test
