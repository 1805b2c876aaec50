// SPDX-License-Identifier: Apache-2.0
// Cases of the TorchScript exporter: what names and initializers tell (resources/docs/content.md, "Known cases").
#include "core/onnx/reader.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Optimizers leave nodes without a name; a norm that was fused with what stood before it does another module's work.
TEST(NamedCases, ANamelessNormRunsInTheModuleWhoseWeightsItReads)
{
    const auto executionOf = [](const std::string& type, const std::string& domain) {
        ProtoBuilder builder;
        builder.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8});
        builder.weight("stem.conv.weight", {4, 4, 1, 1}).weight("stem.norm.weight", {4}, {0.5F, 1.5F});
        builder.weight("stem.norm.bias", {4}, {0.25F, 2.5F});
        builder.node("Conv", "/stem/conv/Conv", {"x", "stem.conv.weight"}, {"a"});
        std::vector<std::string> inputs{"a", "stem.norm.weight", "stem.norm.bias"};
        if (type.starts_with("Skip"))
            inputs.insert(inputs.begin(), "x");
        builder.node(type, "norm", inputs, {"b"}).set_domain(domain);
        builder.node("Relu", "/stem/act/Relu", {"b"}, {"y"});
        const auto owner = std::make_shared<const std::string>(builder.text());
        auto model = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, "model");
        return FoundScopes(*model).provenance("norm").substr(0, 5) + " " + FoundScopes(*model).node("norm").execution;
    };
    EXPECT_EQ(executionOf("InstanceNormalization", ""), "guess stem/norm");
    EXPECT_EQ(executionOf("GroupNormalization", ""), "guess stem/norm");
    EXPECT_EQ(executionOf("GroupNorm", "com.microsoft"), "guess stem/norm");
    EXPECT_EQ(executionOf("SkipLayerNormalization", "com.microsoft"), "guess stem/act"); // as what is around it
}

TEST(NamedCases, SiblingsChildIsAForeignCall)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    EXPECT_EQ(found.at("/dec/proj/Gemm"),
        (Expected{"dec/@enc.proj#1", {"enc.proj"}, {"foreign-call", "shared-module"}, true}));
}

TEST(NamedCases, ModuleAsArgumentIsAForeignCall)
{
    const auto found = FoundScopes::ofFile("cases/a2_handed.onnx");
    EXPECT_EQ(found.at("/apply_/fc/Gemm"), (Expected{"apply_/@fc", {"fc"}, {"foreign-call"}, true}));
}

TEST(NamedCases, SecondCallIsNumbered)
{
    const auto found = FoundScopes::ofFile("cases/b_shared_twice.onnx");
    EXPECT_EQ(found.at("/fc_1/Gemm"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
}

TEST(NamedCases, AliasIsASecondCall)
{
    const auto found = FoundScopes::ofFile("cases/b2_shared_alias.onnx");
    EXPECT_EQ(found.at("/fc_1/Gemm"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
}

TEST(NamedCases, MergedCallsLeaveOnePath)
{
    const auto found = FoundScopes::ofFile("cases/b3_shared_parents.onnx");
    EXPECT_EQ(found.at("/left/inner/Conv"), (Expected{"left/inner", {"left.inner"}, {}, false}));
}

TEST(NamedCases, SharedBlockUnderAnotherParent)
{
    const auto found = FoundScopes::ofFile("cases/r4_parent_rep.onnx");
    EXPECT_EQ(found.at("/b/blk/lin/Gemm"),
        (Expected{"b/@a.blk#3/lin#3", {"a.blk.lin"}, {"foreign-call", "shared-module"}, true}));
}

TEST(NamedCases, TransposedTiedWeightIsFoundByItsValues)
{
    const auto found = FoundScopes::ofFile("cases/c_tied.onnx");
    EXPECT_EQ(found.at("/head/MatMul"), (Expected{"head", {"emb"}, {"aliased-parameter", "renamed-tensor"}, true}));
    EXPECT_EQ(found.provenance("/head/MatMul"), "name/content");
}

TEST(NamedCases, EqualValuesAreNoDifference)
{
    const auto found = FoundScopes::ofFile("cases/c2_equal_not_tied.onnx");
    EXPECT_EQ(found.at("/b/Conv"), (Expected{"b", {"b"}, {"equal-values"}, false}));
}

TEST(NamedCases, SharedParametersAreAliases)
{
    const auto found = FoundScopes::ofFile("cases/r5_param_share.onnx");
    EXPECT_EQ(found.at("/q/Gemm"), (Expected{"q", {"p"}, {"aliased-parameter"}, true}));
}

TEST(NamedCases, OwnParameterIsNoDifference)
{
    const auto found = FoundScopes::ofFile("cases/d_functional.onnx");
    EXPECT_EQ(found.at("/blk/Gemm"), (Expected{"blk", {"blk"}, {}, false}));
}

TEST(NamedCases, ChildsParameterIsFunctionalUse)
{
    const auto found = FoundScopes::ofFile("cases/d_functional.onnx");
    EXPECT_EQ(found.at("/blk/Gemm_1"), (Expected{"blk", {"blk.child"}, {"functional-use"}, true}));
}

TEST(NamedCases, BiasTellsTheOwnerOfATransposedWeight)
{
    const auto found = FoundScopes::ofFile("cases/d2_functional_3d.onnx");
    EXPECT_EQ(found.at("/blk/MatMul_1"), (Expected{"blk", {"blk.child"}, {"functional-use", "renamed-tensor"}, true}));
}

TEST(NamedCases, FoldedWeightIsAGuess)
{
    const auto found = FoundScopes::ofFile("cases/e_aux_eval.onnx");
    EXPECT_EQ(found.at("/body/Conv"), (Expected{"body", {"body"}, {"renamed-tensor"}, false}));
}

TEST(NamedCases, TrainOnlyHeadRunsInATrainingExport)
{
    const auto found = FoundScopes::ofFile("cases/e2_aux_train.onnx");
    EXPECT_EQ(found.at("/aux/aux.0/Gemm"), (Expected{"aux/0", {"aux.0"}, {}, false}));
}

TEST(NamedCases, SequentialCalledWhole)
{
    const auto found = FoundScopes::ofFile("cases/f_seq_whole.onnx");
    EXPECT_EQ(
        found.at("/features/features.2/features.2.0/Conv"), (Expected{"features/2/0", {"features.2.0"}, {}, false}));
}

TEST(NamedCases, SequentialItemByItem)
{
    const auto found = FoundScopes::ofFile("cases/f2_seq_items.onnx");
    EXPECT_EQ(found.at("/features.0/Conv"), (Expected{"features.0", {"features.0"}, {"container-skipped"}, false}));
}

TEST(NamedCases, ModuleListHasNoFrame)
{
    const auto found = FoundScopes::ofFile("cases/g_modulelist.onnx");
    EXPECT_EQ(
        found.at("/layers.0/lin/Gemm"), (Expected{"layers.0/lin", {"layers.0.lin"}, {"container-skipped"}, false}));
}

TEST(NamedCases, ModuleDictItemPrintsItsKeyOnly)
{
    const auto found = FoundScopes::ofFile("cases/g_modulelist.onnx");
    EXPECT_EQ(found.at("/a/Gemm"), (Expected{"by.a", {"by.a"}, {"container-skipped"}, false}));
}

TEST(NamedCases, RepackedLstmIsAGuess)
{
    const auto found = FoundScopes::ofFile("cases/h_lstm.onnx");
    EXPECT_EQ(found.at("/rnn/LSTM"), (Expected{"rnn", {"rnn"}, {"renamed-tensor"}, false}));
}

TEST(NamedCases, CellInALoopIsASharedModule)
{
    const auto found = FoundScopes::ofFile("cases/h3_lstmcell_loop.onnx");
    EXPECT_EQ(found.at("/cell_2/Gemm"), (Expected{"cell#2", {"cell"}, {"shared-module"}, true}));
}

TEST(NamedCases, DeepContainersAreFilledIn)
{
    const auto found = FoundScopes::ofFile("cases/i2_bertlike.onnx");
    EXPECT_EQ(found.at("/layer.1/self/query/MatMul"),
        (Expected{"encoder.layer.1/attention.self/query", {"encoder.layer.1.attention.self.query"},
            {"container-skipped", "renamed-tensor"}, false}));
}

TEST(NamedCases, ATransposeInTheGraphIsFollowed)
{
    const auto found = FoundScopes::ofFile("cases/i3_bertlike_nofold.onnx");
    EXPECT_EQ(found.at("/layer.1/self/query/MatMul"),
        (Expected{"encoder.layer.1/attention.self/query", {"encoder.layer.1.attention.self.query"},
            {"container-skipped"}, false}));
}

TEST(NamedCases, AttentionOfPyTorch)
{
    const auto found = FoundScopes::ofFile("cases/i_transformer.onnx");
    EXPECT_EQ(found.at("/enc/layers.0/self_attn/MatMul"),
        (Expected{
            "enc/layers.0/self_attn", {"enc.layers.0.self_attn"}, {"container-skipped", "renamed-tensor"}, false}));
}

TEST(NamedCases, ChildOfAModuleThatWasNotCalled)
{
    const auto found = FoundScopes::ofFile("cases/k_buffers.onnx");
    EXPECT_EQ(found.at("/fc/Gemm"), (Expected{"b.fc", {"b.fc"}, {"bypassed-call", "merged-calls"}, false}));
}

TEST(NamedCases, BufferReadOutsideItsModule)
{
    const auto found = FoundScopes::ofFile("cases/k_buffers.onnx");
    EXPECT_EQ(found.at("/Add"), (Expected{"", {"b"}, {"functional-use"}, true}));
}

TEST(NamedCases, TracedModulePrintsPlainNames)
{
    const auto found = FoundScopes::ofFile("cases/q_jit_traced.onnx");
    EXPECT_EQ(found.at("/features/2/0/Conv"), (Expected{"features/2/0", {"features.2.0"}, {}, false}));
}

TEST(NamedCases, NameThatLooksLikeASecondCall)
{
    const auto found = FoundScopes::ofFile("cases/r2_clash.onnx");
    EXPECT_EQ(found.at("/fc_1/Gemm"), (Expected{"fc_1", {"fc_1"}, {}, false}));
}

TEST(NamedCases, SecondCallThatLooksLikeAName)
{
    const auto found = FoundScopes::ofFile("cases/r2_clash.onnx");
    EXPECT_EQ(found.at("/fc_1/Gemm_1"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
}

TEST(NamedCases, SilentContainersAreNotASecondCall)
{
    const auto found = FoundScopes::ofFile("cases/r3_two_containers.onnx");
    EXPECT_EQ(found.at("/layer.0/lin_1/Gemm"),
        (Expected{"decoder.layer.0/lin", {"decoder.layer.0.lin"}, {"container-skipped"}, false}));
}

TEST(NamedCases, WorkBesideASilentContainer)
{
    const auto found = FoundScopes::ofFile("cases/r3_two_containers.onnx");
    EXPECT_EQ(found.at("/layer.0_1/Mul"), (Expected{"decoder.layer.0", {}, {"container-skipped"}, false}));
}

TEST(NamedCases, WeightNormKeepsItsBias)
{
    const auto found = FoundScopes::ofFile("cases/r6_weight_norm.onnx");
    EXPECT_EQ(found.at("/c/Conv"), (Expected{"c", {"c"}, {"renamed-tensor"}, false}));
}

TEST(NamedCases, ChildCallsFollowTheirParents)
{
    const auto found = FoundScopes::ofFile("cases/r_repeat_nested.onnx");
    EXPECT_EQ(found.at("/blk/lin_2/Gemm"), (Expected{"blk#2/lin#2", {"blk.lin"}, {"shared-module"}, true}));
}

TEST(NamedCases, CallsOfAModuleWithTwoInputs)
{
    const auto found = FoundScopes::ofFile("cases/n5_calls_two_in.onnx");
    EXPECT_EQ(found.at("/t/w_1/Gemm"), (Expected{"t#1/w#1", {"t.w"}, {"shared-module"}, true}));
}

TEST(NamedCases, OldOpsetHasTheSameScopes)
{
    const auto found = FoundScopes::ofFile("cases/m2_opset7_old.onnx");
    EXPECT_EQ(found.at("/dec/proj/Gemm"),
        (Expected{"dec/@enc.proj#1", {"enc.proj"}, {"foreign-call", "shared-module"}, true}));
}

TEST(NamedCases, InitializersAsInputsAreParameters)
{
    const auto found = FoundScopes::ofFile("cases/m_inits_as_inputs.onnx");
    EXPECT_EQ(found.at("/dec/own/Gemm"), (Expected{"dec/own", {"dec.own"}, {}, false}));
}

TEST(NamedCases, BranchesKeepTheirScopes)
{
    const auto found = FoundScopes::ofFile("cases/j2_scripted.onnx");
    EXPECT_EQ(found.at("/If::else_branch::/b/Gemm"), (Expected{"If [else]/b", {"b"}, {}, false}));
}

TEST(NamedCases, FunctionBodyRunsInItsCall)
{
    const auto found = FoundScopes::ofFile("cases/n3_functions_mlist.onnx");
    EXPECT_EQ(found.at("/layers.1/Block::Add_2"), (Expected{"layers.1", {}, {"container-skipped"}, false}));
}

TEST(NamedCases, ChildInAFunctionBodyIsFoundByItsParameters)
{
    const auto found = FoundScopes::ofFile("cases/n3_functions_mlist.onnx");
    EXPECT_EQ(found.at("/layers.1/Block::Gemm_0"),
        (Expected{"layers.1/lin", {"layers.1.lin"}, {"container-skipped"}, false}));
}

TEST(NamedCases, FunctionsInsideFunctions)
{
    const auto found = FoundScopes::ofFile("cases/n_functions_all.onnx");
    EXPECT_EQ(
        found.at("/CallsTwoIn::TwoIn_1::Linear_4::Gemm_8"), (Expected{"t#1/w#1", {"t.w"}, {"shared-module"}, true}));
}

TEST(NamedCases, ProvenanceSaysHowGoodAFactIs)
{
    EXPECT_EQ(FoundScopes::ofFile("cases/a_sibling.onnx").provenance("/enc/proj/Gemm"), "name/name");
    EXPECT_EQ(FoundScopes::ofFile("cases/i2_bertlike.onnx").provenance("/layer.0/ff/MatMul"), "name/dataflow");
    EXPECT_EQ(FoundScopes::ofFile("cases/h_lstm.onnx").provenance("/rnn/LSTM"), "name/guess");
    EXPECT_EQ(FoundScopes::ofFile("cases/h_lstm.onnx").provenance("Unsqueeze_6"), "dataflow/recorded");
}

/// x -> MatMul of `first` -> three nodes without scopes -> MatMul of `second`.
FoundScopes namelessBetween(const std::string& first, const std::string& second, const std::string& inTheMiddle)
{
    return FoundScopes(ModelBuilder()
                           .producer("pytorch")
                           .input("x", {1, 4})
                           .weight("w", {4, 4})
                           .node("MatMul", "/" + first + "/MatMul", {"x", "w"}, {"a"})
                           .node("Shape", "Shape_1", {"a"}, {"b"})
                           .node(inTheMiddle, "Middle_2", {"b"}, {"c"})
                           .node("Cast", "Cast_3", {"c"}, {"d"})
                           .node("Mul", "/" + second + "/Mul", {"a", "d"}, {"e"})
                           .output("e")
                           .build());
}

TEST(NamedCases, NamelessShapesBetweenNodesOfOneModuleRunThere)
{
    const auto found = namelessBetween("att", "att", "Identity");
    for (const std::string node : {"Shape_1", "Middle_2", "Cast_3"}) {
        EXPECT_EQ(found.node(node).execution, "att");
        EXPECT_EQ(found.provenance(node).substr(0, 8), "dataflow") << node;
    }
}

TEST(NamedCases, NamelessNodesBetweenTwoModulesOrBesideOtherWorkAreAGuess)
{
    const auto between = namelessBetween("att", "mlp", "Identity");
    EXPECT_EQ(between.provenance("Middle_2").substr(0, 5), "guess");
    EXPECT_EQ(namelessBetween("att", "att", "Exp").provenance("Middle_2").substr(0, 5), "guess");
}

TEST(NamedCases, ExporterMadeNodesLieWithTheirNeighbours)
{
    const auto lstm = FoundScopes::ofFile("cases/h_lstm.onnx");
    EXPECT_EQ(lstm.at("Unsqueeze_6"), (Expected{"rnn", {}, {"exporter-made"}, false}));
    const auto control = FoundScopes::ofFile("cases/j_control.onnx");
    EXPECT_EQ(control.at("Loop_3::body::If_8::else_branch::Sub_12"),
        (Expected{"Loop_3 [body]/If_8 [else]", {}, {"exporter-made"}, false}));
}

TEST(NamedCases, IdentityAliasStandsForTheKeyItNames)
{
    const auto found = FoundScopes::ofFile("cases/c2_equal_not_tied.onnx");
    EXPECT_EQ(found.at("Identity_0"), (Expected{"b", {"b"}, {"equal-values", "exporter-made"}, false}));
    EXPECT_EQ(found.node("/b/Conv").keys, (std::vector<std::string>{"b.weight", "b.bias"}));
    EXPECT_EQ(found.scopes.keys, 4);
    EXPECT_EQ(found.scopes.matchedBy, (std::map<std::string, std::int64_t>{{"name", 4}}));
}

TEST(NamedCases, ClassesComeFromLocalFunctions)
{
    const auto found = FoundScopes::ofFile("cases/n_functions_all.onnx");
    EXPECT_EQ(found.node("/CallsTwoIn::TwoIn_0::Linear_4::Gemm_8").longForm, "CallsTwoIn/TwoIn[t]/Linear[w]");
}

TEST(NamedCases, ConstantsOfTheFirstStepDoNotSpreadTheirParameters)
{
    const auto found = FoundScopes::ofFile("cases/h3_lstmcell_loop.onnx");
    EXPECT_EQ(found.at("/cell/Add"), (Expected{"cell", {}, {"shared-module"}, true}));
}

} // namespace
} // namespace duo::test
