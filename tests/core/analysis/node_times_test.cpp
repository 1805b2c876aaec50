// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/node_times.h"

#include "core/analysis/kernel_origins.h"
#include "core/calibrate/samples/dataset.h"
#include "core/onnx/reader.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(KernelOrigins, AKernelDoesTheWorkBetweenWhatItReadsAndGives)
{
    test::ModelBuilder before;
    before.input("x", {1, 4}).weight("w", {4, 4}).weight("b", {4});
    before.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "bias", {"p", "b"}, {"s"});
    before.node("Relu", "relu", {"s"}, {"r"}).node("Softmax", "softmax", {"r"}, {"y"});
    const auto original = before.output("y").build();
    test::ModelBuilder after;
    after.input("x", {1, 4}).weight("w", {4, 4}).weight("b", {4});
    after.node("FusedGemm", "one", {"x", "w", "b"}, {"r"}).node("Cast", "own", {"r"}, {"engine_made"});
    after.node("Softmax", "softmax", {"engine_made"}, {"y"});
    const auto optimized = after.output("y").build();

    const auto origins = kernelOrigins(*original, *optimized);
    using Nodes = std::vector<NodeId>;
    EXPECT_EQ(origins[0], (Nodes{NodeId(0), NodeId(1), NodeId(2)}));
    EXPECT_EQ(origins[1], Nodes{}) << "the engine's own";
    EXPECT_EQ(origins[2], Nodes{NodeId(3)});
    EXPECT_EQ(leadingNode(*original, origins[0]), NodeId(0)) << "the product";
    EXPECT_EQ(leadingNode(*original, {NodeId(1), NodeId(2)}), NodeId(2)) << "the last";
    EXPECT_FALSE(leadingNode(*original, {}).valid());
}

TEST(KernelOrigins, AProductBetweenTwoReshapesIsTheProductsKernel)
{
    test::ModelBuilder before;
    before.input("x", {1, 2, 4}).weight("w", {4, 4}).weight("b", {4}).ints("heads", {1, 2, 2, 2});
    before.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "bias", {"p", "b"}, {"s"});
    const auto original = before.node("Reshape", "split", {"s", "heads"}, {"y"}).output("y").build();
    test::ModelBuilder after;
    after.input("x", {1, 2, 4}).weight("w", {4, 4}).weight("b", {4}).ints("flat", {2, 4}).ints("heads", {1, 2, 2, 2});
    after.node("Reshape", "own", {"x", "flat"}, {"own_1"})
        .node("Gemm", "product/fused", {"own_1", "w", "b"}, {"own_2"});
    const auto optimized = after.node("Reshape", "split", {"own_2", "heads"}, {"y"}).output("y").build();
    using Nodes = std::vector<NodeId>;
    EXPECT_EQ(kernelOrigins(*original, *optimized), (std::vector<Nodes>{{}, {NodeId(0), NodeId(1)}, {NodeId(2)}}));
}

/// As a file that was quantized elsewhere with signed codes: the engine makes them unsigned, under names of its own.
TEST(KernelOrigins, AKernelCalledAfterANodeIsThatNode)
{
    test::ModelBuilder before;
    before.input("x", {1, 4}).weight("w", {4, 4}).weight("s", {});
    before.node("QuantizeLinear", "q0", {"x", "s"}, {"x_q"}).node("DequantizeLinear", "d0", {"x_q", "s"}, {"x_d"});
    before.node("Conv", "conv", {"x_d", "w"}, {"c"}).node("Relu", "relu", {"c"}, {"r"});
    before.node("QuantizeLinear", "q1", {"r", "s"}, {"r_q"}).node("DequantizeLinear", "d1", {"r_q", "s"}, {"r_d"});
    before.node("MatMul", "product", {"r_d", "w"}, {"m"});
    before.node("QuantizeLinear", "q2", {"m", "s"}, {"m_q"}).node("DequantizeLinear", "d2", {"m_q", "s"}, {"y"});
    const auto original = before.output("y").build();
    test::ModelBuilder after;
    after.input("x", {1, 4}).weight("w", {4, 4}).weight("s", {});
    after.node("QuantizeLinear", "q0", {"x", "s"}, {"own_0"}).node("QLinearConv", "conv", {"own_0", "w"}, {"own_1"});
    after.node("QLinearMatMul", "product", {"own_1", "w"}, {"own_2"});
    after.node("DequantizeLinear", "d2", {"own_2", "s"}, {"y"});
    const auto optimized = after.output("y").build();
    using Nodes = std::vector<NodeId>;
    EXPECT_EQ(kernelOrigins(*original, *optimized),
        (std::vector<Nodes>{{NodeId(0)}, {NodeId(2), NodeId(3), NodeId(4)}, {NodeId(6), NodeId(7)}, {NodeId(8)}}));
}

TEST(KernelOrigins, ValuesOfBodiesAreToldFromThoseAround)
{
    const auto read = readModel(std::filesystem::path(DUO_TEST_DATA) / "models" / "branches.onnx");
    ASSERT_TRUE(read) << read.error().line();
    const auto origins = kernelOrigins(**read, **read);
    for (std::size_t node = 0; node < origins.size(); ++node)
        EXPECT_EQ(origins[node], std::vector<NodeId>{NodeId(node)}) << (*read)->nodes[node].name;
}

TEST(NodeTimes, EveryKernelOfASampleIsKnown)
{
    const auto model = readModel(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto dataset = openDataset("random:1", **model);
    ASSERT_TRUE(dataset) << dataset.error().line();
    const auto feeds = (*dataset)->sample(0);
    ASSERT_TRUE(feeds);
    std::vector<std::int64_t> told;
    JobContext job;
    job.report = [&](const Progress& progress) { told.push_back(progress.total); };
    const auto times = measureNodeTimes(**model, *feeds, {std::chrono::milliseconds(20), 3, 1000}, 1, job);
    ASSERT_TRUE(times) << times.error().line();
    EXPECT_GE(times->runs, 3);
    EXPECT_FALSE(told.empty());
    ASSERT_FALSE(times->kernels.empty());
    EXPECT_GT(times->runMicroseconds, 0);
    double ofNodes = 0;
    std::size_t known = 0;
    for (const auto& time : times->ofNode)
        ofNodes += time.value_or(0);
    for (const KernelTime& kernel : times->kernels)
        known += kernel.nodes.empty() ? 0 : 1;
    EXPECT_EQ(known, times->kernels.size());
    EXPECT_NEAR(ofNodes, times->kernelMicroseconds, 1e-6 * times->kernelMicroseconds);
    for (std::size_t i = 1; i < times->kernels.size(); ++i)
        EXPECT_GE(times->kernels[i - 1].microseconds, times->kernels[i].microseconds);
    const NodeId conv = (*model)->findNode("/encoder/stem/conv/Conv");
    EXPECT_EQ(times->ledBy[conv.index], conv);
}

/// The kernels of a body take what its owner's event holds besides its own work; of branches only one runs.
TEST(NodeTimes, KernelsOfBodiesAreToldApartFromTheirOwner)
{
    for (const std::string name : {"loop.onnx", "scan.onnx", "branches.onnx"}) {
        const auto model = readModel(std::filesystem::path(DUO_TEST_DATA) / "models" / name);
        ASSERT_TRUE(model) << model.error().line();
        const auto dataset = openDataset("random:1", **model);
        ASSERT_TRUE(dataset) << dataset.error().line();
        const auto feeds = (*dataset)->sample(0);
        ASSERT_TRUE(feeds);
        const auto times = measureNodeTimes(**model, *feeds, {std::chrono::milliseconds(20), 3, 1000}, 1, {});
        ASSERT_TRUE(times) << times.error().line();
        double inBodies = 0;
        double all = 0;
        for (std::size_t i = 0; i < times->ofNode.size(); ++i) {
            const double time = times->ofNode[i].value_or(0);
            all += time;
            if ((*model)->region((*model)->nodes[i].region).owner.valid())
                inBodies += time;
        }
        EXPECT_GT(inBodies, 0) << name;
        EXPECT_NEAR(all, times->kernelMicroseconds, 1e-6 * all) << name;
        EXPECT_LT(times->kernelMicroseconds, 1.5 * times->runMicroseconds) << name << ": a body counts once";
    }
}

TEST(NodeTimes, StopsAtOnce)
{
    const auto model = readModel(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    ASSERT_TRUE(model);
    const auto dataset = openDataset("random:1", **model);
    ASSERT_TRUE(dataset);
    const auto feeds = (*dataset)->sample(0);
    ASSERT_TRUE(feeds);
    std::stop_source stop;
    stop.request_stop();
    JobContext job;
    job.stop = stop.get_token();
    const auto times = measureNodeTimes(**model, *feeds, {}, 1, job);
    ASSERT_FALSE(times);
    EXPECT_EQ(times.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace duo
