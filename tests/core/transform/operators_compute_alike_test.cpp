// SPDX-License-Identifier: Apache-2.0
// Old forms of operators and what they are converted to, run in the engine on the same values: equal bit for bit.
#include "core/engine/open_model.h"
#include "tests/core/transform/old_file.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addAttributes;
using test::addBody;
using test::OldFile;
using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

struct OperatorCase {
    const char* name;
    std::vector<std::int64_t> opsets;
    std::function<void(OldFile&)> fill; // reads x, makes y
    Ints dims = {2, 3, 4, 5}; // of x
};

void PrintTo(const OperatorCase& one, std::ostream* out)
{
    *out << one.name;
}

HostTensor feedFor(const Ints& dims)
{
    HostTensor feed{"x", ElementType::Float32, dims, {}};
    std::mt19937 engine(1); // the same values in every run
    std::vector<float> values(static_cast<std::size_t>(elementCount(dims).value_or(0)));
    std::ranges::generate(values, [&] { return static_cast<float>(engine() % 2001) / 500.0F - 2.0F; });
    feed.bytes.resize(values.size() * sizeof(float));
    std::memcpy(feed.bytes.data(), values.data(), feed.bytes.size());
    return feed;
}

HostTensor outputOf(const Model& model, const HostTensor& feed)
{
    const auto session = openModel(model);
    if (!session) {
        ADD_FAILURE() << session.error().line();
        return {};
    }
    auto outputs = session->run(std::span(&feed, 1), {});
    EXPECT_TRUE(outputs) << outputs.error().line();
    return outputs ? outputs->front() : HostTensor();
}

class OldOperators : public testing::TestWithParam<OperatorCase>
{
};

TEST_P(OldOperators, ComputeTheSameAsOpset13)
{
    const HostTensor feed = feedFor(GetParam().dims);
    for (const std::int64_t opset : GetParam().opsets) {
        SCOPED_TRACE("opset " + std::to_string(opset));
        OldFile file(opset);
        file.input("x", GetParam().dims);
        GetParam().fill(file);
        file.graphOutput();
        const auto raised = file.raised();
        ASSERT_EQ(raised->opset(), 13);
        const HostTensor before = outputOf(*file.read(), feed);
        const HostTensor after = outputOf(*raised, feed);
        EXPECT_FALSE(before.bytes.empty());
        EXPECT_EQ(before.dims, after.dims);
        EXPECT_EQ(before.bytes, after.bytes);
    }
}

std::function<void(OldFile&)> one(const char* opType, std::vector<Attribute> attributes = {})
{
    return [=](OldFile& file) { file.op(opType, {"x"}, {"y"}, attributes); };
}

std::function<void(OldFile&)> resized(const char* opType, Floats scales, std::vector<Attribute> attributes)
{
    return [=](OldFile& file) {
        file.weight("scales", {static_cast<std::int64_t>(scales.size())}, scales);
        file.op(opType, {"x", "scales"}, {"y"}, attributes);
    };
}

std::function<void(OldFile&)> resizedLater(Floats scales, std::vector<Attribute> attributes)
{
    return [=](OldFile& file) {
        file.weight("roi", {0}).weight("scales", {static_cast<std::int64_t>(scales.size())}, scales);
        file.op("Resize", {"x", "roi", "scales"}, {"y"}, attributes);
    };
}

void normalized(OldFile& file)
{
    for (const char* name : {"s", "b", "m", "v"})
        file.weight(name, {3}, {0.5F, 0.25F, 1.5F});
    file.op("BatchNormalization", {"x", "s", "b", "m", "v"}, {"y"}, {{"spatial", std::int64_t{1}}});
}

void dropped(OldFile& file)
{
    file.op("Dropout", {"x"}, {"d", "mask"}, {{"ratio", 0.3F}}).op("Relu", {"d"}, {"y"});
}

void clippedHalves(OldFile& file)
{
    file.op("Cast", {"x"}, {"h"}, {{"to", std::int64_t{10}}});
    file.op("Clip", {"h"}, {"y"}, {{"min", -0.33F}, {"max", 1.1F}});
}

/// Softmax and ReduceSum in the body of a Loop that runs three times.
void looped(OldFile& file)
{
    file.ints("trips", {3});
    file.proto().mutable_initializer(0)->clear_dims();
    auto body = addBody(file.node("Loop", "loop", {"trips", "", "x"}, {"last", "y"}), "body");
    body.proto().set_name("body");
    body.input("i", {}).input("go", {}).input("s", {2, 3, 4, 5});
    body.output("go2", {}).output("s2", {2, 3, 4, 5}).output("sum", {2});
    const auto typed = [](onnx::ValueInfoProto* info, onnx::TensorProto::DataType type) {
        info->mutable_type()->mutable_tensor_type()->set_elem_type(type);
    };
    typed(body.proto().mutable_input(0), onnx::TensorProto::INT64);
    typed(body.proto().mutable_input(1), onnx::TensorProto::BOOL);
    typed(body.proto().mutable_output(0), onnx::TensorProto::BOOL);
    body.node("Identity", "keep", {"go"}, {"go2"});
    body.node("Softmax", "softmax", {"s"}, {"s2"});
    addAttributes(
        body.node("ReduceSum", "sum", {"s2"}, {"sum"}), {{"axes", Ints{1, 2, 3}}, {"keepdims", std::int64_t{0}}});
}

std::vector<OperatorCase> operatorCases()
{
    const auto number = [](std::int64_t value) { return value; };
    std::vector<OperatorCase> cases{
        {"ReduceSum", {7, 11, 12}, one("ReduceSum", {{"axes", Ints{1, 3}}, {"keepdims", number(0)}})},
        {"ReduceSumOfAll", {7, 12}, one("ReduceSum")},
        {"Squeeze", {7, 9, 11, 12}, one("Squeeze", {{"axes", Ints{1}}}), {2, 1, 3, 1, 4}},
        {"SqueezeAll", {7, 12}, one("Squeeze"), {2, 1, 3, 1, 4}},
        {"Unsqueeze", {7, 9, 11, 12}, one("Unsqueeze", {{"axes", Ints{0, 3}}})},
        {"Split", {7, 11, 12},
            [](OldFile& file) {
                file.op("Split", {"x"}, {"a", "y"}, {{"axis", std::int64_t{1}}, {"split", Ints{1, 2}}});
            }},
        {"Clip", {7, 9, 10}, one("Clip", {{"min", -0.5F}, {"max", 1.0F}})},
        {"ClipFromBelow", {7, 10}, one("Clip", {{"min", 0.0F}})},
        {"ClipFromAbove", {7, 10}, one("Clip", {{"max", 0.25F}})},
        {"ClipOfNothing", {7, 10}, one("Clip")},
        {"ClipOfHalves", {7, 10}, clippedHalves},
        {"Slice", {7, 9}, one("Slice", {{"starts", Ints{1, -4}}, {"ends", Ints{1 << 30, 4}}, {"axes", Ints{1, 3}}})},
        {"SliceWithoutAxes", {7, 9}, one("Slice", {{"starts", Ints{0, 1}}, {"ends", Ints{1, 3}}})},
        {"Pad", {7, 10}, one("Pad", {{"pads", Ints{0, 0, 1, 2, 0, 0, 0, 1}}, {"value", 1.5F}})},
        {"PadEdge", {7, 10}, one("Pad", {{"pads", Ints{0, 0, 1, 2, 0, 0, 0, 1}}, {"mode", std::string("reflect")}})},
        {"TopK", {7, 9},
            [](OldFile& file) {
                file.op("TopK", {"x"}, {"y", "i"}, {{"k", std::int64_t{2}}, {"axis", std::int64_t{2}}});
            }},
        {"Dropout", {7, 8, 9, 10, 11}, dropped},
        {"BatchNormalization", {7, 8}, normalized},
        {"UpsampleNearest", {7, 8}, one("Upsample", {{"scales", Floats{1, 1, 1.5F, 2}}})},
        {"UpsampleLinear", {7, 8},
            one("Upsample", {{"scales", Floats{1, 1, 1.7F, 2}}, {"mode", std::string("linear")}})},
        {"UpsampleByInput", {9}, resized("Upsample", {1, 1, 2, 3}, {{"mode", std::string("nearest")}})},
        {"ResizeUp", {10}, resized("Resize", {1, 1, 1.5F, 1.7F}, {{"mode", std::string("nearest")}})},
        {"ResizeDown", {10}, resized("Resize", {1, 1, 0.5F, 0.47F}, {{"mode", std::string("nearest")}}), {1, 2, 9, 11}},
        {"ResizeLinear", {10}, resized("Resize", {1, 1, 1.5F, 0.6F}, {{"mode", std::string("linear")}}), {1, 2, 9, 11}},
        {"ResizeForTensorFlow", {11, 12},
            resizedLater({1, 1, 1.5F, 0.47F},
                {{"mode", std::string("nearest")}, {"nearest_mode", std::string("floor")},
                    {"coordinate_transformation_mode", std::string("tf_half_pixel_for_nn")}}),
            {1, 2, 9, 11}},
        {"ResizeAsIs", {11, 12}, resizedLater({1, 1, 2, 3}, {{"mode", std::string("linear")}})},
        {"Scatter", {9, 10},
            [](OldFile& file) {
                file.ints("i", {2, 1});
                for (const std::int64_t dim : {1, 1, 1}) // indices [2, 1, 1, 1]
                    file.proto().mutable_initializer(0)->add_dims(dim);
                file.weight("u", {2, 1, 1, 1}, {7, 8});
                file.op("Scatter", {"x", "i", "u"}, {"y"}, {{"axis", std::int64_t{1}}});
            }},
        {"Loop", {7, 11, 12}, looped},
    };
    for (const char* type : {"Softmax", "LogSoftmax", "Hardmax"}) {
        cases.push_back({type, {7, 11, 12}, one(type)});
        for (const std::int64_t axis : {0, 2, 3})
            cases.push_back({type, {7, 12}, one(type, {{"axis", axis}})});
        cases.push_back({type, {11, 12}, one(type, {{"axis", std::int64_t{-2}}})});
    }
    // What the table calls unchanged where the specification was reworded.
    for (const char* padding : {"SAME_UPPER", "SAME_LOWER"}) {
        cases.push_back(
            {"ConvTranspose", {7, 10, 11}, [=](OldFile& file) {
                 file.weight("w", {3, 2, 3, 3}, {0.5F, -0.25F, 0.125F, 1});
                 file.op("ConvTranspose", {"x", "w"}, {"y"},
                     {{"auto_pad", std::string(padding)}, {"strides", Ints{2, 2}}, {"output_shape", Ints{8, 10}}});
             }});
        cases.push_back({"AveragePool", {7, 10},
            one("AveragePool",
                {{"auto_pad", std::string(padding)}, {"strides", Ints{2, 2}}, {"kernel_shape", Ints{3, 3}}})});
    }
    return cases;
}

INSTANTIATE_TEST_SUITE_P(All, OldOperators, testing::ValuesIn(operatorCases()),
    [](const auto& tested) { return std::string(tested.param.name) + std::to_string(tested.index); });

} // namespace
} // namespace duo
