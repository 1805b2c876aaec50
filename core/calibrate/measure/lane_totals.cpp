// SPDX-License-Identifier: Apache-2.0
// Compiled with optimization in every build. The compiler makes one version per instruction set of the same source;
// products of two floats are exact in double, so fused and separate multiply-add agree.
#include "core/calibrate/measure/lane_totals.h"

#include "core/calibrate/measure/log_histogram.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace duo {
namespace {

using Floats = float __attribute__((vector_size(64)));
using Words = std::uint32_t __attribute__((vector_size(64)));
using HalfFloats = float __attribute__((vector_size(32)));
using Doubles = double __attribute__((vector_size(64)));

#define DUO_INLINE inline __attribute__((always_inline))

template <typename To> DUO_INLINE To loaded(const void* from)
{
    To to;
    std::memcpy(&to, from, sizeof(To));
    return to;
}

template <bool Sums>
DUO_INLINE void addRowsTo(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    auto min = loaded<Floats>(totals.min.data());
    auto max = loaded<Floats>(totals.max.data());
    auto most = loaded<Words>(totals.most.data());
    auto least = loaded<Words>(totals.least.data());
    auto sumA = loaded<Doubles>(totals.sum.data());
    auto sumB = loaded<Doubles>(totals.sum.data() + 8);
    auto squaresA = loaded<Doubles>(totals.squares.data());
    auto squaresB = loaded<Doubles>(totals.squares.data() + 8);
    for (std::size_t row = 0; row < rows; ++row, values += stride) {
        const auto value = loaded<Floats>(values);
        const Words pattern = loaded<Words>(values) << 1U;
        const Words above = pattern - 1U;
        min = value < min ? value : min;
        max = value > max ? value : max;
        most = pattern > most ? pattern : most;
        least = above < least ? above : least;
        if constexpr (Sums) {
            const Doubles a = __builtin_convertvector(loaded<HalfFloats>(values), Doubles);
            const Doubles b = __builtin_convertvector(loaded<HalfFloats>(values + 8), Doubles);
            sumA += a;
            sumB += b;
            squaresA += a * a;
            squaresB += b * b;
        }
    }
    std::memcpy(totals.min.data(), &min, sizeof min);
    std::memcpy(totals.max.data(), &max, sizeof max);
    std::memcpy(totals.most.data(), &most, sizeof most);
    std::memcpy(totals.least.data(), &least, sizeof least);
    std::memcpy(totals.sum.data(), &sumA, sizeof sumA);
    std::memcpy(totals.sum.data() + 8, &sumB, sizeof sumB);
    std::memcpy(totals.squares.data(), &squaresA, sizeof squaresA);
    std::memcpy(totals.squares.data() + 8, &squaresB, sizeof squaresB);
}

using RowKernel = void (*)(LaneTotals&, const float*, std::size_t, std::size_t, bool);

void addRowsAnywhere(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride, bool sums)
{
    sums ? addRowsTo<true>(totals, values, rows, stride) : addRowsTo<false>(totals, values, rows, stride);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void addRowsAvx2(
    LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride, bool sums)
{
    sums ? addRowsTo<true>(totals, values, rows, stride) : addRowsTo<false>(totals, values, rows, stride);
}

__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,fma"))) void addRowsAvx512(
    LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride, bool sums)
{
    sums ? addRowsTo<true>(totals, values, rows, stride) : addRowsTo<false>(totals, values, rows, stride);
}
#endif

RowKernel rowKernel()
{
#if defined(__x86_64__)
    const bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0
        && __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
    if (wide)
        return addRowsAvx512;
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
        return addRowsAvx2;
#endif
    return addRowsAnywhere;
}

const RowKernel kRowKernel = rowKernel();

DUO_INLINE void countOne(std::uint32_t* table, std::uint32_t pattern)
{
    ++table[pattern >> static_cast<unsigned>(logbin::kShift)];
}

} // namespace

LaneTotals::LaneTotals()
{
    min.fill(std::numeric_limits<float>::max());
    max.fill(std::numeric_limits<float>::lowest());
    least.fill(std::numeric_limits<std::uint32_t>::max());
}

void LaneTotals::addRows(const float* values, std::size_t rows, std::size_t stride, bool sums)
{
    kRowKernel(*this, values, rows, stride, sums);
}

void LaneTotals::addPart(const float* values, std::size_t count, bool sums)
{
    for (std::size_t lane = 0; lane < count; ++lane) {
        const float value = values[lane];
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(value) << 1U;
        min[lane] = value < min[lane] ? value : min[lane];
        max[lane] = value > max[lane] ? value : max[lane];
        most[lane] = std::max(most[lane], pattern);
        least[lane] = std::min(least[lane], pattern - 1U);
        if (!sums)
            continue;
        const double wide = value;
        sum[lane] += wide;
        squares[lane] += wide * wide;
    }
}

Totals LaneTotals::together() const
{
    LaneTotals all = *this;
    for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
        for (std::size_t lane = 0; lane < half; ++lane) {
            all.min[lane] = all.min[lane + half] < all.min[lane] ? all.min[lane + half] : all.min[lane];
            all.max[lane] = all.max[lane + half] > all.max[lane] ? all.max[lane + half] : all.max[lane];
            all.most[lane] = std::max(all.most[lane], all.most[lane + half]);
            all.least[lane] = std::min(all.least[lane], all.least[lane + half]);
            all.sum[lane] += all.sum[lane + half];
            all.squares[lane] += all.squares[lane + half];
        }
    }
    return {all.min[0], all.max[0], all.most[0], all.least[0], all.sum[0], all.squares[0]};
}

void LaneTotals::addRun(const float* values, std::size_t count, bool sums)
{
    const std::size_t rows = count / kLanes;
    addRows(values, rows, kLanes, sums);
    addPart(values + rows * kLanes, count - rows * kLanes, sums);
}

BinTables::BinTables()
    : m_counts(4 * kEntries)
{
}

void BinTables::count(const float* values, std::size_t count, bool few)
{
    std::uint32_t* const a = m_counts.data();
    if (few) {
        for (std::size_t i = 0; i < count; ++i)
            countOne(a, std::bit_cast<std::uint32_t>(values[i]));
        return;
    }
    m_used = 4;
    std::uint32_t* const b = a + kEntries;
    std::uint32_t* const c = b + kEntries;
    std::uint32_t* const d = c + kEntries;
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        std::array<std::uint64_t, 2> pairs; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the copy
        std::memcpy(pairs.data(), values + i, sizeof pairs);
        countOne(a, static_cast<std::uint32_t>(pairs[0]));
        countOne(b, static_cast<std::uint32_t>(pairs[0] >> 32U));
        countOne(c, static_cast<std::uint32_t>(pairs[1]));
        countOne(d, static_cast<std::uint32_t>(pairs[1] >> 32U));
    }
    for (; i < count; ++i)
        countOne(a, std::bit_cast<std::uint32_t>(values[i]));
}

void BinTables::fold(std::size_t nearest, std::size_t farthest)
{
    constexpr std::size_t kBlock = 16;
    const auto foldFrom = [this](std::size_t first, std::size_t last) {
        for (std::size_t block = first / kBlock * kBlock; block <= last; block += kBlock) {
            std::uint32_t* const a = m_counts.data() + block;
            for (std::size_t table = 1; table < m_used; ++table) {
                std::uint32_t* const other = a + table * kEntries;
                for (std::size_t k = 0; k < kBlock; ++k)
                    a[k] += other[k];
                std::memset(other, 0, kBlock * sizeof *other);
            }
        }
    };
    for (const std::size_t sign : {std::size_t{0}, kSigned}) {
        if (nearest > kBlock)
            foldFrom(sign, sign);
        foldFrom(sign + nearest, sign + farthest);
    }
    m_used = 1;
}

void BinTables::clear(std::size_t nearest, std::size_t farthest)
{
    for (std::size_t table = 0; table < m_used; ++table) {
        for (const std::size_t sign : {std::size_t{0}, kSigned}) {
            std::uint32_t* const first = m_counts.data() + table * kEntries + sign;
            *first = 0;
            if (farthest >= nearest)
                std::fill(first + nearest, first + farthest + 1, 0U);
        }
    }
    m_used = 1;
}

std::span<const std::uint32_t> BinTables::counts(bool negative) const
{
    return std::span(m_counts).subspan(negative ? kSigned : 0, kSigned);
}

void appendOutside(const float* values, std::size_t count, float low, float high, std::vector<float>& into)
{
    constexpr std::size_t kBlock = 64;
    std::size_t i = 0;
    for (; i + kBlock <= count; i += kBlock) {
        std::uint32_t any = 0;
        for (std::size_t k = 0; k < kBlock; ++k)
            any |= static_cast<std::uint32_t>(values[i + k] <= low) | static_cast<std::uint32_t>(values[i + k] >= high);
        if (any == 0)
            continue;
        for (std::size_t k = 0; k < kBlock; ++k) {
            if (values[i + k] <= low || values[i + k] >= high)
                into.push_back(values[i + k]);
        }
    }
    for (; i < count; ++i) {
        if (values[i] <= low || values[i] >= high)
            into.push_back(values[i]);
    }
}

} // namespace duo
