// SPDX-License-Identifier: Apache-2.0
// Golden cases of the torch.export based exporter: what its metadata tells.
#include "tests/core/scope/found_scopes.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(RecordedCases, SiblingsChildIsAForeignCall)
{
    const auto found = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    EXPECT_EQ(found.at("node_linear_1"),
        (Expected{"dec/@enc.proj#1", {"enc.proj"}, {"foreign-call", "shared-module"}, true}));
}

TEST(RecordedCases, ModuleAsArgumentIsAForeignCall)
{
    const auto found = FoundScopes::ofFile("dynamo/a2_handed.onnx");
    EXPECT_EQ(found.at("node_linear"), (Expected{"apply_/@fc", {"fc"}, {"foreign-call"}, true}));
}

TEST(RecordedCases, SecondCallIsNumbered)
{
    const auto found = FoundScopes::ofFile("dynamo/b_shared_twice.onnx");
    EXPECT_EQ(found.at("node_linear_1"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
}

TEST(RecordedCases, AliasKeepsItsName)
{
    const auto found = FoundScopes::ofFile("dynamo/b2_shared_alias.onnx");
    EXPECT_EQ(found.at("node_linear_1"), (Expected{"alias#1", {"fc"}, {"aliased-parameter", "shared-module"}, true}));
}

TEST(RecordedCases, FirstKeyOwnsTheTensor)
{
    const auto found = FoundScopes::ofFile("dynamo/b3_shared_parents.onnx");
    EXPECT_EQ(found.at("node_conv2d"),
        (Expected{"left/inner", {"left.inner"}, {"aliased-parameter", "merged-calls"}, false}));
}

TEST(RecordedCases, TiedWeightBelongsToItsFirstKey)
{
    const auto found = FoundScopes::ofFile("dynamo/c_tied.onnx");
    EXPECT_EQ(found.at("node_linear_1"), (Expected{"head", {"emb"}, {"aliased-parameter", "renamed-tensor"}, true}));
}

TEST(RecordedCases, EmbeddingsWithOneWeightAreTwoModules)
{
    const auto found = FoundScopes::ofFile("dynamo/c3_tied_three.onnx");
    EXPECT_EQ(found.at("node_embedding"), (Expected{"dec", {"enc"}, {"aliased-parameter"}, true}));
    EXPECT_EQ(found.at("node_embedding_1"), (Expected{"enc", {"enc"}, {"aliased-parameter"}, false}));
    EXPECT_EQ(found.at("node_linear"), (Expected{"head", {"enc"}, {"aliased-parameter"}, true}));
}

TEST(RecordedCases, EqualValuesAreNoDifference)
{
    const auto found = FoundScopes::ofFile("dynamo/c2_equal_not_tied.onnx");
    EXPECT_EQ(found.at("node_conv2d_1"), (Expected{"b", {"b"}, {"equal-values"}, false}));
}

TEST(RecordedCases, ChildsParameterIsFunctionalUse)
{
    const auto found = FoundScopes::ofFile("dynamo/d_functional.onnx");
    EXPECT_EQ(found.at("node_linear_1"), (Expected{"blk", {"blk.child"}, {"functional-use"}, true}));
}

TEST(RecordedCases, FoldedBatchNormIsRecorded)
{
    const auto found = FoundScopes::ofFile("dynamo/e_aux_eval.onnx");
    EXPECT_EQ(found.at("node_Conv_11"), (Expected{"body", {"body", "bn"}, {"folded-producers"}, true}));
}

TEST(RecordedCases, SequentialItemByItem)
{
    const auto found = FoundScopes::ofFile("dynamo/f2_seq_items.onnx");
    EXPECT_EQ(found.at("node_conv2d"), (Expected{"features.0", {"features.0"}, {"container-skipped"}, false}));
}

TEST(RecordedCases, ModuleDictItem)
{
    const auto found = FoundScopes::ofFile("dynamo/g_modulelist.onnx");
    EXPECT_EQ(found.at("node_linear_3"), (Expected{"by.a", {"by.a"}, {"container-skipped"}, false}));
}

TEST(RecordedCases, LstmIsRecorded)
{
    const auto found = FoundScopes::ofFile("dynamo/h_lstm.onnx");
    EXPECT_EQ(found.at("node_lstm__2"), (Expected{"rnn", {"rnn"}, {"renamed-tensor"}, false}));
}

TEST(RecordedCases, CellInALoopIsASharedModule)
{
    const auto found = FoundScopes::ofFile("dynamo/h3_lstmcell_loop.onnx");
    EXPECT_EQ(found.at("node_linear_4"), (Expected{"cell#2", {"cell"}, {"shared-module"}, true}));
}

TEST(RecordedCases, DeepContainers)
{
    const auto found = FoundScopes::ofFile("dynamo/i2_bertlike.onnx");
    EXPECT_EQ(found.at("node_MatMul_1"),
        (Expected{"encoder.layer.0/attention.self/query", {"encoder.layer.0.attention.self.query"},
            {"container-skipped", "renamed-tensor"}, false}));
}

TEST(RecordedCases, ChildOfAModuleThatWasNotCalled)
{
    const auto found = FoundScopes::ofFile("dynamo/k_buffers.onnx");
    EXPECT_EQ(found.at("node_linear"), (Expected{"b.fc", {"b.fc"}, {"bypassed-call", "merged-calls"}, false}));
}

TEST(RecordedCases, ARunThatRepeatsIsSeveralCalls)
{
    const auto found = FoundScopes::ofFile("dynamo/r_repeat_nested.onnx");
    EXPECT_EQ(found.at("node_linear_2"), (Expected{"blk#2/lin#2", {"blk.lin"}, {"shared-module"}, true}));
}

TEST(RecordedCases, NamesDoNotClash)
{
    const auto found = FoundScopes::ofFile("dynamo/r2_clash.onnx");
    EXPECT_EQ(found.at("node_linear_2"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
}

TEST(RecordedCases, SilentContainers)
{
    const auto found = FoundScopes::ofFile("dynamo/r3_two_containers.onnx");
    EXPECT_EQ(found.at("node_mul_2"), (Expected{"decoder.layer.0", {}, {"container-skipped"}, false}));
}

TEST(RecordedCases, SharedBlockUnderAnotherParent)
{
    const auto found = FoundScopes::ofFile("dynamo/r4_parent_rep.onnx");
    EXPECT_EQ(found.at("node_linear_3"),
        (Expected{"b/blk#3/lin#3", {"a.blk.lin"}, {"aliased-parameter", "shared-module"}, true}));
}

TEST(RecordedCases, ClassesAndProvenanceAreRecorded)
{
    const auto found = FoundScopes::ofFile("dynamo/a_sibling.onnx");
    EXPECT_EQ(found.node("node_linear_1").longForm, "Sibling/Dec[dec]/Linear[@enc.proj#1]");
    EXPECT_EQ(found.provenance("node_linear_1"), "recorded/recorded");
}

TEST(RecordedCases, AFusedNodeGetsItsOwnScopeBack)
{
    const auto found = FoundScopes::ofFile("dynamo/e_aux_eval.onnx");
    EXPECT_EQ(found.provenance("node_Conv_11"), "dataflow/recorded");
    EXPECT_EQ(found.node("node_Conv_11").keys,
        (std::vector<std::string>{
            "body.weight", "body.bias", "bn.weight", "bn.bias", "bn.running_mean", "bn.running_var"}));
}

TEST(RecordedCases, AHeadThatOnlyTrainsNeverRuns)
{
    EXPECT_EQ(FoundScopes::ofFile("dynamo/e_aux_eval.onnx").scopes.neverExecuted, std::vector<std::string>{"aux"});
    EXPECT_TRUE(FoundScopes::ofFile("dynamo/a_sibling.onnx").scopes.neverExecuted.empty());
}

TEST(RecordedCases, ANodeWithoutMetadataLiesWithItsNeighbours)
{
    const auto found = FoundScopes::ofFile("dynamo/h3_lstmcell_loop.onnx");
    EXPECT_EQ(found.at("node_Split_16"), (Expected{"cell#1", {}, {"exporter-made", "shared-module"}, true}));
}

} // namespace
} // namespace duo::test
