// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/linear_histogram.h"

#include "core/calibrate/estimate/range_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kBins = 2048;
constexpr double kStep = 1e-5; // of all values

double norm(double begin, double end)
{
    return (end * end * end - begin * begin * begin) / 3;
}

/// Squared error, times bins per value, of quantizing the bins to `levels` cells between two of them.
double quantizationError(const std::vector<double>& bins, std::size_t start, std::size_t end, int levels)
{
    const double cell = static_cast<double>(end - start + 1) / levels; // in bins
    const double half = cell / 2;
    const double last = levels - 1;
    double error = 0;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double begin = static_cast<double>(i) - static_cast<double>(start);
        const double stop = begin + 1;
        const double from = std::clamp(std::floor(begin / cell), 0.0, last);
        const double to = std::clamp(std::floor(stop / cell), 0.0, last);
        error += bins[i]
            * (norm(begin - (from + 0.5) * cell, half) + (to - from - 1) * norm(-half, half)
                + norm(-half, stop - (to * cell + half)));
    }
    return error;
}

} // namespace

std::vector<double> linearBins(const std::vector<DensityPiece>& pieces, double min, double width, std::size_t count)
{
    std::vector<double> bins(count);
    for (const DensityPiece& piece : pieces) {
        const double first = std::clamp((piece.low - min) / width, 0.0, static_cast<double>(count));
        const double last = std::clamp((piece.high - min) / width, 0.0, static_cast<double>(count));
        const auto from = std::min(static_cast<std::size_t>(first), count - 1);
        const auto to = std::min(static_cast<std::size_t>(last), count - 1);
        if (from == to || last - first <= 0) {
            bins[from] += piece.count;
            continue;
        }
        for (std::size_t i = from; i <= to; ++i) {
            const double inside = std::min(last, static_cast<double>(i + 1)) - std::max(first, static_cast<double>(i));
            bins[i] += piece.count * std::max(0.0, inside) / (last - first);
        }
    }
    return bins;
}

ShrunkRange shrunkRange(const ValueStatistics& statistics, int levels)
{
    const double min = statistics.min;
    const double width = (static_cast<double>(statistics.max) - min) / static_cast<double>(kBins);
    if (width <= 0)
        return {statistics.min, statistics.max};
    const auto bins = linearBins(densityOf(statistics.histogram, statistics.min, statistics.max), min, width, kBins);
    std::vector<double> upTo(kBins); // cumulative
    double total = 0;
    for (std::size_t i = 0; i < kBins; ++i)
        upTo[i] = total += bins[i];
    std::size_t start = 0;
    std::size_t end = kBins - 1;
    double alpha = 0;
    double beta = 1;
    double least = std::numeric_limits<double>::infinity();
    while (alpha < beta) {
        std::size_t left = start;
        std::size_t right = end;
        while (left < end && upTo[left] < (alpha + kStep) * total)
            ++left;
        while (right > start && upTo[right] > (beta - kStep) * total)
            --right;
        std::size_t nextStart = start;
        std::size_t nextEnd = end;
        if (left - start > end - right) {
            nextStart = left;
            alpha += kStep;
        } else {
            nextEnd = right;
            beta -= kStep;
        }
        if (nextStart == start && nextEnd == end)
            continue;
        const double error = quantizationError(bins, nextStart, nextEnd, levels);
        if (error > least)
            break;
        least = error;
        start = nextStart;
        end = nextEnd;
    }
    return {static_cast<float>(min + width * static_cast<double>(start)),
        static_cast<float>(min + width * static_cast<double>(end + 1))};
}

} // namespace duo
