// SPDX-License-Identifier: Apache-2.0
// LogHistogram: how often values of each sign and magnitude were seen; needs no range and merges exactly.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// Bins by the top bits of the float32 pattern: 32 bins per power of two, so a bin is 1.6 to 3.1 % of its value wide.
/// Bin k > 0 holds [binLower(k), binLower(k + 1)), bin -k the same negated, bin 0 what is smaller than 2^-131.
namespace logbin {
inline constexpr int kMantissaBits = 5;
inline constexpr int kShift = 23 - kMantissaBits;
inline constexpr int kLast = (255 << kMantissaBits) - 1; // the largest finite magnitudes

/// Smallest magnitude of bin |k|; infinity behind the last one.
inline float lower(int k)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(k) << static_cast<unsigned>(kShift));
}
/// The magnitude's bin, without sign.
inline int of(float value)
{
    return static_cast<int>((std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU) >> static_cast<unsigned>(kShift));
}
} // namespace logbin

struct BinCount {
    std::int32_t bin = 0; // -logbin::kLast to logbin::kLast, by rising value
    std::uint64_t count = 0; // > 0
    bool operator==(const BinCount&) const = default;
};

/// Counts of one tensor, by bin.
struct BinView {
    std::span<const std::uint32_t> positive; // [bin - skipped]; [0] holds zeros, and what is smaller than bin 1
    std::span<const std::uint32_t> negative; // [-bin - skipped]
    int lowest = 0; // bin of the least element
    int highest = 0; // of the largest
    int nearest = 1; // smallest |bin| beside 0 that may hold anything
    bool isEmpty = true;
    int skipped = 0; // bins behind 0 that are left out, less than `nearest`

    [[nodiscard]] std::uint64_t count(int bin) const
    {
        if (bin == 0)
            return std::uint64_t{positive[0]} + negative[0];
        return bin > 0 ? positive[placeOf(bin)] : negative[placeOf(-bin)];
    }
    [[nodiscard]] std::size_t placeOf(int size) const { return static_cast<std::size_t>(size - skipped); } // of |bin|
    [[nodiscard]] std::vector<BinCount> bins() const; // by rising value, without empty ones
    /// Of these the outer ones, from either end until they hold `enough` elements: all if there are fewer.
    [[nodiscard]] std::vector<BinCount> outerBins(std::uint64_t enough) const;

private:
    [[nodiscard]] int above(int bin) const { return bin == -nearest ? 0 : bin == 0 ? nearest : bin + 1; }
    [[nodiscard]] int below(int bin) const { return bin == nearest ? 0 : bin == 0 ? -nearest : bin - 1; }
};

/// Counts of many tensors, wide enough for the bins seen.
class BinTotals
{
public:
    void add(const BinView& view);
    [[nodiscard]] std::vector<BinCount> bins() const; // as BinView::bins

private:
    struct Side {
        std::size_t first = 0; // |bin| of counts[0]
        std::vector<std::uint64_t> counts;
        void add(std::span<const std::uint32_t> more, std::size_t from);
    };
    Side m_positive;
    Side m_negative;
    std::uint64_t m_zeros = 0;
};

class LogHistogram
{
public:
    /// Adds counts; `bins` sorted by bin. O(bins).
    void add(std::span<const BinCount> bins);
    [[nodiscard]] const std::vector<BinCount>& bins() const { return m_bins; } // sorted, without empty ones
    [[nodiscard]] std::uint64_t total() const;
    bool operator==(const LogHistogram&) const = default;

private:
    std::vector<BinCount> m_bins;
};

/// As numpy.quantile with its default, linear interpolation between neighbouring ranks: least and most are the exact
/// extremes; another rank's value is found by its bin, inside which values count as evenly spread. `q` in [0, 1]; 0 for
/// an empty histogram.
float quantileOf(const LogHistogram& histogram, double q, float least, float most);

} // namespace duo
