// SPDX-License-Identifier: Apache-2.0
// The order in which classes of torch.nn take and give, where the graph tells which value is which.
#pragma once

#include "core/outline/call_body.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Of recurrent layers by the ports of the operator that their values reach; of cells, attention with projections of
/// its own and decoder layers by the parameters that they meet. Nothing where the class is not in the table
/// (resources/docs/functions.md), or a value has no place or shares one. O(data inputs * reads of the body).
/// @param holds whether a node runs in the call
std::optional<CallOrder> classOrder(
    const Model& model, std::string_view className, const CallBody& body, const std::function<bool(NodeId)>& holds);

} // namespace duo
