// SPDX-License-Identifier: Apache-2.0
// The order that a Transpose puts axes into.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

using AxisOrder = std::vector<std::int64_t>; // axis i of the result is axis order[i] of what is read

/// Nothing where a Transpose does not say so, or not soundly: without `perm` it turns all axes round, however many.
std::optional<AxisOrder> axisOrderOf(const Node& transpose);
bool isInOrder(const AxisOrder& order); // it moves nothing
AxisOrder joinedOrder(const AxisOrder& first, const AxisOrder& second); // of both behind each other, of the same length

} // namespace duo
