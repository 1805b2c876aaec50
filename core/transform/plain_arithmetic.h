// SPDX-License-Identifier: Apache-2.0
// The arithmetic among what is computed without the engine (core/transform/plain_operators.h).
#pragma once

#include "core/model/model.h"

#include <optional>
#include <span>
#include <string_view>

namespace duo {

/// What a node gives, of inputs whose elements can be read, the first of which is there; nothing where the engine has
/// to be asked.
using PlainRule
    = std::optional<Tensor> (*)(const Model& model, const Node& node, std::span<const Tensor* const> inputs);

/// Sums, products, comparisons, casts and ranges; null for other operators.
PlainRule plainArithmetic(std::string_view opType);

} // namespace duo
