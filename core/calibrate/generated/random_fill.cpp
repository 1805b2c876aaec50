// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/generated/random_fill.h"

#include "core/model/tensor.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>

namespace duo {
namespace {

/// mt19937_64 is defined to the bit by the C++ standard; its distributions are not, so they are written out here.
class Source
{
public:
    explicit Source(const std::array<std::uint64_t, 3>& key)
        : m_engine(mixed(key))
    {
    }

    /// Box and Muller, A note on the generation of random normal deviates, 1958.
    double normal()
    {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
        return radius * std::cos(2.0 * std::numbers::pi * unit());
    }

    std::int64_t below(std::int64_t limit) { return static_cast<std::int64_t>(unit() * static_cast<double>(limit)); }

private:
    double unit() { return static_cast<double>(m_engine() >> 11U) * 0x1p-53; } // [0, 1)

    /// Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014 (SplitMix64's finalizer).
    static std::uint64_t mixed(const std::array<std::uint64_t, 3>& key)
    {
        std::uint64_t state = 0;
        for (const std::uint64_t part : key) {
            state += part + 0x9E3779B97F4A7C15U;
            state = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9U;
            state = (state ^ (state >> 27U)) * 0x94D049BB133111EBU;
            state ^= state >> 31U;
        }
        return state;
    }

    std::mt19937_64 m_engine;
};

/// Upper half of the float, rounded to nearest even (no input here is NaN).
std::uint16_t toBfloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

/// IEEE binary16 of a number below 65504 in magnitude; below 2^-14 it becomes 0, which random data may.
std::uint16_t toHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16U) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude < 0x38800000U)
        return static_cast<std::uint16_t>(sign);
    const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13U));
}

template <typename T, typename Next> void fillBytes(std::vector<std::byte>& bytes, const Next& next)
{
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        const T value = static_cast<T>(next());
        std::memcpy(bytes.data() + at, &value, sizeof(T));
    }
}

template <typename T> void fillIntegers(std::vector<std::byte>& bytes, Source& source, std::int64_t below)
{
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    const auto limit = std::min(static_cast<std::uint64_t>(below - 1), kLargest) + 1;
    fillBytes<T>(bytes, [&] { return source.below(static_cast<std::int64_t>(limit)); });
}

void fillElements(std::vector<std::byte>& bytes, ElementType type, Source& source, std::int64_t below)
{
    const auto number = [&] { return static_cast<float>(source.normal()); };
    switch (type) {
    case ElementType::Float32:
        return fillBytes<float>(bytes, number);
    case ElementType::Float64:
        return fillBytes<double>(bytes, [&] { return source.normal(); });
    case ElementType::Float16:
        return fillBytes<std::uint16_t>(bytes, [&] { return toHalf(number()); });
    case ElementType::BFloat16:
        return fillBytes<std::uint16_t>(bytes, [&] { return toBfloat(number()); });
    case ElementType::Bool:
        return fillIntegers<std::uint8_t>(bytes, source, 2);
    case ElementType::Int8:
        return fillIntegers<std::int8_t>(bytes, source, below);
    case ElementType::UInt8:
        return fillIntegers<std::uint8_t>(bytes, source, below);
    case ElementType::Int16:
        return fillIntegers<std::int16_t>(bytes, source, below);
    case ElementType::UInt16:
        return fillIntegers<std::uint16_t>(bytes, source, below);
    case ElementType::Int32:
        return fillIntegers<std::int32_t>(bytes, source, below);
    case ElementType::UInt32:
        return fillIntegers<std::uint32_t>(bytes, source, below);
    case ElementType::Int64:
        return fillIntegers<std::int64_t>(bytes, source, below);
    case ElementType::UInt64:
        return fillIntegers<std::uint64_t>(bytes, source, below);
    default:
        return;
    }
}

} // namespace

HostTensor RandomFill::tensor(const std::array<std::uint64_t, 3>& key) const
{
    HostTensor out{name, type, dims, {}};
    const std::int64_t count = elementCount(dims).value_or(0);
    out.bytes.resize(static_cast<std::size_t>(packedBytes(type, count).value_or(0)));
    Source source(key);
    fillElements(out.bytes, type, source, below);
    return out;
}

bool canFill(ElementType type)
{
    const int bits = elementBits(type);
    const bool isWideFloat = isFloating(type) && bits >= 16;
    const bool isInteger = !isFloating(type) && bits >= 8 && bits <= 64 && type != ElementType::Complex64;
    return isWideFloat || isInteger;
}

} // namespace duo
