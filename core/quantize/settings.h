// SPDX-License-Identifier: Apache-2.0
// QuantizationSettings: the `quantization` part of a recipe, with NNCF's parameter names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace duo {

enum class Profile { OrtCpu, TensorRt, OpenVino, Qnn };
enum class Preset { Performance, Mixed };
enum class TargetDevice { Any, Cpu, Gpu, Npu };
enum class ModelType { None, Transformer };
enum class OverflowFix { Disable, Enable, FirstLayer };

struct QuantizationSettings {
    Profile profile = Profile::OrtCpu;
    bool nncfCompatible = false;
    std::optional<Preset> preset; // unset: the profile's own
    TargetDevice targetDevice = TargetDevice::Any;
    ModelType modelType = ModelType::None;
    std::optional<OverflowFix> overflowFix; // unset: the profile's own
    std::optional<int> subsetSize; // samples used for calibration; unset: 300
    bool quantizeOutputs = false;
    std::string unknownKeys; // JSON object text of keys we do not know, kept on saving
    bool operator==(const QuantizationSettings&) const = default;
};

std::string_view profileText(Profile profile); // "ort-cpu"
std::optional<Profile> profileFromText(std::string_view text);

} // namespace duo
