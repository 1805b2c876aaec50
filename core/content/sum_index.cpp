// SPDX-License-Identifier: Apache-2.0
#include "core/content/sum_index.h"

#include "core/content/arrangement.h"
#include "core/content/float_values.h"
#include "core/content/order_free_sum.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kConvertedBlock = std::size_t{64} << 10; // elements

std::uint64_t sumOf(const Tensor& tensor, const JobContext& job)
{
    return orderFreeSum(tensor.bytes(), std::max(elementBytes(tensor.type), 1), job);
}

std::uint64_t convertedSum(const Tensor& tensor, ElementType to, const JobContext& job)
{
    const auto count = static_cast<std::size_t>(tensor.elements());
    const auto width = static_cast<std::size_t>(elementBytes(to));
    std::vector<std::byte> block(std::min(count, kConvertedBlock) * width);
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < count && !job.stopped(); at += kConvertedBlock) {
        const std::span<std::byte> piece(block.data(), std::min(kConvertedBlock, count - at) * width);
        convertElements(tensor, at, to, piece);
        sum += orderFreeSum(piece, elementBytes(to), job);
    }
    return sum;
}

} // namespace

Result<SumIndex> SumIndex::of(const ContentSearch& search, const std::set<SizeKey>& sizes)
{
    std::vector<std::uint32_t> stored;
    for (const auto& [type, elements] : sizes) {
        const auto sets = search.stored.ofSize(type, elements);
        stored.insert(stored.end(), sets.begin(), sets.end());
    }
    std::vector<std::uint64_t> sums(stored.size());
    DUO_CHECK(parallelFor(stored.size(), search.threads, search.job, [&](std::size_t i) {
        sums[i] = sumOf(search.stored.tensor(stored[i]), search.job);
        return success();
    }));
    SumIndex index;
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const Tensor& tensor = search.stored.tensor(stored[i]);
        index.m_sets[{tensor.type, tensor.elements()}][sums[i]].push_back(stored[i]);
    }
    return index;
}

Result<SumIndex> SumIndex::ofConverted(const ContentSearch& search, const std::set<SizeKey>& sizes)
{
    std::vector<std::pair<SizeKey, std::uint32_t>> stored;
    for (const SizeKey& size : sizes) {
        for (const std::uint32_t set : search.stored.ofSize(size.second)) {
            const ElementType type = search.stored.tensor(set).type;
            if (isConvertible(size.first) && isConvertible(type) && type != size.first)
                stored.emplace_back(size, set);
        }
    }
    std::vector<std::uint64_t> sums(stored.size());
    DUO_CHECK(parallelFor(stored.size(), search.threads, search.job, [&](std::size_t i) {
        sums[i] = convertedSum(search.stored.tensor(stored[i].second), stored[i].first.first, search.job);
        return success();
    }));
    SumIndex index;
    for (std::size_t i = 0; i < stored.size(); ++i)
        index.m_sets[stored[i].first][sums[i]].push_back(stored[i].second);
    return index;
}

std::span<const std::uint32_t> SumIndex::find(const SizeKey& size, std::uint64_t sum) const
{
    const auto sums = m_sets.find(size);
    if (sums == m_sets.end())
        return {};
    const auto found = sums->second.find(sum);
    if (found == sums->second.end())
        return {};
    return std::span(found->second).first(std::min(found->second.size(), kMostTried));
}

std::span<const std::uint32_t> SumIndex::find(const Tensor& tensor, const JobContext& job) const
{
    const SizeKey size{tensor.type, tensor.elements()};
    if (!m_sets.contains(size))
        return {};
    return find(size, sumOf(tensor, job));
}

Tensor convertedTensor(const Tensor& tensor, ElementType to)
{
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.elements() * elementBytes(to)));
    convertElements(tensor, 0, to, bytes);
    Tensor result;
    result.name = tensor.name;
    result.type = to;
    result.dims = tensor.dims;
    result.data = SharedBytes::own(std::move(bytes));
    return result;
}

} // namespace duo
