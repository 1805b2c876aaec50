// SPDX-License-Identifier: Apache-2.0
#include "core/content/arrangement.h"

#include "core/content/strided_compare.h"

#include <algorithm>
#include <numeric>

namespace duo {
namespace {

constexpr std::size_t kMostAxes = 6;

std::vector<std::int64_t> inOrder(std::span<const std::int64_t> of, const std::vector<int>& order)
{
    std::vector<std::int64_t> result;
    for (const int axis : order)
        result.push_back(of[static_cast<std::size_t>(axis)]);
    return result;
}

/// The order of the axes of `moved` (not their own) in which its elements are those of `flat` one after the other. An
/// order whose dims are `wanted` is tried before the others.
std::optional<std::vector<int>> findOrder(const std::byte* moved, std::span<const std::int64_t> dims,
    const std::byte* flat, std::span<const std::int64_t> wanted, int width, const JobContext& job)
{
    if (dims.size() < 2 || dims.size() > kMostAxes)
        return std::nullopt;
    const auto strides = denseStrides(dims);
    for (const bool wantsDims : {true, false}) {
        std::vector<int> order(dims.size());
        std::iota(order.begin(), order.end(), 0);
        while (std::next_permutation(order.begin(), order.end()) && !job.stopped()) {
            const auto result = inOrder(dims, order);
            if (std::ranges::equal(result, wanted) != wantsDims)
                continue;
            if (equalStrided({moved, inOrder(strides, order)}, {flat, denseStrides(result)}, result, width, job))
                return order;
        }
    }
    return std::nullopt;
}

std::vector<int> inverse(const std::vector<int>& order)
{
    std::vector<int> result(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        result[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return result;
}

/// A part without its axes of length 1.
struct LongPart {
    StridedBlock block;
    std::vector<std::int64_t> dims;
};

LongPart longPart(const TensorPart& part)
{
    auto dims = part.tensor.dims;
    const auto strides = denseStrides(dims);
    LongPart result;
    result.block.data = part.tensor.bytes().data();
    if (!dims.empty()) {
        dims[part.axis] = part.length;
        result.block.data += part.offset * strides[part.axis] * elementBytes(part.tensor.type);
    }
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 1)
            continue;
        result.dims.push_back(dims[i]);
        result.block.strides.push_back(strides[i]);
    }
    return result;
}

} // namespace

int elementBytes(ElementType type)
{
    const int bits = elementBits(type);
    return bits == 8 || bits == 16 || bits == 32 || bits == 64 ? bits / 8 : 0;
}

std::vector<std::int64_t> longDims(std::span<const std::int64_t> dims)
{
    std::vector<std::int64_t> result;
    std::ranges::copy_if(dims, std::back_inserter(result), [](std::int64_t dim) { return dim != 1; });
    return result;
}

std::optional<Arrangement> findArrangement(const Tensor& stored, const Tensor& inModel, const JobContext& job)
{
    if (equalBytes(stored.bytes(), inModel.bytes(), job))
        return Arrangement{stored.dims == inModel.dims ? MatchKind::Exact : MatchKind::Reshaped, {}};
    const int width = elementBytes(stored.type);
    if (width == 0)
        return std::nullopt;
    const auto from = longDims(stored.dims);
    const auto to = longDims(inModel.dims);
    if (const auto order = findOrder(stored.bytes().data(), from, inModel.bytes().data(), to, width, job)) {
        const bool isMatrix = from.size() == 2 && to.size() == 2 && inOrder(from, *order) == to;
        return Arrangement{isMatrix ? MatchKind::Transposed : MatchKind::Permuted, *order};
    }
    // Reshaped first, then transposed: the axes exist on the model's side only.
    if (const auto order = findOrder(inModel.bytes().data(), to, stored.bytes().data(), from, width, job))
        return Arrangement{MatchKind::Permuted, inverse(*order)};
    return std::nullopt;
}

TensorPart wholeOf(const Tensor& tensor)
{
    return {tensor, 0, 0, tensor.dims.empty() ? 1 : tensor.dims.front()};
}

std::optional<std::vector<int>> findPartOrder(const TensorPart& from, const TensorPart& to, const JobContext& job)
{
    const LongPart source = longPart(from);
    const LongPart target = longPart(to);
    const int width = elementBytes(from.tensor.type);
    if (width == 0 || source.dims.size() != target.dims.size() || source.dims.size() > kMostAxes)
        return std::nullopt;
    std::vector<int> order(source.dims.size());
    std::iota(order.begin(), order.end(), 0);
    do {
        if (inOrder(source.dims, order) != target.dims)
            continue;
        const StridedBlock moved{source.block.data, inOrder(source.block.strides, order)};
        if (equalStrided(moved, target.block, target.dims, width, job))
            return std::ranges::is_sorted(order) ? std::vector<int>{} : order;
    } while (std::next_permutation(order.begin(), order.end()) && !job.stopped());
    return std::nullopt;
}

} // namespace duo
