// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/profile_rules.h"

#include "core/quantize/recipe/settings_json.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr auto kSymmetric = QuantizationMode::Symmetric;
constexpr auto kAsymmetric = QuantizationMode::Asymmetric;

/// @param settings as a recipe has them
Target target(const char* settings)
{
    return targetOf(*settingsFromJson(nlohmann::ordered_json::parse(settings), "quantization"));
}

TEST(Target, ActivationsAreAsThePresetSaysElseAsTheProfileWants)
{
    EXPECT_EQ(target("{}").activations, kAsymmetric);
    EXPECT_EQ(target(R"({"profile": "tensorrt"})").activations, kSymmetric);
    EXPECT_EQ(target(R"({"preset": "performance"})").activations, kSymmetric);
    EXPECT_EQ(target(R"({"profile": "openvino", "preset": "mixed"})").activations, kAsymmetric);
}

TEST(Target, ActivationsOfTransformersAreAsymmetricWhereNncfsTablesHold)
{
    EXPECT_EQ(target(R"({"nncf_compatible": true})").activations, kSymmetric);
    EXPECT_EQ(target(R"({"nncf_compatible": true, "model_type": "transformer"})").activations, kAsymmetric);
    EXPECT_EQ(target(R"({"profile": "openvino", "model_type": "transformer"})").activations, kAsymmetric);
}

TEST(Target, AModeThatIsAskedForWinsOverThePreset)
{
    const Target asked = target(R"({"preset": "mixed", "activations_quantization_params": {"mode": "symmetric"}})");
    EXPECT_EQ(asked.activations, kSymmetric);
}

TEST(Target, OverflowIsFixedAsAskedElseAsNncfDoes)
{
    EXPECT_EQ(target("{}").overflowFix, OverflowFix::Disable);
    EXPECT_EQ(target(R"({"nncf_compatible": true})").overflowFix, OverflowFix::FirstLayer);
    EXPECT_EQ(target(R"({"nncf_compatible": true, "overflow_fix": "enable"})").overflowFix, OverflowFix::Enable);
}

TEST(Target, TheDeviceCountsOnlyWhereNncfsTablesHold)
{
    EXPECT_EQ(target(R"({"target_device": "CPU_SPR"})").device, TargetDevice::Any);
    EXPECT_EQ(target(R"({"nncf_compatible": true, "target_device": "CPU_SPR"})").device, TargetDevice::CpuSpr);
    EXPECT_EQ(target(R"({"nncf_compatible": true, "target_device": "NPU"})").device, TargetDevice::Cpu);
    const Target narrow = target(
        R"({"nncf_compatible": true, "target_device": "NPU", "weights_quantization_params": {"num_bits": 4}})");
    EXPECT_EQ(narrow.device, TargetDevice::Npu);
}

} // namespace
} // namespace duo
