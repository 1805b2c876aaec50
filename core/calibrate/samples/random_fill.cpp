// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/random_fill.h"

#include "core/model/half_floats.h"
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
class RandomBits
{
public:
    explicit RandomBits(const std::array<std::uint64_t, 3>& key)
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

template <typename T, typename Next> void fillBytes(std::vector<std::byte>& bytes, const Next& next)
{
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
        const T value = static_cast<T>(next());
        std::memcpy(bytes.data() + at, &value, sizeof(T));
    }
}

template <typename T, typename Numbers> void fillIntegers(std::vector<std::byte>& bytes, Numbers& numbers)
{
    fillBytes<T>(bytes, [&] { return numbers.upTo(static_cast<std::uint64_t>(std::numeric_limits<T>::max())); });
}

/// `numbers` are asked once per element, in order.
template <typename Numbers> void fillElements(std::vector<std::byte>& bytes, ElementType type, Numbers& numbers)
{
    switch (type) {
    case ElementType::Float32:
        return fillBytes<float>(bytes, [&] { return numbers.real(); });
    case ElementType::Float64:
        return fillBytes<double>(bytes, [&] { return numbers.real(); });
    case ElementType::Float16:
        return fillBytes<std::uint16_t>(bytes, [&] { return toHalf(static_cast<float>(numbers.real())); });
    case ElementType::BFloat16:
        return fillBytes<std::uint16_t>(bytes, [&] { return toBfloat(static_cast<float>(numbers.real())); });
    case ElementType::Bool:
        return fillBytes<std::uint8_t>(bytes, [&] { return numbers.upTo(1); });
    case ElementType::Int8:
        return fillIntegers<std::int8_t>(bytes, numbers);
    case ElementType::UInt8:
        return fillIntegers<std::uint8_t>(bytes, numbers);
    case ElementType::Int16:
        return fillIntegers<std::int16_t>(bytes, numbers);
    case ElementType::UInt16:
        return fillIntegers<std::uint16_t>(bytes, numbers);
    case ElementType::Int32:
        return fillIntegers<std::int32_t>(bytes, numbers);
    case ElementType::UInt32:
        return fillIntegers<std::uint32_t>(bytes, numbers);
    case ElementType::Int64:
        return fillIntegers<std::int64_t>(bytes, numbers);
    case ElementType::UInt64:
        return fillIntegers<std::uint64_t>(bytes, numbers);
    default:
        return;
    }
}

/// Normal numbers, and integers below a limit.
struct RandomNumbers {
    RandomBits& source;
    std::int64_t below;

    double real() { return source.normal(); }
    std::int64_t upTo(std::uint64_t largest)
    {
        const auto limit = std::min(static_cast<std::uint64_t>(below - 1), largest) + 1;
        return source.below(static_cast<std::int64_t>(limit));
    }
};

struct ToldNumbers {
    const std::function<std::int64_t(std::int64_t)>& number;
    std::int64_t index = 0;

    double real() { return static_cast<double>(number(index++)); }
    std::int64_t upTo(std::uint64_t largest)
    {
        const std::int64_t value = number(index++);
        return value > 0 && static_cast<std::uint64_t>(value) > largest ? static_cast<std::int64_t>(largest) : value;
    }
};

HostTensor emptyTensor(const std::string& name, ElementType type, std::vector<std::int64_t> dims)
{
    HostTensor out{name, type, std::move(dims), {}};
    const std::int64_t count = elementCount(out.dims).value_or(0);
    out.bytes.resize(static_cast<std::size_t>(packedBytes(type, count).value_or(0)));
    return out;
}

} // namespace

HostTensor RandomFill::tensor(const std::array<std::uint64_t, 3>& key) const
{
    HostTensor out = emptyTensor(name, type, dims);
    RandomBits source(key);
    RandomNumbers numbers{source, type == ElementType::Bool ? 2 : below};
    fillElements(out.bytes, type, numbers);
    return out;
}

HostTensor filledTensor(const std::string& name, ElementType type, std::vector<std::int64_t> dims,
    const std::function<std::int64_t(std::int64_t)>& number)
{
    HostTensor out = emptyTensor(name, type, std::move(dims));
    ToldNumbers numbers{number};
    fillElements(out.bytes, type, numbers);
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
