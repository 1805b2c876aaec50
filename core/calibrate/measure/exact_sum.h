// SPDX-License-Identifier: Apache-2.0
// FixedSum: a sum of numbers as one long integer, so that no order of adding and no split into parts changes it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace duo {

/// Two's complement integer of `Limbs` times 64 bits, in units of 2^Unit. What is added is rounded to the unit first
/// and limited to 2^40 below the end of the range, so 2^40 summands never overflow.
template <int Limbs, int Unit> class FixedSum
{
public:
    using Words = std::array<std::uint64_t, Limbs>; // lowest first

    FixedSum() = default;
    explicit FixedSum(const Words& words)
        : m_words(words)
    {
    }
    [[nodiscard]] const Words& words() const { return m_words; }
    bool operator==(const FixedSum&) const = default;

    /// A finite number; exact unless it has bits below 2^Unit (then to nearest, halves away from zero).
    void add(double value)
    {
        const auto pattern = std::bit_cast<std::uint64_t>(value);
        const auto field = static_cast<int>(pattern >> 52U & 0x7FFU);
        const std::uint64_t fraction = pattern & ((std::uint64_t{1} << 52U) - 1);
        const std::uint64_t leading = field == 0 ? 0 : std::uint64_t{1} << 52U;
        addScaled(fraction | leading, std::max(field, 1) - 1075, pattern >> 63U != 0);
    }

    /// magnitude * 2^exponent, with a sign. @param magnitude below 2^63
    void addScaled(std::uint64_t magnitude, int exponent, bool negative)
    {
        if (magnitude == 0)
            return;
        int shift = exponent - Unit;
        if (shift < 0) {
            magnitude = shift < -63 ? 0 : (magnitude + (std::uint64_t{1} << (-shift - 1))) >> -shift;
            shift = 0;
        }
        if (shift + std::bit_width(magnitude) > kMostBits) {
            shift = kMostBits - 1;
            magnitude = 1;
        }
        const auto limb = static_cast<std::size_t>(shift / 64);
        const int bit = shift % 64;
        const std::uint64_t high = bit == 0 ? 0 : magnitude >> (64 - bit);
        negative ? subtractAt(limb, magnitude << bit, high) : addAt(limb, magnitude << bit, high);
    }

    void add(const FixedSum& other) { addWords(other.m_words); }

    /// A sum in finer units, rounded to this one's as every number is.
    template <int OtherLimbs, int OtherUnit> void addRounded(const FixedSum<OtherLimbs, OtherUnit>& other)
    {
        constexpr int kDrop = Unit - OtherUnit;
        static_assert(kDrop > 0 && OtherLimbs > Limbs);
        const bool negative = other.isNegative();
        FixedSum<OtherLimbs, OtherUnit> magnitude(other.magnitude());
        magnitude.addScaled(1, Unit - 1, false);
        Words addend{};
        int width = 0;
        for (std::size_t i = 0; i < OtherLimbs; ++i) {
            const std::uint64_t word = magnitude.words()[i];
            const int lowest = static_cast<int>(64 * i) - kDrop; // the word's first bit here
            if (word == 0 || lowest <= -64)
                continue;
            width = lowest + static_cast<int>(std::bit_width(word));
            const auto limb = static_cast<std::size_t>(lowest < 0 ? 0 : lowest / 64);
            const int bit = lowest < 0 ? lowest : lowest % 64;
            if (limb < addend.size())
                addend[limb] |= bit < 0 ? word >> -bit : word << bit;
            if (bit > 0 && limb + 1 < addend.size())
                addend[limb + 1] |= word >> (64 - bit);
        }
        if (width > kMostBits) {
            addScaled(1, kMostBits - 1 + Unit, negative);
            return;
        }
        addWords(negative ? negated(addend) : addend);
    }

    [[nodiscard]] bool isNegative() const { return m_words.back() >> 63U != 0; }
    [[nodiscard]] Words magnitude() const { return isNegative() ? negated(m_words) : m_words; }

    /// The sum as a double, rounded.
    [[nodiscard]] double value() const
    {
        const Words words = magnitude();
        double result = 0;
        for (std::size_t i = 0; i < words.size(); ++i)
            result += std::ldexp(static_cast<double>(words[i]), static_cast<int>(64 * i) + Unit);
        return isNegative() ? -result : result;
    }

private:
    static constexpr int kMostBits = Limbs * 64 - 1 - 40;

    static Words negated(Words words)
    {
        bool carry = true;
        for (std::uint64_t& word : words) {
            word = ~word + (carry ? 1U : 0U);
            carry = carry && word == 0;
        }
        return words;
    }

    void addAt(std::size_t limb, std::uint64_t low, std::uint64_t high)
    {
        m_words[limb] += low;
        std::uint64_t carry = m_words[limb] < low ? 1 : 0;
        for (++limb; limb < m_words.size() && (high | carry) != 0; ++limb) {
            const std::uint64_t more = high + carry; // high is at most half of a word
            m_words[limb] += more;
            carry = m_words[limb] < more ? 1 : 0;
            high = 0;
        }
    }

    void subtractAt(std::size_t limb, std::uint64_t low, std::uint64_t high)
    {
        std::uint64_t borrow = m_words[limb] < low ? 1 : 0;
        m_words[limb] -= low;
        for (++limb; limb < m_words.size() && (high | borrow) != 0; ++limb) {
            const std::uint64_t less = high + borrow;
            borrow = m_words[limb] < less ? 1 : 0;
            m_words[limb] -= less;
            high = 0;
        }
    }

    void addWords(const Words& other)
    {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            const std::uint64_t sum = m_words[i] + other[i];
            const std::uint64_t total = sum + carry;
            carry = (sum < other[i] ? 1U : 0U) + (total < sum ? 1U : 0U);
            m_words[i] = total;
        }
    }

    Words m_words{};
};

/// Sums of float32 values and of their squares: the unit is the smallest square, the end far above the largest.
using ExactSum = FixedSum<10, -300>;
/// Sums kept per channel, where a rounding of 2^-96 per sample cannot be seen and memory counts.
using ChannelSum = FixedSum<4, -96>;

} // namespace duo
