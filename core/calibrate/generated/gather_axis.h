// SPDX-License-Identifier: Apache-2.0
// gatherLimit: how large an integer input may be before a table look-up fails.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>

namespace duo {

/// The smallest known size of a Gather axis that `value` indexes, through nodes that only move or cast elements.
/// Nothing if it reaches none. O(nodes reached).
std::optional<std::int64_t> gatherLimit(const Model& model, ValueId value);

} // namespace duo
