// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/lane_totals.h"

#include "core/calibrate/measure/lane_vectors.h"
#include "core/calibrate/measure/log_histogram.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

namespace duo {
namespace {

using namespace lanes;

constexpr std::int32_t kMagnitudeBits = 0x7FFFFFFF;

/// Of a vector of columns.
template <int Bytes> struct Extremes {
    using Floats = typename Vectors<Bytes>::Floats;
    using Ints = typename Vectors<Bytes>::Ints;
    Floats min;
    Floats max;
    Ints most;
    Ints least;

    DUO_INLINE void load(const LaneTotals& totals, std::size_t lane)
    {
        min = loaded<Floats>(totals.min.data() + lane);
        max = loaded<Floats>(totals.max.data() + lane);
        most = loaded<Ints>(totals.most.data() + lane);
        least = loaded<Ints>(totals.least.data() + lane);
    }

    DUO_INLINE void add(const float* values)
    {
        const auto value = loaded<Floats>(values);
        const Ints pattern = loaded<Ints>(values) & kMagnitudeBits;
        const Ints above = (pattern - 1) & kMagnitudeBits;
        min = value < min ? value : min;
        max = value > max ? value : max;
        most = pattern > most ? pattern : most;
        least = above < least ? above : least;
    }

    DUO_INLINE void add(const Extremes& other)
    {
        min = other.min < min ? other.min : min;
        max = other.max > max ? other.max : max;
        most = other.most > most ? other.most : most;
        least = other.least < least ? other.least : least;
    }

    DUO_INLINE void store(LaneTotals& totals, std::size_t lane) const
    {
        std::memcpy(totals.min.data() + lane, &min, sizeof min);
        std::memcpy(totals.max.data() + lane, &max, sizeof max);
        std::memcpy(totals.most.data() + lane, &most, sizeof most);
        std::memcpy(totals.least.data() + lane, &least, sizeof least);
    }
};

template <int Bytes>
DUO_INLINE void addRowsTo(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    constexpr std::size_t kWidth = Bytes / sizeof(float);
    for (std::size_t lane = 0; lane < LaneTotals::kLanes; lane += kWidth) {
        Extremes<Bytes> even; // rows in turn, so that they do not wait for each other
        even.load(totals, lane);
        Extremes<Bytes> odd = even;
        const float* at = values + lane;
        std::size_t row = 0;
        for (; row + 2 <= rows; row += 2, at += 2 * stride) {
            even.add(at);
            odd.add(at + stride);
        }
        if (row < rows)
            even.add(at);
        even.add(odd);
        even.store(totals, lane);
    }
}

using RowKernel = void (*)(LaneTotals&, const float*, std::size_t, std::size_t);

void addRowsAnywhere(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    addRowsTo<16>(totals, values, rows, stride);
}

DUO_AVX2 void addRowsAvx2(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    addRowsTo<32>(totals, values, rows, stride);
}

DUO_AVX512 void addRowsAvx512(LaneTotals& totals, const float* values, std::size_t rows, std::size_t stride)
{
    addRowsTo<64>(totals, values, rows, stride);
}

constexpr std::array<RowKernel, 3> kRowKernels{addRowsAnywhere, addRowsAvx2, addRowsAvx512};

DUO_INLINE std::size_t entryOf(std::uint32_t pattern)
{
    return pattern >> static_cast<unsigned>(logbin::kShift);
}

/// Two neighbours, each in its table.
DUO_INLINE void countPair(const float* values, std::uint32_t* tables)
{
    const auto pair = loaded<std::uint64_t>(values);
    ++tables[2 * entryOf(static_cast<std::uint32_t>(pair))];
    ++tables[2 * entryOf(static_cast<std::uint32_t>(pair >> 32U)) + 1];
}

/// Extremes and sum of neighbouring values, and their bins, which are counted meanwhile: vectors and counting use
/// different parts of a core. Two vectors in turn do not wait for each other.
template <int Bytes> struct RunPass {
    using Doubles = typename Vectors<Bytes>::Doubles;
    static constexpr std::size_t kWidth = Bytes / sizeof(float);
    std::array<Extremes<Bytes>, 2> extremes;
    std::array<Doubles, 4> sums{};

    template <std::size_t Count> DUO_INLINE void addVectors(const float* values, std::uint32_t* tables)
    {
        for (std::size_t i = 0; i < Count; ++i)
            extremes[i].add(values + i * kWidth);
        for (std::size_t i = 0; i < 2 * Count; ++i)
            sums[i] += widened<Bytes>(values + i * kWidth / 2);
#pragma GCC unroll 16
        for (std::size_t i = 0; i < Count * kWidth; i += 2)
            countPair(values + i, tables);
    }

    DUO_INLINE double sum() const
    {
        const Doubles total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
        double sum = 0;
        for (std::size_t lane = 0; lane < kWidth / 2; ++lane)
            sum += total[lane];
        return sum;
    }
};

struct Passed {
    std::size_t count; // of values; fewer than a vector are left
    double sum;
};

template <int Bytes>
DUO_INLINE Passed passRun(LaneTotals& totals, const float* values, std::size_t count, std::uint32_t* tables)
{
    constexpr std::size_t kWidth = RunPass<Bytes>::kWidth;
    RunPass<Bytes> pass;
    pass.extremes[0].load(totals, 0);
    pass.extremes[1] = pass.extremes[0];
    std::size_t at = 0;
    for (; at + 2 * kWidth <= count; at += 2 * kWidth)
        pass.template addVectors<2>(values + at, tables);
    if (at + kWidth <= count) {
        pass.template addVectors<1>(values + at, tables);
        at += kWidth;
    }
    pass.extremes[0].add(pass.extremes[1]);
    pass.extremes[0].store(totals, 0);
    return {at, pass.sum()};
}

using RunKernel = Passed (*)(LaneTotals&, const float*, std::size_t, std::uint32_t*);

Passed passRunAnywhere(LaneTotals& totals, const float* values, std::size_t count, std::uint32_t* tables)
{
    return passRun<16>(totals, values, count, tables);
}

DUO_AVX2 Passed passRunAvx2(LaneTotals& totals, const float* values, std::size_t count, std::uint32_t* tables)
{
    return passRun<32>(totals, values, count, tables);
}

DUO_AVX512 Passed passRunAvx512(LaneTotals& totals, const float* values, std::size_t count, std::uint32_t* tables)
{
    return passRun<64>(totals, values, count, tables);
}

constexpr std::array<RunKernel, 3> kRunKernels{passRunAnywhere, passRunAvx2, passRunAvx512};

} // namespace

LaneTotals::LaneTotals()
{
    min.fill(std::numeric_limits<float>::max());
    max.fill(std::numeric_limits<float>::lowest());
    least.fill(kMagnitudeBits);
}

void LaneTotals::addRows(const float* values, std::size_t rows, std::size_t stride)
{
    chosen(kRowKernels)(*this, values, rows, stride);
}

void LaneTotals::addPart(const float* values, std::size_t count)
{
    for (std::size_t lane = 0; lane < count; ++lane) {
        const float value = values[lane];
        const std::int32_t pattern = std::bit_cast<std::int32_t>(value) & kMagnitudeBits;
        min[lane] = value < min[lane] ? value : min[lane];
        max[lane] = value > max[lane] ? value : max[lane];
        most[lane] = std::max(most[lane], pattern);
        least[lane] = std::min(least[lane], (pattern - 1) & kMagnitudeBits);
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
    : m_pairs(2 * kEntries)
    , m_counts(kEntries)
{
}

void BinTables::count(const float* values, std::size_t count)
{
    std::uint32_t* const tables = m_pairs.data();
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        countPair(values + i, tables);
        countPair(values + i + 2, tables);
    }
    for (; i < count; ++i)
        ++tables[2 * entryOf(std::bit_cast<std::uint32_t>(values[i]))];
}

double BinTables::countRun(const float* values, std::size_t count, LaneTotals& totals)
{
    const Passed passed = chosen(kRunKernels)(totals, values, count, m_pairs.data());
    const std::size_t left = count - passed.count;
    totals.addPart(values + passed.count, left);
    this->count(values + passed.count, left);
    return std::accumulate(values + passed.count, values + count, passed.sum);
}

void BinTables::fold(std::size_t nearest, std::size_t farthest)
{
    const auto foldFrom = [this](std::size_t first, std::size_t last) {
        const std::uint32_t* const pairs = m_pairs.data();
        std::uint32_t* const counts = m_counts.data();
        for (std::size_t entry = first; entry <= last; ++entry)
            counts[entry] = pairs[2 * entry] + pairs[2 * entry + 1];
    };
    for (const std::size_t sign : {std::size_t{0}, kSigned}) {
        foldFrom(sign, sign);
        foldFrom(sign + nearest, sign + farthest);
    }
}

void BinTables::clear(std::size_t nearest, std::size_t farthest)
{
    const auto clearFrom = [this](std::size_t first, std::size_t count) {
        std::fill_n(m_pairs.data() + 2 * first, 2 * count, 0U);
        std::fill_n(m_counts.data() + first, count, 0U);
    };
    for (const std::size_t sign : {std::size_t{0}, kSigned}) {
        clearFrom(sign, 1);
        clearFrom(sign + nearest, farthest + 1 - std::min(nearest, farthest + 1));
    }
}

std::span<const std::uint32_t> BinTables::counts(bool negative) const
{
    return std::span(m_counts).subspan(negative ? kSigned : 0, kSigned);
}

} // namespace duo
