// SPDX-License-Identifier: Apache-2.0
// Who reads the elements of a value: also behind nodes that only move or cast them.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

/// Reads of `value` and of what only moves or casts its elements, each once. O(nodes reached).
std::vector<Use> readersBehindMoves(const Model& model, ValueId value);

/// The smallest known size of a Gather axis that `value` indexes. Nothing if it reaches none. O(nodes reached).
std::optional<std::int64_t> gatherLimit(const Model& model, ValueId value);

/// Constants that the model compares `value` with by Equal, ascending. O(nodes reached).
std::vector<std::int64_t> comparedConstants(const Model& model, ValueId value);

} // namespace duo
