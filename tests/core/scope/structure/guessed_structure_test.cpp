// SPDX-License-Identifier: Apache-2.0
// Files that tell no scopes: what repeats in them, as a guess.
#include "core/rules/match.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;

/// Networks without a name that tells anything. Values are numbered as they are made.
class Nameless
{
public:
    Nameless() { m_builder.input("x", {1, 8, 8, 8}); }

    std::string layer(const std::string& type, const std::string& from, std::vector<std::int64_t> weight)
    {
        const std::string name = "w" + std::to_string(m_count);
        m_builder.weight(name, std::move(weight));
        return add(type, {from, name});
    }

    std::string conv(const std::string& from, std::int64_t kernel = 3, std::int64_t width = 8)
    {
        return layer("Conv", from, {width, 8, kernel, kernel});
    }

    std::string add(const std::string& type, const std::vector<std::string>& inputs)
    {
        const std::string value = "v" + std::to_string(m_count++);
        m_builder.node(type, "", inputs, {value});
        return value;
    }

    std::string residual(const std::string& from, std::int64_t width = 8)
    {
        const std::string first = add("Relu", {conv(from, 3, width)});
        return add("Relu", {add("Add", {conv(first, 3, width), from})});
    }

    std::string attention(const std::string& from)
    {
        const std::string q = layer("MatMul", from, {8, 8});
        const std::string k = add("Transpose", {layer("MatMul", from, {8, 8})});
        const std::string weights = add("Softmax", {add("MatMul", {q, k})});
        const std::string values = add("MatMul", {weights, layer("MatMul", from, {8, 8})});
        const std::string sum = add("Add", {layer("MatMul", values, {8, 8}), from});
        return add("Add", {layer("MatMul", add("Gelu", {layer("MatMul", sum, {8, 32})}), {32, 8}), sum});
    }

    FoundScopes found(const std::string& output)
    {
        m_builder.output(output);
        return FoundScopes(m_builder.build());
    }

private:
    ModelBuilder m_builder;
    int m_count = 0;
};

TEST(GuessedStructure, EqualBlocksInARowAreARepetition)
{
    Nameless net;
    std::string value = net.add("Relu", {net.conv("x", 7)});
    for (int i = 0; i < 3; ++i)
        value = net.residual(value);
    const auto found = net.found(net.layer("Gemm", net.add("GlobalAveragePool", {value}), {8, 10}));
    EXPECT_THAT(found.paths(found.scopes.execution),
        IsSupersetOf({"conv-relu", "block×3", "block×3/0", "block×3/0/conv-relu", "block×3/2"}));
    EXPECT_EQ(found.node("Conv:v2").execution, "block×3/0/conv-relu");
    EXPECT_EQ(found.node("Relu:v6").execution, "block×3/0");
    EXPECT_EQ(found.node("GlobalAveragePool:v17").execution, "");
}

TEST(GuessedStructure, AllOfItIsAGuessAndNothingDiffers)
{
    Nameless net;
    const auto found = net.found(net.residual(net.residual("x")));
    for (const NodeScope& node : found.scopes.nodes) {
        EXPECT_EQ(node.executionFrom, Provenance::Guess);
        EXPECT_FALSE(node.differs);
        EXPECT_TRUE(node.storage.empty() || node.storageFrom == Provenance::Guess);
    }
}

TEST(GuessedStructure, ParametersLiveInTheBlockThatUsesThem)
{
    Nameless net;
    const auto found = net.found(net.residual(net.residual("x")));
    EXPECT_THAT(found.node("Conv:v0").storage, ElementsAre("block×2.0.conv-relu"));
    EXPECT_THAT(found.node("Conv:v2").storage, ElementsAre("block×2.0"));
    EXPECT_THAT(found.paths(found.scopes.storage), Contains("block×2.1.conv-relu"));
}

TEST(GuessedStructure, WidthsMakeNoDifferenceKernelsDo)
{
    Nameless wide;
    EXPECT_THAT(wide.found(wide.residual(wide.residual("x", 8), 16)).scopes.execution.scopes,
        Contains(testing::Field(&Scope::path, "block×2")));
    Nameless mixed;
    const std::string first = mixed.add("Relu", {mixed.conv("x", 1)});
    const auto found = mixed.found(mixed.add("Relu", {mixed.conv(mixed.add("Relu", {mixed.conv(first, 3)}), 5)}));
    EXPECT_THAT(found.paths(found.scopes.execution), ElementsAre("conv-relu", "conv-relu-1", "conv-relu-2"));
}

TEST(GuessedStructure, LayersOfATransformerAreOneRepetition)
{
    Nameless net;
    std::string value = net.layer("MatMul", "x", {8, 8});
    for (int i = 0; i < 4; ++i)
        value = net.attention(value);
    const auto found = net.found(net.add("ReduceMean", {value}));
    std::size_t repeated = 0;
    for (const Scope& scope : found.scopes.execution.scopes)
        repeated += scope.parent == ScopeId(0) && scope.name.ends_with("×4") ? 1 : 0;
    EXPECT_EQ(repeated, 1U);
}

TEST(GuessedStructure, StagesHoldTheirBlocks)
{
    Nameless net;
    std::string value = "x";
    for (const int blocks : {2, 3, 1}) {
        value = net.add("MaxPool", {net.conv(value, 5)});
        for (int i = 0; i < blocks; ++i)
            value = net.residual(value);
    }
    const auto found = net.found(value);
    EXPECT_THAT(found.paths(found.scopes.execution),
        IsSupersetOf({"block×3", "block×3/0/block×2/1", "block×3/1/block×3/2", "block×3/2"}));
}

TEST(GuessedStructure, BranchesSideBySideAreARepetition)
{
    Nameless net;
    std::vector<std::string> heads;
    for (int i = 0; i < 5; ++i)
        heads.push_back(net.add("Relu", {net.conv("x", 1)}));
    const auto found = net.found(net.add("Concat", heads));
    EXPECT_THAT(found.paths(found.scopes.execution),
        ElementsAre(
            "conv-relu×5", "conv-relu×5/0", "conv-relu×5/1", "conv-relu×5/2", "conv-relu×5/3", "conv-relu×5/4"));
}

TEST(GuessedStructure, WhatDoesNotRepeatHasNoBlocks)
{
    ModelBuilder builder;
    builder.input("x").output("y");
    builder.node("Relu", "", {"x"}, {"a"}).node("Sigmoid", "", {"a"}, {"b"}).node("Exp", "", {"b"}, {"y"});
    const FoundScopes found(builder.build());
    EXPECT_THAT(found.paths(found.scopes.execution), IsEmpty());
}

TEST(GuessedStructure, ALongChainOfOneOperatorIsNotDeep)
{
    Nameless net;
    std::string value = "x";
    for (int i = 0; i < 3000; ++i)
        value = net.conv(value, 1);
    const auto found = net.found(value);
    EXPECT_THAT(found.paths(found.scopes.execution), ElementsAre("conv×3000"));
}

TEST(GuessedStructure, RulesHoldByTheNodesTheyMeantWhereItIsGuessedOtherwise)
{
    Nameless two;
    const auto before = two.found(two.residual(two.residual("x")));
    Rule rule;
    rule.kind = RuleKind::ExecutionScope;
    rule.value = "block×2/1";
    const RuleSet kept = withMeantNodes(*before.model, before.scopes, {{rule}, true});
    EXPECT_THAT(kept.rules[0].nodes, ElementsAre("Conv:v5", "Relu:v6", "Conv:v7", "Add:v8", "Relu:v9"));

    Nameless three; // "block×3" now
    const auto after = three.found(three.residual(three.residual(three.residual("x"))));
    const RuleHits hits = matchRules(*after.model, after.scopes, kept);
    std::vector<std::string> names;
    for (const NodeId node : hits.hits[0].nodes)
        names.push_back(after.model->node(node).name);
    EXPECT_EQ(names, kept.rules[0].nodes);
}

TEST(GuessedStructure, BoundsThatAllClipsShareSayNothingAgainstTheNamesOfWeights)
{
    ModelBuilder builder;
    builder.input("x", {1, 8, 8, 8}).weight("min_val_cast", {}).weight("max_val_cast", {});
    std::string value = "x";
    for (int i = 0; i < 6; ++i) {
        const std::string conv = "features." + std::to_string(i) + ".0";
        const std::string made = "c" + std::to_string(i);
        builder.weight(conv + ".weight", {8, 8, 1, 1}).node("Conv", "n" + made, {value, conv + ".weight"}, {made});
        value = "r" + std::to_string(i);
        builder.node("Clip", "n" + value, {made, "min_val_cast", "max_val_cast"}, {value});
    }
    const FoundScopes place(builder.output(value).build());
    EXPECT_EQ(place.node("nc2").execution, "features/2/0");
    EXPECT_EQ(place.node("nr2").execution, "features/3/0") << "with what reads it";
}

TEST(GuessedStructure, ScopesThatTheFileTellsNeedNoNodes)
{
    const auto found = FoundScopes::ofFile("cases/a_sibling.onnx");
    Rule rule;
    rule.kind = RuleKind::ExecutionScope;
    rule.value = "dec";
    EXPECT_THAT(withMeantNodes(*found.model, found.scopes, {{rule}, true}).rules[0].nodes, IsEmpty());
    rule.nodes = {"/enc/proj/Gemm"}; // kept from a file that did not tell
    const RuleHits hits = matchRules(*found.model, found.scopes, {{rule}, true});
    EXPECT_EQ(hits.hits[0].nodes.size(), 3U);
}

} // namespace
} // namespace duo::test
