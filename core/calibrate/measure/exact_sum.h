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
        int exponent = 0;
        const double fraction = std::frexp(std::abs(value), &exponent); // in [0.5, 1)
        addScaled(static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53, value < 0);
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
        Words addend{};
        const auto limb = static_cast<std::size_t>(shift / 64);
        const int bit = shift % 64;
        addend[limb] = magnitude << bit;
        if (bit != 0 && limb + 1 < addend.size())
            addend[limb + 1] = magnitude >> (64 - bit);
        addWords(negative ? negated(addend) : addend);
    }

    void add(const FixedSum& other) { addWords(other.m_words); }

    /// The sum as a double, rounded.
    [[nodiscard]] double value() const
    {
        const bool negative = m_words.back() >> 63U != 0;
        const Words magnitude = negative ? negated(m_words) : m_words;
        double result = 0;
        for (std::size_t i = 0; i < magnitude.size(); ++i)
            result += std::ldexp(static_cast<double>(magnitude[i]), static_cast<int>(64 * i) + Unit);
        return negative ? -result : result;
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
