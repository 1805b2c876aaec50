// SPDX-License-Identifier: Apache-2.0
// The order of a call's data inputs by the `forward` of its module as it was written.
#pragma once

#include "core/model/forward_order.h"
#include "core/outline/call_body.h"

#include <functional>
#include <optional>
#include <set>
#include <string>

namespace duo {

/// A parameter is told by who takes it: the children that it is given to, or operators of the module's own. Nothing
/// unless each data input can be one parameter alone, each another one, and all are there that are used and not
/// optional; nor for several outputs, which are not told apart. O(data inputs * parameters).
/// @param readIn the modules that the value is read in, by their path below the call's; "" for the call's own
std::optional<CallOrder> forwardOrder(
    const ForwardOrder& forward, const CallBody& body, const std::function<std::set<std::string>(ValueId)>& readIn);

} // namespace duo
