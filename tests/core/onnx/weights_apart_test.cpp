// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"

#include "tests/support/proto_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::Key;

namespace duo {
namespace {

using test::ProtoBuilder;

/// What the engine gets of a network.
struct Opened {
    explicit Opened(const ProtoBuilder& network)
    {
        auto read = readModelBytes(network.bytes(), "test.onnx");
        EXPECT_TRUE(read) << read.error().line();
        model = *std::move(read);
        auto made = engineModel(*model, {});
        EXPECT_TRUE(made) << made.error().line();
        engine = *std::move(made);
        EXPECT_TRUE(proto.ParseFromArray(engine.proto.data(), static_cast<int>(engine.proto.size())));
    }

    std::shared_ptr<const Model> model;
    EngineModel engine;
    onnx::ModelProto proto;
};

TEST(WeightsApart, LargeOnesStayWhereTheyLie)
{
    ProtoBuilder network;
    network.input("x", {1, 128}).output("y", {1, 128}).weight("w", {128, 128}, {0.5F, 2.0F}).weight("b", {128});
    network.node("MatMul", "product", {"x", "w"}, {"p"});
    network.node("Add", "sum", {"p", "b"}, {"y"});
    const Opened opened(network);
    ASSERT_THAT(opened.engine.weights, ElementsAre(Key("duoscope.weight.0")));
    EXPECT_EQ(opened.engine.weights.begin()->second.bytes.data(),
        opened.model->constant(opened.model->findValue("w"))->bytes().data());
    const auto& [large, small] = std::tie(opened.proto.graph().initializer(0), opened.proto.graph().initializer(1));
    EXPECT_EQ(large.data_location(), onnx::TensorProto::EXTERNAL);
    EXPECT_FALSE(large.has_raw_data());
    EXPECT_EQ(large.external_data(0).value(), "duoscope.weight.0");
    EXPECT_EQ(small.raw_data().size(), 512U);
}

} // namespace
} // namespace duo
