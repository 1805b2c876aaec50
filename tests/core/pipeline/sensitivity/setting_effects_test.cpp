// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/setting_effects.h"

#include "core/quantize/recipe/settings_json.h"
#include "tests/support/settings.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class SettingEffects : public testing::Test
{
protected:
    /// What each value other than the present one would change; "" stands for leaving it out.
    [[nodiscard]] std::map<std::string, std::string> of(const char* key, const std::string& settings = "{}") const
    {
        const auto opened = openSnapshot(DUO_SAMPLES "/digits_conv.onnx");
        EXPECT_TRUE(opened) << opened.error().line();
        Recipe recipe;
        recipe.quantization = *settingsFromJson(nlohmann::ordered_json::parse(settings), "quantization");
        const auto snapshot = withRecipe(*opened, recipe);
        const auto effects = settingEffects(*snapshot, test::setting(key));
        EXPECT_TRUE(effects) << effects.error().line();
        std::map<std::string, std::string> texts;
        for (const SettingEffect& effect : *effects)
            texts.emplace(effect.value.value_or(""), effect.text);
        return texts;
    }
};

TEST_F(SettingEffects, SayHowManyQuantizersBecomeWhat)
{
    EXPECT_THAT(of("preset"),
        ElementsAre(
            Pair("mixed", "nothing changes here"), Pair("performance", "15 of 25 quantizers become symmetric")));
    EXPECT_THAT(of("weights_quantization_params.per_channel"),
        ElementsAre(Pair("false", "10 of 25 quantizers become per-tensor"), Pair("true", "nothing changes here")));
    EXPECT_THAT(of("preset", R"({"preset": "performance"})"),
        ElementsAre(
            Pair("", "15 of 25 quantizers become asymmetric"), Pair("mixed", "15 of 25 quantizers become asymmetric")));
}

TEST_F(SettingEffects, SayWhichQuantizersComeAndGoAndWhatNodesBecome)
{
    EXPECT_THAT(of("profile"),
        ElementsAre(Pair("openvino",
                        "14 of 24 quantizers become symmetric, 1 quantizer fewer, activations take int8 codes where "
                        "they are negative, biases stay float"),
            Pair("qnn", "1 of 25 quantizers becomes per-tensor, 10 quantizers more, 9 nodes more are quantized"),
            Pair("tensorrt",
                "11 of 21 quantizers become symmetric, 4 quantizers fewer, activations take int8 codes, biases stay "
                "float")));
    EXPECT_THAT(of("quantize_outputs"), ElementsAre(Pair("true", "1 quantizer more")));
}

TEST_F(SettingEffects, SayAllThatOneSettingChanges)
{
    const std::string text = of("nncf_compatible")["true"];
    for (const char* part : {"14 of 24 quantizers become symmetric", "biases stay float",
             "ranges of 15 activations are chosen otherwise", "1 of 10 weights use half their codes, instead of 0"})
        EXPECT_THAT(text, HasSubstr(part));
}

TEST_F(SettingEffects, OfRangesWeightsAndBiasesSayWhatTheyAreAbout)
{
    EXPECT_EQ(of("activations_range_estimator_params")["MSE"], "ranges of 15 activations are chosen otherwise");
    EXPECT_EQ(of("activations_range_estimator_params")["MINMAX"], "nothing changes here");
    EXPECT_THAT(of("overflow_fix"),
        ElementsAre(Pair("disable", "nothing changes here"),
            Pair("enable", "10 of 10 weights use half their codes, instead of 0"),
            Pair("first_layer_only", "1 of 10 weights use half their codes, instead of 0")));
    EXPECT_THAT(of("disable_bias_correction"),
        ElementsAre(Pair("false", "nothing changes here"), Pair("true", "10 biases no longer corrected")));
    EXPECT_THAT(of("fast_bias_correction"),
        ElementsAre(
            Pair("false", "10 biases corrected by running the quantized model"), Pair("true", "nothing changes here")));
    EXPECT_THAT(of("power_of_two_scales"), ElementsAre(Pair("true", "all 25 scales are rounded up")));
}

TEST_F(SettingEffects, WhatDependsOnDataSaysSo)
{
    for (const char* key : {"subset_size", "smooth_quant_alphas.matmul", "smooth_quant_alphas.convolution",
             "bias_correction_params.threshold"})
        EXPECT_THAT(of(key), ElementsAre(Pair("", HasSubstr("known once data were measured")))) << key;
    EXPECT_THAT(of("cross_layer_equalization"),
        ElementsAre(Pair("true", "which weights change is known after the next quantization")));
}

TEST_F(SettingEffects, AreStopped)
{
    const auto opened = openSnapshot(DUO_SAMPLES "/digits_conv.onnx");
    std::stop_source stop;
    stop.request_stop();
    const auto effects = settingEffects(*opened, test::setting("preset"), {stop.get_token(), {}});
    ASSERT_FALSE(effects);
    EXPECT_EQ(effects.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace duo
