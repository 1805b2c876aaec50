// SPDX-License-Identifier: Apache-2.0
// Same ports: which inputs and outputs of a model are those of another one.
#pragma once

#include "core/state/node_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// [then] which of the inputs, or outputs, of a model each is now: the one of its name, and where there are as many as
/// there were, the others in their order.
std::vector<std::optional<std::uint32_t>> samePorts(
    const std::vector<std::string>& then, const std::vector<std::string>& now);

/// `present` with its inputs and outputs numbered as those that were recorded; as they are where their names were not.
/// Inputs that were none then come behind, outputs that were none are left out.
GraphRecord inNumbersOf(const GraphRecord& recorded, GraphRecord present);

} // namespace duo
