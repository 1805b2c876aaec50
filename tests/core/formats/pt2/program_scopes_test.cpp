// SPDX-License-Identifier: Apache-2.0
// Golden scopes of real programs, saved by PyTorch 2.15 (archive layout) and 2.5.1 (flat layout).
#include "tests/core/formats/pt2/program_scopes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;

/// Both layouts say the same unless a test tells otherwise.
class ProgramScopes : public testing::TestWithParam<const char*>
{
protected:
    static FoundScopes of(const std::string& name) { return scopesOfProgram(std::string(GetParam()) + "/" + name); }
    static bool isFlat() { return std::string(GetParam()) == "flat"; }
};

INSTANTIATE_TEST_SUITE_P(Layouts, ProgramScopes, testing::Values("archive", "flat"),
    [](const auto& layout) { return std::string(layout.param); });

TEST_P(ProgramScopes, SiblingsChildIsAForeignCall)
{
    const auto found = of("a_sibling");
    EXPECT_EQ(
        found.at("linear_1"), (Expected{"dec/@enc.proj#1", {"enc.proj"}, {"foreign-call", "shared-module"}, true}));
    EXPECT_EQ(found.node("linear_1").longForm, "Sibling/Dec[dec]/Linear[@enc.proj#1]");
    // Without strict, PyTorch 2.5 records the path "proj"; what it reads tells the module.
    EXPECT_EQ(found.provenance("linear_1"), isFlat() ? "dataflow/recorded" : "recorded/recorded");
    EXPECT_THAT(storageCalls(found), ElementsAre("enc=1", "enc.proj=2", "enc.norm=1", "dec=1", "dec.own=1"));
}

TEST_P(ProgramScopes, StrictExportRecordsTheSame)
{
    const auto found = of("strict_sibling");
    EXPECT_EQ(
        found.at("linear_1"), (Expected{"dec/@enc.proj#1", {"enc.proj"}, {"foreign-call", "shared-module"}, true}));
    EXPECT_THAT(storageCalls(found), ElementsAre("enc=1", "enc.proj=2", "enc.norm=1", "dec=1", "dec.own=1"));
}

TEST_P(ProgramScopes, ModuleAsArgumentIsAForeignCall)
{
    const auto found = of("a2_handed");
    EXPECT_EQ(found.at("linear"), (Expected{"apply_/@fc", {"fc"}, {"foreign-call"}, true}));
    EXPECT_EQ(found.at("tanh"), (Expected{"apply_", {}, {}, false}));
}

TEST_P(ProgramScopes, ABlockCalledThreeTimesAtTwoLevels)
{
    const auto found = of("two_levels");
    EXPECT_EQ(found.at("linear_2"), (Expected{"blk/lin#2", {"blk.lin"}, {"shared-module"}, true}));
    EXPECT_EQ(found.at("linear_3"), (Expected{"blk#1/lin#3", {"blk.lin"}, {"shared-module"}, true}));
    EXPECT_EQ(found.at("linear_8"), (Expected{"blk#2/lin#8", {"blk.lin"}, {"shared-module"}, true}));
    EXPECT_EQ(found.at("relu_1"), (Expected{"act#1", {}, {}, false})); // holds no parameter: no difference
    EXPECT_THAT(storageCalls(found), ElementsAre("blk=3", "blk.lin=9", "act=2"));
}

TEST_P(ProgramScopes, ABlockCalledThreeTimes)
{
    EXPECT_EQ(of("r_repeat_nested").at("linear_2"), (Expected{"blk#2/lin#2", {"blk.lin"}, {"shared-module"}, true}));
    EXPECT_EQ(of("b_shared_twice").at("linear_1"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
    EXPECT_EQ(of("r2_clash").at("linear_2"), (Expected{"fc#1", {"fc"}, {"shared-module"}, true}));
}

TEST_P(ProgramScopes, AnAliasIsTheSameModule)
{
    const auto found = of("b2_shared_alias");
    // Without strict, PyTorch 2.5 records the first path whatever was used.
    EXPECT_EQ(found.at("linear_1"),
        (Expected{isFlat() ? "fc#1" : "alias#1", {"fc"}, {"aliased-parameter", "shared-module"}, true}));
    EXPECT_THAT(storageCalls(found), ElementsAre("fc=2", "alias=2"));
    EXPECT_EQ(found.model->modules,
        (std::vector<RecordedModule>{{"", "export_cases.SharedAlias", ""}, {"fc", "torch.nn.modules.linear.Linear", ""},
            {"alias", "torch.nn.modules.linear.Linear", "fc"}}));
}

TEST_P(ProgramScopes, SharedBlockUnderAnotherParent)
{
    const Expected fourth{"b/blk#3/lin#3", {"a.blk.lin"}, {"aliased-parameter", "shared-module"}, true};
    EXPECT_EQ(of("strict_parent_rep").at("linear_3"), fourth);
    EXPECT_THAT(storageCalls(of("strict_parent_rep")),
        ElementsAre("a=1", "a.blk=6", "a.blk.lin=6", "b=1", "b.blk=6", "b.blk.lin=6"));
    if (!isFlat()) { // PyTorch 2.5 records the first path without strict
        EXPECT_EQ(of("r4_parent_rep").at("linear_3"), fourth);
    }
}

TEST_P(ProgramScopes, ModulesThatShareParametersOnly)
{
    // Strict export names objects: these are two. Without it, sharing everything looks like being one.
    const auto found = of("strict_param_share");
    EXPECT_EQ(found.at("linear_1"), (Expected{"q", {"p"}, {"aliased-parameter"}, true}));
    EXPECT_EQ(found.at("linear"), (Expected{"p", {"p"}, {"aliased-parameter"}, false}));
    EXPECT_THAT(storageCalls(found), ElementsAre("p=1", "q=1"));
}

TEST_P(ProgramScopes, TiedWeightBelongsToItsFirstKey)
{
    const auto found = of("c_tied");
    EXPECT_EQ(found.at("linear_1"), (Expected{"head", {"emb"}, {"aliased-parameter"}, true}));
    EXPECT_EQ(found.at("embedding"), (Expected{"emb", {"emb"}, {"aliased-parameter"}, false}));
    EXPECT_EQ(found.node("linear_1").keys, (std::vector<std::string>{"emb.weight", "head.weight"}));
    EXPECT_EQ(found.scopes.storage.scopes.front().totalParameters, 60); // the tied one counts once
}

TEST_P(ProgramScopes, EqualValuesAreNoTie)
{
    EXPECT_EQ(of("c2_equal_not_tied").at("conv2d_1"), (Expected{"b", {"b"}, {}, false}));
}

TEST_P(ProgramScopes, ChildsParameterIsFunctionalUse)
{
    const auto found = of("d_functional");
    EXPECT_EQ(found.at("linear_1"), (Expected{"blk", {"blk.child"}, {"functional-use"}, true}));
    EXPECT_EQ(found.at("linear"), (Expected{"blk", {"blk"}, {}, false}));
    EXPECT_THAT(storageCalls(found), ElementsAre("blk=1", "blk.child=0"));
    EXPECT_TRUE(found.scopes.neverExecuted.empty()); // it never runs, and yet is read
}

TEST_P(ProgramScopes, AHeadThatOnlyTrainsNeverRuns)
{
    const auto found = of("e_aux_eval");
    EXPECT_EQ(found.scopes.neverExecuted, std::vector<std::string>{"aux"});
    EXPECT_THAT(storageCalls(found), ElementsAre("body=1", "bn=1", "head=1", "aux=0", "aux.0=0", "aux.1=0", "aux.2=0"));
    EXPECT_EQ(found.scopes.keys, 13);
}

TEST_P(ProgramScopes, SequentialItemByItemAndWhole)
{
    const auto items = of("f2_seq_items");
    EXPECT_EQ(items.at("conv2d"), (Expected{"features.0", {"features.0"}, {"container-skipped"}, false}));
    EXPECT_EQ(items.at("conv2d_1"), (Expected{"features.2/0", {"features.2.0"}, {"container-skipped"}, false}));
    const auto whole = of("f_seq_whole");
    EXPECT_EQ(whole.at("conv2d"), (Expected{"features/0", {"features.0"}, {}, false}));
    EXPECT_EQ(whole.node("conv2d_1").longForm, "SeqWhole/Sequential[features]/Sequential[2]/Conv2d[0]");
}

TEST_P(ProgramScopes, ListsAndDictionariesOfModules)
{
    const auto found = of("g_modulelist");
    EXPECT_EQ(found.at("linear_3"), (Expected{"by.a", {"by.a"}, {"container-skipped"}, false}));
    EXPECT_EQ(found.at("linear_1"), (Expected{"layers.1/lin", {"layers.1.lin"}, {"container-skipped"}, false}));
    EXPECT_EQ(found.scopes.storage.scope(found.scopes.storage.find("layers")).calls, 0);
}

TEST_P(ProgramScopes, LstmReadsItsFourKeys)
{
    const auto found = of("h_lstm");
    const Node* lstm = nullptr;
    for (const Node& node : found.model->nodes)
        lstm = node.opType == "aten.lstm.input" ? &node : lstm;
    ASSERT_NE(lstm, nullptr);
    EXPECT_EQ(found.at(lstm->name), (Expected{"rnn", {"rnn"}, {}, false}));
    EXPECT_EQ(found.node(lstm->name).keys,
        (std::vector<std::string>{"rnn.weight_ih_l0", "rnn.weight_hh_l0", "rnn.bias_ih_l0", "rnn.bias_hh_l0"}));
}

TEST_P(ProgramScopes, ACellInALoopIsASharedModule)
{
    const auto found = of("h3_lstmcell_loop");
    EXPECT_EQ(found.scopes.storage.scope(found.scopes.storage.find("cell")).calls, 3);
    EXPECT_TRUE(found.scopes.execution.find("cell#2").valid());
}

TEST_P(ProgramScopes, DeepContainers)
{
    const auto found = of("i2_bertlike");
    EXPECT_EQ(found.at("linear_4"),
        (Expected{"encoder.layer.1/attention.self/query", {"encoder.layer.1.attention.self.query"},
            {"container-skipped"}, false}));
    EXPECT_EQ(found.node("linear_4").longForm, "Bert/BertLayer[encoder.layer.1]/Attn[attention.self]/Linear[query]");
}

TEST_P(ProgramScopes, ChildOfAModuleThatWasNotCalled)
{
    const auto found = of("k_buffers");
    EXPECT_EQ(found.at("linear"), (Expected{"b.fc", {"b.fc"}, {"bypassed-call", "shared-module"}, true}));
    EXPECT_EQ(found.at("linear_1"), (Expected{"b/fc#1", {"b.fc"}, {"shared-module"}, true}));
    EXPECT_EQ(found.at("add"), (Expected{"", {"b"}, {"functional-use"}, true}));
}

TEST_P(ProgramScopes, SilentContainers)
{
    const auto found = of("r3_two_containers");
    EXPECT_EQ(found.at("mul_2"), (Expected{"decoder.layer.0", {}, {"container-skipped"}, false}));
    EXPECT_EQ(
        found.at("linear_2"), (Expected{"decoder.layer.0/lin", {"decoder.layer.0.lin"}, {"container-skipped"}, false}));
}

TEST_P(ProgramScopes, BranchesAndLoopBodies)
{
    const auto found = of("strict_control");
    // Before schema 8.8 nodes with lists of results have no name in the file.
    const std::string cond = isFlat() ? "higher_order.cond:getitem" : "cond";
    const std::string loop = isFlat() ? "higher_order.while_loop:while_loop_unused_0" : "while_loop";
    const std::string condRow = isFlat() ? "higher_order.cond_0" : "cond";
    const std::string loopRow = isFlat() ? "higher_order.while_loop_0" : "while_loop";
    EXPECT_EQ(found.at(cond + "::true_graph_0::linear"),
        (Expected{condRow + " [true_graph_0]/a", {"a"}, {"shared-module"}, true}));
    EXPECT_EQ(found.at(cond + "::false_graph_0::linear"), (Expected{condRow + " [false_graph_0]/b", {"b"}, {}, false}));
    EXPECT_EQ(found.at(loop + "::while_loop_body_graph_0::linear"),
        (Expected{loopRow + " [while_loop_body_graph_0]/a#1", {"a"}, {"shared-module"}, true}));
}

TEST(ArchiveScopes, WithoutStrictBodiesHaveNoScopesOfTheirOwn)
{
    const auto found = scopesOfProgram("archive/branch");
    EXPECT_EQ(
        found.at("cond::true_graph_0::linear"), (Expected{"cond [true_graph_0]", {"a"}, {"exporter-made"}, false}));
    EXPECT_EQ(found.provenance("cond::true_graph_0::linear"), "guess/recorded");
    EXPECT_EQ(found.at("cond"), (Expected{"", {}, {}, false}));
}

TEST(ArchiveScopes, TwoParentsKeepTheirCalls)
{
    const auto found = scopesOfProgram("archive/b3_shared_parents");
    EXPECT_EQ(
        found.at("conv2d"), (Expected{"left/inner", {"left.inner"}, {"aliased-parameter", "shared-module"}, true}));
    EXPECT_EQ(found.at("conv2d_1"),
        (Expected{"right/inner#1", {"left.inner"}, {"aliased-parameter", "shared-module"}, true}));
}

} // namespace
} // namespace duo::test
