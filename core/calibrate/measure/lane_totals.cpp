// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/lane_totals.h"

#include "core/calibrate/measure/lane_vectors.h"
#include "core/calibrate/measure/log_histogram.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace duo {
namespace {

using namespace lanes;

DUO_INLINE void addRowsTo(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    auto min = loaded<Floats>(totals.min.data());
    auto max = loaded<Floats>(totals.max.data());
    auto most = loaded<Words>(totals.most.data());
    auto least = loaded<Words>(totals.least.data());
    for (std::size_t row = 0; row < rows; ++row, values += stride) {
        const auto value = loaded<Floats>(values);
        const Words pattern = loaded<Words>(values) << 1U;
        const Words above = pattern - 1U;
        min = value < min ? value : min;
        max = value > max ? value : max;
        most = pattern > most ? pattern : most;
        least = above < least ? above : least;
    }
    std::memcpy(totals.min.data(), &min, sizeof min);
    std::memcpy(totals.max.data(), &max, sizeof max);
    std::memcpy(totals.most.data(), &most, sizeof most);
    std::memcpy(totals.least.data(), &least, sizeof least);
}

using RowKernel = void (*)(LaneTotals&, const float*, std::size_t, std::size_t);

void addRowsAnywhere(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    addRowsTo(totals, values, rows, stride);
}

DUO_AVX2 void addRowsAvx2(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    addRowsTo(totals, values, rows, stride);
}

DUO_AVX512 void addRowsAvx512(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    addRowsTo(totals, values, rows, stride);
}

constexpr std::array<RowKernel, 3> kKernels{addRowsAnywhere, addRowsAvx2, addRowsAvx512}; // by CpuVersion
const RowKernel kRowKernel = kKernels[static_cast<std::size_t>(cpuVersion())];

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

void LaneTotals::addRows(const float* values, std::size_t rows, std::size_t stride)
{
    kRowKernel(*this, values, rows, stride);
}

void LaneTotals::addPart(const float* values, std::size_t count)
{
    for (std::size_t lane = 0; lane < count; ++lane) {
        const float value = values[lane];
        const std::uint32_t pattern = std::bit_cast<std::uint32_t>(value) << 1U;
        min[lane] = value < min[lane] ? value : min[lane];
        max[lane] = value > max[lane] ? value : max[lane];
        most[lane] = std::max(most[lane], pattern);
        least[lane] = std::min(least[lane], pattern - 1U);
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
        }
    }
    return {all.min[0], all.max[0], all.most[0], all.least[0]};
}

void LaneTotals::addRun(const float* values, std::size_t count)
{
    const std::size_t rows = count / kLanes;
    addRows(values, rows, kLanes);
    addPart(values + rows * kLanes, count - rows * kLanes);
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
