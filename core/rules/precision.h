// SPDX-License-Identifier: Apache-2.0
// Precision: what settings and rules want of quantizers instead of the preset.
#pragma once

#include <compare>
#include <optional>
#include <string>

namespace duo {

enum class QuantizationMode { Symmetric, Asymmetric };

/// Wishes for quantizers; unset members leave the choice. Names are NNCF's (QuantizationParameters).
struct PrecisionOverride {
    std::optional<int> numBits;
    std::optional<QuantizationMode> mode;
    std::optional<bool> signednessToForce;
    std::optional<bool> perChannel;
    std::optional<bool> narrowRange;
    auto operator<=>(const PrecisionOverride&) const = default;
};

/// What a rule wants for the nodes it catches: for their inputs, for their weights, and for what they compute in.
struct RulePrecision {
    PrecisionOverride activations;
    PrecisionOverride weights;
    /// In floats of how many bits they compute where the model is written in 16: 32, or 16, and then they alone do;
    /// says nothing of quantizers.
    std::optional<int> floatBits = {};
    [[nodiscard]] bool wantsQuantizers() const
    {
        return activations != PrecisionOverride{} || weights != PrecisionOverride{};
    }
    auto operator<=>(const RulePrecision&) const = default;
};

/// `first` where it is set, else `second`.
PrecisionOverride overlaid(const PrecisionOverride& first, const PrecisionOverride& second);

/// Two wishes for one node, whatever their order: of two that disagree the more exact one holds (more bits, asymmetric,
/// per channel, the whole range, signed).
RulePrecision combined(const RulePrecision& a, const RulePrecision& b);

/// `activations 16 bits asymmetric, weights per tensor`, `floats of 32 bits`; "" if nothing is wanted.
std::string precisionText(const RulePrecision& precision);

} // namespace duo
