// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/range_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace duo {
namespace {

double cube(double x)
{
    return x * x * x;
}

/// Integral of the squared rounding error from 0 to x: every whole step adds step^3 / 12.
double roundingIntegral(double x, double step)
{
    const double k = std::nearbyint(x / step);
    return k * cube(step) / 12 + cube(x - k * step) / 3;
}

/// Mean squared distance of values spread over [low, high] from `end`.
double clippingError(double low, double high, double end)
{
    if (high <= low)
        return (low - end) * (low - end);
    return (cube(high - end) - cube(low - end)) / (3 * (high - low));
}

double roundingError(double low, double high, double step)
{
    if (high - low <= 1e-9 * step) {
        const double rest = low - std::nearbyint(low / step) * step;
        return rest * rest;
    }
    return (roundingIntegral(high, step) - roundingIntegral(low, step)) / (high - low);
}

/// Share of a piece inside [low, high].
double shareInside(const DensityPiece& piece, double low, double high)
{
    if (piece.high <= piece.low)
        return piece.low >= low && piece.low <= high ? 1 : 0;
    return std::clamp((std::min(piece.high, high) - std::max(piece.low, low)) / (piece.high - piece.low), 0.0, 1.0);
}

/// Adds up sum P log(P / Q) cell by cell: inside a cell the quantized values are spread evenly over the places where
/// values were.
class Divergence
{
public:
    void add(double cell, double mass, double width)
    {
        if (cell != m_cell)
            endCell();
        m_cell = cell;
        m_mass += mass;
        m_width += width;
        m_logs += mass * std::log(mass / width);
    }
    double total()
    {
        endCell();
        return m_total;
    }

private:
    void endCell()
    {
        if (m_mass > 0)
            m_total += m_logs - m_mass * std::log(m_mass / m_width);
        m_mass = m_width = m_logs = 0;
    }

    double m_cell = std::numeric_limits<double>::quiet_NaN();
    double m_mass = 0;
    double m_width = 0;
    double m_logs = 0;
    double m_total = 0;
};

/// Looks for the ends of least error between zero and the extremes.
class RangeSearch
{
public:
    RangeSearch(const std::vector<DensityPiece>& pieces, RangeError error, int levels, bool isSymmetric)
        : m_pieces(pieces)
        , m_error(error)
        , m_levels(levels)
        , m_isSymmetric(isSymmetric)
        , m_whole{std::min(0.0, pieces.front().low), std::max(0.0, pieces.back().high)}
    {
        if (isSymmetric) {
            m_whole.high = std::max(m_whole.high, -m_whole.low);
            m_whole.low = m_whole.low < 0 ? -m_whole.high : 0;
        }
        tryRange(m_whole);
    }

    [[nodiscard]] SearchedRange best() const { return m_best; }

    /// Both ends together, which keeps what both share, the step; then one after the other, until neither moves.
    void shrink()
    {
        constexpr int kRounds = 4;
        eachFactor([&](double factor) { return tryRange({m_whole.low * factor, m_whole.high * factor}); });
        const bool hasTwoEnds = !m_isSymmetric && m_whole.low < 0 && m_whole.high > 0;
        for (int round = 0; round < kRounds && hasTwoEnds; ++round) {
            const double low = m_best.low;
            bool moved = eachFactor([&](double factor) { return tryRange({low, m_whole.high * factor}); });
            const double high = m_best.high;
            moved = eachFactor([&](double factor) { return tryRange({m_whole.low * factor, high}); }) || moved;
            if (!moved)
                break;
        }
    }

    /// Small steps of one end or both, in and out, halved where none helps.
    void refine()
    {
        constexpr int kMostMoves = 32;
        int moves = 0;
        for (double step = 0.03; step > 0.005; step /= 2) {
            while (moves < kMostMoves && (tryAround(1 - step) || tryAround(1 / (1 - step))))
                ++moves;
        }
    }

private:
    template <typename Try> static bool eachFactor(const Try& tryFactor)
    {
        constexpr int kSteps = 64;
        constexpr double kRatio = 0.94; // 64 steps go down to 2 % of the extremes
        bool moved = false;
        double factor = 1;
        for (int i = 0; i < kSteps; ++i, factor *= kRatio)
            moved = tryFactor(factor) || moved;
        return moved;
    }

    bool tryAround(double factor)
    {
        const SearchedRange from = m_best;
        const double low = std::max(from.low * factor, m_whole.low);
        const double high = std::min(from.high * factor, m_whole.high);
        if (m_isSymmetric)
            return tryRange({low, high});
        const bool both = tryRange({low, high});
        const bool lower = tryRange({low, from.high});
        return tryRange({from.low, high}) || lower || both;
    }

    bool tryRange(SearchedRange range)
    {
        const double now = m_error(m_pieces, gridOf(range.low, range.high, m_levels, m_isSymmetric));
        if (m_isTried && !(now < m_least))
            return false;
        m_isTried = true;
        m_least = now;
        m_best = range;
        return true;
    }

    const std::vector<DensityPiece>& m_pieces;
    RangeError m_error;
    int m_levels;
    bool m_isSymmetric;
    SearchedRange m_whole;
    SearchedRange m_best;
    double m_least = 0;
    bool m_isTried = false;
};

} // namespace

std::vector<DensityPiece> densityOf(const LogHistogram& histogram, float min, float max)
{
    std::vector<DensityPiece> pieces;
    for (const BinCount& bin : histogram.bins()) {
        const int k = std::abs(bin.bin);
        DensityPiece piece;
        piece.count = static_cast<double>(bin.count);
        if (k != 0) {
            const double near = logbin::lower(k);
            const double far = k == logbin::kLast ? near : static_cast<double>(logbin::lower(k + 1));
            piece.low = bin.bin > 0 ? near : -far;
            piece.high = bin.bin > 0 ? far : -near;
        }
        piece.low = std::clamp<double>(piece.low, min, max);
        piece.high = std::clamp<double>(piece.high, min, max);
        pieces.push_back(piece);
    }
    return pieces;
}

CodeGrid gridOf(double low, double high, int levels, bool isSymmetric)
{
    if (isSymmetric) {
        const double most = std::max(std::abs(low), std::abs(high));
        if (low >= 0)
            return {0, most, most / (levels - 1)};
        const double step = most / (levels / 2 - 1);
        return {-step * (levels / 2), most, step};
    }
    const double step = (high - low) / (levels - 1);
    if (step <= 0)
        return {low, high, 0};
    const double zero = std::clamp(std::nearbyint(-low / step), 0.0, static_cast<double>(levels - 1));
    return {-zero * step, (levels - 1 - zero) * step, step};
}

double squaredError(const std::vector<DensityPiece>& pieces, const CodeGrid& grid)
{
    if (grid.step <= 0)
        return std::numeric_limits<double>::infinity();
    double error = 0;
    double count = 0;
    for (const DensityPiece& piece : pieces) {
        const double width = piece.high - piece.low;
        const double below = width > 0 ? std::clamp((grid.low - piece.low) / width, 0.0, 1.0) : piece.low < grid.low;
        const double above = width > 0 ? std::clamp((piece.high - grid.high) / width, 0.0, 1.0) : piece.low > grid.high;
        if (below > 0)
            error += piece.count * below * clippingError(piece.low, std::min(piece.high, grid.low), grid.low);
        if (above > 0)
            error += piece.count * above * clippingError(std::max(piece.low, grid.high), piece.high, grid.high);
        const double inside = 1 - below - above;
        if (inside > 0)
            error += piece.count * inside
                * roundingError(std::max(piece.low, grid.low), std::min(piece.high, grid.high), grid.step);
        count += piece.count;
    }
    return count > 0 ? error / count : 0;
}

double divergence(const std::vector<DensityPiece>& pieces, const CodeGrid& grid)
{
    if (grid.step <= 0)
        return std::numeric_limits<double>::infinity();
    double below = 0;
    double above = 0;
    double all = 0;
    double kept = 0;
    for (const DensityPiece& piece : pieces) {
        if (piece.low == 0 && piece.high == 0)
            continue;
        all += piece.count;
        kept += piece.count * shareInside(piece, grid.low, grid.high);
        below += piece.count * shareInside(piece, -std::numeric_limits<double>::max(), grid.low);
        above += piece.count * shareInside(piece, grid.high, std::numeric_limits<double>::max());
    }
    if (all <= 0 || kept <= 0)
        return all <= 0 ? 0 : std::numeric_limits<double>::infinity();
    // What was clipped lies in the outermost cells of P; Q is made of what was inside, so clipping costs.
    const double lowest = std::nearbyint(grid.low / grid.step);
    const double highest = std::nearbyint(grid.high / grid.step);
    Divergence inner;
    double edgeLow = 0;
    double edgeHigh = 0;
    for (const DensityPiece& piece : pieces) {
        const double inside = shareInside(piece, grid.low, grid.high);
        if (inside <= 0 || (piece.low == 0 && piece.high == 0))
            continue;
        const double low = std::max(piece.low, grid.low);
        const double high = std::min(piece.high, grid.high);
        const double mass = piece.count * inside / all;
        const double cell = std::nearbyint((low + high) / 2 / grid.step);
        if (cell <= lowest)
            edgeLow += mass;
        if (cell >= highest)
            edgeHigh += mass;
        // A piece wider than a cell is even in P and in Q.
        if (high - low < grid.step)
            inner.add(cell, mass, std::max(high - low, grid.step * 1e-3));
    }
    const auto edge = [&](double inside, double clipped) {
        const double p = inside + clipped / all;
        const double q = std::max(inside * all / kept, 1e-12);
        return clipped <= 0 ? 0.0 : p * std::log(p / q) - inside * std::log(std::max(inside, 1e-300) / q);
    };
    // Everything inside is scaled up in Q by all / kept.
    return inner.total() - kept / all * std::log(all / kept) + edge(edgeLow, below) + edge(edgeHigh, above);
}

SearchedRange searchRange(const std::vector<DensityPiece>& pieces, RangeError error, int levels, bool isSymmetric)
{
    if (pieces.empty())
        return {};
    RangeSearch search(pieces, error, levels, isSymmetric);
    search.shrink();
    search.refine();
    return search.best();
}

} // namespace duo
