// SPDX-License-Identifier: Apache-2.0
// findArrangement: how the elements of one tensor must be moved to give another of the same elements.
#pragma once

#include "core/content/content_matches.h"
#include "core/model/tensor.h"
#include "core/support/job.h"

#include <optional>
#include <span>
#include <vector>

namespace duo {

/// Exact, Reshaped, Transposed or Permuted.
struct Arrangement {
    MatchKind kind = MatchKind::Exact;
    std::vector<int> axes; // of the stored tensor, those of length 1 left out; empty for Exact and Reshaped
};

/// Bytes of an element, or 0 for types whose elements cannot be moved one by one (packed below a byte, strings,
/// complex128).
int elementBytes(ElementType type);

/// Dims without those of length 1.
std::vector<std::int64_t> longDims(std::span<const std::int64_t> dims);

/// Tries equal bytes, then every order of the axes of either side (up to 6 longer than 1), each with a compare that
/// ends at the first difference. Both tensors have the same type and number of elements, and all their bytes.
/// @return nothing if no order of the axes gives the other tensor, or if the job is stopped
std::optional<Arrangement> findArrangement(const Tensor& stored, const Tensor& inModel, const JobContext& job);

/// A part of a tensor: `length` indices of one axis from `offset` on.
struct TensorPart {
    const Tensor& tensor;
    std::size_t axis = 0;
    std::int64_t offset = 0;
    std::int64_t length = 0;
};

/// The order of the axes of `from` (those of length 1 left out) in which it is `to`; empty if they are equal as they
/// are. Both have the same type. @return nothing if there is none, or if the job is stopped
std::optional<std::vector<int>> findPartOrder(const TensorPart& from, const TensorPart& to, const JobContext& job);

/// All of a tensor.
TensorPart wholeOf(const Tensor& tensor);

} // namespace duo
