// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

constexpr float kMinHalfRange = 8e-4F; // added on both sides of a constant tensor
constexpr float kMinMaxAbs = 8e-5F;
constexpr float kMinChannelShare = 0.01F;

struct Ends {
    float low;
    float high;
};

/// Moves one end so that zero falls on a code: of the two candidates the one that widens relatively more.
Ends withExactZero(Ends ends, int numBits)
{
    const auto top = static_cast<float>((1 << numBits) - 1);
    const float q = std::nearbyint(-ends.low * top / (ends.high - ends.low));
    const float low = q < top ? q / (q - top) * ends.high : ends.low;
    const float high = q > 0 ? (q - top) / q * ends.low : ends.high;
    if (q >= top)
        return {ends.low, high};
    if (q <= 0)
        return {low, ends.high};
    return ends.high - low > high - ends.low ? Ends{low, ends.high} : Ends{ends.low, high};
}

Ends asymmetricEnds(const Range& range, int numBits)
{
    const float extra = range.max - range.min <= kMinHalfRange ? kMinHalfRange : 0.0F;
    return withExactZero({std::min(range.min - extra, 0.0F), std::max(range.max + extra, 0.0F)}, numBits);
}

float positive(float scale)
{
    return std::max(scale, std::numeric_limits<float>::epsilon());
}

QuantizationParameters uint8Parameters(Ends ends)
{
    const float scale = positive((ends.high - ends.low) / 255.0F);
    const float zeroPoint = std::clamp(-std::nearbyint(ends.low / scale), 0.0F, 255.0F);
    return {ElementType::UInt8, {scale}, {static_cast<std::int32_t>(zeroPoint)}, std::nullopt};
}

QuantizationParameters symmetricActivation(const QuantizerConfig& config, const Range& range, ActivationCodes codes)
{
    const float high = std::max({std::abs(range.min), std::abs(range.max), kMinMaxAbs});
    const bool isSigned = config.signednessToForce.value_or(range.min < 0);
    if (!isSigned)
        return {ElementType::UInt8, {positive(high / 255.0F)}, {0}, std::nullopt};
    const float low = config.narrowRange ? -high : -high * 128.0F / 127.0F;
    const float scale = positive((high - low) / (config.narrowRange ? 254.0F : 255.0F));
    if (codes == ActivationCodes::UInt8)
        return {ElementType::UInt8, {scale}, {128}, std::nullopt};
    return {ElementType::Int8, {scale}, {0}, std::nullopt};
}

Error unsupportedBits(int numBits)
{
    return {ErrorCode::Unsupported, "quantizers of " + std::to_string(numBits) + " bits are not supported", {},
        "use 8 bits"};
}

float weightScale(float high, bool narrowRange, bool halfRange)
{
    if (!halfRange)
        return positive(narrowRange ? (high + high) / 254.0F : (high + high * 128.0F / 127.0F) / 255.0F);
    // Seven bits: 128 levels over the range, then stretched to the levels of the stored type.
    const float levels = narrowRange ? 255.0F : 256.0F;
    const float low = -high * 128.0F / 126.0F;
    const float stretch = (levels - 1.0F) / 127.0F;
    return positive((high - low) * stretch / (levels - 1.0F));
}

} // namespace

Result<QuantizationParameters> activationParameters(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes)
{
    if (config.numBits != 8)
        return unsupportedBits(config.numBits);
    if (!std::isfinite(range.min) || !std::isfinite(range.max) || range.min > range.max)
        return Error{ErrorCode::BadData, "no finite value was measured", {}, "check the calibration data"};
    if (config.mode == QuantizationMode::Symmetric)
        return symmetricActivation(config, range, codes);
    const Ends ends = asymmetricEnds(range, config.numBits);
    if (codes == ActivationCodes::UInt8 || ends.low >= 0)
        return uint8Parameters(ends);
    QuantizationParameters signedCodes = uint8Parameters(ends);
    signedCodes.type = ElementType::Int8;
    signedCodes.zeroPoint.front() -= 128;
    return signedCodes;
}

Result<QuantizationParameters> weightParameters(
    const QuantizerConfig& config, std::span<const float> maxAbs, bool halfRange)
{
    if (config.numBits != 8)
        return unsupportedBits(config.numBits);
    if (config.mode != QuantizationMode::Symmetric)
        return Error{ErrorCode::Unsupported, "asymmetric weights are not supported", {}, "use symmetric weights"};
    for (std::size_t c = 0; c < maxAbs.size(); ++c) {
        if (!std::isfinite(maxAbs[c]))
            return Error{ErrorCode::BadData, "channel " + std::to_string(c) + " holds a value that is not finite", {},
                "ignore the node or repair the weight"};
    }
    const float largest = maxAbs.empty() ? 0.0F : *std::max_element(maxAbs.begin(), maxAbs.end());
    const float floor = std::max(kMinChannelShare * largest, kMinMaxAbs);
    QuantizationParameters parameters{ElementType::Int8, {}, {}, std::nullopt};
    for (const float value : maxAbs)
        parameters.scale.push_back(weightScale(std::max(value, floor), config.narrowRange, halfRange));
    parameters.zeroPoint.assign(maxAbs.size(), 0);
    return parameters;
}

} // namespace duo
