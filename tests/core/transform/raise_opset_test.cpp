// SPDX-License-Identifier: Apache-2.0
#include "core/transform/raise_opset.h"

#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/state/model_hash.h"
#include "tests/core/transform/old_file.h"
#include "tests/support/written_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addAttributes;
using test::addBody;
using test::addNode;
using test::nodeLines;
using test::OldFile;
using testing::ElementsAre;
using testing::IsEmpty;
using Ints = std::vector<std::int64_t>;

OldFile& inAndOut(OldFile& file, const Ints& dims = {2, 3, 4, 5})
{
    file.input("x", dims);
    return file.graphOutput();
}

std::string noteOf(const OldFile& file)
{
    const auto notes = raiseOpset(*file.read()).notes;
    return notes.empty() ? "" : notes.front().text;
}

TEST(RaiseOpset, TurnsAttributesIntoInputs)
{
    OldFile file(9);
    inAndOut(file)
        .op("Clip", {"x"}, {"a"}, {{"min", -1.0F}, {"max", 3.4028234663852886e38F}})
        .op("Slice", {"a"}, {"b"}, {{"starts", Ints{1}}, {"ends", Ints{9}}, {"axes", Ints{2}}})
        .op("Unsqueeze", {"b"}, {"c"}, {{"axes", Ints{0, 2}}})
        .op("Pad", {"c"}, {"d"}, {{"pads", Ints{0, 1, 0, 1}}, {"mode", std::string("edge")}})
        .op("Upsample", {"d", "c"}, {"e"})
        .op("Relu", {"e"}, {"y"});
    EXPECT_THAT(nodeLines(*file.raised()),
        ElementsAre("Clip clip(x, [-1]) -> a", "Slice slice(a, [1], [9], [2]) -> b",
            "Unsqueeze unsqueeze(b, [0 2]) -> c", "Pad pad(c, [0 1 0 1]) -> d mode=edge",
            "Resize upsample(d, , c) -> e coordinate_transformation_mode=asymmetric nearest_mode=floor",
            "Relu relu(e) -> y"));
    EXPECT_EQ(noteOf(file), "opset 9 is read as opset 13, rewritten: 1 Clip, 1 Pad, 1 Slice, 1 Unsqueeze, 1 Upsample");
}

TEST(RaiseOpset, LeavesModelsOfOpset13AndNewerAlone)
{
    for (const std::int64_t opset : {13, 17}) {
        OldFile file(opset);
        inAndOut(file).op("Softmax", {"x"}, {"y"});
        EXPECT_EQ(file.refusal(), "nothing to convert");
    }
}

TEST(RaiseOpset, SaysWhereNothingHadToBeRewritten)
{
    OldFile file(12);
    inAndOut(file).op("Relu", {"x"}, {"y"});
    EXPECT_EQ(noteOf(file), "opset 12 is read as opset 13, no node had to be rewritten");
}

TEST(RaiseOpset, KeepsSoftmaxOfTheLastDimensionAlone)
{
    OldFile file(11);
    inAndOut(file, {2, 3}).op("Softmax", {"x"}, {"a"}).op("LogSoftmax", {"a"}, {"y"}, {{"axis", std::int64_t{-1}}});
    EXPECT_THAT(nodeLines(*file.raised()),
        ElementsAre("Softmax softmax(x) -> a axis=1", "LogSoftmax logsoftmax(a) -> y axis=-1"));
}

TEST(RaiseOpset, MakesTheDimensionsOfSoftmaxOneAroundIt)
{
    OldFile file(11);
    inAndOut(file).op("Softmax", {"x"}, {"y"}, {{"axis", std::int64_t{2}}});
    const auto raised = file.raised();
    EXPECT_THAT(nodeLines(*raised),
        ElementsAre("Flatten softmax_Flatten(x) -> y_Flatten axis=2", "Softmax softmax(y_Flatten) -> y_inner axis=-1",
            "Shape softmax_Shape(x) -> y_Shape", "Reshape softmax_Reshape(y_inner, y_Shape) -> y"));
    EXPECT_TRUE(raised->value(raised->findValue("y")).isOutput);
}

TEST(RaiseOpset, KeepsTheNameAnUnnamedNodeIsShownBy)
{
    OldFile file(11);
    inAndOut(file).node("Softmax", "", {"x"}, {"y"});
    const auto raised = file.raised();
    EXPECT_THAT(nodeLines(*raised),
        ElementsAre("Flatten Flatten:y_Flatten(x) -> y_Flatten axis=1",
            "Softmax Softmax:y(y_Flatten) -> y_inner axis=-1", "Shape Shape:y_Shape(x) -> y_Shape",
            "Reshape Reshape:y(y_inner, y_Shape) -> y"));
    EXPECT_TRUE(file.read()->findNode("Softmax:y").valid());
}

TEST(RaiseOpset, LinesUpWhatWasBroadcastAlongAnAxis)
{
    OldFile file(6);
    const Attribute broadcast{"broadcast", std::int64_t{1}};
    inAndOut(file)
        .op("Add", {"x", "bias"}, {"a"}, {broadcast, {"axis", std::int64_t{1}}})
        .op("Mul", {"a", "last"}, {"b"}, {broadcast})
        .op("PRelu", {"b", "bias"}, {"y"});
    file.weight("bias", {3}).weight("last", {5});
    EXPECT_THAT(nodeLines(*file.raised()),
        ElementsAre("Unsqueeze add_Unsqueeze([0.5 0.5 0.5], [1 2]) -> a_Unsqueeze", "Add add(x, a_Unsqueeze) -> a",
            "Mul mul(a, [0.5 0.5 0.5 0.5 0.5]) -> b", "Unsqueeze prelu_Unsqueeze([0.5 0.5 0.5], [1 2]) -> y_Unsqueeze",
            "PRelu prelu(b, y_Unsqueeze) -> y"));
}

TEST(RaiseOpset, ConvertsBodiesToo)
{
    OldFile file(9);
    inAndOut(file, {2, 3, 4});
    file.tensor("go", {}, onnx::TensorProto::BOOL).add_int32_data(1);
    onnx::NodeProto& choice = file.node("If", "if", {"go"}, {"y"});
    auto then = addBody(choice, "then_branch");
    then.output("t", {2, 3, 4}).node("Softmax", "soft", {"x"}, {"t"});
    auto other = addBody(choice, "else_branch");
    addAttributes(other.output("e", {2, 3, 4}).node("Clip", "clip", {"x"}, {"e"}), {{"min", 0.0F}});
    EXPECT_THAT(nodeLines(*file.raised()),
        ElementsAre("If if([1]) -> y", "Flatten if::then_branch::soft_Flatten(x) -> t_Flatten axis=1",
            "Softmax if::then_branch::soft(t_Flatten) -> t_inner axis=-1",
            "Shape if::then_branch::soft_Shape(x) -> t_Shape",
            "Reshape if::then_branch::soft_Reshape(t_inner, t_Shape) -> t", "Clip if::else_branch::clip(x, [0]) -> e"));
}

TEST(RaiseOpset, RaisesTheIrVersionSoThatInitializersAreNoInputs)
{
    OldFile file(7);
    inAndOut(file).input("w", {3, 1, 1}).weight("w", {3, 1, 1});
    file.op("Mul", {"x", "w"}, {"a"}).op("Unsqueeze", {"a"}, {"y"}, {{"axes", Ints{0}}});
    const auto raised = file.raised();
    EXPECT_EQ(raised->irVersion, 7);
    onnx::ModelProto proto;
    const auto bytes = test::writtenBytes(*raised, {});
    ASSERT_TRUE(bytes && proto.ParseFromString(*bytes));
    ASSERT_EQ(proto.graph().input_size(), 1);
    EXPECT_EQ(proto.graph().input(0).name(), "x");
    EXPECT_EQ(proto.graph().initializer_size(), 2);
}

TEST(RaiseOpset, SharesTheWeightsAndRemembersTheFile)
{
    OldFile file(9);
    inAndOut(file).weight("w", {100, 100});
    file.op("Clip", {"x"}, {"y"}, {{"min", 0.0F}});
    const auto original = file.read();
    const auto raised = convertedModel(original, *raiseOpset(*original).edits, {});
    ASSERT_TRUE(raised) << raised.error().line();
    const Tensor* before = original->constant(original->findValue("w"));
    const Tensor* after = (*raised)->constant((*raised)->findValue("w"));
    EXPECT_EQ(before->bytes().data(), after->bytes().data());
    EXPECT_EQ(&modelInFile(**raised), original.get());
    EXPECT_EQ(&modelInFile(*original), original.get());
    EXPECT_EQ(*hashModel(**raised), *hashModel(*original));
}

TEST(RaiseOpset, TakesAFileBeforeImportsForOpset1)
{
    OldFile file(1);
    file.model().set_ir_version(2);
    file.model().clear_opset_import();
    inAndOut(file).op("Relu", {"x"}, {"y"}, {{"consumed_inputs", Ints{0}}});
    const auto raised = file.raised();
    EXPECT_EQ(raised->opset(), 13);
    EXPECT_THAT(nodeLines(*raised), ElementsAre("Relu relu(x) -> y"));
    file.model().set_ir_version(8);
    EXPECT_EQ(file.refusal(), "nothing to convert");
}

TEST(ConvertedModel, OfOneThatWasConvertedKnowsTheFile)
{
    OldFile file(9);
    inAndOut(file).op("Softmax", {"x"}, {"y"}, {{"axis", std::int64_t{3}}});
    const auto raised = file.raised();
    const auto again = convertedModel(raised, EditList{}, {});
    ASSERT_TRUE(again) << again.error().line();
    EXPECT_EQ(modelInFile(**again).opset(), 9);
}

TEST(RaiseOpset, RaisesBothImportsOfOneDomain)
{
    OldFile file(9);
    auto& other = *file.model().add_opset_import();
    other.set_domain("ai.onnx");
    other.set_version(11);
    inAndOut(file).op("Softmax", {"x"}, {"y"}, {{"axis", std::int64_t{3}}});
    EXPECT_EQ(file.raised()->opset(), 13);
}

struct Refused {
    const char* name;
    std::int64_t opset;
    void (*fill)(OldFile&);
    const char* why; // behind the operator
};

void PrintTo(const Refused& refused, std::ostream* out)
{
    *out << refused.name;
}

class Unconvertible : public testing::TestWithParam<Refused>
{
};

TEST_P(Unconvertible, StayAsTheyAreWithTheReason)
{
    OldFile file(GetParam().opset);
    inAndOut(file);
    GetParam().fill(file);
    EXPECT_EQ(file.refusal(),
        "opset " + std::to_string(GetParam().opset) + " is not converted to 13: " + std::string(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(All, Unconvertible,
    testing::Values(Refused{"Unknown", 9, [](OldFile& f) { f.op("ImageScaler", {"x"}, {"y"}); },
                        "ImageScaler 'imagescaler': it is no operator of opset 9"},
        Refused{"TooNew", 8, [](OldFile& f) { f.op("Erf", {"x"}, {"y"}); }, "Erf 'erf': it is no operator of opset 8"},
        Refused{"NoForm", 8,
            [](OldFile& f) {
                f.op("Scan", {"", "x"}, {"y"});
            },
            "Scan 'scan': its form of opset 8 has no conversion"},
        Refused{"WrongType", 9,
            [](OldFile& f) {
                f.op("Squeeze", {"x"}, {"y"}, {{"axes", std::string("all")}});
            },
            "Squeeze 'squeeze': attribute 'axes' is of another type than its operator says"},
        Refused{"NoAxes", 9, [](OldFile& f) { f.op("Unsqueeze", {"x"}, {"y"}); },
            "Unsqueeze 'unsqueeze': it names no axes"},
        Refused{"NotEqualLong", 9,
            [](OldFile& f) {
                f.op("Slice", {"x"}, {"y"}, {{"starts", Ints{0, 1}}, {"ends", Ints{1}}});
            },
            "Slice 'slice': its starts, ends and axes do not fit each other"},
        Refused{"AxisBeyond", 9,
            [](OldFile& f) {
                f.op("Softmax", {"x"}, {"y"}, {{"axis", std::int64_t{4}}});
            },
            "Softmax 'softmax': its axis does not fit its input"},
        Refused{"NoInput", 9, [](OldFile& f) { f.op("Softmax", {}, {"y"}); },
            "Softmax 'softmax': it has no input or no output"},
        Refused{"UnknownElement", 9,
            [](OldFile& f) {
                addAttributes(f.node("Foo", "foo", {"x"}, {"a"}), {}).set_domain("own");
                f.op("Clip", {"a"}, {"y"}, {{"min", 0.0F}});
            },
            "Clip 'clip': the element type of its input is not known, or is no float"},
        Refused{"UnknownRank", 6,
            [](OldFile& f) {
                addAttributes(f.node("Foo", "foo", {"x"}, {"a"}), {}).set_domain("own");
                f.weight("w", {3});
                f.op("Add", {"a", "w"}, {"y"}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}});
            },
            "Add 'add': how many dimensions its inputs have is not known"},
        Refused{"Training", 6, [](OldFile& f) { f.op("BatchNormalization", {"x"}, {"y"}); },
            "BatchNormalization 'batchnormalization': it is in training mode"},
        Refused{"ByElement", 7,
            [](OldFile& f) {
                f.op("BatchNormalization", {"x"}, {"y"}, {{"spatial", std::int64_t{0}}});
            },
            "BatchNormalization 'batchnormalization': it normalizes every element by itself (spatial=0)"},
        Refused{"Mask", 10,
            [](OldFile& f) {
                f.graphOutput("mask").op("Dropout", {"x"}, {"y", "mask"});
            },
            "Dropout 'dropout': its mask is read"},
        Refused{"OpenScales", 10,
            [](OldFile& f) {
                f.input("s", {4}).node("Resize", "resize", {"x", "s"}, {"y"});
            },
            "Resize 'resize': its scales are no constants, so that it is not known whether it grows or shrinks"},
        Refused{"Both", 10,
            [](OldFile& f) {
                f.weight("s", {4}, {1, 1, 2, 0.5F}).node("Resize", "resize", {"x", "s"}, {"y"});
            },
            "Resize 'resize': it grows in one dimension and shrinks in another"},
        Refused{"Call", 9,
            [](OldFile& f) {
                addNode(f.function("F", {"a"}, {"b"}), "Relu", "r", {"a"}, {"b"});
                f.node("F", "call", {"x"}, {"y"}).set_domain("local");
            },
            "F 'call': it calls a local function"}),
    [](const auto& tested) { return std::string(tested.param.name); });

} // namespace
} // namespace duo
