// SPDX-License-Identifier: Apache-2.0
#include "core/transform/lower_opset.h"

#include "core/onnx/reader.h"
#include "tests/core/transform/transformed.h"
#include "tests/support/written_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;

namespace duo::test {
namespace {

/// The lines of `file` in an older opset, which computes the same in the engine.
std::vector<std::string> lowered(std::int64_t opset, const PassFile& file)
{
    const Outcome outcome = runOnce(lowerOpset, file.read(), {}, false, opset);
    EXPECT_EQ(outcome.model->opset(), opset);
    EXPECT_THAT(outcome.skipped, IsEmpty());
    return outcome.lines;
}

TEST(LowerOpset, WritesActivationsAsOlderOperators)
{
    PassFile hard(14);
    hard.op("HardSwish", "hard", {"x"}, {"y"}).result();
    EXPECT_THAT(lowered(13, hard),
        ElementsAre("HardSigmoid hard_HardSigmoid(x) -> y_HardSigmoid alpha=0.166667 beta=0.5",
            "Mul hard(x, y_HardSigmoid) -> y"));
    PassFile mish(18);
    mish.op("Mish", "mish", {"x"}, {"y"}).result();
    EXPECT_THAT(lowered(17, mish),
        ElementsAre("Softplus mish_Softplus(x) -> y_Softplus", "Tanh mish_Tanh(y_Softplus) -> y_Tanh",
            "Mul mish(x, y_Tanh) -> y"));
    PassFile gelu(20);
    gelu.op("Gelu", "gelu", {"x"}, {"y"}).result();
    EXPECT_THAT(lowered(17, gelu),
        ElementsAre("Div gelu_Div(x, [1.41421]) -> y_Div", "Erf gelu_Erf(y_Div) -> y_Erf",
            "Add gelu_Add(y_Erf, [1]) -> y_Add", "Mul gelu_Mul(x, y_Add) -> y_Mul", "Mul gelu(y_Mul, [0.5]) -> y"));
    PassFile bent(20);
    bent.op("Gelu", "gelu", {"x"}, {"y"}, {{"approximate", std::string("tanh")}}).result();
    EXPECT_EQ(lowered(19, bent).size(), 9U);
    PassFile swish(24);
    swish.op("Swish", "swish", {"x"}, {"y"}, {{"alpha", 1.5F}}).result();
    EXPECT_THAT(lowered(20, swish),
        ElementsAre("Mul swish_Mul(x, [1.5]) -> y_Mul", "Sigmoid swish_Sigmoid(y_Mul) -> y_Sigmoid",
            "Mul swish(x, y_Sigmoid) -> y"));
}

/// Nothing calls it, and in the older opset it would be what the name means.
TEST(LowerOpset, TakesAwayAFunctionWithTheNameOfAnOperator)
{
    PassFile gelu(20);
    onnx::FunctionProto& function = gelu.function("Gelu", {"a"}, {"r"});
    function.set_domain("");
    addNode(function, "Neg", "neg", {"a"}, {"r"});
    onnx::FunctionProto& other = gelu.function("Other", {"a"}, {"r"});
    addNode(other, "Neg", "neg", {"a"}, {"r"});
    for (onnx::FunctionProto* each : {&function, &other}) {
        auto* import = each->add_opset_import();
        import->set_domain("");
        import->set_version(each == &function ? 20 : 17);
    }
    gelu.op("Gelu", "gelu", {"x"}, {"y"}).result();
    const Outcome outcome = runOnce(lowerOpset, gelu.read(), {}, false, 17);
    ASSERT_EQ(outcome.lines.size(), 5U);
    const auto written = writtenBytes(*outcome.model, {});
    ASSERT_TRUE(written);
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(*written));
    ASSERT_EQ(proto.functions_size(), 1);
    EXPECT_EQ(proto.functions(0).name(), "Other");
}

TEST(LowerOpset, WritesNormalizationsAsOlderOperators)
{
    PassFile layer(17);
    layer.weight("scale", {3}, {1, 2, 3}).weight("bias", {3}, {0, 1, 0});
    layer.op("LayerNormalization", "norm", {"x", "scale", "bias"}, {"y"}).result();
    EXPECT_THAT(lowered(15, layer),
        ElementsAre("ReduceMean norm_ReduceMean(x) -> y_ReduceMean axes=[-1] keepdims=1",
            "Sub norm_Sub(x, y_ReduceMean) -> y_Sub", "Mul norm_Mul(y_Sub, y_Sub) -> y_Mul",
            "ReduceMean norm_ReduceMean_1(y_Mul) -> y_ReduceMean_1 axes=[-1] keepdims=1",
            "Add norm_Add(y_ReduceMean_1, [1e-05]) -> y_Add", "Sqrt norm_Sqrt(y_Add) -> y_Sqrt",
            "Div norm_Div(y_Sub, y_Sqrt) -> y_Div", "Mul norm_Mul_1(y_Div, [1 2 3]) -> y_Mul_1",
            "Add norm(y_Mul_1, [0 1 0]) -> y"));
    PassFile both(17);
    both.weight("scale", {2, 3}, {1, 2, 3, 4, 5, 6});
    both.op("LayerNormalization", "norm", {"x", "scale"}, {"y"}, {{"axis", std::int64_t{0}}}).result();
    EXPECT_EQ(lowered(16, both).size(), 8U);
    PassFile root(23);
    root.weight("scale", {3}, {1, 2, 3});
    root.op("RMSNormalization", "norm", {"x", "scale"}, {"y"}).result();
    EXPECT_EQ(lowered(18, root).size(), 6U); // axes of ReduceMean are an input
}

TEST(LowerOpset, SaysInAttributesWhatInputsSay)
{
    PassFile file(18);
    file.ints("axes", {1}).op("ReduceMax", "most", {"x", "axes"}, {"a"}, {{"keepdims", std::int64_t{0}}});
    file.op("Reshape", "shape", {"a", "axes2"}, {"b"}, {{"allowzero", std::int64_t{1}}}).ints("axes2", {2, 1});
    file.op("Split", "parts", {"x"}, {"c", "d", "e"}, {{"axis", std::int64_t{1}}, {"num_outputs", std::int64_t{3}}});
    file.op("Add", "add", {"b", "d"}, {"y"}).result();
    EXPECT_THAT(lowered(13, file),
        ElementsAre("ReduceMax most(x) -> a keepdims=0 axes=[1]", "Reshape shape(a, [2 1]) -> b",
            "Split parts(x) -> c d e axis=1", "Add add(b, d) -> y"));
}

TEST(LowerOpset, TakesSizesOutOfTheWholeShape)
{
    PassFile file(15);
    file.op("Shape", "size", {"x"}, {"s"}, {{"start", std::int64_t{-1}}});
    file.op("Expand", "spread", {"x", "s"}, {"y"}).result();
    EXPECT_THAT(lowered(13, file),
        ElementsAre(
            "Shape size_Shape(x) -> s_Shape", "Slice size(s_Shape, [1], [2]) -> s", "Expand spread(x, s) -> y"));
}

TEST(LowerOpset, PadsAllAxes)
{
    PassFile file(18);
    file.ints("counts", {1, 2}).ints("last", {-1}).weight("one", {}, {1});
    file.op("Pad", "around", {"x", "counts", "one", "last"}, {"a"});
    file.op("Pad", "edge", {"a", "counts", "", "last"}, {"y"}, {{"mode", std::string("edge")}}).result();
    EXPECT_THAT(
        lowered(17, file), ElementsAre("Pad around(x, [0 1 0 2], [1]) -> a", "Pad edge(a, [0 1 0 2]) -> y mode=edge"));
}

TEST(LowerOpset, NamesWhatHasNoOlderFormAndLeavesAll)
{
    PassFile file(18);
    file.op("Mish", "mish", {"x"}, {"a"}).ints("counts", {0, 1, 0, 1}).op("Shape", "shape", {"x"}, {"both"});
    file.op("Trilu", "lower", {"a"}, {"b"}).op("Pad", "around", {"b", "counts", "", "both"}, {"y"}).result();
    const Outcome outcome = runOnce(lowerOpset, file.read(), {}, false, 13);
    EXPECT_THAT(outcome.skipped,
        ElementsAre(
            "lower: its form of opset 14 has none in opset 13", "around: around which axes it pads is not known"));
    EXPECT_EQ(outcome.model->opset(), 18);
    EXPECT_EQ(outcome.lines.size(), 4U);
}

TEST(LowerOpset, NamesAModeThatIsNewer)
{
    PassFile file(19);
    file.weight("scales", {2}, {2, 2});
    file.op("Resize", "larger", {"x", "", "scales"}, {"y"},
        {{"coordinate_transformation_mode", std::string("half_pixel_symmetric")}});
    file.result();
    EXPECT_THAT(runOnce(lowerOpset, file.read(), {}, false, 18).skipped,
        ElementsAre("larger: it counts pixels from the middle"));
}

TEST(LowerOpset, NamesARemainderOfFloats)
{
    PassFile file(28);
    file.ints("two", {2}).weight("by", {}, {2});
    file.op("Mod", "floats", {"x", "by"}, {"a"});
    file.op("Mod", "as C", {"a", "by"}, {"y"}, {{"fmod", std::int64_t{1}}}).result();
    file.op("Shape", "shape", {"x"}, {"s"}).op("Mod", "whole", {"s", "two"}, {"z"}).result("z");
    EXPECT_THAT(runOnce(lowerOpset, file.read(), {}, false, 26).skipped,
        ElementsAre("floats: it is not known to be of whole numbers"));
}

TEST(LowerOpset, OnlyTheOpsetChangesWhereAllIsOldEnough)
{
    PassFile file(15);
    file.op("Relu", "relu", {"x"}, {"y"}).result();
    const auto model = file.read();
    const auto edits = [&](std::int64_t opset) {
        PassScene scene{*model, {}};
        scene.opset = opset;
        return lowerOpset(scene).edits;
    };
    EXPECT_FALSE(edits(15));
    EXPECT_FALSE(edits(0));
    const auto changed = convertedModel(model, *edits(14), {});
    ASSERT_TRUE(changed) << changed.error().line();
    EXPECT_EQ((*changed)->opset(), 14);
    EXPECT_EQ((*changed)->irVersion, 7);
    EXPECT_THAT(nodeLines(**changed), ElementsAre("Relu relu(x) -> y"));
}

} // namespace
} // namespace duo::test
