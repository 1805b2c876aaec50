// SPDX-License-Identifier: Apache-2.0
// ChosenNumbers: outputs that hang on a choice the model makes on the way (the place of the largest number, the first
// k). A choice that falls otherwise by a little gives another number altogether, so that few of them decide over
// decibels.
#pragma once

#include "core/analysis/predictions.h"
#include "core/model/model.h"

#include <optional>

namespace duo {

/// Behind an ArgMax, ArgMin or NonMaxSuppression, or the places that a TopK gives, of numbers that are not whole: those
/// hang on the input alone. O(nodes).
bool isChosen(const Model& model, ValueId output);

/// Elements of float tensors of one shape, and how many are the same number to within a tenth of A's, which is what a
/// good output's 20 dB say of one. Nothing for other tensors.
std::optional<Predictions> chosenNumbersOf(const TensorView& a, const TensorView& b);

} // namespace duo
