// SPDX-License-Identifier: Apache-2.0
// Trees and totals.
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

TEST(ScopeTrees, StorageIsInDefinitionOrderWithTotalsBelow)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    EXPECT_THAT(found.paths(found.scopes.storage), ElementsAre("enc", "enc.proj", "enc.norm", "dec", "dec.own"));
    const Scope& encoder = found.scopes.storage.scope(found.scopes.storage.find("enc"));
    EXPECT_EQ(encoder.totalParameters, 20 + 8);
    EXPECT_EQ(encoder.totalBytes, 4 * (20 + 8));
    EXPECT_EQ(encoder.totalNodes, 4); // both Gemm, and the two nodes of the norm that read
    const Scope& proj = found.scopes.storage.scope(found.scopes.storage.find("enc.proj"));
    EXPECT_EQ(proj.calls, 2);
    EXPECT_THAT(proj.keys, ElementsAre("enc.proj.weight", "enc.proj.bias"));
}

TEST(ScopeTrees, ASharedTensorCountsOnceAboveBothCalls)
{
    const auto found = FoundScopes::ofFile("cases/b_shared_twice.onnx");
    const auto& tree = found.scopes.execution;
    EXPECT_EQ(tree.scope(tree.find("fc")).totalParameters, 20);
    EXPECT_EQ(tree.scope(tree.find("fc#1")).totalParameters, 20);
    EXPECT_EQ(tree.scopes[0].totalParameters, 20);
    EXPECT_EQ(tree.scopes[0].totalNodes, 3);
}

TEST(ScopeTrees, ParentsComeBeforeTheirChildren)
{
    const auto found = FoundScopes::ofFile("cases/i2_bertlike.onnx");
    for (const ScopeTree* tree : {&found.scopes.execution, &found.scopes.storage}) {
        for (std::size_t i = 1; i < tree->scopes.size(); ++i) {
            EXPECT_LT(tree->scopes[i].parent.index, i);
            EXPECT_EQ(tree->find(tree->scopes[i].path), ScopeId(i));
        }
    }
}

TEST(ScopeTrees, AModuleThatNothingReadsIsNeverExecuted)
{
    ModelBuilder builder;
    builder.input("x", {1, 4})
        .weight("used.weight", {4, 4})
        .weight("never.a.weight", {4})
        .weight("never.b.weight", {4});
    builder.node("MatMul", "/used/MatMul", {"x", "used.weight"}, {"y"}).output("y");
    const FoundScopes found(builder.build());
    EXPECT_THAT(found.scopes.neverExecuted, ElementsAre("never"));
    EXPECT_EQ(found.scopes.keys, 3);
    EXPECT_EQ(found.scopes.matchedBy.at("name"), 1);
}

TEST(ScopeTrees, AModelWithoutNodesHasItsRoots)
{
    ModelBuilder builder;
    builder.input("x", {1}).output("x");
    const FoundScopes found(builder.build());
    EXPECT_EQ(found.scopes.execution.scopes.size(), 1U);
    EXPECT_EQ(found.scopes.storage.scopes.size(), 1U);
    EXPECT_TRUE(found.scopes.nodes.empty());
}

} // namespace
} // namespace duo::test
