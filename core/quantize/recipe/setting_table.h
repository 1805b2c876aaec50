// SPDX-License-Identifier: Apache-2.0
// The settings of a recipe as a table: what each is called, what can be written there, and what it does. What reads and
// writes them is settings_json.h; values here go through it, so that a form and the JSON cannot disagree.
#pragma once

#include "core/quantize/points/settings.h"
#include "core/support/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace duo {

/// What is written in the JSON.
enum class SettingKind {
    Choice, // one of the choices, as text
    Bits, // one of the choices, as a number
    Flag, // true or false
    Count, // a whole number from 1
    Number,
};

/// What another value acts on.
enum class SettingReach {
    Placement, // where quantizers go, and their types
    ActivationRanges,
    Scales,
    WeightRange, // how many bits of their codes weights use
    Biases,
    Products, // MatMul and Gemm
    Convolutions,
    LayerPairs,
    Samples,
};

struct Setting {
    std::string_view key; // path in the settings' JSON: "smooth_quant_alphas.matmul"
    SettingKind kind = SettingKind::Choice;
    SettingReach reach = SettingReach::Placement;
    std::span<const std::string_view> choices = {}; // of Choice and Bits
    std::string_view meaning; // what it does, a sentence without full stop
    std::string_view unset = {}; // what holds where it is left out; "": it is always written
};

/// All settings but `range_estimator_rules`, which are rules (resources/docs/recipe.md, "Settings").
std::span<const Setting> settingTable();

/// The value as text: "mixed", "8", "true", "0.5". Nothing: it is left out. An estimator that is no named set is
/// "custom".
std::optional<std::string> settingText(const QuantizationSettings& settings, const Setting& setting);

/// @param text as settingText gives it; nothing: to be left out
/// @return InvalidRule as reading the recipe gives it, `where` being the key
Result<QuantizationSettings> withSetting(
    const QuantizationSettings& settings, const Setting& setting, const std::optional<std::string>& text);

} // namespace duo
