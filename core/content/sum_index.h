// SPDX-License-Identifier: Apache-2.0
// SumIndex: finds stored tensors by what their elements are, in whatever order.
#pragma once

#include "core/content/wanted_tensors.h"

#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {

using SizeKey = std::pair<ElementType, std::int64_t>; // type, elements

class SumIndex
{
public:
    /// Order-free sums of all stored sets of these types and sizes; each tensor is read once. @return Cancelled
    static Result<SumIndex> of(const ContentSearch& search, const std::set<SizeKey>& sizes);

    /// The same for stored tensors of another floating type, converted to the one asked for. @return Cancelled
    static Result<SumIndex> ofConverted(const ContentSearch& search, const std::set<SizeKey>& sizes);

    /// Stored sets with the elements of `tensor` by their sum, which is no proof; at most kMostTried.
    [[nodiscard]] std::span<const std::uint32_t> find(const Tensor& tensor, const JobContext& job) const;

    [[nodiscard]] std::span<const std::uint32_t> find(const SizeKey& size, std::uint64_t sum) const;

    static constexpr std::size_t kMostTried = 64; // files with more tensors of one sum were made to have them

private:
    std::map<SizeKey, std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>> m_sets;
};

/// A stored tensor as another floating type, all of it.
Tensor convertedTensor(const Tensor& tensor, ElementType to);

} // namespace duo
