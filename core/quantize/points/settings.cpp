// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/settings.h"

#include "core/quantize/points/profile_rules.h"

namespace duo {

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
    const Target target = targetOf(settings);
    const bool isNncfs = target.likeNncf && target.isTransformer;
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
