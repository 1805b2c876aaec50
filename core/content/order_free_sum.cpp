// SPDX-License-Identifier: Apache-2.0
#include "core/content/order_free_sum.h"

#include "core/support/bytes_of.h"

#include <algorithm>
#include <cstring>

namespace duo {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{4} << 20;

/// A 32 x 32 -> 64 bit product of two scrambled copies, its high half folded back: vectorizes with SSE2 alone.
inline std::uint64_t mix(std::uint32_t x)
{
    const std::uint32_t a = x ^ 0x9E3779B9U;
    const std::uint32_t b = ((x >> 15U) + 0x85EBCA6BU) ^ x;
    const std::uint64_t product = std::uint64_t{a} * b;
    return product ^ (product >> 32U);
}

inline std::uint64_t mixOf(std::uint8_t x)
{
    return mix(x);
}
inline std::uint64_t mixOf(std::uint16_t x)
{
    return mix(x);
}
inline std::uint64_t mixOf(std::uint32_t x)
{
    return mix(x);
}
inline std::uint64_t mixOf(std::uint64_t x)
{
    const auto low = static_cast<std::uint32_t>(x);
    const auto high = static_cast<std::uint32_t>(x >> 32U);
    const std::uint64_t mixed = mix(low) * 0x9E3779B97F4A7C15U + mix(high ^ 0xC2B2AE35U);
    return mixed ^ (mixed >> 29U);
}

template <typename T> std::uint64_t sumOf(const std::byte* bytes, std::size_t count)
{
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        sum += mixOf(loadAt<T>(bytes, i));
    return sum;
}

template <typename T> void addColumns(const std::byte* bytes, std::size_t columns, std::vector<std::uint64_t>& sums)
{
    for (std::size_t c = 0; c < columns; ++c)
        sums[c] += mixOf(loadAt<T>(bytes, c));
}

/// Calls work(T{}) with the unsigned type of that many bytes.
template <typename Work> auto withWidth(int width, const Work& work)
{
    switch (width) {
    case 8:
        return work(std::uint64_t{});
    case 4:
        return work(std::uint32_t{});
    case 2:
        return work(std::uint16_t{});
    default:
        return work(std::uint8_t{});
    }
}

} // namespace

std::uint64_t orderFreeSum(std::span<const std::byte> bytes, int width, const JobContext& job)
{
    return withWidth(width, [&](auto element) {
        using T = decltype(element);
        std::uint64_t sum = 0;
        for (std::size_t at = 0; at < bytes.size() && !job.stopped(); at += kChunkBytes) {
            const auto chunk = bytes.subspan(at, std::min(kChunkBytes, bytes.size() - at));
            sum += sumOf<T>(chunk.data(), chunk.size() / sizeof(T));
        }
        return sum;
    });
}

std::vector<std::uint64_t> orderFreeRowSums(
    std::span<const std::byte> bytes, int width, std::size_t rows, const JobContext& job)
{
    std::vector<std::uint64_t> sums(rows, 0);
    const std::size_t rowBytes = rows == 0 ? 0 : bytes.size() / rows;
    withWidth(width, [&](auto element) {
        using T = decltype(element);
        for (std::size_t r = 0, sinceCheck = 0; r < rows; ++r, sinceCheck += rowBytes) {
            if (sinceCheck >= kChunkBytes) {
                sinceCheck = 0;
                if (job.stopped())
                    return;
            }
            sums[r] = sumOf<T>(bytes.data() + r * rowBytes, rowBytes / sizeof(T));
        }
    });
    return sums;
}

std::vector<std::uint64_t> orderFreeColumnSums(
    std::span<const std::byte> bytes, int width, std::size_t columns, const JobContext& job)
{
    std::vector<std::uint64_t> sums(columns, 0);
    const std::size_t rowBytes = columns * static_cast<std::size_t>(width);
    withWidth(width, [&](auto element) {
        using T = decltype(element);
        for (std::size_t at = 0, sinceCheck = 0; rowBytes > 0 && at + rowBytes <= bytes.size();
             at += rowBytes, sinceCheck += rowBytes) {
            if (sinceCheck >= kChunkBytes) {
                sinceCheck = 0;
                if (job.stopped())
                    return;
            }
            addColumns<T>(bytes.data() + at, columns, sums);
        }
    });
    return sums;
}

} // namespace duo
