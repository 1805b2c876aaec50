// SPDX-License-Identifier: Apache-2.0
// PieceSums: order-free sums of every run of indices along the first or the last axis of a tensor.
#pragma once

#include "core/model/tensor.h"
#include "core/support/job.h"

#include <cstdint>
#include <vector>

namespace duo {

/// Running sums along one axis: 8 bytes an index.
class PieceSums
{
public:
    /// @param axis one of pieceAxes
    PieceSums(const Tensor& tensor, std::size_t axis, const JobContext& job);

    [[nodiscard]] std::size_t axis() const { return m_axis; }
    [[nodiscard]] std::int64_t length() const { return static_cast<std::int64_t>(m_before.size()) - 1; }
    /// Order-free sum of the part of the tensor with `count` indices from `first` on.
    [[nodiscard]] std::uint64_t sum(std::int64_t first, std::int64_t count) const
    {
        return m_before[static_cast<std::size_t>(first + count)] - m_before[static_cast<std::size_t>(first)];
    }

private:
    std::size_t m_axis;
    std::vector<std::uint64_t> m_before; // [length + 1] sum of all indices before
};

/// The axes along which a tensor may have been cut or put together: the first one longer than 1, and the last; none
/// that is longer than a million, none for types that have no sums.
std::vector<std::size_t> pieceAxes(const Tensor& tensor);

} // namespace duo
