// SPDX-License-Identifier: Apache-2.0
// Constant path: the constant a value stems from, through operators that only rearrange it.
#pragma once

#include "core/model/model.h"

namespace duo {

struct ConstantPath {
    ValueId value; // holds a constant (Model::constant), or invalid
    bool isQuantized = false; // a QuantizeLinear or DequantizeLinear lies on the way
};

/// Walks from `value` back through Identity, Transpose, Reshape, QuantizeLinear and DequantizeLinear. O(path).
ConstantPath constantBehind(const Model& model, ValueId value);

} // namespace duo
