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

constexpr std::uint64_t kOne = std::uint64_t{1} << static_cast<unsigned>(BinTables::kLowBits);
constexpr std::uint32_t kLowMask = (1U << static_cast<unsigned>(logbin::kShift)) - 1U;

DUO_INLINE void countOne(std::uint64_t* table, std::uint32_t pattern)
{
    table[pattern >> static_cast<unsigned>(logbin::kShift)] += kOne + (pattern & kLowMask);
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

void LaneTotals::addRun(const float* values, std::size_t count, bool sums)
{
    const std::size_t rows = count / kLanes;
    addRows(values, rows, kLanes, sums);
    addPart(values + rows * kLanes, count - rows * kLanes, sums);
}

BinTables::BinTables()
    : m_words(4 * kEntries)
{
}

void BinTables::count(const float* values, std::size_t count, bool few)
{
    std::uint64_t* const a = m_words.data();
    if (few) {
        for (std::size_t i = 0; i < count; ++i)
            countOne(a, std::bit_cast<std::uint32_t>(values[i]));
        return;
    }
    m_used = 4;
    std::uint64_t* const b = a + kEntries;
    std::uint64_t* const c = b + kEntries;
    std::uint64_t* const d = c + kEntries;
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

void BinTables::take(std::size_t first, std::size_t last, std::vector<Entry>& into)
{
    constexpr std::size_t kBlock = 8; // most bins between the extremes hold nothing
    for (std::size_t block = first / kBlock * kBlock; block <= last; block += kBlock) {
        std::array<std::uint64_t, kBlock> sums{};
        for (std::size_t table = 0; table < m_used; ++table) {
            for (std::size_t k = 0; k < kBlock; ++k)
                sums[k] += m_words[table * kEntries + block + k];
        }
        std::uint64_t any = 0;
        for (const std::uint64_t sum : sums)
            any |= sum;
        if (any == 0)
            continue;
        for (std::size_t k = 0; k < kBlock; ++k) {
            const std::size_t index = block + k;
            if (sums[k] == 0 || index < first || index > last)
                continue;
            into.push_back({index, sums[k]});
            for (std::size_t table = 0; table < m_used; ++table)
                m_words[table * kEntries + index] = 0;
        }
    }
}

void BinTables::noteEmpty()
{
    m_used = 1;
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
