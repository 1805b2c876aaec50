// SPDX-License-Identifier: Apache-2.0
#include "core/transform/axis_order.h"

#include <algorithm>
#include <numeric>

namespace duo {

std::optional<AxisOrder> axisOrderOf(const Node& transpose)
{
    const Attribute* attribute = transpose.attribute("perm");
    const auto* order = attribute ? std::get_if<AxisOrder>(&attribute->value) : nullptr;
    if (order == nullptr)
        return std::nullopt;
    AxisOrder sorted = *order;
    std::ranges::sort(sorted);
    return isInOrder(sorted) ? std::optional(*order) : std::nullopt;
}

bool isInOrder(const AxisOrder& order)
{
    AxisOrder plain(order.size());
    std::iota(plain.begin(), plain.end(), 0);
    return order == plain;
}

AxisOrder joinedOrder(const AxisOrder& first, const AxisOrder& second)
{
    AxisOrder joined;
    for (const std::int64_t axis : second)
        joined.push_back(first[static_cast<std::size_t>(axis)]);
    return joined;
}

} // namespace duo
