// SPDX-License-Identifier: Apache-2.0
// What is known of the numbers an output can hold, whatever the data.
#pragma once

#include "core/model/model.h"

#include <optional>

namespace duo {

/// How far apart the numbers of a value can be, where the operator that gives them bounds them (Sigmoid: 1, Tanh: 2),
/// seen through what only moves them. O(a few nodes)
std::optional<double> toldWidth(const Model& model, ValueId value);

} // namespace duo
