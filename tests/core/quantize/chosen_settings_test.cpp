// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/chosen_settings.h"
#include "core/quantize/operators/attention.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ModelBuilder;

void addAttention(ModelBuilder& builder, const std::string& input, const std::string& output)
{
    const auto at = [&](const char* name) { return output + name; };
    builder.weight(at("wq"), {8, 8}).weight(at("wk"), {8, 8}).weight(at("wv"), {8, 8}).weight(at("wo"), {8, 8});
    builder.weight(at("scale"), {}, {2.8F});
    builder.node("MatMul", at("q"), {input, at("wq")}, {at("q")}).node("MatMul", at("k"), {input, at("wk")}, {at("k")});
    builder.node("MatMul", at("v"), {input, at("wv")}, {at("v")}).node("Transpose", at("t"), {at("k")}, {at("kt")});
    builder.node("MatMul", at("s"), {at("q"), at("kt")}, {at("s")});
    builder.node("Div", at("d"), {at("s"), at("scale")}, {at("d")}).node("Softmax", at("p"), {at("d")}, {at("p")});
    builder.node("MatMul", at("m"), {at("p"), at("v")}, {at("m")});
    builder.node("MatMul", at("o"), {at("m"), at("wo")}, {output});
}

ModelBuilder encoder()
{
    ModelBuilder builder;
    builder.input("x", {4, 8}).weight("g", {8}).weight("b", {8}, {0});
    addAttention(builder, "x", "a1");
    builder.node("LayerNormalization", "norm1", {"a1", "g", "b"}, {"n1"});
    addAttention(builder, "n1", "a2");
    return builder;
}

/// x - mean, divided by the root of the mean of its square.
void addNormOfParts(ModelBuilder& builder)
{
    builder.weight("two", {}, {2}).weight("eps", {}, {1e-5F});
    builder.node("ReduceMean", "mean", {"a2"}, {"mu"}).node("Sub", "centre", {"a2", "mu"}, {"c"});
    builder.node("Pow", "square", {"c", "two"}, {"c2"}).node("ReduceMean", "variance", {"c2"}, {"var"});
    builder.node("Add", "not zero", {"var", "eps"}, {"var2"}).node("Sqrt", "root", {"var2"}, {"sd"});
    builder.node("Div", "norm2", {"c", "sd"}, {"y"}).output("y");
}

TEST(ChosenSettings, KnowsATransformerByItsAttentionAndNorms)
{
    ModelBuilder builder = encoder();
    addNormOfParts(builder);
    const TransformerSigns signs = transformerSigns(*builder.build());
    EXPECT_EQ(signs.attentions, 2U);
    EXPECT_EQ(signs.norms, 2U);
    EXPECT_EQ(signs.products, 8U);
    EXPECT_TRUE(signs.isTransformer());
}

/// As an export is: codes on both sides of what multiplies, and weights as codes.
TEST(ChosenSettings, KnowsAnAttentionBetweenQuantizersOfTheFile)
{
    ModelBuilder builder;
    builder.input("x", {4, 8}).weight("s", {}, {0.1F}).ints("codes", {1, 2, 3, 4});
    const auto quantized = [&builder](const std::string& name) {
        builder.node("QuantizeLinear", "q " + name, {name, "s"}, {name + ".codes"});
        builder.node("DequantizeLinear", "dq " + name, {name + ".codes", "s"}, {name + ".float"});
        return name + ".float";
    };
    builder.node("DequantizeLinear", "dq codes", {"codes", "s"}, {"w"});
    builder.node("MatMul", "query", {quantized("x"), "w"}, {"q"}).node("MatMul", "key", {"x.float", "w"}, {"k"});
    builder.node("MatMul", "scores", {quantized("q"), quantized("k")}, {"p"});
    builder.node("Softmax", "softmax", {quantized("p")}, {"m"});
    builder.node("MatMul", "mixed", {quantized("m"), "x.float"}, {"y"});
    const TransformerSigns signs = transformerSigns(*builder.output("y").build());
    EXPECT_EQ(signs.attentions, 1U);
    EXPECT_EQ(signs.products, 2U);
}

TEST(ChosenSettings, TakesTheModelTypeAndSmoothQuantForIt)
{
    ModelBuilder builder = encoder();
    addNormOfParts(builder);
    const ChosenSettings chosen = chosenSettings(*builder.build(), {});
    EXPECT_EQ(chosen.settings.modelType, ModelType::Transformer);
    EXPECT_EQ(chosen.settings.corrections.smoothQuantMatMul, 0.7);
    ASSERT_TRUE(chosen.note);
    EXPECT_EQ(chosen.note->text,
        "transformer recognised: 2 attention blocks; model_type transformer and SmoothQuant chosen (--model-type none, "
        "or \"model_type\": \"none\" in the recipe, leaves them out)");
}

TEST(ChosenSettings, LeavesWhatTheRecipeSays)
{
    ModelBuilder builder = encoder();
    addNormOfParts(builder);
    const auto model = builder.build();
    QuantizationSettings settings;
    settings.modelType = ModelType::None;
    EXPECT_EQ(chosenSettings(*model, settings).settings, settings);
    settings = {};
    settings.nncfCompatible = true;
    EXPECT_EQ(chosenSettings(*model, settings).settings, settings);
    settings = {};
    settings.corrections.smoothQuantMatMul = 0.5;
    const ChosenSettings chosen = chosenSettings(*model, settings);
    EXPECT_EQ(chosen.settings.corrections.smoothQuantMatMul, 0.5);
    EXPECT_EQ(chosen.settings.modelType, ModelType::Transformer);
}

TEST(ChosenSettings, TakesNoConvolutionalNetworkWithSomeAttentionForATransformer)
{
    ModelBuilder builder;
    builder.input("x", {4, 8}).input("picture", {1, 3, 8, 8}).weight("g", {8}).weight("b", {8}, {0});
    addAttention(builder, "x", "a1");
    builder.node("LayerNormalization", "norm1", {"a1", "g", "b"}, {"y"}).output("y");
    std::string value = "picture";
    for (int i = 0; i < 5; ++i) {
        const std::string next = "c" + std::to_string(i);
        builder.weight("k" + next, {3, 3, 3, 3}).node("Conv", next, {value, "k" + next}, {next});
        value = next;
    }
    const auto model = builder.output(value).build();
    EXPECT_FALSE(transformerSigns(*model).isTransformer());
    EXPECT_FALSE(chosenSettings(*model, {}).note);
}

TEST(ChosenSettings, TakesASoftmaxWithoutProductsAroundItForNoAttention)
{
    const auto model = ModelBuilder()
                           .input("x", {4, 8})
                           .weight("w", {8, 8})
                           .node("MatMul", "product", {"x", "w"}, {"p"})
                           .node("Softmax", "softmax", {"p"}, {"y"})
                           .output("y")
                           .build();
    EXPECT_EQ(transformerSigns(*model).attentions, 0U);
}

} // namespace
} // namespace duo
