// SPDX-License-Identifier: Apache-2.0
// Golden cases of the TorchScript exporter beside their state dictionaries (resources/docs/content.md, "Known cases"):
// what names and initializers alone cannot tell. Rows that need no checkpoint are in named_cases_test.cpp.
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/core/scope/found_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

class CasesWithCheckpoint : public testing::Test
{
protected:
    [[nodiscard]] static FoundScopes of(const std::string& name)
    {
        const std::filesystem::path folder = std::filesystem::path(DUO_TEST_DATA) / "cases";
        OpenOptions options;
        options.checkpoint = folder / "states" / (name + ".pth");
        const auto snapshot = openScopes(folder / (name + ".onnx"), options);
        EXPECT_TRUE(snapshot) << snapshot.error().line();
        return FoundScopes(snapshot->model, snapshot->sources());
    }
};

TEST_F(CasesWithCheckpoint, AnAliasIsTheSameModule)
{
    const auto found = of("b2_shared_alias");
    EXPECT_EQ(found.at("/fc_1/Gemm"), (Expected{"fc#1", {"fc"}, {"aliased-parameter", "shared-module"}, true}));
    EXPECT_THAT(found.node("/fc_1/Gemm").keys, ElementsAre("fc.weight", "fc.bias", "alias.weight", "alias.bias"));
}

TEST_F(CasesWithCheckpoint, AMergedCallIsToldByThePathThatNeverRuns)
{
    const auto found = of("b3_shared_parents");
    EXPECT_EQ(found.at("/left/inner/Conv"),
        (Expected{"left/inner", {"left.inner"}, {"aliased-parameter", "merged-calls"}, false}));
    EXPECT_EQ(found.at("/left/Relu"), (Expected{"left", {}, {"merged-calls"}, false}));
    EXPECT_TRUE(found.scopes.neverExecuted.empty()); // what `right` owns is read
}

TEST_F(CasesWithCheckpoint, ASharedBlockUnderAnotherParentIsNoForeigner)
{
    const auto found = of("r4_parent_rep");
    EXPECT_EQ(found.at("/b/blk/lin/Gemm"),
        (Expected{"b/blk#3/lin#3", {"a.blk.lin"}, {"aliased-parameter", "shared-module"}, true}));
    EXPECT_EQ(found.at("/b/blk_2/Mul"), (Expected{"b/blk#5", {}, {"shared-module"}, true}));
}

TEST_F(CasesWithCheckpoint, ModulesThatShareParametersOnlyStayTwo)
{
    const auto found = of("r5_param_share");
    EXPECT_EQ(found.at("/p/Gemm"), (Expected{"p", {"p"}, {"aliased-parameter"}, false}));
    EXPECT_EQ(found.at("/q/Gemm"), (Expected{"q", {"p"}, {"aliased-parameter"}, true}));
}

TEST_F(CasesWithCheckpoint, ATiedWeightIsFoundByItsValues)
{
    const auto found = of("c_tied");
    EXPECT_EQ(found.at("/emb/Gather"), (Expected{"emb", {"emb"}, {"aliased-parameter"}, false}));
    EXPECT_EQ(found.at("/head/MatMul"), (Expected{"head", {"emb"}, {"aliased-parameter", "renamed-tensor"}, true}));
    EXPECT_THAT(found.node("/head/MatMul").keys, ElementsAre("emb.weight", "head.weight"));
}

TEST_F(CasesWithCheckpoint, AHeadThatOnlyTrainsNeverRuns)
{
    const auto found = of("e_aux_eval");
    EXPECT_THAT(found.scopes.neverExecuted, ElementsAre("aux"));
    EXPECT_EQ(found.scopes.keys, 13);
}

TEST_F(CasesWithCheckpoint, AFoldedBatchNormIsAnOwnerToo)
{
    const auto found = of("e_aux_eval");
    EXPECT_EQ(found.at("/body/Conv"), (Expected{"body", {"body", "bn"}, {"folded-producers", "renamed-tensor"}, true}));
    EXPECT_EQ(found.provenance("/body/Conv"), "name/content");
}

TEST_F(CasesWithCheckpoint, AnLstmReadsFourKeys)
{
    const auto found = of("h_lstm");
    EXPECT_EQ(found.at("/rnn/LSTM"), (Expected{"rnn", {"rnn"}, {"renamed-tensor"}, false}));
    EXPECT_EQ(found.provenance("/rnn/LSTM"), "name/content");
    EXPECT_THAT(found.node("/rnn/LSTM").keys,
        ElementsAre("rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0"));
}

TEST_F(CasesWithCheckpoint, TransposedWeightsAreFoundByTheirValues)
{
    const auto found = of("i2_bertlike");
    EXPECT_EQ(found.at("/layer.1/self/query/MatMul"),
        (Expected{"encoder.layer.1/attention.self/query", {"encoder.layer.1.attention.self.query"},
            {"container-skipped", "renamed-tensor"}, false}));
    EXPECT_EQ(found.provenance("/layer.1/self/query/MatMul"), "name/content");
}

/// TransformerEncoder copies its layer: the exporter keeps one of the equal weights, under a name of its own.
TEST_F(CasesWithCheckpoint, CopiedLayersKeepTheirOwnKeys)
{
    const auto found = of("i_transformer");
    for (const std::string layer : {"0", "1"}) {
        const std::string module = "enc.layers." + layer + ".linear1";
        const NodeScope& node = found.node("/enc/layers." + layer + "/linear1/MatMul");
        EXPECT_EQ(node.execution, "enc/layers." + layer + "/linear1");
        EXPECT_THAT(node.storage, ElementsAre(module));
        EXPECT_THAT(node.keys, ElementsAre(module + ".weight"));
        EXPECT_FALSE(node.differs);
    }
    EXPECT_EQ(found.scopes.matchedBy, (std::map<std::string, std::int64_t>{{"content", 6}, {"name", 18}}));
}

TEST_F(CasesWithCheckpoint, WeightNormHasTwoKeysBesideItsBias)
{
    const auto found = of("r6_weight_norm");
    EXPECT_EQ(found.at("/c/Conv"), (Expected{"c", {"c"}, {"renamed-tensor"}, false}));
    EXPECT_THAT(found.node("/c/Conv").keys, ElementsAre("c.bias", "c.weight_g", "c.weight_v"));
}

TEST_F(CasesWithCheckpoint, ACallPastItsModule)
{
    const auto found = of("k_buffers");
    EXPECT_EQ(found.at("/fc/Gemm"), (Expected{"b.fc", {"b.fc"}, {"bypassed-call", "merged-calls"}, false}));
    EXPECT_EQ(found.at("/Add"), (Expected{"", {"b"}, {"functional-use"}, true}));
}

} // namespace
} // namespace duo::test
