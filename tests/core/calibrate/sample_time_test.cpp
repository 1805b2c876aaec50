// SPDX-License-Identifier: Apache-2.0
// A model with a loop that never ends.
#include "core/calibrate/collect_statistics.h"
#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <limits>

#include <gtest/gtest.h>

namespace duo {
namespace {

/// y = loop(x) that runs for ever.
std::shared_ptr<const Model> endlessModel()
{
    test::ProtoBuilder file;
    file.input("x").output("y");
    file.tensor("trips", {}, onnx::TensorProto::INT64).add_int64_data(std::numeric_limits<std::int64_t>::max());
    auto body = test::addBody(file.node("Loop", "loop", {"trips", "", "x"}, {"y"}), "body");
    body.input("i").input("go").input("s").output("go_on").output("next");
    for (auto* info : {body.proto().mutable_input(0), body.proto().mutable_input(1), body.proto().mutable_output(0)}) {
        info->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
        info->mutable_type()->mutable_tensor_type()->mutable_shape()->clear_dim();
    }
    body.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    body.node("Identity", "keep", {"go"}, {"go_on"});
    body.node("Relu", "relu", {"s"}, {"next"});
    const auto model = readModelBytes(file.bytes(), "endless.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return *model;
}

TEST(SampleTime, ALoopThatNeverEndsIsOneLine)
{
    const auto model = endlessModel();
    const auto data = openDataset("random:2", *model);
    ASSERT_TRUE(data) << data.error().line();
    for (const bool fetch : {false, true}) {
        Measurement wanted;
        wanted.values = {"y"};
        wanted.fetch = fetch;
        wanted.sampleTime = std::chrono::seconds(1);
        const auto statistics = collectStatistics(*model, wanted, **data, {0, 2}, 1, {});
        ASSERT_FALSE(statistics);
        EXPECT_EQ(statistics.error().line(),
            "the engine ran longer than 1 s: sample 0: allow more with --sample-time, or give smaller samples; a loop "
            "of the model may never end");
    }
}

TEST(SampleTime, AStopComesThroughBeforeTheTimeIsOver)
{
    const auto model = endlessModel();
    const auto data = openDataset("random:1", *model);
    std::stop_source stop;
    const std::jthread presser([&] { stop.request_stop(); });
    Measurement wanted;
    wanted.values = {"y"};
    const auto statistics = collectStatistics(*model, wanted, **data, {0, 1}, 1, {stop.get_token(), {}});
    ASSERT_FALSE(statistics);
    EXPECT_EQ(statistics.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace duo
