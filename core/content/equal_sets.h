// SPDX-License-Identifier: Apache-2.0
// EqualSets: which tensors of one file have the same type, shape and bytes.
#pragma once

#include "core/model/tensor.h"
#include "core/support/job.h"
#include "core/support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace duo {

struct EqualSets {
    std::vector<std::uint32_t> setOf; // [tensors]
    std::vector<std::vector<std::uint32_t>> members; // [sets] ascending; sets are in the order of their first members
};

/// Groups by type, shape and XXH3 of a few samples, then compares in full; tensors that are alone with their samples
/// are read nowhere else. Null tensors are sets of their own. @return Cancelled
Result<EqualSets> equalSets(std::span<const Tensor* const> tensors, const JobContext& job, int threads);

} // namespace duo
