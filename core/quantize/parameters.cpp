// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/parameters.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

// NNCF's floors (reference/nncf.md 3.4)
constexpr float kNncfHalfRange = 8e-4F; // added on both sides of a constant tensor
constexpr float kNncfMaxAbs = 8e-5F;
constexpr float kNncfChannelShare = 0.01F;
constexpr float kNncfScale = std::numeric_limits<float>::epsilon();

/// Products of two scales, which biases have, stay normal numbers.
constexpr float kLeastScale = 1e-18F;

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

Ends asymmetricEnds(const Range& range, int numBits, RangeFloor floor)
{
    const bool isWidened = floor == RangeFloor::Nncf && range.max - range.min <= kNncfHalfRange;
    const float extra = isWidened ? kNncfHalfRange : 0.0F;
    const Ends ends{std::min(range.min - extra, 0.0F), std::max(range.max + extra, 0.0F)};
    if (ends.low == ends.high)
        return {0.0F, 1.0F}; // nothing but zeros: any scale is right
    return withExactZero(ends, numBits);
}

float positive(float scale, RangeFloor floor)
{
    return std::max(scale, floor == RangeFloor::Nncf ? kNncfScale : kLeastScale);
}

/// Largest magnitude of a symmetric range; anything where there are only zeros.
float maxAbsOf(const Range& range, RangeFloor floor)
{
    const float maxAbs = std::max(std::abs(range.min), std::abs(range.max));
    if (floor == RangeFloor::Nncf)
        return std::max(maxAbs, kNncfMaxAbs);
    return maxAbs > 0 ? maxAbs : 1.0F;
}

QuantizationParameters uint8Parameters(Ends ends, RangeFloor floor)
{
    const float scale = positive((ends.high - ends.low) / 255.0F, floor);
    const float zeroPoint = std::clamp(-std::nearbyint(ends.low / scale), 0.0F, 255.0F);
    return {ElementType::UInt8, {scale}, {static_cast<std::int32_t>(zeroPoint)}, std::nullopt};
}

QuantizationParameters symmetricActivation(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes, RangeFloor floor)
{
    const float high = maxAbsOf(range, floor);
    const bool isSigned = config.signednessToForce.value_or(range.min < 0);
    if (!isSigned)
        return {ElementType::UInt8, {positive(high / 255.0F, floor)}, {0}, std::nullopt};
    const float low = config.narrowRange ? -high : -high * 128.0F / 127.0F;
    const float scale = positive((high - low) / (config.narrowRange ? 254.0F : 255.0F), floor);
    if (codes == ActivationCodes::UInt8)
        return {ElementType::UInt8, {scale}, {128}, std::nullopt};
    return {ElementType::Int8, {scale}, {0}, std::nullopt};
}

Error unsupportedBits(int numBits)
{
    return {ErrorCode::Unsupported, "quantizers of " + std::to_string(numBits) + " bits are not supported", {},
        "use 8 bits"};
}

float weightScale(float high, bool narrowRange, bool halfRange, RangeFloor floor)
{
    if (!halfRange)
        return positive(narrowRange ? (high + high) / 254.0F : (high + high * 128.0F / 127.0F) / 255.0F, floor);
    // Seven bits: 128 levels over the range, then stretched to the levels of the stored type.
    const float levels = narrowRange ? 255.0F : 256.0F;
    const float low = -high * 128.0F / 126.0F;
    const float stretch = (levels - 1.0F) / 127.0F;
    return positive((high - low) * stretch / (levels - 1.0F), floor);
}

/// The range a channel is quantized with.
float channelMaxAbs(float maxAbs, float largest, RangeFloor floor)
{
    if (floor == RangeFloor::Nncf)
        return std::max({maxAbs, kNncfChannelShare * largest, kNncfMaxAbs});
    if (maxAbs > 0)
        return maxAbs;
    return largest > 0 ? largest : 1.0F;
}

} // namespace

Result<QuantizationParameters> activationParameters(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes, RangeFloor floor)
{
    if (config.numBits != 8)
        return unsupportedBits(config.numBits);
    if (!std::isfinite(range.min) || !std::isfinite(range.max) || range.min > range.max)
        return Error{ErrorCode::BadData, "no finite value was measured", {}, "check the calibration data"};
    if (config.mode == QuantizationMode::Symmetric)
        return symmetricActivation(config, range, codes, floor);
    const Ends ends = asymmetricEnds(range, config.numBits, floor);
    if (codes == ActivationCodes::UInt8 || ends.low >= 0)
        return uint8Parameters(ends, floor);
    QuantizationParameters signedCodes = uint8Parameters(ends, floor);
    signedCodes.type = ElementType::Int8;
    signedCodes.zeroPoint.front() -= 128;
    return signedCodes;
}

Result<QuantizationParameters> weightParameters(
    const QuantizerConfig& config, std::span<const float> maxAbs, bool halfRange, RangeFloor floor)
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
    QuantizationParameters parameters{ElementType::Int8, {}, {}, std::nullopt};
    for (const float value : maxAbs)
        parameters.scale.push_back(
            weightScale(channelMaxAbs(value, largest, floor), config.narrowRange, halfRange, floor));
    parameters.zeroPoint.assign(maxAbs.size(), 0);
    return parameters;
}

} // namespace duo
