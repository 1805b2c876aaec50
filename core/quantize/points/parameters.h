// SPDX-License-Identifier: Apache-2.0
// Quantization parameters: from ranges to scales and zero points as QuantizeLinear wants them.
#pragma once

#include "core/model/element_type.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/support/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace duo {

/// Observed range of a tensor or a channel.
struct Range {
    float min = 0;
    float max = 0;
};

/// What was measured of an activation.
struct MeasuredRange {
    Range whole;
    std::vector<Range> channels = {}; // [C] along axis 1; empty where they do not matter or were not measured
};

/// q = clamp(round(x / scale) + zeroPoint). One entry per channel, per block of a weight, or exactly one per tensor.
struct QuantizationParameters {
    ElementType type = ElementType::UInt8; // of the quantized tensor
    std::vector<float> scale; // [C], [1], or one per block in the order of scaleDims(); > 0 and finite
    std::vector<std::int32_t> zeroPoint; // same size, inside the code range of `type`
    std::optional<std::int64_t> axis; // of channels or blocks only
    std::int64_t block = 0; // elements along `axis` that share a scale, the last ones may be fewer; 0: all
    bool operator==(const QuantizationParameters&) const = default;
};

using ParametersByPoint = std::map<PointId, QuantizationParameters>;

/// Codes an activation is stored in. Uint8 keeps symmetric signed ranges in uint8 with zero point 128 (ONNX Runtime on
/// x64 has slow or no kernels for int8 activations); SignDecides takes int8 where a negative value was seen, Int8 takes
/// it always (TensorRT knows no other). Sixteen bits take uint16 and int16 likewise.
enum class ActivationCodes { UInt8, SignDecides, Int8 };

/// What keeps a scale from vanishing. Relative: nothing but a range without width is widened, so a model of small
/// numbers keeps its resolution. Nncf: NNCF's absolute least ranges, and at least 1 % of the largest channel's range;
/// the high end of a symmetric range is its magnitude.
enum class RangeFloor { Relative, Nncf };

/// Range of an activation -> one scale and zero point; zero is always representable exactly
/// (Jacob et al. 2018, section 2.1), ends moved as NNCF does (resources/docs/quantization.md, "Ranges to parameters").
/// @return BadData for a range that is empty, not finite or wider than numbers go; Unsupported for other than 2, 4, 8
/// or 16 bits
Result<QuantizationParameters> activationParameters(
    const QuantizerConfig& config, const Range& range, ActivationCodes codes, RangeFloor floor = RangeFloor::Relative);

/// For every channel [C, at least one] of an activation, along axis 1: signed codes in all where one has a negative
/// value, no channel finer than a hundredth of the widest (resources/docs/quantization.md, "Codes of activations").
Result<QuantizationParameters> channelParameters(const QuantizerConfig& config, std::span<const Range> channels,
    ActivationCodes codes, RangeFloor floor = RangeFloor::Relative);

/// Largest absolute weight per channel or block [C] (or of the tensor [1]) -> scales of signed codes, zero points 0; of
/// less than 8 bits unsigned ones around their middle where the type asks for these.
/// A channel of zeros takes the scale of the largest.
/// @param halfRange use 7 of the 8 bits: pairs of products then fit the 16-bit sums of CPUs without VNNI
/// @return BadData naming the channel for a value that is not finite; Unsupported for other than symmetric ones of 2,
/// 4, 8 or 16 bits
Result<QuantizationParameters> weightParameters(const QuantizerConfig& config, std::span<const float> maxAbs,
    bool halfRange, RangeFloor floor = RangeFloor::Relative);

/// The first opset of ai.onnx whose DequantizeLinear takes constants in such codes; 16 bits ONNX Runtime takes earlier,
/// in a domain of its own.
std::int64_t leastOpsetOf(ElementType codes, std::int64_t block);

/// That a recipe asks for quantizers of so few bits, which are taken from files and not made.
Error unsupportedBits(int numBits);

/// Every scale the next power of two (itself where it is one); an unsigned zero point moves with it, so that the range
/// keeps its place.
void makePowersOfTwo(QuantizationParameters& parameters);

} // namespace duo
