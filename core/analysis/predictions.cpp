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

/// As embeddings are normalized; a distribution that is all in one class is one.
bool isNormalized(std::span<const double> row)
{
    const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    return std::abs(squares - 1) < kSumError && !isDistribution(row);
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

std::optional<Predictions> predictionsOf(const TensorView& a, const TensorView& b)
{
    if (!isFloating(a.type) || a.dims != b.dims || a.dims.size() < 2 || a.dims.back() < 2)
        return std::nullopt;
    const auto classes = static_cast<std::size_t>(a.dims.back());
    const std::vector<double> ofA = toDoubles(a);
    const std::vector<double> ofB = toDoubles(b);
    if (ofA.empty() || ofA.size() != ofB.size())
        return std::nullopt;
    const bool isNamedScores = a.name.find("logits") != std::string::npos;
    Predictions predictions;
    for (std::size_t first = 0; first + classes <= ofA.size(); first += classes) {
        const std::span rowA(ofA.data() + first, classes);
        if (!isNamedScores && (a.dims.size() > 2 ? !isDistribution(rowA) : isNormalized(rowA)))
            return std::nullopt;
        ++predictions.all;
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
    for (std::size_t i = 0; i < ofA.size(); ++i)
        equal.agreeing += ofA[i] == ofB[i] ? 1 : 0;
    return equal;
}

} // namespace duo
