// SPDX-License-Identifier: Apache-2.0
// Words for the values of settings, in the order of their enumerations.
#pragma once

#include "core/quantize/points/settings.h"
#include "core/support/enum_text.h"

namespace duo {

inline constexpr auto kPresetTexts = enumTexts<Preset::Mixed>({"performance", "mixed"});
inline constexpr auto kDeviceTexts = enumTexts<TargetDevice::CpuSpr>({"ANY", "CPU", "GPU", "NPU", "CPU_SPR"});
inline constexpr auto kModelTypeTexts = enumTexts<ModelType::Transformer>({"none", "transformer"});
inline constexpr auto kOverflowFixTexts = enumTexts<OverflowFix::FirstLayer>({"disable", "enable", "first_layer_only"});
inline constexpr auto kModeTexts = enumTexts<QuantizationMode::Asymmetric>({"symmetric", "asymmetric"});

} // namespace duo
