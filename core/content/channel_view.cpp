// SPDX-License-Identifier: Apache-2.0
#include "core/content/channel_view.h"

#include "core/content/arrangement.h"
#include "core/model/op_facts.h"

#include <algorithm>

namespace duo {

std::vector<ViewPair> viewPairs(const Tensor& wanted, const Node& reader, std::uint32_t port)
{
    const auto& dims = wanted.dims;
    const std::int64_t count = wanted.elements();
    if (longDims(dims).size() < 2) {
        const ChannelView flat{1, 1, 1, count};
        return {{flat, flat}};
    }
    if (isProduct(reader, Product::TransposedConvolution) && port == 1 && dims.size() >= 3) {
        const std::int64_t groups = reader.intAttribute("group", 1);
        if (groups < 1 || dims[0] % groups != 0)
            return {};
        const ChannelView view{groups, dims[0] / groups, dims[1], count / (dims[0] * dims[1])};
        return {{view, view}};
    }
    const ChannelView rows{1, 1, dims[0], count / dims[0]};
    std::vector<ViewPair> pairs{{rows, rows}};
    if (dims.size() == 2)
        pairs.push_back({{1, dims[0], dims[1], 1}, {1, 1, dims[1], dims[0]}});
    return pairs;
}

bool fitsView(const Tensor& stored, const Tensor& wanted, const ViewPair& views)
{
    if (views.stored.outer > 1 || views.stored.groups > 1)
        return stored.dims == wanted.dims;
    if (views.stored.channels == 1)
        return longDims(stored.dims).size() < 2 || (!stored.dims.empty() && stored.dims[0] == 1);
    return !stored.dims.empty() && stored.dims[0] == views.stored.channels;
}

std::span<const float> inWantedOrder(std::span<const float> stored, const ViewPair& views, std::vector<float>& copy)
{
    if (views.wanted == views.stored)
        return stored;
    constexpr std::size_t kTile = 32;
    const auto rows = static_cast<std::size_t>(views.stored.channels);
    const auto columns = static_cast<std::size_t>(views.stored.inner);
    copy.resize(stored.size());
    for (std::size_t r0 = 0; r0 < rows; r0 += kTile) {
        for (std::size_t c0 = 0; c0 < columns; c0 += kTile) {
            for (std::size_t r = r0; r < std::min(r0 + kTile, rows); ++r) {
                for (std::size_t c = c0; c < std::min(c0 + kTile, columns); ++c)
                    copy[c * rows + r] = stored[r * columns + c];
            }
        }
    }
    return copy;
}

} // namespace duo
