// SPDX-License-Identifier: Apache-2.0
// equalStrided: whether two blocks hold the same elements when each is read in its own layout.
#pragma once

#include "core/support/job.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// A block of elements in a layout of its own.
struct StridedBlock {
    const std::byte* data = nullptr; // first element; no alignment needed
    std::vector<std::int64_t> strides; // in elements, one for each axis
};

/// Strides of a dense row-major tensor; axes of length 0 or 1 count as 1.
std::vector<std::int64_t> denseStrides(std::span<const std::int64_t> dims);

/// Bit equality of a[i] and b[i] for every index i within `dims`; stops at the first tile that differs. Reads every
/// element at most once; tiles keep both sides in the cache whatever the order of their axes.
/// @param width bytes per element: 1, 2, 4 or 8
/// @return false if the job is stopped on the way
bool equalStrided(
    const StridedBlock& a, const StridedBlock& b, std::span<const std::int64_t> dims, int width, const JobContext& job);

/// Bit equality of two runs of bytes of one length. @return false if the job is stopped on the way
bool equalBytes(std::span<const std::byte> a, std::span<const std::byte> b, const JobContext& job);

} // namespace duo
