// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/parameters.h"

#include "core/model/code_range.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

// NNCF's floors (resources/docs/quantization.md, "Floors")
constexpr float kNncfHalfRange = 8e-4F; // added on both sides of a constant tensor
constexpr float kNncfMaxAbs = 8e-5F;
constexpr float kNncfChannelShare = 0.01F;
constexpr float kNncfScale = std::numeric_limits<float>::epsilon();

/// Products of two scales, which biases have, stay normal numbers.
constexpr float kLeastScale = 1e-18F;

/// Larger ends are computed with smaller ones of the same digits: sums and products of codes would overflow.
constexpr float kLargeEnd = 1e30F;
constexpr float kShrink = 1.0F / 4294967296.0F;

constexpr int kByteBits = 8;

float shrinkFor(float maxAbs)
{
    return maxAbs > kLargeEnd ? kShrink : 1.0F;
}

float highestCode(int numBits)
{
    return static_cast<float>((1 << numBits) - 1);
}

ElementType unsignedType(int numBits)
{
    return codeType(numBits, false).value_or(ElementType::UInt8);
}

ElementType signedType(int numBits)
{
    return codeType(numBits, true).value_or(ElementType::Int8);
}

struct Ends {
    float low;
    float high;
};

/// Moves one end so that zero falls on a code: of the two candidates the one that widens relatively more.
Ends withExactZero(Ends ends, int numBits, RangeFloor floor)
{
    const float top = highestCode(numBits);
    const float q = std::nearbyint(-ends.low * top / (ends.high - ends.low));
    if (floor == RangeFloor::Nncf && (q <= 0 || q >= top))
        return ends; // NNCF leaves a range alone whose zero is nearest to an end
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
    return withExactZero(ends, numBits, floor);
}

float positive(float scale, RangeFloor floor)
{
    return std::max(scale, floor == RangeFloor::Nncf ? kNncfScale : kLeastScale);
}

/// Largest magnitude of a symmetric range; anything where there are only zeros. NNCF takes the high end alone, which
/// its estimators make the largest magnitude, all but those of quantiles.
float maxAbsOf(const Range& range, RangeFloor floor)
{
    if (floor == RangeFloor::Nncf)
        return std::max(range.max, kNncfMaxAbs);
    const float maxAbs = std::max(std::abs(range.min), std::abs(range.max));
    return maxAbs > 0 ? maxAbs : 1.0F;
}

QuantizationParameters unsignedParameters(Ends ends, int numBits, RangeFloor floor)
{
    const float top = highestCode(numBits);
    const float scale = positive((ends.high - ends.low) / top, floor);
    const float zeroPoint = std::clamp(-std::nearbyint(ends.low / scale), 0.0F, top);
    return {unsignedType(numBits), {scale}, {static_cast<std::int32_t>(zeroPoint)}, std::nullopt};
}

QuantizationParameters symmetricActivation(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes, RangeFloor floor)
{
    const float high = maxAbsOf(range, floor);
    const float top = highestCode(config.numBits);
    const bool isSigned = codes == ActivationCodes::Int8 || config.signednessToForce.value_or(range.min < 0);
    if (!isSigned)
        return {unsignedType(config.numBits), {positive(high / top, floor)}, {0}, std::nullopt};
    const float half = (top + 1.0F) / 2.0F; // 128 of 8 bits
    const float low = config.narrowRange ? -high : -high * half / (half - 1.0F);
    const float scale = positive((high - low) / (config.narrowRange ? top - 1.0F : top), floor);
    if (codes == ActivationCodes::UInt8)
        return {unsignedType(config.numBits), {scale}, {static_cast<std::int32_t>(half)}, std::nullopt};
    return {signedType(config.numBits), {scale}, {0}, std::nullopt};
}

/// Half range, of eight bits only: the 128 levels of seven bits, stretched to those of the stored type.
float weightScale(float high, const QuantizerConfig& config, bool halfRange, RangeFloor floor)
{
    const float top = highestCode(config.numBits);
    const float half = (top + 1.0F) / 2.0F;
    if (!halfRange || config.numBits != 8)
        return positive(
            config.narrowRange ? (high + high) / (top - 1.0F) : (high + high * half / (half - 1.0F)) / top, floor);
    const float low = config.narrowRange ? -high : -high * 128.0F / 126.0F;
    return positive((high - low) / 127.0F, floor);
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

bool hasCodes(int numBits)
{
    return codeType(numBits, false).has_value();
}

QuantizationParameters activationOf(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes, RangeFloor floor)
{
    if (config.mode == QuantizationMode::Symmetric)
        return symmetricActivation(config, range, codes, floor);
    const Ends ends = asymmetricEnds(range, config.numBits, floor);
    QuantizationParameters parameters = unsignedParameters(ends, config.numBits, floor);
    if (codes == ActivationCodes::UInt8 || (codes == ActivationCodes::SignDecides && ends.low >= 0))
        return parameters;
    parameters.type = signedType(config.numBits);
    parameters.zeroPoint.front() -= 1 << (config.numBits - 1);
    return parameters;
}

} // namespace

std::int64_t leastOpsetOf(ElementType codes, std::int64_t block)
{
    constexpr std::int64_t kFirst = 10;
    constexpr std::int64_t kFourBitsAndBlocks = 21;
    constexpr std::int64_t kTwoBits = 25;
    if (elementBits(codes) == 2)
        return kTwoBits;
    return elementBits(codes) == 4 || block > 0 ? kFourBitsAndBlocks : kFirst;
}

Error unsupportedBits(int numBits)
{
    return {ErrorCode::Unsupported, "quantizers of " + std::to_string(numBits) + " bits are not supported", {},
        "use 8 or 16 bits"};
}

Result<QuantizationParameters> activationParameters(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes, RangeFloor floor)
{
    if (!hasCodes(config.numBits))
        return unsupportedBits(config.numBits);
    if (!std::isfinite(range.min) || !std::isfinite(range.max) || range.min > range.max)
        return Error{ErrorCode::BadData, "no finite value was measured", {}, "check the calibration data"};
    const float shrink = shrinkFor(std::max(std::abs(range.min), std::abs(range.max)));
    QuantizationParameters parameters = activationOf(config, {range.min * shrink, range.max * shrink}, codes, floor);
    parameters.scale.front() /= shrink;
    return parameters;
}

Result<QuantizationParameters> channelParameters(
    const QuantizerConfig& config, std::span<const Range> channels, ActivationCodes codes, RangeFloor floor)
{
    float widest = 0;
    bool isSigned = false;
    for (const Range& range : channels) {
        widest = std::max({widest, std::abs(range.min), std::abs(range.max)});
        isSigned = isSigned || range.min < 0;
    }
    QuantizerConfig each = config;
    if (config.mode == QuantizationMode::Symmetric && isSigned)
        each.signednessToForce = true;
    const ActivationCodes eachCodes = codes == ActivationCodes::SignDecides && isSigned ? ActivationCodes::Int8 : codes;
    QuantizationParameters all{{}, {}, {}, 1};
    for (Range range : channels) {
        if (config.mode == QuantizationMode::Symmetric)
            range.max = std::max({range.max, -range.min, kNncfChannelShare * widest});
        DUO_TRY(one, activationParameters(each, range, eachCodes, floor));
        all.type = one.type;
        all.scale.push_back(one.scale.front());
        all.zeroPoint.push_back(one.zeroPoint.front());
    }
    return all;
}

Result<QuantizationParameters> weightParameters(
    const QuantizerConfig& config, std::span<const float> maxAbs, bool halfRange, RangeFloor floor)
{
    if (!hasCodes(config.numBits))
        return unsupportedBits(config.numBits);
    if (config.mode != QuantizationMode::Symmetric)
        return Error{ErrorCode::Unsupported, "asymmetric weights are not supported", {}, "use symmetric weights"};
    for (std::size_t c = 0; c < maxAbs.size(); ++c) {
        if (!std::isfinite(maxAbs[c]))
            return Error{ErrorCode::BadData, "channel " + std::to_string(c) + " holds a value that is not finite", {},
                "ignore the node or repair the weight"};
    }
    const float largest = maxAbs.empty() ? 0.0F : *std::max_element(maxAbs.begin(), maxAbs.end());
    const bool isUnsigned = config.numBits < kByteBits && !config.signednessToForce.value_or(true);
    QuantizationParameters parameters{
        isUnsigned ? unsignedType(config.numBits) : signedType(config.numBits), {}, {}, std::nullopt};
    for (const float value : maxAbs) {
        const float high = channelMaxAbs(value, largest, floor);
        const float shrink = shrinkFor(high);
        parameters.scale.push_back(weightScale(high * shrink, config, halfRange, floor) / shrink);
    }
    parameters.zeroPoint.assign(maxAbs.size(), isUnsigned ? 1 << (config.numBits - 1) : 0);
    return parameters;
}

void makePowersOfTwo(QuantizationParameters& parameters)
{
    const CodeRange codes = codeRange(parameters.type).value_or(CodeRange());
    const std::int32_t lowest = codes.lowest;
    const std::int32_t half = codes.count() / 2;
    for (std::size_t i = 0; i < parameters.scale.size(); ++i) {
        const float before = parameters.scale[i];
        int exponent = 0;
        const float fraction = std::frexp(before, &exponent); // in [0.5, 1)
        const float after = std::ldexp(1.0F, fraction == 0.5F ? exponent - 1 : exponent);
        // Zero points in the middle of the codes stay: the range is the same on both sides.
        std::int32_t& zeroPoint = parameters.zeroPoint[i];
        if (zeroPoint - lowest != half)
            zeroPoint = lowest
                + static_cast<std::int32_t>(std::nearbyint(static_cast<float>(zeroPoint - lowest) * before / after));
        parameters.scale[i] = after;
    }
}

} // namespace duo
