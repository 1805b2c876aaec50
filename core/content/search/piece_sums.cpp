// SPDX-License-Identifier: Apache-2.0
#include "core/content/search/piece_sums.h"

#include "core/content/values/arrangement.h"
#include "core/content/values/order_free_sum.h"

#include <algorithm>

namespace duo {

PieceSums::PieceSums(const Tensor& tensor, std::size_t axis, const JobContext& job)
    : m_axis(axis)
{
    const auto length = static_cast<std::size_t>(tensor.dims[axis]);
    const int width = elementBytes(tensor.type);
    const bool isFirst = std::all_of(tensor.dims.begin(), tensor.dims.begin() + static_cast<std::ptrdiff_t>(axis),
        [](std::int64_t dim) { return dim == 1; });
    const auto sums = isFirst ? orderFreeRowSums(tensor.bytes(), width, length, job)
                              : orderFreeColumnSums(tensor.bytes(), width, length, job);
    m_before.reserve(length + 1);
    m_before.push_back(0);
    for (const std::uint64_t sum : sums)
        m_before.push_back(m_before.back() + sum);
}

std::vector<std::size_t> pieceAxes(const Tensor& tensor)
{
    constexpr std::int64_t kLongest = std::int64_t{1} << 20;
    std::vector<std::size_t> axes;
    const auto isLong = [](std::int64_t dim) { return dim > 1; };
    const auto long0 = std::ranges::find_if(tensor.dims, isLong);
    if (elementBytes(tensor.type) == 0 || long0 == tensor.dims.end())
        return axes;
    const auto first = static_cast<std::size_t>(long0 - tensor.dims.begin());
    const std::size_t last = tensor.dims.size() - 1;
    if (tensor.dims[first] <= kLongest)
        axes.push_back(first);
    if (last != first && tensor.dims[last] > 1 && tensor.dims[last] <= kLongest)
        axes.push_back(last);
    return axes;
}

} // namespace duo
