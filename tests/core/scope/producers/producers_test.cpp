// SPDX-License-Identifier: Apache-2.0
// The table of producers, and what holds for all their files.
#include "core/scope/producers/producers.h"
#include "tests/core/scope/producers/producer_file.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

#include <set>

namespace duo::test {
namespace {

std::string producerIdOf(const std::string& file)
{
    const auto found = producerFile(file);
    return std::string(producerOf(*found.model, nameMarks(*found.model)).id);
}

TEST(Producers, EachFileHasItsRow)
{
    EXPECT_EQ(producerIdOf("keras3_resnet"), "tf2onnx");
    EXPECT_EQ(producerIdOf("magika"), "tf2onnx");
    EXPECT_EQ(producerIdOf("keras3_resnet_ort_all"), "tf2onnx");
    EXPECT_EQ(producerIdOf("paddle_cls"), "paddle2onnx");
    EXPECT_EQ(producerIdOf("paddle_rec"), "paddle2onnx"); // its header names nobody
    EXPECT_EQ(producerIdOf("mxnet_residual"), "mxnet"); // neither does this one: by names such as conv0_fwd
    EXPECT_EQ(producerIdOf("caffe_residual"), "caffe");
    EXPECT_EQ(producerIdOf("coreml_net"), "coreml");
    EXPECT_EQ(producerIdOf("darknet_net"), "pytorch");
    EXPECT_EQ(producerIdOf("keras2onnx_mos"), "keras2onnx");
    EXPECT_EQ(producerIdOf("skl_mlp"), "skl2onnx");
    const auto torch = FoundScopes::ofFile("exports/bert.script.onnx");
    EXPECT_EQ(producerOf(*torch.model, nameMarks(*torch.model)).id, "pytorch");
}

TEST(Producers, NamesOfComputedValuesDecideNothing)
{
    const auto named = [](const std::string& input, const std::string& computed) {
        const auto model = ModelBuilder()
                               .input(input, {1, 4})
                               .node("Relu", "g/act/Relu", {input}, {computed})
                               .node("Relu", "g/out/Relu", {computed}, {"y"})
                               .output("y")
                               .build();
        return std::string(producerOf(*model, nameMarks(*model)).id);
    };
    EXPECT_EQ(named("x", "g/act/Relu:0"), "unknown");
    EXPECT_EQ(named("x:0", "a"), "tf2onnx");
}

TEST(Producers, IdsAreUnique)
{
    std::set<std::string_view> ids;
    for (const Producer& producer : producers())
        EXPECT_TRUE(ids.insert(producer.id).second) << producer.id;
}

TEST(Producers, OneLineSaysWhatNamesCannotTell)
{
    const auto note = producerNote(*ModelBuilder()
                                        .input("x")
                                        .node("LinearClassifier", "step", {"x"}, {"y"})
                                        .output("y")
                                        .producer("skl2onnx")
                                        .build());
    ASSERT_TRUE(note);
    EXPECT_EQ(note->text,
        "written by scikit-learn through skl2onnx: models of scikit-learn have no modules: steps of a pipeline leave "
        "no names");
    EXPECT_FALSE(producerNote(*FoundScopes::ofFile("exports/bert.script.onnx").model));
}

class InAnyOrder : public testing::TestWithParam<const char*>
{
};

TEST_P(InAnyOrder, TheFactsAreTheSame)
{
    const auto facts = factsByNode(producerFile(GetParam()));
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const auto shuffled = factsByNode(producerFile(GetParam(), seed));
        for (const auto& [node, text] : facts)
            ASSERT_EQ(shuffled.at(node), text) << node << ", order " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Producers, InAnyOrder,
    testing::Values("keras2_nested", "keras2_resnet", "keras3_nested", "keras3_resnet", "keras3_resnet_lite",
        "keras3_resnet_ort_all", "keras3_rnn", "keras3_subclassed", "keras2_attention", "keras2onnx_mos", "jax_encoder",
        "jax_shared", "flax_attention", "magika", "basic_pitch", "paddle_net", "paddle_cls", "paddle_rec",
        "mxnet_residual", "caffe_residual", "coreml_net", "darknet_net", "skl_mlp", "aimet_blocks", "olive_bert",
        "optimum_bert", "winml_bert"),
    [](const auto& file) { return std::string(file.param); });

} // namespace
} // namespace duo::test
