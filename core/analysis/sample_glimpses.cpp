// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/sample_glimpses.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::int64_t kMostElements = 2048;
constexpr std::size_t kLeastForMedian = 3;
constexpr std::size_t kLeastForVariation = 4;
constexpr double kNoVariation = 1e-10; // of the power: rounding of float32

/// Of `elements`, the i-th that is looked at: steps of the golden ratio meet every column and row alike.
std::size_t placeOf(std::int64_t i, std::int64_t elements)
{
    if (elements <= kMostElements)
        return static_cast<std::size_t>(i);
    constexpr double kGolden = 0.6180339887498949;
    const double turns = static_cast<double>(i) * kGolden;
    const auto place = static_cast<std::int64_t>((turns - std::floor(turns)) * static_cast<double>(elements));
    return static_cast<std::size_t>(std::min(place, elements - 1));
}

std::vector<float> spreadElements(const TensorView& tensor, std::int64_t count)
{
    std::vector<float> seen;
    seen.reserve(static_cast<std::size_t>(count));
    const auto from = [&](const auto& values) {
        const auto elements = static_cast<std::int64_t>(values.size());
        for (std::int64_t i = 0; i < std::min(count, elements); ++i)
            seen.push_back(static_cast<float>(values[placeOf(i, elements)]));
    };
    if (tensor.type == ElementType::Float32)
        from(tensor.floats());
    else
        from(toDoubles(tensor));
    return seen;
}

std::optional<double> decibels(double signal, double noise)
{
    const double db = 10 * std::log10(signal / noise);
    return std::isfinite(db) ? std::optional(db) : std::nullopt;
}

} // namespace

Glimpse glimpseOf(const TensorView& a, const TensorView& b, const SignalError& error)
{
    Glimpse glimpse{error.signal, error.noise, elementCount(a.dims).value_or(0), {}, {}};
    const std::int64_t count = std::min(glimpse.elements, kMostElements);
    glimpse.a = spreadElements(a, count);
    glimpse.b = spreadElements(b, count);
    return glimpse;
}

double noiseOf(const Glimpse& sample)
{
    if (sample.noise == 0)
        return 0;
    return sample.signal > 0 ? sample.noise / sample.signal : HUGE_VAL;
}

std::optional<double> medianDb(std::span<const Glimpse> samples)
{
    std::vector<double> noise; // of the signal
    for (const Glimpse& sample : samples) {
        if (sample.signal > 0)
            noise.push_back(sample.noise / sample.signal);
    }
    if (noise.size() < kLeastForMedian)
        return std::nullopt;
    const auto middle = noise.begin() + static_cast<std::ptrdiff_t>((noise.size() - 1) / 2);
    std::ranges::nth_element(noise, middle);
    return decibels(1, *middle);
}

std::optional<Variation> variationOf(std::span<const Glimpse> samples)
{
    if (samples.size() < kLeastForVariation)
        return std::nullopt;
    const std::size_t count = samples.front().a.size();
    double power = 0;
    double noise = 0;
    double variation = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double sum = 0;
        for (const Glimpse& sample : samples) {
            if (sample.elements != samples.front().elements || sample.a.size() != count || sample.b.size() != count)
                return std::nullopt;
            sum += sample.a[i];
        }
        const double mean = sum / static_cast<double>(samples.size());
        for (const Glimpse& sample : samples) {
            const double a = sample.a[i];
            power += a * a;
            variation += (a - mean) * (a - mean);
            noise += (a - sample.b[i]) * (a - sample.b[i]);
        }
    }
    const auto db = decibels(variation, noise);
    if (!db || !(variation > kNoVariation * power))
        return std::nullopt;
    return Variation{*db, std::sqrt(variation / static_cast<double>(count * samples.size()))};
}

} // namespace duo
