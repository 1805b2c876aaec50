// SPDX-License-Identifier: Apache-2.0
// What a checkpoint beside the model adds (resources/docs/content.md, "Checkpoints"), on checkpoints made here.
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace duo::test {
namespace {

using testing::ElementsAre;

/// A checkpoint and what comparing values with it found.
class Stored
{
public:
    Stored& key(const std::string& name, std::vector<std::int64_t> dims = {4})
    {
        m_checkpoint.keys.push_back({name, static_cast<std::uint32_t>(m_checkpoint.tensors.size())});
        Tensor tensor;
        tensor.name = name;
        tensor.type = ElementType::Float32;
        tensor.dims = std::move(dims);
        tensor.data = SharedBytes::own(std::vector<std::byte>(static_cast<std::size_t>(tensor.elements()) * 4));
        m_checkpoint.tensors.push_back(std::move(tensor));
        return *this;
    }

    /// Another key of the tensor that `first` names.
    Stored& tie(const std::string& name, const std::string& first)
    {
        m_checkpoint.keys.push_back({name, m_checkpoint.keys[number(first)].tensor});
        return *this;
    }

    Stored& module(const std::string& path, const std::string& className, const std::string& sameAs = "")
    {
        m_checkpoint.modules.push_back({path, className, sameAs});
        return *this;
    }

    /// The tensor that `reader` reads under `name` was made of the keys.
    Stored& match(const Model& model, const std::string& name, const std::string& reader,
        const std::vector<std::string>& keys, MatchKind kind, Certainty certainty = Certainty::Proof)
    {
        ContentMatch found;
        found.tensor = model.value(model.findValue(name)).initializer;
        found.readers = {model.findNode(reader)};
        found.kind = kind;
        found.certainty = certainty;
        for (const std::string& key : keys)
            found.keys.push_back(number(key));
        m_matches.matches.push_back(std::move(found));
        return *this;
    }

    Stored& prefix(const std::string& text)
    {
        m_matches.prefix = text;
        return *this;
    }

    Stored& format(const std::string& text)
    {
        m_checkpoint.format = text;
        return *this;
    }

    [[nodiscard]] ScopeSources sources() const { return {&m_checkpoint, &m_matches}; }

private:
    [[nodiscard]] std::uint32_t number(const std::string& name) const
    {
        std::uint32_t k = 0;
        while (k < m_checkpoint.keys.size() && m_checkpoint.keys[k].name != name)
            ++k;
        return k;
    }

    Checkpoint m_checkpoint;
    ContentMatches m_matches;
};

/// TorchScript's exporter: a convolution that took in its batch norm, then a linear layer of rank 3.
std::shared_ptr<const Model> foldedModel()
{
    ModelBuilder builder;
    builder.producer("pytorch")
        .input("x", {1, 4})
        .weight("onnx::Conv_7", {4, 4}, {1, 2, 3})
        .weight("onnx::MatMul_9", {4, 4});
    builder.node("Conv", "/body/Conv", {"x", "onnx::Conv_7"}, {"a"});
    builder.node("MatMul", "/head/MatMul", {"a", "onnx::MatMul_9"}, {"y"}).output("y");
    return builder.build();
}

Stored foldedCheckpoint(const Model& model)
{
    Stored stored;
    stored.key("body.weight", {4, 4})
        .key("bn.weight")
        .key("bn.running_var")
        .key("aux.0.weight", {8})
        .key("head.weight", {4, 4});
    stored.match(
        model, "onnx::Conv_7", "/body/Conv", {"body.weight", "bn.weight", "bn.running_var"}, MatchKind::Folded);
    stored.match(model, "onnx::MatMul_9", "/head/MatMul", {"head.weight"}, MatchKind::Transposed);
    return stored;
}

TEST(Sources, AFoldedBatchNormIsAnOwnerToo)
{
    const auto model = foldedModel();
    const Stored stored = foldedCheckpoint(*model);
    const FoundScopes found(model, stored.sources());
    EXPECT_EQ(found.at("/body/Conv"), (Expected{"body", {"body", "bn"}, {"folded-producers", "renamed-tensor"}, true}));
    EXPECT_THAT(found.node("/body/Conv").keys, ElementsAre("body.weight", "bn.weight", "bn.running_var"));
    EXPECT_EQ(found.provenance("/body/Conv"), "name/content");
}

TEST(Sources, AnOwnerFoundByContentIsNoDifference)
{
    const auto model = foldedModel();
    const Stored stored = foldedCheckpoint(*model);
    const FoundScopes found(model, stored.sources());
    EXPECT_EQ(found.at("/head/MatMul"), (Expected{"head", {"head"}, {"renamed-tensor"}, false}));
    EXPECT_EQ(found.provenance("/head/MatMul"), "name/content");
}

TEST(Sources, EveryStoredModuleStandsInTheTree)
{
    const auto model = foldedModel();
    const Stored stored = foldedCheckpoint(*model);
    const FoundScopes found(model, stored.sources());
    EXPECT_THAT(found.paths(found.scopes.storage), ElementsAre("body", "bn", "aux", "aux.0", "head"));
    EXPECT_THAT(found.scopes.neverExecuted, ElementsAre("aux"));
    EXPECT_EQ(found.scopes.storage.scope(found.scopes.storage.find("aux")).totalParameters, 8);
    EXPECT_EQ(found.scopes.storage.scopes[0].totalParameters, 16 + 4 + 4 + 8 + 16);
}

TEST(Sources, WhereKeysAreSortedByNameModulesStandInTheOrderTheyRunIn)
{
    const auto model = foldedModel();
    Stored stored;
    stored.format("safetensors");
    stored.key("aux.0.weight", {8}).key("aux.10.weight").key("aux.2.weight");
    stored.key("bn.running_var").key("bn.weight").key("body.weight", {4, 4}).key("head.weight", {4, 4});
    stored.match(
        *model, "onnx::Conv_7", "/body/Conv", {"body.weight", "bn.weight", "bn.running_var"}, MatchKind::Folded);
    stored.match(*model, "onnx::MatMul_9", "/head/MatMul", {"head.weight"}, MatchKind::Transposed);
    const FoundScopes found(model, stored.sources());
    EXPECT_THAT(found.node("/body/Conv").keys, ElementsAre("body.weight", "bn.weight", "bn.running_var"));
    EXPECT_THAT(
        found.paths(found.scopes.storage), ElementsAre("body", "bn", "head", "aux", "aux.0", "aux.2", "aux.10"));
}

TEST(Sources, AnOrderThatIsNotByNameIsKept)
{
    const auto model = foldedModel();
    Stored stored = foldedCheckpoint(*model);
    stored.format("safetensors");
    const FoundScopes found(model, stored.sources());
    EXPECT_THAT(found.paths(found.scopes.storage), ElementsAre("body", "bn", "aux", "aux.0", "head"));
}

TEST(Sources, AParameterMayHaveAnyNameIfItsOwnerIsFound)
{
    ModelBuilder builder;
    builder.input("x", {1, 4}).weight("/made/up", {4, 4}).weight("/unknown", {4, 4});
    builder.node("MatMul", "/fc/MatMul", {"x", "/made/up"}, {"a"});
    builder.node("MatMul", "/last/MatMul", {"a", "/unknown"}, {"y"}).output("y");
    const auto model = builder.build();
    Stored stored;
    stored.key("fc.weight", {4, 4});
    stored.match(*model, "/made/up", "/fc/MatMul", {"fc.weight"}, MatchKind::Transposed);
    const FoundScopes found(model, stored.sources());
    EXPECT_EQ(found.at("/fc/MatMul"), (Expected{"fc", {"fc"}, {"renamed-tensor"}, false}));
    EXPECT_THAT(found.node("/last/MatMul").storage, ElementsAre("last"));
    EXPECT_EQ(found.provenance("/last/MatMul"), "name/guess");
}

TEST(Sources, AShapeComputedFromConstantsHidesNoParameter)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4});
    builder.weight("token", {1, 4}).weight("/one", {}, {1}).weight("/two", {}, {2});
    builder.node("Equal", "Equal_1", {"/one", "/two"}, {"same"})
        .node("Where", "Where_2", {"same", "/one", "/two"}, {"n"});
    builder.node("Expand", "Expand_3", {"token", "n"}, {"tokens"});
    builder.node("Concat", "/Concat", {"tokens", "x"}, {"y"}).output("y");
    EXPECT_THAT(FoundScopes(builder.build()).node("/Concat").keys, ElementsAre("token"));
}

TEST(Sources, ScalesOfQuantizedOperatorsAreNoKeys)
{
    ModelBuilder builder;
    builder.producer("onnx.quantize").input("x", {1, 4});
    for (const char* name : {"input.4_scale", "fc.weight_scale", "output_scale"})
        builder.weight(name, {}, {0.5F});
    for (const char* name : {"input.4_zero_point", "fc.weight_zero_point", "output_zero_point"})
        builder.weight(name, {}, {0});
    builder.weight("fc.weight_quantized", {4, 4});
    builder.node("QGemm", "/fc/Gemm_quant",
        {"x", "input.4_scale", "input.4_zero_point", "fc.weight_quantized", "fc.weight_scale", "fc.weight_zero_point",
            "", "output_scale", "output_zero_point"},
        {"y"});
    Model model = *builder.output("y").build();
    const auto weight = std::ranges::find(model.tensors, "fc.weight_quantized", &Tensor::name);
    weight->type = ElementType::Int8;
    weight->data = SharedBytes::own(std::vector<std::byte>(16));
    const FoundScopes found(std::make_shared<const Model>(std::move(model)));
    EXPECT_THAT(found.node("/fc/Gemm_quant").keys, ElementsAre("fc.weight"));
}

TEST(Sources, ConstantsPutFirstAreNoCalls)
{
    ModelBuilder builder;
    builder.producer("onnx.quantize").input("x", {1, 4}).weight("a.weight", {4, 4}).weight("b.weight", {4, 4});
    builder.node("Constant", "/b/Constant_1", {}, {"/b/unused"})
        .node("Constant", "/a/Constant", {}, {"/a/least"})
        .node("Constant", "/b/Constant", {}, {"/b/least"});
    builder.node("MatMul", "/a/MatMul", {"x", "a.weight"}, {"p"}).node("Max", "/a/Max", {"p", "/a/least"}, {"q"});
    builder.node("MatMul", "/b/MatMul", {"q", "b.weight"}, {"r"}).node("Max", "/b/Max", {"r", "/b/least"}, {"y"});
    const FoundScopes found(builder.output("y").build());
    EXPECT_EQ(found.node("/b/Constant_1").execution, "b"); // its name says so, and nothing reads it
    for (const char* node : {"/a/MatMul", "/a/Max", "/a/Constant"})
        EXPECT_EQ(found.node(node).execution, "a");
    for (const char* node : {"/b/MatMul", "/b/Max", "/b/Constant"})
        EXPECT_EQ(found.node(node).execution, "b");
}

/// The exporter names a tensor that it merged through an Identity; a quantizer puts integers before it.
TEST(Sources, AnAliasOfADequantizedTensorNamesItsKey)
{
    ModelBuilder builder;
    builder.producer("onnx.quantize").input("x", {1, 4}).weight("a.bias_quantized", {4}).weight("a.bias_scale", {});
    builder.node("DequantizeLinear", "dq", {"a.bias_quantized", "a.bias_scale"}, {"a.bias"});
    builder.node("Identity", "Identity_0", {"a.bias"}, {"b.bias"});
    builder.node("Identity", "renamed", {"a.bias"}, {"c.bias"});
    builder.node("Add", "/a/Add", {"x", "a.bias"}, {"h"}).node("Add", "/b/Add", {"h", "b.bias"}, {"i"});
    builder.node("Add", "/c/Add", {"i", "c.bias"}, {"y"}).output("y");
    const FoundScopes found(builder.build());
    EXPECT_EQ(found.at("/a/Add").storage, (std::vector<std::string>{"a"}));
    EXPECT_EQ(found.at("/b/Add").storage, (std::vector<std::string>{"b"}));
    EXPECT_EQ(found.at("/c/Add").storage, (std::vector<std::string>{"c"}));
}

TEST(Sources, CoverageCountsEveryKeyOnce)
{
    const auto model = foldedModel();
    const Stored stored = foldedCheckpoint(*model);
    const FoundScopes found(model, stored.sources());
    EXPECT_EQ(found.scopes.keys, 5);
    EXPECT_EQ(found.scopes.matchedBy, (std::map<std::string, std::int64_t>{{"content", 4}}));
}

TEST(Sources, AGuessedMatchStaysAGuess)
{
    const auto model = foldedModel();
    Stored stored;
    stored.key("head.weight")
        .match(*model, "onnx::MatMul_9", "/head/MatMul", {"head.weight"}, MatchKind::Transposed, Certainty::Guess);
    EXPECT_EQ(FoundScopes(model, stored.sources()).provenance("/head/MatMul"), "name/guess");
}

TEST(Sources, ATieIsAnAliasedParameter)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("emb.weight", {4, 4});
    builder.node("Gemm", "/emb/Gemm", {"x", "emb.weight"}, {"a"});
    builder.node("Gemm", "/head/Gemm", {"a", "emb.weight"}, {"y"}).output("y");
    Stored stored;
    stored.key("emb.weight").tie("head.weight", "emb.weight");
    const FoundScopes found(builder.build(), stored.sources());
    EXPECT_EQ(found.at("/head/Gemm"), (Expected{"head", {"emb"}, {"aliased-parameter"}, true}));
    EXPECT_THAT(found.node("/head/Gemm").keys, ElementsAre("emb.weight", "head.weight"));
    EXPECT_EQ(found.scopes.keys, 2);
    EXPECT_EQ(found.scopes.matchedBy, (std::map<std::string, std::int64_t>{{"name", 2}}));
}

TEST(Sources, TiedEmbeddingsRunUnderTheirOwnNames)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1}, ElementType::Int64).weight("shared.weight", {4, 4});
    builder.weight("dec.own.weight", {4, 4}).weight("enc.own.weight", {4, 4});
    builder.node("Gather", "/enc/emb/Gather", {"shared.weight", "x"}, {"a"});
    builder.node("Gemm", "/enc/own/Gemm", {"a", "enc.own.weight"}, {"b"});
    builder.node("Gather", "/dec/emb/Gather", {"shared.weight", "x"}, {"c"});
    builder.node("Gemm", "/dec/own/Gemm", {"c", "dec.own.weight"}, {"d"});
    builder.node("Add", "/Add", {"b", "d"}, {"y"}).output("y");
    Stored stored; // in the order of their names, as safetensors have them
    stored.key("dec.emb.weight").key("dec.own.weight").tie("enc.emb.weight", "dec.emb.weight").key("enc.own.weight");
    stored.tie("shared.weight", "dec.emb.weight");
    const FoundScopes found(builder.build(), stored.sources());
    EXPECT_EQ(found.at("/enc/emb/Gather"), (Expected{"enc/emb", {"dec.emb"}, {"aliased-parameter"}, true}));
    EXPECT_EQ(found.at("/dec/emb/Gather"), (Expected{"dec/emb", {"dec.emb"}, {"aliased-parameter"}, false}));
}

/// Block a.blk runs in `a`, then again in `b`, which has it under a name of its own.
std::shared_ptr<const Model> sharedModel()
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("a.blk.lin.weight", {4, 4});
    builder.node("Gemm", "/a/blk/lin/Gemm", {"x", "a.blk.lin.weight"}, {"v"});
    builder.node("Gemm", "/b/blk/lin/Gemm", {"v", "a.blk.lin.weight"}, {"y"}).output("y");
    return builder.build();
}

TEST(Sources, ARecordedObjectHasOneIdentity)
{
    Stored stored;
    stored.module("", "app.Net").module("a", "app.Outer").module("a.blk", "app.Block");
    stored.module("a.blk.lin", "torch.nn.modules.linear.Linear").module("b", "app.Outer");
    stored.module("b.blk", "app.Block", "a.blk").module("b.blk.lin", "torch.nn.modules.linear.Linear", "a.blk.lin");
    stored.key("a.blk.lin.weight").tie("b.blk.lin.weight", "a.blk.lin.weight");
    const FoundScopes found(sharedModel(), stored.sources());
    EXPECT_EQ(found.at("/b/blk/lin/Gemm"),
        (Expected{"b/blk#1/lin#1", {"a.blk.lin"}, {"aliased-parameter", "shared-module"}, true}));
    EXPECT_EQ(found.node("/b/blk/lin/Gemm").longForm, "Net/Outer[b]/Block[blk#1]/Linear[lin#1]");
    const ScopeTree& storage = found.scopes.storage;
    EXPECT_EQ(storage.scope(storage.find("b.blk")).sameAs, storage.find("a.blk"));
    EXPECT_EQ(storage.scope(storage.find("b.blk")).calls, 2);
    EXPECT_FALSE(storage.scope(storage.find("b")).sameAs.valid());
}

/// TorchScript saves a shared module once for each of its paths; only its tensors stay one.
TEST(Sources, PathsThatTorchScriptListsAreOneModuleWhereTheyShareAllParameters)
{
    Stored stored;
    stored.format("torchscript").module("", "Net").module("a", "Outer").module("a.blk", "Block");
    stored.module("a.blk.lin", "torch.nn.modules.linear.Linear").module("b", "Outer").module("b.blk", "Block");
    stored.module("b.blk.lin", "torch.nn.modules.linear.Linear");
    stored.key("a.blk.lin.weight").tie("b.blk.lin.weight", "a.blk.lin.weight");
    const FoundScopes found(sharedModel(), stored.sources());
    EXPECT_EQ(found.at("/b/blk/lin/Gemm"),
        (Expected{"b/blk#1/lin#1", {"a.blk.lin"}, {"aliased-parameter", "shared-module"}, true}));
    EXPECT_EQ(found.scopes.storage.scope(found.scopes.storage.find("b.blk")).calls, 2);
}

TEST(Sources, TiesOfAllParametersShowASharedModule)
{
    Stored stored;
    stored.key("a.blk.lin.weight").tie("b.blk.lin.weight", "a.blk.lin.weight");
    const FoundScopes found(sharedModel(), stored.sources());
    EXPECT_EQ(found.at("/b/blk/lin/Gemm"),
        (Expected{"b/blk#1/lin#1", {"a.blk.lin"}, {"aliased-parameter", "shared-module"}, true}));
}

TEST(Sources, AModuleThatItsCallerHoldsUnderAnotherPathIsNotReachedPastAnyone)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("a.blk.weight", {4, 4}).weight("a.blk.bias", {4});
    builder.node("Gemm", "/a/blk/Gemm", {"x", "a.blk.weight", "a.blk.bias"}, {"v"});
    builder.node("Relu", "/a/Relu", {"v"}, {"w"});
    builder.node("Gemm", "/blk/Gemm", {"w", "a.blk.weight", "a.blk.bias"}, {"y"}).output("y");
    Stored stored;
    stored.key("a.blk.weight", {4, 4}).key("a.blk.bias");
    stored.tie("own.weight", "a.blk.weight").tie("own.bias", "a.blk.bias");
    const FoundScopes found(builder.build(), stored.sources());
    EXPECT_EQ(found.at("/blk/Gemm"), (Expected{"a.blk#1", {"a.blk"}, {"aliased-parameter", "shared-module"}, true}));
}

TEST(Sources, APrefixOfTheCheckpointIsNoModule)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("fc.weight", {4, 4});
    builder.node("Gemm", "/fc/Gemm", {"x", "fc.weight"}, {"y"}).output("y");
    Stored stored;
    stored.key("module.fc.weight").key("module.aux.weight").prefix("module.");
    const FoundScopes found(builder.build(), stored.sources());
    EXPECT_THAT(found.paths(found.scopes.storage), ElementsAre("fc", "aux"));
    EXPECT_THAT(found.node("/fc/Gemm").keys, ElementsAre("module.fc.weight"));
    EXPECT_THAT(found.scopes.neverExecuted, ElementsAre("aux"));
}

} // namespace
} // namespace duo::test
