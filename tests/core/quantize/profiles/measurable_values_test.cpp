// SPDX-License-Identifier: Apache-2.0
// One measurement serves every profile, device and kind of model.
#include "core/quantize/profiles/measurable_values.h"

#include "core/model/value_address.h"
#include "core/onnx/reader.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/profiles/clamps.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"
#include "tests/support/placing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo {
namespace {

/// Those that change where quantizers may stand.
std::vector<QuantizationSettings> allSettings()
{
    std::vector<QuantizationSettings> all;
    for (std::size_t profile = 0; profile < kProfileTexts.size(); ++profile) {
        for (const bool isNncfs : {false, true}) {
            for (const auto device :
                {TargetDevice::Any, TargetDevice::Cpu, TargetDevice::Gpu, TargetDevice::Npu, TargetDevice::CpuSpr}) {
                for (const auto type : {ModelType::None, ModelType::Transformer}) {
                    QuantizationSettings settings;
                    settings.profile = static_cast<Profile>(profile);
                    settings.nncfCompatible = isNncfs;
                    settings.targetDevice = device;
                    settings.modelType = type;
                    settings.quantizeOutputs = true;
                    all.push_back(settings);
                    settings.activations.numBits = 16; // of other devices, tables differ beyond eight bits only
                    all.push_back(settings);
                }
            }
        }
    }
    return all;
}

std::string textOf(const QuantizationSettings& settings)
{
    return std::string(profileText(settings.profile)) + (settings.nncfCompatible ? ", like NNCF" : "") + ", device "
        + std::to_string(static_cast<int>(settings.targetDevice)) + ", model type "
        + std::to_string(static_cast<int>(*settings.modelType));
}

class OneMeasurement : public testing::TestWithParam<const char*>
{
};

TEST_P(OneMeasurement, HoldsAllThatAnySettingsQuantize)
{
    const auto model = readModel(std::string(DUO_TEST_DATA) + GetParam());
    ASSERT_TRUE(model);
    const auto measured = measurableValues(**model).names;
    const SharedMeasures shared(**model);
    const RuleHits noRules = matchRules(**model, findScopes(**model), {});
    std::size_t placements = 0;
    for (const QuantizationSettings& settings : allSettings()) {
        const auto placement = test::placeOnce(**model, noRules, settings);
        placements += placement ? 1 : 0; // not all profiles take 16 bits
        for (const auto& [id, point] : placement ? placement->setup.points : QuantizerSetup().points) {
            if (point.isWeight)
                continue;
            for (const ValueId value : pointValues(**model, point)) {
                const std::string name = addressOf(**model, shared.of(behindClamps(**model, value)));
                EXPECT_TRUE(std::ranges::binary_search(measured, name)) << name << ": " << textOf(settings);
            }
        }
    }
    EXPECT_GE(placements, allSettings().size() / 2);
}

INSTANTIATE_TEST_SUITE_P(Models, OneMeasurement,
    testing::Values("/cases/h_lstm.onnx", "/cases/i2_bertlike.onnx", "/cases/j_control.onnx",
        "/cases/p_notrainmode_bn.onnx", "/cases/tv_vit_b_16_small.onnx", "/exports/bert.dynamo.onnx"));

} // namespace
} // namespace duo
