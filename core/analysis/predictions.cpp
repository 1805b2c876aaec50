// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/predictions.h"

#include "core/analysis/signal_error.h"
#include "core/model/tensor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace duo {
namespace {

constexpr double kTie = 0.01; // of a row's spread
constexpr double kSumError = 0.01; // of a distribution's sum

bool isDistribution(std::span<const double> row)
{
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    return std::ranges::all_of(row, [](double share) { return share >= 0; }) && std::abs(sum - 1) < kSumError;
}

bool isLogDistribution(std::span<const double> row)
{
    double sum = 0;
    for (const double share : row)
        sum += share <= 0 ? std::exp(share) : 2;
    return std::abs(sum - 1) < kSumError;
}

/// As embeddings are normalized; a distribution that is all in one class is one.
bool isNormalized(std::span<const double> row)
{
    const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    return std::abs(squares - 1) < kSumError && !isDistribution(row);
}

void countInPlace(Predictions& predictions, double said, std::int64_t times)
{
    constexpr std::size_t kMostSaid = 64;
    const auto known = predictions.said.find(said);
    if (known != predictions.said.end())
        known->second += times;
    else if (predictions.said.size() < kMostSaid)
        predictions.said.emplace(said, times);
}

bool sayTheSame(std::span<const double> a, std::span<const double> b)
{
    const auto [low, high] = std::ranges::minmax_element(a);
    const auto chosen = std::ranges::max_element(b) - b.begin();
    if (a[static_cast<std::size_t>(chosen)] == *high)
        return true; // infinite ones too
    return a[static_cast<std::size_t>(chosen)] >= *high - kTie * (*high - *low);
}

} // namespace

void addInPlace(Predictions& all, const Predictions& next)
{
    if (next.all > 0)
        all.areKnown = next.areKnown && (all.areKnown || all.all == 0);
    all.all += next.all;
    all.agreeing += next.agreeing;
    for (const auto& [said, times] : next.said)
        countInPlace(all, said, times);
}

std::int64_t uncommon(const Predictions& predictions)
{
    std::int64_t most = 0;
    for (const auto& [said, times] : predictions.said)
        most = std::max(most, times);
    return predictions.all - most;
}

std::optional<Predictions> predictionsOf(const TensorView& a, const TensorView& b)
{
    if (!isFloating(a.type) || a.dims != b.dims || a.dims.size() < 2 || a.dims.back() < 2)
        return std::nullopt;
    const auto classes = static_cast<std::size_t>(a.dims.back());
    const std::vector<double> ofA = toDoubles(a);
    const std::vector<double> ofB = toDoubles(b);
    if (ofA.empty() || ofA.size() != ofB.size())
        return std::nullopt;
    // of more axes, as in segmentation, the last one is none of classes
    const bool isNamedScores = a.name.find("logits") != std::string::npos && a.dims.size() <= 3;
    bool areDistributions = true;
    bool areLogarithms = true;
    Predictions predictions;
    for (std::size_t first = 0; first + classes <= ofA.size(); first += classes) {
        const std::span rowA(ofA.data() + first, classes);
        areDistributions = areDistributions && isDistribution(rowA);
        areLogarithms = areLogarithms && isLogDistribution(rowA);
        predictions.areKnown = isNamedScores || areDistributions || areLogarithms;
        if (!predictions.areKnown && (a.dims.size() > 2 || isNormalized(rowA)))
            return std::nullopt;
        ++predictions.all;
        countInPlace(predictions, static_cast<double>(std::ranges::max_element(rowA) - rowA.begin()), 1);
        predictions.agreeing += sayTheSame(rowA, std::span(ofB.data() + first, classes)) ? 1 : 0;
    }
    return predictions;
}

std::optional<Predictions> equalElements(const TensorView& a, const TensorView& b)
{
    const std::vector<double> ofA = toDoubles(a);
    const std::vector<double> ofB = toDoubles(b);
    if (ofA.size() != ofB.size() || (ofA.empty() && !a.bytes.empty()))
        return std::nullopt;
    Predictions equal;
    equal.all = static_cast<std::int64_t>(ofA.size());
    for (std::size_t i = 0; i < ofA.size(); ++i) {
        equal.agreeing += ofA[i] == ofB[i] ? 1 : 0;
        countInPlace(equal, ofA[i], 1);
    }
    return equal;
}

} // namespace duo
