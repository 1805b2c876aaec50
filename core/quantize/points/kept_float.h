// SPDX-License-Identifier: Apache-2.0
// KeptFloat: why a node that was to be quantized stays in float after all: its values have no range, or the engine has
// no int8 kernel for it where it stands.
#pragma once

#include "core/quantize/points/decision.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>

namespace duo {

/// Why ONNX Runtime's CPU provider computes a node in float although quantizers stand around it
/// (core/analysis/fallback.h).
enum class Fallback : std::uint8_t {
    FloatOperator, // no int8 kernel
    FloatInput, // an input has no DequantizeLinear in front of it
    WideCodes, // 16-bit codes
    SignedCodes, // int8 activations
    ScaledBias, // Gemm with a beta other than 1
    NoQuantizerBehind, // nothing quantizes its result, or somebody else reads it too
    FloatAddition, // its result goes to an addition without a quantizer between
    ClampNotImplied, // the quantizer behind its Relu or Clip holds values beyond the clamp
    FusedActivation, // fused with an activation into a float kernel first
    FloatBias, // fused with the addition of a bias that is not in codes
    FloatClamp, // nothing quantizes what the Relu or Clip behind it gives
    OtherParameters, // it moves data between two scales
    Unknown,
};

/// What keeps a value or a weight from having a range.
struct RangeTrouble {
    enum class Kind : std::uint8_t {
        None,
        Empty, // in every sample
        NeverFinite, // in any sample
        Infinite, // some of its numbers
        Masked, // some of its numbers lie near `number`, the others within `others`
        Holds, // a weight: `number`, inf or nan
    };
    Kind kind = Kind::None;
    double percent = 0; // of its numbers
    ExactFloat number = {};
    float others = 0;
    bool operator==(const RangeTrouble&) const = default;
};

struct WithoutRange {
    ValueId value;
    bool isWeight = false;
    RangeTrouble trouble;
    bool operator==(const WithoutRange&) const = default;
};

/// No sample runs the body it is in.
struct BodyNotRun {
    RegionId body;
    bool operator==(const BodyNotRun&) const = default;
};

/// When the compression state was made, nothing was measured in the body it is in.
struct BodyNotMeasured {
    RegionId body;
    bool operator==(const BodyNotMeasured&) const = default;
};

/// When the compression state was made.
struct HadNoRange {
    bool operator==(const HadNoRange&) const = default;
};

/// The engine runs it in float between its quantizers.
struct RanInFloat {
    std::string engine; // "ONNX Runtime 1.32.0"
    Fallback fallback = Fallback::Unknown;
    bool operator==(const RanInFloat&) const = default;
};

/// Sentences of a compression state.
struct RecordedKept {
    std::string reason;
    std::string counterfactual;
    bool operator==(const RecordedKept&) const = default;
};

using KeptFloat = std::variant<WithoutRange, BodyNotRun, BodyNotMeasured, HadNoRange, RanInFloat, RecordedKept>;
using KeptFloats = std::map<NodeId, KeptFloat>;

/// The decision about such a node.
Decision keptDecision(const KeptFloat& kept);

} // namespace duo
