// SPDX-License-Identifier: Apache-2.0
// Predictions: how often two models say the same class, where an output looks like class scores.
#pragma once

#include "core/engine/session.h"

#include <optional>

namespace duo {

struct Predictions {
    std::int64_t all = 0; // rows
    std::int64_t agreeing = 0;
};

/// Rows along the last axis of float tensors of one shape: of [N, C] with C >= 2, and of any other shape where each row
/// is a probability distribution or the tensor's name says logits; rows of length 1 in the Euclidean norm are
/// embeddings and no scores. They agree where B's largest element is A's too, or one that is as large to within a
/// hundredth of the row's spread. Nothing where A does not look like scores.
std::optional<Predictions> predictionsOf(const TensorView& a, const TensorView& b);

/// Elements of tensors of whole numbers or truth values, and how many are equal. Nothing for types without numeric
/// elements here (strings, below 8 bits).
std::optional<Predictions> equalElements(const TensorView& a, const TensorView& b);

} // namespace duo
