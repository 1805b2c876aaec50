// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/float_changes.h"

#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "tests/support/proto_builder.h"
#include "tests/support/written_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

using testing::ElementsAre;

TEST(FloatChangeEdits, SmoothWhatALocalFunctionGives)
{
    test::ProtoBuilder file;
    auto& function = file.function("F", {"a"}, {"r"});
    test::addNode(function, "Relu", "relu", {"a"}, {"r"});
    file.input("x", {1, 2}).output("y", {1, 2}).weight("w", {2, 2});
    file.node("F", "call", {"x"}, {"h"}).set_domain("local");
    file.node("MatMul", "product", {"h", "w"}, {"y"});
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();

    const auto edits = floatChangeEdits(**model, {{FloatChangeKind::SmoothQuant, "h", {"product"}, {0.5F, 2.0F}, ""}});
    ASSERT_TRUE(edits) << edits.error().line();
    const auto written = test::writtenBytes(**model, *edits);
    ASSERT_TRUE(written) << written.error().line();
    onnx::ModelProto smoothed;
    ASSERT_TRUE(smoothed.ParseFromString(*written));
    std::vector<std::string> types;
    for (const auto& node : smoothed.graph().node())
        types.push_back(node.op_type());
    EXPECT_THAT(types, ElementsAre("F", "Mul", "MatMul"));
    EXPECT_EQ(smoothed.graph().node(1).input(0), "h");
    EXPECT_EQ(smoothed.graph().node(2).input(0), smoothed.graph().node(1).output(0));
}

std::shared_ptr<const Model> read(const test::ProtoBuilder& file)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : nullptr;
}

/// As a state that somebody has written to may have them.
TEST(FloatChangeEdits, RefuseScalesThatTakeAWeightBeyondWhatAFloatHolds)
{
    const auto problem = [](const std::vector<float>& weight) {
        test::ProtoBuilder file;
        file.input("x", {1, 2}).output("y", {1, 2}).weight("w", {2, 2}, weight);
        file.node("MatMul", "product", {"x", "w"}, {"y"});
        const auto edits
            = floatChangeEdits(*read(file), {{FloatChangeKind::SmoothQuant, "x", {"product"}, {1, 3e38F}, ""}});
        return edits ? std::string() : edits.error().line();
    };
    EXPECT_EQ(problem({1, 2, 3, 4}), "a correction takes values beyond what a float holds: 'w': calibrate again");
    EXPECT_EQ(problem({1, 2, 1, 1}), "");
    EXPECT_EQ(problem({1, 2, std::numeric_limits<float>::infinity(), 1}), ""); // it was none before
}

TEST(SmoothQuant, LeavesProductsWhoseChannelsAreNotFinite)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const auto scalesOf = [](const std::vector<float>& weight, const std::vector<float>& maxima) {
        test::ProtoBuilder file;
        file.input("x", {1, 2}).output("y", {1, 2}).weight("w", {2, 2}, weight);
        file.node("MatMul", "product", {"x", "w"}, {"y"});
        return smoothQuantChanges(*read(file), {{"x", maxima}}, 0.5, 0.5, false).size();
    };
    EXPECT_EQ(scalesOf({1, 2, 3, 4}, {1, 9}), 1U);
    EXPECT_EQ(scalesOf({kInfinity, 2, 3, 4}, {1, 9}), 0U);
    EXPECT_EQ(scalesOf(std::vector<float>(4, -kInfinity), {1, 9}), 0U);
    EXPECT_EQ(scalesOf({1, 2, 3, 4}, {kInfinity, 9}), 0U);
}

TEST(CrossLayerEqualization, LeavesChannelsThatAreNotFinite)
{
    test::ProtoBuilder file;
    file.input("x", {1, 1, 2, 2}).output("y", {1, 1, 2, 2});
    file.weight("w1", {2, 1, 1, 1}, {std::numeric_limits<float>::infinity(), 8});
    file.weight("w2", {1, 2, 1, 1}, {1, 2});
    file.node("Conv", "first", {"x", "w1"}, {"h"});
    file.node("Conv", "second", {"h", "w2"}, {"y"});
    const std::vector<FloatChange> changes = crossLayerChanges(*read(file));
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_THAT(changes[0].scales, ElementsAre(1, 2));
}

} // namespace
} // namespace duo
