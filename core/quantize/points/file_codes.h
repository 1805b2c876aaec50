// SPDX-License-Identifier: Apache-2.0
// Weights that the file holds in codes: what its QuantizeLinear and DequantizeLinear nodes make of them.
#pragma once

#include "core/model/model.h"
#include "core/support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// A QuantizeLinear or DequantizeLinear of constant float32 scale and constant zero point, not in blocks.
bool convertsCodes(const Model& model, const Node& node);

/// Applies such a node to row-major values of the given shape: codes to floats, or floats to (saturated) codes.
/// O(elements). @return MalformedModel where scales do not fit the shape
Status convertInPlace(
    std::vector<float>& values, std::span<const std::int64_t> dims, const Model& model, const Node& node);

} // namespace duo
