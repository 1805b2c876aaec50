// SPDX-License-Identifier: Apache-2.0
// A number x with |x| < 2^E is cut into parts that are each a multiple of a unit and so small that 2048 of them add up
// in double without rounding: x + c - c, c = 1.5 * 2^52 units, is x rounded to the unit, the rest is the next part
// (Rump, Ogita, Oishi: Accurate Floating-Point Summation I, 2008, section 3). How many parts it takes depends on the
// distance of the largest and the smallest magnitude.
#include "core/calibrate/measure/exact_moments.h"

#include "core/calibrate/measure/lane_vectors.h"

#include <array>
#include <cmath>

namespace duo {
namespace {

using namespace lanes;

constexpr std::size_t kLanes = 16;
constexpr int kCountBits = 11; // of kMostAtOnce
constexpr int kPartBits = 53 - kCountBits; // of one part
constexpr int kMostParts = 5;

/// Columns' sums in parts, and the numbers that cut a part off.
struct alignas(64) PartSums {
    std::array<std::array<double, kLanes>, kMostParts> parts{};
    std::array<double, kMostParts> cuts{};

    /// @param exponent all magnitudes are below 2^exponent
    explicit PartSums(int exponent)
    {
        int unit = exponent - kPartBits;
        for (double& cut : cuts) {
            cut = std::ldexp(1.5, 52 + unit);
            unit -= kPartBits + 1; // what is left of a number is at most half a unit
        }
    }
};

template <int Parts> struct Accumulator {
    std::array<Doubles, Parts> sums;
    std::array<double, Parts> cuts;

    DUO_INLINE void add(Doubles value)
    {
        for (int part = 0; part + 1 < Parts; ++part) {
            const Doubles cut = value + cuts[part] - cuts[part];
            sums[part] += cut;
            value -= cut;
        }
        if constexpr (Parts > 0)
            sums[Parts - 1] += value;
    }
};

template <int Parts> DUO_INLINE Accumulator<Parts> accumulator(const PartSums& sums, std::size_t lane)
{
    Accumulator<Parts> result;
    for (int part = 0; part < Parts; ++part) {
        result.sums[part] = loaded<Doubles>(sums.parts[part].data() + lane);
        result.cuts[part] = sums.cuts[part];
    }
    return result;
}

template <int Parts> DUO_INLINE void store(const Accumulator<Parts>& from, PartSums& sums, std::size_t lane)
{
    for (int part = 0; part < Parts; ++part)
        std::memcpy(sums.parts[part].data() + lane, &from.sums[part], sizeof(Doubles));
}

struct Rows {
    const float* values;
    std::size_t count;
    std::size_t stride;
};

template <int SumParts, int SquareParts> DUO_INLINE void addRows(Rows rows, PartSums& sums, PartSums& squares)
{
    for (std::size_t lane = 0; lane < kLanes; lane += kLanes / 2) {
        auto sum = accumulator<SumParts>(sums, lane);
        auto square = accumulator<SquareParts>(squares, lane);
        const float* at = rows.values + lane;
        for (std::size_t row = 0; row < rows.count; ++row, at += rows.stride) {
            const Doubles value = __builtin_convertvector(loaded<HalfFloats>(at), Doubles);
            sum.add(value);
            if constexpr (SquareParts > 0)
                square.add(value * value);
        }
        store(sum, sums, lane);
        store(square, squares, lane);
    }
}

/// How many parts a sum and a sum of squares take.
enum Distance : std::uint8_t { Near, Far, Farther, TooFar };

template <bool Squares> DUO_INLINE void addRowsOver(Distance distance, Rows rows, PartSums& sums, PartSums& squares)
{
    if (distance == Near)
        addRows<1, Squares ? 2 : 0>(rows, sums, squares);
    else if (distance == Far)
        addRows<2, Squares ? 3 : 0>(rows, sums, squares);
    else
        addRows<3, Squares ? kMostParts : 0>(rows, sums, squares);
}

DUO_INLINE void addRowsWith(Distance distance, bool wantsSquares, Rows rows, PartSums& sums, PartSums& squares)
{
    wantsSquares ? addRowsOver<true>(distance, rows, sums, squares) : addRowsOver<false>(distance, rows, sums, squares);
}

using RowKernel = void (*)(Distance, bool, Rows, PartSums&, PartSums&);

void addRowsAnywhere(Distance distance, bool wantsSquares, Rows rows, PartSums& sums, PartSums& squares)
{
    addRowsWith(distance, wantsSquares, rows, sums, squares);
}

DUO_AVX2 void addRowsAvx2(Distance distance, bool wantsSquares, Rows rows, PartSums& sums, PartSums& squares)
{
    addRowsWith(distance, wantsSquares, rows, sums, squares);
}

DUO_AVX512 void addRowsAvx512(Distance distance, bool wantsSquares, Rows rows, PartSums& sums, PartSums& squares)
{
    addRowsWith(distance, wantsSquares, rows, sums, squares);
}

constexpr std::array<RowKernel, 3> kKernels{addRowsAnywhere, addRowsAvx2, addRowsAvx512}; // by CpuVersion
const RowKernel kRowKernel = kKernels[static_cast<std::size_t>(cpuVersion())];

constexpr int field(std::uint32_t pattern) // the exponent as float32 stores it; 1 for what is denormal
{
    const auto stored = static_cast<int>(pattern >> 24U);
    return stored == 0 ? 1 : stored;
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

/// Sums of up to sixteen columns of one block of rows.
class Block
{
public:
    Block(MagnitudeSpan span, bool squares)
        : m_distance(distanceOf(span))
        , m_wantsSquares(squares)
        , m_sums(field(span.most) - 126)
        , m_squares(2 * (field(span.most) - 126))
    {
    }

    void addRows(const float* values, std::size_t rows, std::size_t stride)
    {
        kRowKernel(m_distance, m_wantsSquares, {values, rows, stride}, m_sums, m_squares);
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
        addParts(m_sums, kSumParts[m_distance], lane, into.sum);
        addParts(m_squares, m_wantsSquares ? kSquareParts[m_distance] : 0, lane, into.squares);
    }

    /// All columns together; no more than kMostAtOnce values were added.
    void addAllTo(ExactMoments& into)
    {
        for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
            for (int part = 0; part < kMostParts; ++part) {
                for (std::size_t lane = 0; lane < half; ++lane) {
                    m_sums.parts[part][lane] += m_sums.parts[part][lane + half];
                    m_squares.parts[part][lane] += m_squares.parts[part][lane + half];
                }
            }
        }
        addColumnTo(0, into);
    }

private:
    static constexpr std::array<int, 3> kSumParts{1, 2, 3}; // by Distance
    static constexpr std::array<int, 3> kSquareParts{2, 3, kMostParts};

    static void addParts(const PartSums& sums, int parts, std::size_t lane, ExactSum& into)
    {
        for (int part = 0; part < parts; ++part)
            into.add(sums.parts[part][lane]);
    }

    Distance m_distance;
    bool m_wantsSquares;
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

void addColumnsExactly(const float* values, std::size_t rows, std::size_t stride, MagnitudeSpan span, bool squares,
    std::span<ExactMoments> into)
{
    if (span.most == 0)
        return;
    if (distanceOf(span) == TooFar) {
        for (std::size_t lane = 0; lane < into.size(); ++lane)
            addOneByOne(values + lane, rows, stride, squares, into[lane]);
        return;
    }
    Block block(span, squares);
    if (into.size() == kLanes)
        block.addRows(values, rows, stride);
    else
        block.addPart(values, into.size(), rows, stride);
    for (std::size_t lane = 0; lane < into.size(); ++lane)
        block.addColumnTo(lane, into[lane]);
}

} // namespace duo
