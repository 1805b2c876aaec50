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

} // namespace
} // namespace duo::test
