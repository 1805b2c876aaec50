// SPDX-License-Identifier: Apache-2.0
// How calls are told apart and written (resources/docs/scopes.md, "Calls"), on models written down here.
#include "tests/core/scope/chain.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(CallTree, ABlockCalledThreeTimesHoldingThreeCallsEach)
{
    Chain chain;
    const char* suffix[] = {"", "_1", "_2", "_3", "_4", "_5", "_6", "_7", "_8"};
    for (int block = 0; block < 3; ++block) {
        for (int lin = 0; lin < 3; ++lin)
            chain.named("Gemm", std::string("/blk/lin") + suffix[block * 3 + lin] + "/Gemm", "blk.lin.weight");
        chain.named("Mul", std::string("/blk") + suffix[block] + "/Mul");
    }
    const auto found = chain.found();
    EXPECT_EQ(found.node("/blk/lin/Gemm").execution, "blk/lin");
    EXPECT_EQ(found.node("/blk/lin_2/Gemm").execution, "blk/lin#2");
    EXPECT_EQ(found.node("/blk/lin_3/Gemm").execution, "blk#1/lin#3");
    EXPECT_EQ(found.node("/blk/lin_6/Gemm").execution, "blk#2/lin#6");
    EXPECT_EQ(found.node("/blk_2/Mul").execution, "blk#2");
}

TEST(CallTree, WorkAfterTheLastChildStaysInItsCall)
{
    Chain chain;
    for (const std::string n : {"", "_1"})
        chain.named("Gemm", "/blk/lin" + n + "/Gemm", "blk.lin.weight")
            .named("Mul", "/blk" + n + "/Mul")
            .named("Relu", "/blk/act" + n + "/Relu");
    const auto found = chain.found();
    EXPECT_EQ(found.node("/blk/act/Relu").execution, "blk/act");
    EXPECT_EQ(found.node("/blk/lin_1/Gemm").execution, "blk#1/lin#1");
    EXPECT_EQ(found.node("/blk/act_1/Relu").execution, "blk#1/act#1");
}

TEST(CallTree, AnActivationUsedTwiceInsideDoesNotSplitItsBlock)
{
    Chain chain;
    for (const std::string n : {"", "_1"}) {
        const std::string second = n.empty() ? "_1" : "_3";
        chain.named("Relu", "/blk/act" + (n.empty() ? std::string() : std::string("_2")) + "/Relu")
            .named("Gemm", "/blk/a" + n + "/Gemm", "blk.a.weight")
            .named("Relu", "/blk/act" + second + "/Relu")
            .named("Gemm", "/blk/b" + n + "/Gemm", "blk.b.weight")
            .named("Mul", "/blk" + n + "/Mul");
    }
    const auto found = chain.found();
    EXPECT_EQ(found.node("/blk/act_1/Relu").execution, "blk/act#1");
    EXPECT_EQ(found.node("/blk/act_2/Relu").execution, "blk#1/act#2");
    EXPECT_EQ(found.node("/blk/b_1/Gemm").execution, "blk#1/b#1");
}

TEST(CallTree, ASequentialRunsEachItemOncePerCall)
{
    Chain chain;
    for (const std::string n : {"", "_1"})
        chain.named("Gemm", "/net/net.0" + n + "/Gemm", "net.0.weight").named("Relu", "/net/net.1" + n + "/Relu");
    const auto found = chain.found();
    EXPECT_EQ(found.node("/net/net.1/Relu").execution, "net/1");
    EXPECT_EQ(found.node("/net/net.0_1/Gemm").execution, "net#1/0#1");
}

TEST(CallTree, ARecordedLinearThatReadsItsWeightAgainIsCalledAgain)
{
    const std::string linear = "torch.nn.modules.linear.Linear";
    Chain chain;
    chain.recorded("linear", "fc", linear, "aten.linear.default", "fc.weight")
        .recorded("linear_1", "fc", linear, "aten.linear.default", "fc.weight");
    const auto found = chain.found();
    EXPECT_EQ(found.node("linear").execution, "fc");
    EXPECT_EQ(found.node("linear_1").execution, "fc#1");
}

TEST(CallTree, OneChildAgainAndAgainIsALoopInsideOneCall)
{
    Chain chain;
    for (const std::string n : {"", "_1", "_2"})
        chain.recorded("linear" + n, "dec|dec.lin", "app.Decoder|torch.nn.modules.linear.Linear", "aten.linear.default",
            "dec.lin.weight");
    EXPECT_EQ(chain.found().node("linear_2").execution, "dec/lin#2");
}

TEST(CallTree, AListOfOneItemIsWalkedOncePerCall)
{
    Chain chain;
    for (const std::string n : {"", "_1", "_2"}) {
        chain.named("Gemm", "/group/layers.0/lin" + n + "/Gemm", "group.layers.0.lin.weight");
        chain.named("Relu", "/group/layers.0" + n + "/Relu");
    }
    const auto found = chain.found();
    EXPECT_EQ(found.node("/group/layers.0/lin/Gemm").execution, "group/layers.0/lin");
    EXPECT_EQ(found.node("/group/layers.0/lin_2/Gemm").execution, "group#2/layers.0#2/lin#2");
}

TEST(CallTree, AListMayBeWalkedBackwards)
{
    Chain chain;
    for (const std::string item : {"2", "1", "0"})
        chain.recorded("linear_" + item, "up|up.layers." + item, "app.Up|torch.nn.modules.linear.Linear",
            "aten.linear.default", "up.layers." + item + ".weight");
    EXPECT_EQ(chain.found().node("linear_0").execution, "up/layers.0");
}

TEST(CallTree, CallsSideBySideAreToldBySuffixesInAnyOrder)
{
    for (const bool isSecondFirst : {false, true}) {
        ModelBuilder builder;
        builder.producer("pytorch").input("a", {1, 4}).input("b", {1, 4}).weight("tower.lin.weight", {4, 4});
        for (const bool isSecond : {isSecondFirst, !isSecondFirst}) {
            const std::string n = isSecond ? "_1" : "";
            builder.node("Gemm", "/tower/lin" + n + "/Gemm", {isSecond ? "b" : "a", "tower.lin.weight"}, {"l" + n});
            builder.node("Relu", "/tower" + n + "/Relu", {"l" + n}, {"t" + n});
        }
        builder.node("Add", "/Add", {"t", "t_1"}, {"y"}).output("y");
        const FoundScopes found(builder.build());
        EXPECT_EQ(found.node("/tower/lin/Gemm").execution, "tower/lin");
        EXPECT_EQ(found.node("/tower_1/Relu").execution, "tower#1");
        EXPECT_EQ(found.node("/tower/lin_1/Gemm").execution, "tower#1/lin#1");
        EXPECT_EQ(found.provenance("/tower/lin_1/Gemm"), "name/name");
    }
}

TEST(CallTree, BranchesOfOneModuleSideBySideAreOneCall)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("head.box.weight", {4, 4}).weight("head.cls.weight", {4, 4});
    builder.node("Gemm", "/head/box/Gemm", {"x", "head.box.weight"}, {"1"}).node("Relu", "/neck/Relu", {"x"}, {"2"});
    builder.node("Gemm", "/head/cls/Gemm", {"2", "head.cls.weight"}, {"3"}).node("Add", "/head/Add", {"1", "3"}, {"y"});
    const FoundScopes found(builder.output("y").build());
    EXPECT_EQ(found.at("/head/box/Gemm"), (Expected{"head/box", {"head.box"}, {}, false}));
    EXPECT_EQ(found.at("/head/cls/Gemm"), (Expected{"head/cls", {"head.cls"}, {}, false}));
    EXPECT_EQ(found.at("/head/Add"), (Expected{"head", {}, {}, false}));
}

TEST(CallTree, ALoopThatMayBeSeveralCallsIsAGuess)
{
    Chain chain;
    for (const std::string n : {"", "_1", "_2"})
        chain.recorded("linear" + n, "dec|dec.lin", "app.Decoder|torch.nn.modules.linear.Linear", "aten.linear.default",
            "dec.lin.weight");
    EXPECT_EQ(chain.found().provenance("linear_2"), "guess/name");
}

TEST(CallTree, WorkOfOthersBetweenCallsTellsThemApart)
{
    Chain chain;
    chain.recorded("a", "ff|ff.lin", "app.Ff|app.Lin", "aten.linear.default", "ff.lin.weight")
        .recorded("b", "other", "app.Other", "aten.relu.default")
        .recorded("c", "ff|ff.lin", "app.Ff|app.Lin", "aten.linear.default", "ff.lin.weight");
    const auto found = chain.found();
    EXPECT_EQ(found.node("c").execution, "ff#1/lin#1");
    EXPECT_EQ(found.provenance("c"), "recorded/name");
    EXPECT_EQ(found.node("c").longForm, "Net/Ff[ff#1]/Lin[lin#1]");
    EXPECT_TRUE(found.node("c").differs);
    EXPECT_FALSE(found.node("b").differs);
}

TEST(CallTree, OtherLinesOfTheProgramAreOtherCalls)
{
    const std::string lin = "app.Blk|torch.nn.modules.linear.Linear";
    Chain chain;
    int n = 0;
    for (const char* line : {"3 x = self.blk(x)", "4 x = self.blk(x)"}) {
        for (const char* inner : {"8 x = self.lin(x)", "9 x = self.lin(x)", "10 x = self.lin(x)"})
            chain.recorded("linear_" + std::to_string(++n), "blk|blk.lin", lin, "aten.linear.default", "blk.lin.weight")
                .at(std::string(line) + "|" + inner + "|20 return F.linear(input, self.weight, self.bias)");
    }
    const auto found = chain.found();
    EXPECT_EQ(found.node("linear_3").execution, "blk/lin#2");
    EXPECT_EQ(found.node("linear_4").execution, "blk#1/lin#3");
}

TEST(CallTree, LinesThatComeAgainInOrderAreAnotherCall)
{
    const std::string lin = "app.Blk|torch.nn.modules.linear.Linear";
    Chain chain;
    int n = 0;
    for (int call = 0; call < 3; ++call) {
        for (const char* inner : {"8 x = self.lin(x)", "9 x = self.lin(x)", "10 x = self.lin(x)"})
            chain.recorded("linear_" + std::to_string(++n), "blk|blk.lin", lin, "aten.linear.default", "blk.lin.weight")
                .at(std::string("3 x = self.blk(x)|") + inner + "|20 return F.linear(input, self.weight, self.bias)");
    }
    const auto found = chain.found();
    EXPECT_EQ(found.node("linear_6").execution, "blk#1/lin#5");
    EXPECT_EQ(found.node("linear_7").execution, "blk#2/lin#6");
}

TEST(CallTree, ALineThatReturnsEndsItsCall)
{
    const std::string lin = "app.Blk|torch.nn.modules.linear.Linear";
    Chain chain;
    for (int n = 0; n < 4; ++n)
        chain.recorded("linear_" + std::to_string(n), "blk|blk.lin", lin, "aten.linear.default", "blk.lin.weight")
            .at("3 x = self.blk(x)|8 return self.lin(self.lin(x))|20 return F.linear(input, self.weight, self.bias)");
    const auto found = chain.found();
    EXPECT_EQ(found.node("linear_1").execution, "blk/lin#1");
    EXPECT_EQ(found.node("linear_2").execution, "blk#1/lin#2");
}

TEST(CallTree, AModuleReachedPastItsParentsRecordsItsChildrenBelowItself)
{
    Chain chain;
    chain
        .recorded(
            "a", "enc|enc.blk|enc.blk.lin", "app.Enc|app.Blk|app.Lin", "aten.linear.default", "enc.blk.lin.weight")
        .recorded("b", "dec|enc.blk|lin", "app.Dec|app.Blk|app.Lin", "aten.linear.default", "enc.blk.lin.weight")
        .recorded("c", "dec|enc.blk|act", "app.Dec|app.Blk|app.Act", "aten.relu.default");
    const auto found = chain.found();
    EXPECT_EQ(found.node("b").execution, "dec/@enc.blk#1/lin#1");
    EXPECT_EQ(found.node("c").execution, "dec/@enc.blk#1/act");
}

TEST(CallTree, AListOfTheSameNameInsideAModuleIsSkippedRatherThanTheModule)
{
    Chain chain;
    chain.named("Gemm", "/net/layers/layers.0/Gemm", "net.layers.layers.0.weight").named("Relu", "/net/layers/Relu");
    const auto found = chain.found();
    EXPECT_EQ(found.at("/net/layers/layers.0/Gemm"),
        (Expected{"net/layers/layers.0", {"net.layers.layers.0"}, {"container-skipped"}, false}));
    EXPECT_EQ(found.node("/net/layers/Relu").execution, "net/layers");
}

TEST(CallTree, AChildsNameMayHoldSlashes)
{
    Chain chain;
    chain.named("Gemm", "/by/3/3/Gemm", "by.3/3.weight").named("Gemm", "/by/3/3_1/Gemm", "by.3/3.weight");
    const auto found = chain.byPyTorch().found();
    EXPECT_EQ(found.at("/by/3/3/Gemm"), (Expected{"by/3\\/3", {"by.3/3"}, {"shared-module"}, true}));
    EXPECT_EQ(found.node("/by/3/3_1/Gemm").execution, "by/3\\/3#1");
}

TEST(CallTree, AModuleWithoutParametersThatRunsTwiceIsNoDifference)
{
    Chain chain;
    chain.named("Relu", "/act/Relu").named("Mul", "/Mul").named("Relu", "/act_1/Relu");
    const auto found = chain.found();
    EXPECT_EQ(found.at("/act_1/Relu"), (Expected{"act#1", {}, {}, false}));
}

TEST(CallTree, NamesWithSeparatorsAreEscaped)
{
    Chain chain;
    chain.recorded("a", "odd#name|odd#name.at@x/y", "app.A|app.B", "aten.relu.default");
    EXPECT_EQ(chain.found().node("a").execution, "odd\\#name/at\\@x\\/y");
}

TEST(CallTree, NamesWithSeparatorsAreNoDifference)
{
    Chain chain;
    chain.recorded("a", "odd#name", "app.A", "aten.linear.default", "odd#name.weight");
    const auto found = chain.byPyTorch().found();
    EXPECT_EQ(found.at("a"), (Expected{"odd\\#name", {"odd#name"}, {}, false}));
}

TEST(CallTree, ListsThatDoNotParseLeaveTheNodeWithItsNeighbours)
{
    Chain chain;
    chain.recorded("a", "blk", "app.Blk", "aten.relu.default");
    chain.named("Relu", "b");
    chain.recorded("c", "blk", "app.Blk", "aten.relu.default");
    EXPECT_EQ(chain.found().at("b"), (Expected{"blk", {}, {"exporter-made"}, false}));
}

TEST(CallTree, WithoutAnyScopeTheOwnersAreAGuess)
{
    Chain chain;
    chain.named("Gemm", "Gemm_0", "layer.0.weight").named("Relu", "Relu_1").named("Gemm", "Gemm_2", "layer.1.weight");
    const auto found = chain.found();
    EXPECT_EQ(found.at("Gemm_0"), (Expected{"layer/0", {"layer.0"}, {}, false}));
    EXPECT_EQ(found.provenance("Gemm_0"), "guess/name");
    EXPECT_EQ(found.node("Relu_1").execution, "layer/1");
}

} // namespace
} // namespace duo::test
