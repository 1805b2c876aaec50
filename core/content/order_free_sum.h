// SPDX-License-Identifier: Apache-2.0
// orderFreeSum: a fingerprint of a tensor's elements that no transposing, reshaping or reordering changes.
#pragma once

#include "core/support/job.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// Sum over all elements of a mix of their bits, modulo 2^64: equal for every order of the same elements, and the sums
/// of the parts of a tensor add up to its own. No proof of equality; unequal multisets collide by chance once in 2^64.
/// @param width bytes per element: 1, 2, 4 or 8
/// @return anything if the job is stopped on the way (polled every 4 MB)
std::uint64_t orderFreeSum(std::span<const std::byte> bytes, int width, const JobContext& job);

/// orderFreeSum of each of the rows of a matrix `rows` x `columns` that fills `bytes`.
std::vector<std::uint64_t> orderFreeRowSums(
    std::span<const std::byte> bytes, int width, std::size_t rows, const JobContext& job);

/// orderFreeSum of each of the columns of such a matrix. Memory: 8 bytes a column.
std::vector<std::uint64_t> orderFreeColumnSums(
    std::span<const std::byte> bytes, int width, std::size_t columns, const JobContext& job);

} // namespace duo
