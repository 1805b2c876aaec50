// SPDX-License-Identifier: Apache-2.0
// Reasons that only a record or a constant shows: modules nobody registered, calls past __call__, merged calls.
#include "tests/core/scope/chain.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(HiddenCalls, AWeightThatNoAttributeLeadsToIsOfAModuleThatIsNotRegistered)
{
    Chain chain;
    chain.recorded("linear", "blk", "app.Blk", "aten.linear.default", "blk.lifted_tensor_0");
    const auto found = chain.byPyTorch().found();
    EXPECT_EQ(found.node("linear").reasons, std::vector<Reason>{Reason::UnregisteredModule});
}

TEST(HiddenCalls, OneMoreForwardThanModulesIsAModuleThatIsNotRegistered)
{
    Chain chain;
    chain.recorded("relu", "blk", "app.Blk", "aten.relu.default")
        .at("3 return self.blk(x)|8 x = self.acts[0](x)|143 return F.relu(input)");
    EXPECT_EQ(chain.found().at("relu"), (Expected{"blk", {}, {"unregistered-module"}, false}));
}

TEST(HiddenCalls, AForwardCalledByNamePassesTheModuleBy)
{
    Chain chain;
    chain.recorded("linear", "blk", "app.Blk", "aten.linear.default", "blk.fc.weight")
        .at("3 return self.blk(x)|8 x = self.fc.forward(x)|134 return F.linear(input, self.weight, self.bias)");
    EXPECT_EQ(chain.found().at("linear"), (Expected{"blk", {"blk.fc"}, {"bypassed-call", "functional-use"}, true}));
}

TEST(HiddenCalls, AForwardOfTheBaseClassIsTheModulesOwn)
{
    Chain chain;
    chain.recorded("linear", "blk", "app.Blk", "aten.linear.default", "blk.weight")
        .at("3 return self.blk(x)|8 return super().forward(x)|134 return F.linear(input, self.weight, self.bias)");
    EXPECT_EQ(chain.found().at("linear"), (Expected{"blk", {"blk"}, {}, false}));
}

/// x -> linear -> relu, which used to read `linear_1`; an Add reads both.
std::shared_ptr<const Model> mergedModel(const std::string& argument)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("fc.weight", {4, 4});
    builder.node("Gemm", "node_linear", {"x", "fc.weight"}, {"linear"});
    builder.metadata("pkg.torch.onnx.name_scopes", "['', 'fc', 'linear']");
    builder.node("Relu", "node_relu", {"linear"}, {"relu"});
    builder.metadata("pkg.torch.onnx.name_scopes", "['', 'blk', 'relu']");
    builder.metadata("pkg.torch.onnx.fx_node",
        "%relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%" + argument + ",))");
    builder.node("Add", "node_add", {"linear", "relu"}, {"add"}).output("add");
    return builder.build();
}

TEST(HiddenCalls, ARecordedArgumentThatIsGoneWasMerged)
{
    EXPECT_EQ(
        FoundScopes(mergedModel("linear_1")).node("node_linear").reasons, std::vector<Reason>{Reason::MergedCalls});
    EXPECT_TRUE(FoundScopes(mergedModel("linear")).node("node_linear").reasons.empty());
    EXPECT_TRUE(FoundScopes(mergedModel("dropout_1")).node("node_linear").reasons.empty());
}

TEST(HiddenCalls, AResultDoubledOfAModuleWithAPathThatNeverRuns)
{
    ModelBuilder builder;
    builder.producer("pytorch").input("x", {1, 4}).weight("left.inner.weight", {4, 4});
    builder.node("Gemm", "/left/inner/Gemm", {"x", "left.inner.weight"}, {"a"});
    builder.node("Relu", "/left/Relu", {"a"}, {"b"});
    builder.node("Add", "/Add", {"b", "b"}, {"y"}).output("y");
    const auto model = builder.build();
    EXPECT_TRUE(FoundScopes(model).node("/left/Relu").reasons.empty());
    Checkpoint checkpoint;
    checkpoint.keys = {{"left.inner.weight", 0}, {"right.inner.weight", 0}};
    checkpoint.tensors.resize(1);
    const FoundScopes found(model, {&checkpoint, nullptr});
    EXPECT_EQ(found.at("/left/Relu"), (Expected{"left", {}, {"merged-calls"}, false}));
    EXPECT_EQ(found.at("/left/inner/Gemm"),
        (Expected{"left/inner", {"left.inner"}, {"aliased-parameter", "merged-calls"}, false}));
}

} // namespace
} // namespace duo::test
