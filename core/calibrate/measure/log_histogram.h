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

/// Values below which a share of all lies: the bin is found by its rank, inside it values count as evenly spread, and
/// the result is kept inside [least, most], the exact extremes. `q` in [0, 1]; 0 for an empty histogram.
float quantileOf(const LogHistogram& histogram, double q, float least, float most);

} // namespace duo
