// SPDX-License-Identifier: Apache-2.0
// Values that say too little, or that several keys have: a second witness, an honest guess, or nothing.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// Two layers x MatMul + Add, named as TorchScript's exporter names them; `a` and `b` give the biases' names.
ModelBuilder twoLayers(const std::string& a, const std::string& b)
{
    ModelBuilder builder;
    builder.input("x", {4, 32});
    builder.weight("onnx::MatMul_1", {32, 32}, transposedValues(randomValues(1024, 1), 32, 32));
    builder.weight("onnx::MatMul_2", {32, 32}, transposedValues(randomValues(1024, 2), 32, 32));
    builder.weight(a, {32}, {0});
    if (b != a)
        builder.weight(b, {32}, {0});
    builder.node("MatMul", "/one/MatMul", {"x", "onnx::MatMul_1"}, {"h1"});
    builder.node("Add", "/one/Add", {a, "h1"}, {"h2"});
    builder.node("MatMul", "/two/MatMul", {"h2", "onnx::MatMul_2"}, {"h3"});
    builder.node("Add", "/two/Add", {b, "h3"}, {"y"});
    return builder.output("y");
}

CheckpointBuilder twoLinears()
{
    CheckpointBuilder builder;
    builder.key("one.weight", {32, 32}, randomValues(1024, 1)).key("one.bias", {32}, std::vector<float>(32, 0));
    return builder.key("two.weight", {32, 32}, randomValues(1024, 2)).key("two.bias", {32}, std::vector<float>(32, 0));
}

TEST(Witnesses, ZeroBiasWithItsNameIsWitnessed)
{
    const ContentCase found(twoLayers("one.bias", "two.bias").build(), twoLinears().build());
    EXPECT_EQ(found.at("one.bias"), (Owners{{"one.bias"}, "name", "witnessed"}));
    EXPECT_EQ(found.at("two.bias"), (Owners{{"two.bias"}, "name", "witnessed"}));
}

TEST(Witnesses, ZeroBiasBelongsToTheModuleOfTheProductBeforeIt)
{
    const ContentCase found(twoLayers("c1", "c2").build(), twoLinears().build());
    EXPECT_EQ(found.at("c1"), (Owners{{"one.bias"}, "exact", "witnessed"}));
    EXPECT_EQ(found.at("c2"), (Owners{{"two.bias"}, "exact", "witnessed"}));
    EXPECT_THAT(found.match("c2").evidence,
        testing::ElementsAre(
            "equal to 'two.bias', 32 elements", "its values alone say little", "'/two/MatMul' reads 'two.weight'"));
}

TEST(Witnesses, OneMergedTensorMayHaveAnOwnerPerReader)
{
    const ContentCase found(twoLayers("merged", "merged").build(), twoLinears().build());
    EXPECT_EQ(found.at("merged", "/one/Add"), (Owners{{"one.bias"}, "exact", "witnessed"}));
    EXPECT_EQ(found.at("merged", "/two/Add"), (Owners{{"two.bias"}, "exact", "witnessed"}));
}

TEST(Witnesses, NameOfAMergedTensorIsNoFactForEveryReader)
{
    const ContentCase found(twoLayers("one.bias", "one.bias").build(), twoLinears().build());
    EXPECT_EQ(found.at("one.bias", "/one/Add"), (Owners{{"one.bias"}, "name", "witnessed"}));
    EXPECT_EQ(found.at("one.bias", "/two/Add"), (Owners{{"two.bias"}, "exact", "witnessed"}));
}

TEST(Witnesses, RecordOfTheExporterComesFirst)
{
    const auto model = twoLayers("one.bias", "one.bias").build();
    ContentPriors priors;
    priors.keys.resize(model->nodes.size());
    priors.keys[model->findNode("/two/Add").index] = {"two.bias"};
    const ContentCase found(model, twoLinears().build(), priors);
    EXPECT_EQ(found.at("one.bias", "/two/Add"), (Owners{{"two.bias"}, "exact", "witnessed"}));
    EXPECT_EQ(found.match("one.bias", "/two/Add").evidence.back(), "the exporter recorded that '/two/Add' reads it");
}

TEST(Witnesses, IdentityAliasNamesTheKey)
{
    ModelBuilder builder;
    builder.input("x", {1, 32}).weight("a.bias", {32}, {0});
    builder.node("Identity", "Identity_0", {"a.bias"}, {"b.bias"});
    builder.node("Add", "/b/Add", {"x", "b.bias"}, {"h"}).node("Add", "/a/Add", {"h", "a.bias"}, {"y"}).output("y");
    const std::vector<float> zeros(32, 0);
    const ContentCase found(
        builder.build(), CheckpointBuilder().key("a.bias", {32}, zeros).key("b.bias", {32}, zeros).build());
    EXPECT_EQ(found.at("a.bias", "/b/Add"), (Owners{{"b.bias"}, "name", "witnessed"}));
}

/// Layer norms that all read one tensor of ones, as merged by the torch.export exporter.
std::shared_ptr<const Model> mergedNorms()
{
    ModelBuilder builder;
    builder.input("x", {1, 32}).weight("a.norm.weight", {32}, {1}).weight("a.norm.bias", {32}, {0});
    builder.node("LayerNormalization", "n1", {"x", "a.norm.weight", "a.norm.bias"}, {"h"});
    return builder.node("LayerNormalization", "n2", {"h", "a.norm.weight", "a.norm.bias"}, {"y"}).output("y").build();
}

CheckpointBuilder twoNorms()
{
    const std::vector<float> ones(32, 1);
    const std::vector<float> zeros(32, 0);
    CheckpointBuilder builder;
    builder.key("a.norm.weight", {32}, ones).key("a.norm.bias", {32}, zeros);
    return builder.key("b.norm.weight", {32}, ones).key("b.norm.bias", {32}, zeros);
}

TEST(Witnesses, RunningModuleDecidesBetweenEqualKeys)
{
    ContentPriors priors;
    priors.modules = {"a.norm", "b.norm"};
    const ContentCase found(mergedNorms(), twoNorms().build(), priors);
    EXPECT_EQ(found.at("a.norm.weight", "n1"), (Owners{{"a.norm.weight"}, "name", "witnessed"}));
    EXPECT_EQ(found.at("a.norm.weight", "n2"), (Owners{{"b.norm.weight"}, "exact", "witnessed"}));
    EXPECT_EQ(found.at("a.norm.bias", "n2"), (Owners{{"b.norm.bias"}, "exact", "witnessed"}));
}

TEST(Witnesses, TailOfTheRunningModuleIsEnoughIfOnlyOneKeyHasIt)
{
    ContentPriors priors;
    priors.modules = {"norm", "b.norm"};
    CheckpointBuilder stored;
    stored.key("net.b.norm.weight", {32}, std::vector<float>(32, 1));
    stored.key("net.c.norm.weight", {32}, std::vector<float>(32, 1));
    const ContentCase found(mergedNorms(), stored.build(), priors);
    EXPECT_EQ(found.at("a.norm.weight", "n1").certainty, "undecided");
    EXPECT_EQ(found.at("a.norm.weight", "n2"), (Owners{{"net.b.norm.weight"}, "exact", "witnessed"}));
}

TEST(Witnesses, WithoutAnotherWitnessASharedNameIsAGuess)
{
    const ContentCase found(mergedNorms(), twoNorms().build());
    EXPECT_EQ(found.at("a.norm.weight"), (Owners{{"a.norm.weight"}, "name", "guess"}));
    EXPECT_THAT(
        found.names(found.match("a.norm.weight").candidates), testing::ElementsAre("a.norm.weight", "b.norm.weight"));
}

TEST(Witnesses, ConstantWithoutAWitnessIsLeftOpen)
{
    ModelBuilder builder;
    builder.input("x", {1, 32}).weight("c", {32}, {0}).node("Mul", "m", {"x", "c"}, {"y"}).output("y");
    const ContentCase found(builder.build(), twoLinears().build());
    EXPECT_EQ(found.at("c"), (Owners{{}, "exact", "undecided"}));
    EXPECT_THAT(found.names(found.match("c").candidates), testing::ElementsAre("one.bias", "two.bias"));
    EXPECT_EQ(found.found.coverage.found, 0);
}

TEST(Witnesses, FewElementsNeverDecideAlone)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("c", {4}, {0.25F, -1.5F, 3, 0.125F});
    builder.node("Mul", "m", {"x", "c"}, {"y"}).output("y");
    const ContentCase found(builder.build(), CheckpointBuilder().key("scale", {4}, {0.25F, -1.5F, 3, 0.125F}).build());
    EXPECT_EQ(found.at("c"), (Owners{{}, "exact", "undecided"}));
}

/// Layers that are copies of each other, as nn.TransformerEncoder makes them.
CheckpointBuilder copiedLayers()
{
    CheckpointBuilder builder;
    builder.key("layers.0.weight", {32, 32}, randomValues(1024, 1));
    return builder.key("layers.1.weight", {32, 32}, randomValues(1024, 1));
}

std::shared_ptr<const Model> copiedProducts()
{
    ModelBuilder builder;
    builder.input("x", {4, 32});
    builder.weight("onnx::MatMul_1", {32, 32}, transposedValues(randomValues(1024, 1), 32, 32));
    builder.weight("onnx::MatMul_2", {32, 32}, transposedValues(randomValues(1024, 1), 32, 32));
    builder.node("MatMul", "/layers.0/MatMul", {"x", "onnx::MatMul_1"}, {"h"});
    return builder.node("MatMul", "/layers.1/MatMul", {"h", "onnx::MatMul_2"}, {"y"}).output("y").build();
}

TEST(Witnesses, CopiesWithoutAWitnessAreAGuessThatNamesThemAll)
{
    const ContentCase found(copiedProducts(), copiedLayers().build());
    EXPECT_EQ(found.at("onnx::MatMul_2"), (Owners{{"layers.0.weight"}, "transposed", "guess"}));
    EXPECT_THAT(found.names(found.match("onnx::MatMul_2").candidates),
        testing::ElementsAre("layers.0.weight", "layers.1.weight"));
}

TEST(Witnesses, CopiesAreToldApartByTheRunningModule)
{
    ContentPriors priors;
    priors.modules = {"layers.0", "layers.1"};
    const ContentCase found(copiedProducts(), copiedLayers().build(), priors);
    EXPECT_EQ(found.at("onnx::MatMul_1"), (Owners{{"layers.0.weight"}, "transposed", "witnessed"}));
    EXPECT_EQ(found.at("onnx::MatMul_2"), (Owners{{"layers.1.weight"}, "transposed", "witnessed"}));
}

TEST(Witnesses, OneLargeTensorOfSeveralEqualKeysIsATie)
{
    ModelBuilder builder;
    builder.input("ids", {4}, ElementType::Int64).weight("emb.weight", {64, 32}, randomValues(2048, 1));
    builder.node("Gather", "/emb/Gather", {"emb.weight", "ids"}, {"h"});
    builder.node("Gemm", "/head/Gemm", {"h", "emb.weight"}, {"y"}).output("y");
    ContentPriors priors;
    priors.modules = {"emb", "head"};
    const ContentCase found(builder.build(),
        CheckpointBuilder()
            .key("emb.weight", {64, 32}, randomValues(2048, 1))
            .key("head.weight", {64, 32}, randomValues(2048, 1))
            .build(),
        priors);
    EXPECT_EQ(found.at("emb.weight", "/head/Gemm").keys, (std::vector<std::string>{"emb.weight"}));
    EXPECT_THAT(found.names(found.match("emb.weight", "/head/Gemm").aliases), testing::ElementsAre("head.weight"));
}

TEST(Witnesses, OrderOfTheReadersIsOnlyAGuess)
{
    ModelBuilder builder;
    builder.input("x", {1, 32}).weight("u", {32}, randomValues(32, 1)).weight("v", {32}, {0});
    builder.weight("w", {32}, randomValues(32, 2));
    builder.node("Mul", "m1", {"x", "u"}, {"h1"}).node("Max", "m2", {"h1", "v"}, {"h2"});
    builder.node("Mul", "m3", {"h2", "w"}, {"y"}).output("y");
    const std::vector<float> zeros(32, 0);
    CheckpointBuilder stored;
    stored.key("p", {32}, zeros).key("a", {32}, randomValues(32, 1)).key("q", {32}, zeros);
    stored.key("b", {32}, randomValues(32, 2)).key("r", {32}, zeros);
    const ContentCase found(builder.build(), stored.build());
    EXPECT_EQ(found.at("v"), (Owners{{"q"}, "exact", "guess"}));
}

TEST(NamesOfKeys, PrefixOfAWrapperIsLeftOut)
{
    CheckpointBuilder stored;
    stored.key("module.one.weight", {32, 32}, randomValues(1024, 1));
    stored.key("module.one.bias", {32}, std::vector<float>(32, 0));
    stored.key("module.two.weight", {32, 32}, randomValues(1024, 2));
    stored.key("module.two.bias", {32}, std::vector<float>(32, 0));
    const ContentCase found(twoLayers("one.bias", "two.bias").build(), stored.build());
    EXPECT_EQ(found.found.prefix, "module.");
    EXPECT_EQ(found.at("two.bias"), (Owners{{"module.two.bias"}, "name", "witnessed"}));
}

TEST(NamesOfKeys, CheckpointOfASubmoduleGetsItsPlace)
{
    const ContentCase found(twoLayers("enc.one.bias", "enc.two.bias").build(), twoLinears().build());
    EXPECT_EQ(found.found.modelPrefix, "enc.");
    EXPECT_EQ(found.at("enc.two.bias"), (Owners{{"two.bias"}, "name", "witnessed"}));
}

TEST(NamesOfKeys, OfTwoCopiesTheOneWithEqualValuesCounts)
{
    CheckpointBuilder stored;
    for (const char* prefix : {"student.", "teacher."}) {
        const unsigned seed = prefix[0] == 's' ? 7 : 1;
        for (const char* layer : {"one", "two"}) {
            stored.key(std::string(prefix) + layer + ".weight", {32, 32}, randomValues(1024, seed));
            stored.key(std::string(prefix) + layer + ".bias", {32}, std::vector<float>(32, seed == 7 ? 1.F : 0.F));
        }
    }
    const ContentCase found(twoLayers("one.bias", "two.bias").build(), stored.build());
    EXPECT_EQ(found.found.prefix, "teacher.");
}

TEST(HostileContent, TensorsWithoutTheirBytesTakeNoPart)
{
    ModelBuilder builder;
    builder.input("x", {1, 32}).weight("w", {32}, randomValues(32, 1)).node("Mul", "m", {"x", "w"}, {"y"}).output("y");
    CheckpointBuilder stored;
    stored.bytes("huge", ElementType::Float32, {std::int64_t{1} << 40, std::int64_t{1} << 40}, {});
    stored.bytes("short", ElementType::Float32, {32}, std::vector<std::byte>(127));
    stored.bytes("empty", ElementType::Float32, {0, 32}, {});
    stored.bytes("text", ElementType::String, {32}, {});
    stored.bytes("negative", ElementType::Float32, {-32}, std::vector<std::byte>(128));
    const ContentCase found(builder.build(), stored.build());
    EXPECT_EQ(found.found.matches.size(), 0U);
    EXPECT_EQ(found.found.coverage.keys, 5);
}

TEST(HostileContent, ThousandsOfEqualTensorsStayCheap)
{
    ModelBuilder builder;
    builder.input("x", {1, 32});
    CheckpointBuilder stored;
    for (int i = 0; i < 2000; ++i) {
        const std::string number = std::to_string(i);
        builder.weight("c" + number, {32}, {0});
        builder.node("Mul", "m" + number, {"x", "c" + number}, {"y" + number});
        stored.key("k" + number + ".bias", {32}, std::vector<float>(32, 0));
    }
    const ContentCase found(builder.build(), stored.build());
    EXPECT_EQ(found.found.matches.size(), 2000U);
    EXPECT_EQ(found.match("c7").candidates.size(), 64U);
}

TEST(MatchContent, StopsAtEveryStageThatItTellsOf)
{
    const auto model = copiedProducts();
    std::vector<std::string> all;
    ASSERT_TRUE(
        matchContent(*model, copiedLayers().build(), {{}, [&](const Progress& p) { all.push_back(p.stage); }}, 2));
    EXPECT_EQ(all.size(), 8U);
    for (std::size_t at = 0; at < all.size(); ++at) {
        std::stop_source stop;
        std::vector<std::string> told;
        const auto result = matchContent(*model, copiedLayers().build(),
            {stop.get_token(),
                [&](const Progress& progress) {
                    EXPECT_EQ(progress.done, static_cast<std::int64_t>(told.size()));
                    EXPECT_EQ(progress.total, 8);
                    told.push_back(progress.stage);
                    if (told.size() == at + 1)
                        stop.request_stop();
                }},
            2);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error(), cancelledError());
        EXPECT_EQ(told.size(), at + 1) << told.back();
    }
}

TEST(MatchContent, StopsWhenAsked)
{
    const auto model = copiedProducts();
    std::stop_source stop;
    stop.request_stop();
    const auto result = matchContent(*model, copiedLayers().build(), {stop.get_token(), {}}, 2);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error(), cancelledError());
}

} // namespace
} // namespace duo::test
