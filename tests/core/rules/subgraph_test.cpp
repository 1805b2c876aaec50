// SPDX-License-Identifier: Apache-2.0
#include "tests/core/rules/rule_match.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Rule between(std::vector<std::string> inputs, std::vector<std::string> outputs)
{
    Rule rule;
    rule.kind = RuleKind::Subgraph;
    rule.inputs = std::move(inputs);
    rule.outputs = std::move(outputs);
    return rule;
}

/// a -> b -> d -> e, a -> c -> d, c -> side
std::shared_ptr<const Model> diamond()
{
    ModelBuilder builder;
    builder.input("x", {4}).output("vside").output("ve");
    builder.node("Relu", "a", {"x"}, {"va"}).node("Relu", "b", {"va"}, {"vb"}).node("Relu", "c", {"va"}, {"vc"});
    builder.node("Add", "d", {"vb", "vc"}, {"vd"}).node("Relu", "side", {"vc"}, {"vside"});
    return builder.node("Relu", "e", {"vd"}, {"ve"}).build();
}

TEST(Subgraph, IsEveryNodeOnAPathWithBothEnds)
{
    const RuleMatch match(diamond(), {between({"a"}, {"d"}), between({"b"}, {"e"}), between({"c"}, {"side", "e"})});
    EXPECT_THAT(match.nodes(0), ElementsAre("a", "b", "c", "d"));
    EXPECT_THAT(match.nodes(1), ElementsAre("b", "d", "e"));
    EXPECT_THAT(match.nodes(2), ElementsAre("c", "d", "side", "e"));
}

TEST(Subgraph, TheSameNodeOnBothSidesIsJustThatNode)
{
    const RuleMatch match(diamond(), {between({"d"}, {"d"})});
    EXPECT_THAT(match.nodes(), ElementsAre("d"));
}

TEST(Subgraph, WithoutAPathNothingMatches)
{
    const RuleMatch match(diamond(), {between({"e"}, {"a"}), between({"b"}, {"side"})});
    EXPECT_THAT(match.nodes(0), IsEmpty());
    EXPECT_THAT(match.nodes(1), IsEmpty());
    EXPECT_EQ(match.problem(0), "");
}

TEST(Subgraph, UnknownNodesAndMissingEndsAreProblems)
{
    const RuleMatch match(diamond(), {between({"a"}, {"nope"}), between({}, {"a"}), between({"a"}, {})});
    EXPECT_EQ(match.problem(0), "no node is named 'nope'");
    EXPECT_EQ(match.problem(1), "subgraph has no inputs");
    EXPECT_EQ(match.problem(2), "subgraph has no outputs");
}

TEST(Subgraph, AControlFlowNodeTakesItsBodiesAlong)
{
    const auto match = RuleMatch::ofCase("j2_scripted", {between({"/ReduceSum"}, {"/If"})});
    EXPECT_THAT(match.nodes(),
        ElementsAre(
            "/ReduceSum", "/Greater", "/Cast", "/If", "/If::then_branch::/a/Gemm", "/If::else_branch::/b/Gemm"));
}

TEST(Subgraph, AnEndInsideABodyTakesThatBranchOnly)
{
    const auto match = RuleMatch::ofCase("j2_scripted", {between({"/If::then_branch::/a/Gemm"}, {"/If"})});
    EXPECT_THAT(match.nodes(), ElementsAre("/If", "/If::then_branch::/a/Gemm"));
}

TEST(Subgraph, ACallStandsForItsBody)
{
    const auto match = RuleMatch::ofCase("r8_functions_rep", {between({"/blk/Inner"}, {"/blk_1/Inner"})});
    const auto nodes = match.nodes();
    EXPECT_THAT(nodes, testing::IsSupersetOf({"/blk/Inner", "/blk/Inner::Gemm_0", "/blk_1/Inner::Mul_2"}));
    EXPECT_THAT(nodes, testing::Not(testing::Contains("/blk_2/Inner::Gemm_0")));
}

TEST(Subgraph, ManyPathsCostNoMoreThanOne)
{
    ModelBuilder builder;
    builder.input("x", {4});
    std::string value = "x";
    for (int i = 0; i < 200; ++i) { // 2^200 paths
        const std::string n = std::to_string(i);
        builder.node("Relu", "l" + n, {value}, {"l" + n}).node("Relu", "r" + n, {value}, {"r" + n});
        builder.node("Add", "a" + n, {"l" + n, "r" + n}, {"v" + n});
        value = "v" + n;
    }
    const RuleMatch match(builder.output(value).build(), {between({"l0"}, {"a199"})});
    EXPECT_EQ(match.nodes().size(), 599U);
}

} // namespace
} // namespace duo::test
