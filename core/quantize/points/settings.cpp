// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/settings.h"

#include <array>

namespace duo {
bool isTransformer(const QuantizationSettings& settings)
{
    return settings.modelType == ModelType::Transformer;
}

bool usesNncfTables(const QuantizationSettings& settings)
{
    return settings.nncfCompatible || settings.profile == Profile::OpenVino;
}

TargetDevice effectiveDevice(const QuantizationSettings& settings)
{
    if (!usesNncfTables(settings))
        return TargetDevice::Any;
    const bool isOtherDevice = settings.targetDevice == TargetDevice::Gpu || settings.targetDevice == TargetDevice::Npu;
    const bool isEightBit = settings.activations.numBits.value_or(8) == 8 && settings.weights.numBits.value_or(8) == 8;
    return isOtherDevice && isEightBit ? TargetDevice::Cpu : settings.targetDevice;
}

bool correctsBiases(const QuantizationSettings& settings)
{
    return !settings.corrections.disableBiasCorrection.value_or(false);
}

bool correctsBiasesFast(const QuantizationSettings& settings)
{
    return settings.corrections.fastBiasCorrection.value_or(true);
}

double biasThreshold(const QuantizationSettings& settings)
{
    return settings.corrections.biasThreshold.value_or(correctsBiasesFast(settings) ? 2 : 1000);
}

double smoothQuantMatMul(const QuantizationSettings& settings)
{
    const bool isNncfs = settings.nncfCompatible && isTransformer(settings);
    return settings.corrections.smoothQuantMatMul.value_or(isNncfs ? kTransformerAlpha : -1);
}

double smoothQuantConvolution(const QuantizationSettings& settings)
{
    return settings.corrections.smoothQuantConvolution.value_or(-1);
}

std::string_view profileText(Profile profile)
{
    return enumText(kProfileTexts, profile);
}

std::optional<Profile> profileFromText(std::string_view text)
{
    return enumFromText<Profile>(kProfileTexts, text);
}

} // namespace duo
