// SPDX-License-Identifier: Apache-2.0
// QuantizationSettings: the `quantization` part of a recipe, with NNCF's parameter names.
#pragma once

#include "core/quantize/quantizer_setup.h"

#include <optional>
#include <string>
#include <string_view>

namespace duo {

enum class Profile { OrtCpu, TensorRt, OpenVino, Qnn };
enum class Preset { Performance, Mixed };
enum class TargetDevice { Any, Cpu, Gpu, Npu, CpuSpr };
enum class ModelType { None, Transformer };
enum class OverflowFix { Disable, Enable, FirstLayer };

/// What the user wants of quantizers instead of the preset; unset members leave the choice.
struct PrecisionOverride {
    std::optional<int> numBits;
    std::optional<QuantizationMode> mode;
    std::optional<bool> signednessToForce;
    std::optional<bool> perChannel;
    std::optional<bool> narrowRange;
    bool operator==(const PrecisionOverride&) const = default;
};

struct QuantizationSettings {
    Profile profile = Profile::OrtCpu;
    bool nncfCompatible = false;
    std::optional<Preset> preset; // unset: the profile's own
    TargetDevice targetDevice = TargetDevice::Any;
    ModelType modelType = ModelType::None;
    std::optional<OverflowFix> overflowFix; // unset: the profile's own
    std::optional<int> subsetSize; // samples used for calibration; unset: 300
    bool quantizeOutputs = false;
    PrecisionOverride activations; // activations_quantization_params
    PrecisionOverride weights; // weights_quantization_params
    std::string unknownKeys; // JSON object text of keys we do not know, kept on saving
    bool operator==(const QuantizationSettings&) const = default;
};

/// NNCF's operator tables hold, not those of a runtime: `nncf_compatible`, and the openvino profile.
bool usesNncfTables(const QuantizationSettings& settings);

/// The device whose table holds. Only NNCF's tables depend on it; as NNCF 3 does, GPU and NPU count as CPU while both
/// activations and weights have 8 bits.
TargetDevice effectiveDevice(const QuantizationSettings& settings);

std::string_view profileText(Profile profile); // "ort-cpu"
std::optional<Profile> profileFromText(std::string_view text);

} // namespace duo
