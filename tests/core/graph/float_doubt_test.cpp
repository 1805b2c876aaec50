// SPDX-License-Identifier: Apache-2.0
#include "core/graph/float_doubt.h"

#include "tests/core/graph/drawn_view.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ModelBuilder;

/// x -> Reshape -> Transpose -> MatMul -> y, of which all are planned to be quantized.
std::shared_ptr<const Model> model()
{
    ModelBuilder builder;
    builder.input("x", {1, 3}).weight("w", {3}).weight("shape", {2});
    builder.node("Reshape", "shaped", {"x", "shape"}, {"r"}).node("Transpose", "turned", {"r"}, {"t"});
    return builder.node("MatMul", "product", {"t", "w"}, {"y"}).output("y").build();
}

Placement plan()
{
    Placement placement;
    placement.decisions = Decisions(3);
    for (std::size_t n = 0; n < 3; ++n)
        placement.decisions[n].state = NodeState::Quantized;
    return placement;
}

/// The export is run as it was written.
RunGraph runOf(ModelBuilder& builder)
{
    const auto exported = builder.output("y").build();
    return runGraph(*model(), test::scopesOf({"a", "a", "a"}), exported.get(), exported);
}

ModelBuilder start()
{
    ModelBuilder builder;
    builder.input("x", {1, 3}).weight("w", {3}).weight("shape", {2}).weight("k", {3}).weight("scale", {});
    return builder;
}

TEST(FloatDoubt, AScaleOfTheExportIsNamed)
{
    ModelBuilder exported = start();
    exported.node("Reshape", "shaped", {"x", "shape"}, {"r"}).node("Transpose", "turned", {"r"}, {"t"});
    exported.node("Mul", "t_smooth_quant", {"t", "k"}, {"m"}).node("QuantizeLinear", "Q0", {"m", "scale"}, {"q"});
    exported.node("MatMulInteger", "product", {"q", "w"}, {"y"});
    const RunGraph run = runOf(exported);
    const std::string reason = "the export scales what it gives (t_smooth_quant) before codes are made";
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(1)), reason);
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(0)), reason) << "behind what hands it on";
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(2)), "") << "is not in the plan";
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(4)), "") << "computes on codes";
    Placement none = plan();
    none.decisions[1].state = NodeState::Unsupported;
    EXPECT_EQ(floatDoubt(run, none, NodeId(1)), "") << "is not planned to be quantized";
}

TEST(FloatDoubt, CodesThatAreMadeLaterAreSaid)
{
    ModelBuilder exported = start();
    exported.node("Reshape", "shaped", {"x", "shape"}, {"r"}).node("QuantizeLinear", "Q0", {"r", "scale"}, {"q"});
    exported.node("Transpose", "turned", {"q"}, {"t"}).node("MatMulInteger", "product", {"t", "w"}, {"y"});
    const RunGraph run = runOf(exported);
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(0)), "codes are made of what it gives");
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(2)), "") << "hands on codes";
}

TEST(FloatDoubt, WhatNothingTellsIsNotKnown)
{
    ModelBuilder exported = start();
    exported.node("QuantizeLinear", "Q0", {"x", "scale"}, {"q"}).node("DequantizeLinear", "D0", {"q", "scale"}, {"d"});
    exported.node("Reshape", "shaped", {"d", "shape"}, {"r"}).node("Transpose", "turned", {"r"}, {"t"});
    exported.node("MatMul", "product", {"t", "w"}, {"y"});
    EXPECT_EQ(floatDoubt(runOf(exported), plan(), NodeId(4)), "why it is in float is not known");
}

TEST(FloatDoubt, TheFloatModelRunsInFloatWithoutAWord)
{
    const auto original = model();
    const RunGraph run = runGraph(*original, test::scopesOf({"a", "a", "a"}), nullptr, original);
    EXPECT_EQ(floatDoubt(run, plan(), NodeId(0)), "");
}

} // namespace
} // namespace duo
