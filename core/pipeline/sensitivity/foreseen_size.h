// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/forecast.h"

#include <optional>

namespace duo {

/// Of an export of the plan. No element of a weight is read. O(nodes + quantizers log weights).
/// @param snapshot has a placement
/// @return nothing where none is quantized, and where data of the model are not there
std::optional<ForeseenSize> foreseenSize(const Snapshot& snapshot);

} // namespace duo
