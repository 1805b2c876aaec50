// SPDX-License-Identifier: Apache-2.0
#include "core/marks/module_tree.h"

#include "core/pipeline/snapshot/snapshot.h"
#include "tests/core/marks/marked_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> childrenOf(const ModuleTree& tree, const std::string& path)
{
    std::vector<std::string> paths;
    for (const std::uint32_t child : tree.modules[tree.find(path)].children)
        paths.push_back(tree.modules[child].path);
    return paths;
}

TEST(ModuleTree, AnObjectIsOneModuleUnderAllItsPaths)
{
    const MarkedNetwork network(true);
    EXPECT_EQ(network.tree.evidence, ModuleEvidence::Objects);
    EXPECT_EQ(network.tree.find("b.blk.lin"), network.tree.find("a.blk.lin"));
    EXPECT_THAT(network.module("b.blk").otherPaths, ElementsAre("b.blk"));
    EXPECT_THAT(childrenOf(network.tree, ""), ElementsAre("a", "b", "head"));
    EXPECT_THAT(childrenOf(network.tree, "b"), ElementsAre("a.blk", "b.act"));
    EXPECT_EQ(network.tree.doubtful(), 0);
}

TEST(ModuleTree, ANodeBelongsToTheModulesWhoseParametersItReadsElseToTheOneItRunsIn)
{
    const MarkedNetwork network(true);
    EXPECT_THAT(network.module("a.blk.lin").nodes,
        ElementsAre(network.model->findNode("/a/blk/lin/Gemm"), network.model->findNode("/b/blk/lin/Gemm")));
    EXPECT_THAT(network.module("b.act").nodes, ElementsAre(network.model->findNode("/b/act/Relu")));
    EXPECT_THAT(network.module("").nodes, ElementsAre(network.model->findNode("/Add")));
}

TEST(ModuleTree, WithoutObjectsModulesWithoutParametersMayBeOne)
{
    const MarkedNetwork network(false);
    EXPECT_EQ(network.tree.evidence, ModuleEvidence::Parameters);
    EXPECT_TRUE(network.module("a.blk.act").mayBeAnother);
    EXPECT_TRUE(network.module("b.act").mayBeAnother);
    EXPECT_FALSE(network.module("head").mayBeAnother);
}

TEST(ModuleTree, APathMayBeWrittenWithSlashes)
{
    const MarkedNetwork network(true);
    EXPECT_EQ(network.tree.find("a/blk/lin"), network.tree.find("a.blk.lin"));
    EXPECT_EQ(network.tree.find("nothing"), ModuleTree::kNone);
    EXPECT_EQ(network.tree.find(""), 0U);
}

TEST(ModuleTree, AProgramTellsEveryRegisteredModule)
{
    const auto snapshot = openScopes(std::filesystem::path(DUO_TEST_DATA) / "checkpoints" / "exported.pt2");
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    const ModuleTree tree = moduleTree(*snapshot->model, *snapshot->scopes);
    EXPECT_EQ(tree.evidence, ModuleEvidence::Program);
    EXPECT_EQ(tree.find("alias.lin"), tree.find("blk.lin"));
    EXPECT_THAT(childrenOf(tree, "seq"), ElementsAre("seq.0", "seq.1", "seq.2"));
    EXPECT_THAT(tree.modules[tree.find("seq.2")].nodes, IsEmpty());
    EXPECT_NE(tree.find("emb"), tree.find("head")); // a tie of one tensor is no module
    EXPECT_FALSE(tree.modules[tree.find("emb")].mayBeAnother && tree.modules[tree.find("seq.0")].mayBeAnother);
}

} // namespace
} // namespace duo::test
