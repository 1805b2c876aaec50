// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/estimate/range_choices.h"

#include "core/calibrate/estimate/linear_histogram.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

double meanSquare(const DensityPiece& piece)
{
    return (piece.low * piece.low + piece.low * piece.high + piece.high * piece.high) / 3;
}

double shareOutside(const DensityPiece& piece, const CodeGrid& grid)
{
    const double width = piece.high - piece.low;
    if (width <= 0)
        return piece.low < grid.low || piece.low > grid.high ? 1 : 0;
    return std::clamp((grid.low - piece.low) / width, 0.0, 1.0)
        + std::clamp((piece.high - grid.high) / width, 0.0, 1.0);
}

std::vector<std::string> estimatorNames()
{
    std::vector<std::string> names;
    std::string_view rest = rangeEstimatorSetNames();
    while (!rest.empty()) {
        const std::size_t end = rest.find(", ");
        names.emplace_back(rest.substr(0, end));
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return names;
}

} // namespace

RangeFit rangeFit(const ValueStatistics& statistics, double min, double max, bool isSymmetric, int levels)
{
    if (min > max)
        return {};
    return gridFit(statistics, gridOf(std::min(min, 0.0), std::max(max, 0.0), levels, isSymmetric));
}

RangeFit gridFit(const ValueStatistics& statistics, const CodeGrid& grid)
{
    RangeFit fit;
    if (statistics.finite() == 0)
        return fit;
    const auto pieces = densityOf(statistics.histogram, statistics.min, statistics.max);
    double count = 0;
    double outside = 0;
    double signal = 0;
    for (const DensityPiece& piece : pieces) {
        count += piece.count;
        outside += piece.count * shareOutside(piece, grid);
        signal += piece.count * meanSquare(piece);
    }
    if (count <= 0)
        return fit;
    fit.clippedShare = outside / count;
    fit.noise = squaredError(pieces, grid);
    if (signal > 0 && fit.noise > 0 && std::isfinite(fit.noise))
        fit.sqnrDb = 10 * std::log10(signal / count / fit.noise);
    return fit;
}

std::vector<RangeChoice> rangeChoices(const ValueStatistics& statistics, bool isSymmetric, int levels)
{
    std::vector<RangeChoice> choices;
    if (statistics.finite() == 0)
        return choices;
    for (const std::string& name : estimatorNames()) {
        const EstimatedRange range = estimateRange(statistics, *rangeEstimatorSet(name), isSymmetric, levels);
        choices.push_back({name, range, rangeFit(statistics, range.min, range.max, isSymmetric, levels)});
    }
    return choices;
}

EvenHistogram evenHistogram(const ValueStatistics& statistics, std::size_t bins)
{
    EvenHistogram histogram;
    if (statistics.finite() == 0 || bins == 0)
        return histogram;
    histogram.min = statistics.min;
    histogram.width = (static_cast<double>(statistics.max) - histogram.min) / static_cast<double>(bins);
    if (histogram.width <= 0) {
        histogram.width = 0;
        histogram.counts = {static_cast<double>(statistics.finite())};
        return histogram;
    }
    histogram.counts = linearBins(
        densityOf(statistics.histogram, statistics.min, statistics.max), histogram.min, histogram.width, bins);
    return histogram;
}

} // namespace duo
