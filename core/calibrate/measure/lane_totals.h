// SPDX-License-Identifier: Apache-2.0
// LaneTotals: the inner loops of calibration, over sixteen floats at a time; the same results on every CPU.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace duo {

/// Totals of sixteen independent columns. Only finite values may count: where `most` says that one is not, the other
/// members mean nothing.
struct alignas(64) LaneTotals {
    static constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> min;
    std::array<float, kLanes> max;
    std::array<std::uint32_t, kLanes> most{}; // largest pattern, shifted left by one: without sign
    std::array<std::uint32_t, kLanes> least; // smallest such pattern minus one; zeros count as the largest number
    std::array<double, kLanes> sum{};
    std::array<double, kLanes> squares{};

    LaneTotals();
    /// Rows of sixteen values, `stride` values apart. `sums`: also sum and squares.
    void addRows(const float* values, std::size_t rows, std::size_t stride, bool sums);
    /// One row of fewer than sixteen values.
    void addPart(const float* values, std::size_t count, bool sums);
    /// `count` values one after the other.
    void addRun(const float* values, std::size_t count, bool sums);
};

/// Histogram of one tensor while it is counted: per bin the count and the sum of the bits below the bin, in one word.
/// Four tables take turns, so that equal neighbours do not wait for each other; few values take one, which is sooner
/// emptied.
class BinTables
{
public:
    static constexpr std::size_t kMostAtOnce = std::size_t{1} << 22; // elements until the words must be emptied
    static constexpr int kLowBits = 40; // of a word: sum of the low bits; above: count

    BinTables();
    /// @param few one table is enough
    void count(const float* values, std::size_t count, bool few);
    /// A bin (index: sign and top bits of the pattern) that holds anything, with the sum of its four words.
    struct Entry {
        std::size_t index = 0;
        std::uint64_t word = 0;
    };
    /// Appends the entries from `first` to `last`, by rising index, and empties them.
    void take(std::size_t first, std::size_t last, std::vector<Entry>& into);
    /// Said once every entry is taken.
    void noteEmpty();

private:
    static constexpr std::size_t kEntries = std::size_t{1} << 14;
    std::size_t m_used = 1; // tables that may hold anything
    std::vector<std::uint64_t> m_words;
};

/// Appends every value <= low or >= high.
void appendOutside(const float* values, std::size_t count, float low, float high, std::vector<float>& into);

} // namespace duo
