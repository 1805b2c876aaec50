// SPDX-License-Identifier: Apache-2.0
// What operators give that only move elements, or compute with single roundings: the same bits in any runtime.
#pragma once

#include "core/model/model.h"

#include <optional>
#include <span>

namespace duo {

/// Whether a node is of an operator that is computed so, whatever it is given.
bool isPlain(const Node& node);

/// The first output of a node of ONNX's own, without a name: shapes, moved elements, whole numbers, comparisons, sums,
/// products and quotients. Nothing for another operator, for inputs that it does not take, and where a runtime would
/// refuse or its result depend on the machine: the engine is to be asked then. O(elements given).
/// @param inputs [ports] null: left out
std::optional<Tensor> computedPlainly(const Model& model, const Node& node, std::span<const Tensor* const> inputs);

} // namespace duo
