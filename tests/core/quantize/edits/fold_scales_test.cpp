// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/fold_scales.h"

#include "tests/support/model_builder.h"

#include <cmath>

#include <gtest/gtest.h>

using duo::test::ModelBuilder;

namespace duo {
namespace {

/// "node: tensor/axis ..." of what scales the four channels of value "v", which `readers` read; "none".
std::string foldOf(const ModelBuilder& builder, const std::vector<std::string>& readers = {"last"})
{
    const auto model = builder.build();
    std::vector<NodeId> ids;
    for (const std::string& name : readers)
        ids.push_back(model->findNode(name));
    const auto found = scaledProducer(*model, model->findValue("v"), ids, 4);
    if (!found)
        return "none";
    std::string text = model->node(found->node).name + ":";
    for (const ChannelTensor& tensor : found->tensors)
        text += " " + tensor.tensor->name + "/" + std::to_string(tensor.axis);
    return text;
}

/// x -> Conv "first" -> h.
ModelBuilder convolution()
{
    ModelBuilder model;
    model.input("x", {1, 2, 6, 6}).weight("w1", {4, 2, 1, 1}).weight("b1", {4}).weight("w2", {3, 4, 1, 1});
    return model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
}

/// x -> MatMul "first" -> h.
ModelBuilder product()
{
    ModelBuilder model;
    model.input("x", {1, 5, 2}).weight("w1", {2, 4}).weight("b1", {4}).weight("w2", {4, 3});
    return model.node("MatMul", "first", {"x", "w1"}, {"h"});
}

/// v -> Conv or MatMul "last" -> y.
ModelBuilder& endIn(const char* opType, ModelBuilder& model)
{
    return model.node(opType, "last", {"v", "w2"}, {"y"}).output("y");
}

TEST(FoldScales, ReachAConvolutionThroughWhatScalesAlong)
{
    for (const char* opType : {"Relu", "LeakyRelu", "MaxPool", "AveragePool", "GlobalAveragePool", "Identity"}) {
        ModelBuilder model = convolution();
        model.node(opType, "between", {"h"}, {"v"});
        EXPECT_EQ(foldOf(endIn("Conv", model)), "first: w1/0 b1/0") << opType;
    }
    for (const char* opType : {"Sigmoid", "HardSwish", "Gelu", "Softmax", "Transpose", "Reshape"}) {
        ModelBuilder model = convolution();
        model.node(opType, "between", {"h"}, {"v"});
        EXPECT_EQ(foldOf(endIn("Conv", model)), "none") << opType;
    }
}

TEST(FoldScales, PassAClipToPositiveNumbersOnly)
{
    const auto clipped = [](float least, float most) {
        ModelBuilder model = convolution();
        model.weight("least", {}, {least}).weight("most", {}, {most});
        model.node("Clip", "clip", {"h", "least", "most"}, {"v"});
        return foldOf(endIn("Conv", model));
    };
    EXPECT_EQ(clipped(0, INFINITY), "first: w1/0 b1/0");
    EXPECT_EQ(clipped(0, 6), "none");
    EXPECT_EQ(clipped(-1, INFINITY), "none");
    ModelBuilder open = convolution();
    open.weight("least", {}, {0}).node("Clip", "clip", {"h", "least"}, {"v"});
    EXPECT_EQ(foldOf(endIn("Conv", open)), "first: w1/0 b1/0");
}

TEST(FoldScales, TakeAProductsBiasAlong)
{
    ModelBuilder model = product();
    model.node("Add", "biased", {"b1", "h"}, {"s"}).node("Relu", "relu", {"s"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", model)), "first: b1/0 w1/1");
    ModelBuilder scalar = product();
    scalar.weight("one", {1}).node("Add", "biased", {"h", "one"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", scalar)), "none");
    ModelBuilder data = product();
    data.input("z", {4}).node("Add", "biased", {"h", "z"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", data)), "none");
}

TEST(FoldScales, KnowAGemmsChannels)
{
    ModelBuilder model;
    model.input("x", {1, 2}).weight("w1", {4, 2}).weight("b1", {4}).weight("w2", {4, 3});
    model.node("Gemm", "first", {"x", "w1", "b1"}, {"v"}, {{"transB", std::int64_t{1}}});
    EXPECT_EQ(foldOf(endIn("MatMul", model)), "first: w1/0 b1/0");
    ModelBuilder scalar;
    scalar.input("x", {1, 2}).weight("w1", {2, 4}).weight("b1", {1}).weight("w2", {4, 3});
    scalar.node("Gemm", "first", {"x", "w1", "b1"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", scalar)), "none");
}

TEST(FoldScales, ReachNormsAndFactors)
{
    ModelBuilder model;
    model.input("x", {1, 5, 4}).weight("gain", {4}).weight("offset", {4}).weight("w2", {4, 3});
    ModelBuilder norm = model;
    norm.node("LayerNormalization", "norm", {"x", "gain", "offset"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", norm)), "norm: gain/0 offset/0");
    ModelBuilder factors = model; // a norm written as its parts
    factors.node("Mul", "times", {"gain", "x"}, {"m"}).node("Add", "plus", {"m", "offset"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", factors)), "times: offset/0 gain/0");
}

TEST(FoldScales, FollowChannelsThroughReshaping)
{
    ModelBuilder pooled = convolution();
    pooled.weight("w3", {4, 3}).node("GlobalAveragePool", "pool", {"h"}, {"p"}).node("Flatten", "flat", {"p"}, {"v"});
    pooled.node("MatMul", "last", {"v", "w3"}, {"y"}).output("y");
    EXPECT_EQ(foldOf(pooled), "first: w1/0 b1/0");
    ModelBuilder flat = convolution(); // columns of planes
    flat.weight("w3", {4, 3}).node("Flatten", "flat", {"h"}, {"v"});
    flat.node("MatMul", "last", {"v", "w3"}, {"y"}).output("y");
    EXPECT_EQ(foldOf(flat), "none");
    ModelBuilder rows = product();
    rows.ints("shape", {-1, 4}).node("Reshape", "rows", {"h", "shape"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", rows)), "first: w1/1");
    ModelBuilder spread = product(); // [1, 5, 4] -> [20, 1] -> [20, 4]: other channels
    spread.ints("shape", {-1, 1}).node("Reshape", "rows", {"h", "shape"}, {"s"}).node("Add", "add", {"s", "b1"}, {"v"});
    EXPECT_EQ(foldOf(endIn("MatMul", spread)), "none");
}

TEST(FoldScales, LeaveWhatOthersRead)
{
    ModelBuilder both = convolution();
    both.weight("w3", {3, 4, 1, 1}).node("Relu", "relu", {"h"}, {"v"}).node("Conv", "other", {"v", "w3"}, {"z"});
    endIn("Conv", both).output("z");
    EXPECT_EQ(foldOf(both), "none");
    EXPECT_EQ(foldOf(both, {"other", "last"}), "first: w1/0 b1/0");
    ModelBuilder between = convolution();
    between.node("Relu", "relu", {"h"}, {"v"}).node("Neg", "other", {"h"}, {"z"});
    EXPECT_EQ(foldOf(endIn("Conv", between).output("z")), "none");
    ModelBuilder given = convolution();
    given.node("Relu", "relu", {"h"}, {"v"}).output("v");
    EXPECT_EQ(foldOf(endIn("Conv", given)), "none");
    ModelBuilder shared = convolution();
    shared.node("Relu", "relu", {"h"}, {"v"}).node("Neg", "other", {"b1"}, {"z"});
    EXPECT_EQ(foldOf(endIn("Conv", shared).output("z")), "none");
}

} // namespace
} // namespace duo
