// SPDX-License-Identifier: Apache-2.0
// LaneTotals: the inner loops of calibration, over sixteen floats at a time; the same results on every CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duo {

/// Of one row or column, or of all.
struct Totals {
    float min;
    float max;
    std::int32_t most;
    std::int32_t least;
};

/// Totals of sixteen independent columns. Only finite values may count: where `most` says that one is not, the other
/// members mean nothing.
struct alignas(64) LaneTotals {
    static constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> min;
    std::array<float, kLanes> max;
    std::array<std::int32_t, kLanes> most{}; // largest bit pattern without sign
    std::array<std::int32_t, kLanes> least; // smallest such pattern minus one; zeros count as the largest number

    LaneTotals();
    /// Rows of sixteen values, `stride` values apart.
    void addRows(const float* values, std::size_t rows, std::size_t stride);
    /// One row of fewer than sixteen values.
    void addPart(const float* values, std::size_t count);
    /// Of all columns together.
    [[nodiscard]] Totals together() const;
    /// `count` values one after the other.
    void addRun(const float* values, std::size_t count);
};

/// Histogram of one tensor while it is counted. Neighbours are counted in two tables, whose entries lie side by side,
/// so that equal ones do not wait for each other.
class BinTables
{
public:
    static constexpr std::size_t kMost = (std::size_t{1} << 32) - 1; // elements that can be counted

    BinTables();
    void count(const float* values, std::size_t count);
    /// Counts, and finds the extremes of the same values in the same pass. @return their sum, with rounding
    double countRun(const float* values, std::size_t count, LaneTotals& totals);
    /// Brings together what was counted since clear(); bins in use, beside 0, are of `nearest` to `farthest` by size.
    void fold(std::size_t nearest, std::size_t farthest);
    /// Forgets what is counted between these, and zeros.
    void clear(std::size_t nearest, std::size_t farthest);
    /// After fold(): counts of positive or negative values, by |bin|.
    [[nodiscard]] std::span<const std::uint32_t> counts(bool negative) const;

private:
    static constexpr std::size_t kSigned = std::size_t{1} << 13; // bins of one sign
    static constexpr std::size_t kEntries = 2 * kSigned;
    std::vector<std::uint32_t> m_pairs; // [entry * 2 + table]
    std::vector<std::uint32_t> m_counts; // [entry]
};

} // namespace duo
