// SPDX-License-Identifier: Apache-2.0
// A number x with |x| < 2^E is cut into parts that are each a multiple of a unit and so small that 2048 of them add up
// in double without rounding: x + c - c, c = 1.5 * 2^52 units, is x rounded to the unit, the rest is the next part
// (Rump, Ogita, Oishi: Accurate Floating-Point Summation I, 2008, section 3). How many parts it takes depends on the
// distance of the largest and the smallest magnitude.
#include "core/calibrate/measure/exact_moments.h"

#include "core/calibrate/measure/lane_vectors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace duo {
namespace {

using namespace lanes;

constexpr std::size_t kLanes = 16;
constexpr int kCountBits = 11; // of kMostAtOnce
constexpr int kPartBits = 53 - kCountBits; // of one part
constexpr int kMostParts = 5;
constexpr std::array<std::size_t, 3> kSumParts{1, 2, 3}; // by Distance
constexpr std::array<std::size_t, 3> kSquareParts{2, 3, kMostParts};

/// 2^exponent, of a normal number.
constexpr double powerOfTwo(int exponent)
{
    return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52U);
}

/// Columns' sums in parts, and the numbers that cut a part off.
struct alignas(64) PartSums {
    std::size_t count; // parts in use
    std::array<std::array<double, kLanes>, kMostParts> parts;
    std::array<double, kMostParts> cuts;

    /// @param exponent all magnitudes are below 2^exponent
    // Not initialized: only the parts in use are.
    PartSums(int exponent, std::size_t partCount)
        : count(partCount)
    {
        int unit = exponent - kPartBits;
        for (std::size_t part = 0; part < count; ++part) {
            parts[part].fill(0);
            cuts[part] = 1.5 * powerOfTwo(52 + unit);
            unit -= kPartBits + 1; // what is left of a number is at most half a unit
        }
    }

    void addColumnTo(std::size_t lane, ExactSum& into) const
    {
        for (std::size_t part = 0; part < count; ++part)
            into.add(parts[part][lane]);
    }

    void addAllTo(ExactSum& into) const
    {
        for (std::size_t part = 0; part < count; ++part)
            into.add(std::reduce(parts[part].begin(), parts[part].end()));
    }
};

/// Sums of a few columns. All parts but the last start at the number that cuts them off, so that adding to them rounds
/// to their unit: kMostAtOnce / kLanes rows leave such a sum between 2^52 and 2^53 units.
template <std::size_t Parts, typename Doubles> struct Accumulator {
    std::array<Doubles, Parts> sums{};

    DUO_INLINE void start(const PartSums& of)
    {
        for (std::size_t part = 0; part + 1 < Parts; ++part)
            sums[part] += of.cuts[part];
    }

    DUO_INLINE void add(Doubles value)
    {
        for (std::size_t part = 0; part + 1 < Parts; ++part) {
            const Doubles before = sums[part];
            sums[part] += value;
            value -= sums[part] - before;
        }
        if constexpr (Parts > 0)
            sums[Parts - 1] += value;
    }

    DUO_INLINE void addTo(PartSums& to, std::size_t lane) const
    {
        for (std::size_t part = 0; part < Parts; ++part) {
            const Doubles sum = part + 1 < Parts ? sums[part] - to.cuts[part] : sums[part];
            const Doubles total = loaded<Doubles>(to.parts[part].data() + lane) + sum;
            std::memcpy(to.parts[part].data() + lane, &total, sizeof total);
        }
    }
};

struct Rows {
    const float* values;
    std::size_t count;
    std::size_t stride;
};

template <int Bytes, std::size_t SumParts, std::size_t SquareParts>
DUO_INLINE void addRows(Rows rows, PartSums& sums, PartSums& squares)
{
    using Doubles = typename Vectors<Bytes>::Doubles;
    constexpr std::size_t kWidth = Bytes / sizeof(double);
    constexpr std::size_t kVectors = kLanes / kWidth;
    constexpr std::size_t kChains = kVectors < 4 ? 2 : 1; // rows in turn, so that additions do not wait for each other
    std::array<std::array<Accumulator<SumParts, Doubles>, kVectors>, kChains> sum;
    std::array<std::array<Accumulator<SquareParts, Doubles>, kVectors>, kChains> square;
    for (std::size_t chain = 0; chain < kChains; ++chain) {
        for (std::size_t i = 0; i < kVectors; ++i) {
            sum[chain][i].start(sums);
            square[chain][i].start(squares);
        }
    }
    const float* at = rows.values;
    const auto addRow = [&](std::size_t chain) __attribute__((always_inline))
    {
        for (std::size_t i = 0; i < kVectors; ++i) {
            const Doubles value = widened<Bytes>(at + i * kWidth);
            sum[chain][i].add(value);
            if constexpr (SquareParts > 0)
                square[chain][i].add(value * value);
        }
        at += rows.stride;
    };
    std::size_t row = 0;
    for (; row + kChains <= rows.count; row += kChains) {
        for (std::size_t chain = 0; chain < kChains; ++chain)
            addRow(chain);
    }
    for (; row < rows.count; ++row)
        addRow(0);
    for (std::size_t i = 0; i < kVectors; ++i) {
        for (std::size_t chain = 0; chain < kChains; ++chain) {
            sum[chain][i].addTo(sums, i * kWidth);
            square[chain][i].addTo(squares, i * kWidth);
        }
    }
}

/// How many parts a sum and a sum of squares take.
enum Distance : std::uint8_t { Near, Far, Farther, TooFar };

template <int Bytes, bool Squares>
DUO_INLINE void addRowsOver(Distance distance, Rows rows, PartSums& sums, PartSums& squares)
{
    if (distance == Near)
        addRows<Bytes, kSumParts[Near], Squares ? kSquareParts[Near] : 0>(rows, sums, squares);
    else if (distance == Far)
        addRows<Bytes, kSumParts[Far], Squares ? kSquareParts[Far] : 0>(rows, sums, squares);
    else
        addRows<Bytes, kSumParts[Farther], Squares ? kSquareParts[Farther] : 0>(rows, sums, squares);
}

template <int Bytes> DUO_INLINE void addRowsWith(Distance distance, Rows rows, PartSums& sums, PartSums& squares)
{
    squares.count > 0 ? addRowsOver<Bytes, true>(distance, rows, sums, squares)
                      : addRowsOver<Bytes, false>(distance, rows, sums, squares);
}

using RowKernel = void (*)(Distance, Rows, PartSums&, PartSums&);

void addRowsAnywhere(Distance distance, Rows rows, PartSums& sums, PartSums& squares)
{
    addRowsWith<16>(distance, rows, sums, squares);
}

DUO_AVX2 void addRowsAvx2(Distance distance, Rows rows, PartSums& sums, PartSums& squares)
{
    addRowsWith<32>(distance, rows, sums, squares);
}

DUO_AVX512 void addRowsAvx512(Distance distance, Rows rows, PartSums& sums, PartSums& squares)
{
    addRowsWith<64>(distance, rows, sums, squares);
}

constexpr std::array<RowKernel, 3> kRowKernels{addRowsAnywhere, addRowsAvx2, addRowsAvx512};

constexpr int field(std::int32_t pattern) // the exponent as float32 stores it; 1 for what is denormal
{
    return std::max(1, pattern >> 23);
}

/// From the end of the largest magnitude to the last bit of the smallest.
Distance distanceOf(MagnitudeSpan span)
{
    const int bits = field(span.most) - field(span.least) + 24;
    if (bits <= kPartBits)
        return Near;
    if (2 * bits <= 3 * kPartBits + 2)
        return Far;
    return 2 * bits <= kMostParts * kPartBits + kMostParts - 1 ? Farther : TooFar;
}

/// Sums of up to sixteen columns of at most kMostAtOnce values.
class Block
{
public:
    Block(MagnitudeSpan span, bool squares)
        : m_distance(distanceOf(span))
        , m_sums(field(span.most) - 126, kSumParts[m_distance])
        , m_squares(2 * (field(span.most) - 126), squares ? kSquareParts[m_distance] : 0)
    {
    }

    void addRows(const float* values, std::size_t rows, std::size_t stride)
    {
        chosen(kRowKernels)(m_distance, {values, rows, stride}, m_sums, m_squares);
    }

    /// Rows of fewer than sixteen values.
    void addPart(const float* values, std::size_t lanes, std::size_t rows, std::size_t stride)
    {
        for (std::size_t row = 0; row < rows; ++row) {
            alignas(64) std::array<float, kLanes> padded{};
            std::memcpy(padded.data(), values + row * stride, lanes * sizeof(float));
            addRows(padded.data(), 1, kLanes);
        }
    }

    void addColumnTo(std::size_t lane, ExactMoments& into) const
    {
        m_sums.addColumnTo(lane, into.sum);
        m_squares.addColumnTo(lane, into.squares);
    }

    /// All columns together.
    void addAllTo(ExactMoments& into) const
    {
        m_sums.addAllTo(into.sum);
        m_squares.addAllTo(into.squares);
    }

private:
    Distance m_distance;
    PartSums m_sums;
    PartSums m_squares;
};

/// The slow way, for magnitudes too far apart.
void addOneByOne(const float* values, std::size_t count, std::size_t stride, bool squares, ExactMoments& into)
{
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i * stride];
        into.sum.add(value);
        if (squares)
            into.squares.add(value * value);
    }
}

} // namespace

bool addUpExactly(MagnitudeSpan span)
{
    return distanceOf(span) == Near;
}

void addExactly(const float* values, std::size_t count, MagnitudeSpan span, bool squares, ExactMoments& into)
{
    if (span.most == 0)
        return;
    if (distanceOf(span) == TooFar)
        return addOneByOne(values, count, 1, squares, into);
    Block block(span, squares);
    const std::size_t rows = count / kLanes;
    block.addRows(values, rows, kLanes);
    if (count % kLanes != 0)
        block.addPart(values + rows * kLanes, count % kLanes, 1, kLanes);
    block.addAllTo(into);
}

void addColumnsExactly(const float* values, std::size_t rows, std::size_t stride, MagnitudeSpan span,
    std::span<ExactMoments> columns, ExactMoments& all)
{
    if (span.most == 0)
        return;
    if (distanceOf(span) == TooFar) {
        for (std::size_t lane = 0; lane < columns.size(); ++lane) {
            ExactMoments column;
            addOneByOne(values + lane, rows, stride, true, column);
            columns[lane].add(column);
            all.add(column);
        }
        return;
    }
    Block block(span, true);
    if (columns.size() == kLanes)
        block.addRows(values, rows, stride);
    else
        block.addPart(values, columns.size(), rows, stride);
    for (std::size_t lane = 0; lane < columns.size(); ++lane)
        block.addColumnTo(lane, columns[lane]);
    block.addAllTo(all);
}

} // namespace duo
