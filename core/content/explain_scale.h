// SPDX-License-Identifier: Apache-2.0
// explainScale: which stored tensors give the factors between a wanted tensor and a stored one.
#pragma once

#include "core/content/batch_norms.h"
#include "core/content/scale_fit.h"
#include "core/content/wanted_tensors.h"

#include <optional>
#include <span>

namespace duo {

/// A wanted tensor, a stored one it may be made of, and the factors between them.
struct ScaledPair {
    const Tensor& wanted;
    const WantedValues& values;
    std::uint32_t storedSet = 0;
    std::span<const float> stored; // in the order of the wanted tensor
    const ViewPair& views;
    const ScaleFit& fit;
};

/// Factors of 1 (quantized or converted only), |v| and g of a weight norm, or a batch norm recomputed with each
/// epsilon; each is checked on every element. Factors that nothing explains make a Scaled derivation where floats leave
/// no doubt, nothing where integers would have to be believed.
std::optional<Derivation> explainScale(const ContentSearch& search, const BatchNorms& norms, const ScaledPair& pair);

/// gamma / sqrt(variance + epsilon) for each channel, as float32 computes it.
std::vector<float> normFactors(const BatchNormValues& values, double epsilon);

} // namespace duo
