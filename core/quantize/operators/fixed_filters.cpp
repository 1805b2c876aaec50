// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/fixed_filters.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <optional>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kLeastFilters = 8;
constexpr std::size_t kMostLookedAt = 256;
constexpr double kEnergyShare = 0.8; // in one lobe
constexpr double kFilterShare = 0.9; // that have such a lobe
constexpr double kLobe = 3; // half the main lobe of a Blackman window, in frequencies of the filter's length
constexpr std::size_t kMostAlike = 4; // filters of one frequency: sine and cosine, at two phases
constexpr std::size_t kLeastShortLength = 8; // that a recurrence tells a sinusoid by
constexpr std::size_t kLeastFrequencies = 3; // of short filters
constexpr float kRounding = 1e-4F; // of the largest element

using Spectrum = std::vector<std::complex<double>>; // its size a power of two

/// Cooley and Tukey's transform, radix 2.
void transformInPlace(Spectrum& data)
{
    for (std::size_t i = 1, j = 0; i < data.size(); ++i) {
        std::size_t bit = data.size() >> 1U;
        for (; (j & bit) != 0; bit >>= 1U)
            j ^= bit;
        j ^= bit;
        if (i < j)
            std::swap(data[i], data[j]);
    }
    for (std::size_t step = 2; step <= data.size(); step <<= 1U) {
        const auto turn = std::polar(1.0, -2 * std::numbers::pi / static_cast<double>(step));
        for (std::size_t first = 0; first < data.size(); first += step) {
            std::complex<double> factor = 1;
            for (std::size_t i = first; i < first + step / 2; ++i) {
                const auto odd = data[i + step / 2] * factor;
                data[i + step / 2] = data[i] - odd;
                data[i] += odd;
                factor *= turn;
            }
        }
    }
}

std::vector<float> filterOf(const FilterBank& bank, std::size_t filter)
{
    std::vector<float> values(bank.length);
    for (std::size_t i = 0; i < bank.length; ++i)
        values[i] = bank.values[bank.isByColumn ? i * bank.filters + filter : filter * bank.length + i];
    return values;
}

/// Without what is next to nothing at both ends; empty for zeros and for what is not finite.
std::span<const float> supportOf(const std::vector<float>& filter)
{
    constexpr float kNothing = 1e-3F; // of the largest
    float largest = 0;
    for (const float value : filter) {
        if (!std::isfinite(value))
            return {};
        largest = std::max(largest, std::abs(value));
    }
    const auto counts = [&](float value) { return std::abs(value) > kNothing * largest; };
    const auto first = std::find_if(filter.begin(), filter.end(), counts);
    const auto last = std::find_if(filter.rbegin(), filter.rend(), counts).base();
    return first < last ? std::span<const float>(first, last) : std::span<const float>();
}

/// The one frequency of a filter, in thousandths of half the sampling rate; nothing where it has many, or is too short
/// to tell.
std::optional<int> frequencyOf(std::span<const float> filter)
{
    if (filter.size() < kLeastFilterLength / 2)
        return std::nullopt;
    Spectrum spectrum(std::bit_ceil(2 * filter.size()));
    std::copy(filter.begin(), filter.end(), spectrum.begin());
    transformInPlace(spectrum);
    std::vector<double> energy(spectrum.size() / 2 + 1);
    double all = 0;
    for (std::size_t i = 0; i < energy.size(); ++i)
        all += energy[i] = std::norm(spectrum[i]);
    const auto peak = std::max_element(energy.begin(), energy.end()) - energy.begin();
    const auto reach = static_cast<std::ptrdiff_t>(
        std::ceil(kLobe * static_cast<double>(spectrum.size()) / static_cast<double>(filter.size())));
    double near = 0;
    for (auto i = std::max<std::ptrdiff_t>(0, peak - reach);
         i <= std::min<std::ptrdiff_t>(peak + reach, std::ssize(energy) - 1); ++i)
        near += energy[static_cast<std::size_t>(i)];
    if (near < kEnergyShare * all)
        return std::nullopt;
    return static_cast<int>(1000 * peak / (std::ssize(energy) - 1));
}

/// First and last element above zero; nothing where others lie between, or where there is none.
std::optional<std::pair<std::size_t, std::size_t>> bandOf(const std::vector<float>& filter)
{
    const auto isSet = [](float value) { return value != 0; };
    const auto first = std::find_if(filter.begin(), filter.end(), isSet);
    const auto last = std::find_if(filter.rbegin(), filter.rend(), isSet).base();
    if (first >= last || !std::all_of(first, last, [](float value) { return value > 0; }))
        return std::nullopt;
    return std::pair(static_cast<std::size_t>(first - filter.begin()), static_cast<std::size_t>(last - filter.begin()));
}

float largestOf(std::span<const float> values)
{
    float largest = 0;
    for (const float value : values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

/// The frequency of a sinusoid without a window, of any phase, in thousandths of half the sampling rate: each element
/// with the two beside it gives x[i - 1] + x[i + 1] = 2 cos(w) x[i]. Nothing where that does not hold to rounding.
std::optional<int> frequencyByRecurrence(std::span<const float> filter)
{
    double product = 0;
    double square = 0;
    for (std::size_t i = 1; i + 1 < filter.size(); ++i) {
        product += static_cast<double>(filter[i]) * (filter[i - 1] + filter[i + 1]);
        square += static_cast<double>(filter[i]) * filter[i];
    }
    const double cosine = product / (2 * square);
    if (!(std::abs(cosine) <= 1 + kRounding))
        return std::nullopt;
    const double most = kRounding * largestOf(filter);
    for (std::size_t i = 1; i + 1 < filter.size(); ++i) {
        if (!(std::abs(filter[i - 1] + filter[i + 1] - 2 * cosine * filter[i]) <= most))
            return std::nullopt;
    }
    return static_cast<int>(std::lround(1000 * std::acos(std::clamp(cosine, -1.0, 1.0)) / std::numbers::pi));
}

/// Short filters, as the steps of a fast Fourier transform have them: each a sinusoid to rounding.
bool isShortSinusoidBank(const FilterBank& bank)
{
    const float largest = largestOf(bank.values);
    std::size_t looked = 0;
    std::set<int> frequencies;
    for (std::size_t f = 0; f < bank.filters; ++f) {
        const auto filter = filterOf(bank, f);
        if (largestOf(filter) <= kRounding * largest)
            continue; // sines of frequency zero and of half the sampling rate
        const auto frequency = frequencyByRecurrence(filter);
        if (!frequency)
            return false;
        frequencies.insert(*frequency);
        ++looked;
    }
    return frequencies.size() >= kLeastFrequencies && frequencies.size() * kMostAlike >= looked;
}

bool isWhole(const FilterBank& bank)
{
    return bank.filters >= kLeastFilters && bank.length > 0 && bank.values.size() / bank.filters == bank.length
        && bank.values.size() % bank.filters == 0;
}

} // namespace

bool isSinusoidBank(const FilterBank& bank)
{
    if (!isWhole(bank) || bank.length < kLeastShortLength)
        return false;
    if (bank.length < kLeastFilterLength)
        return isShortSinusoidBank(bank);
    const std::size_t step = (bank.filters + kMostLookedAt - 1) / kMostLookedAt;
    std::size_t looked = 0;
    std::size_t passed = 0;
    std::set<int> frequencies;
    for (std::size_t f = 0; f < bank.filters; f += step) {
        const auto filter = filterOf(bank, f);
        if (std::ranges::all_of(filter, [](float value) { return value == 0; }))
            continue; // the sine of frequency zero
        ++looked;
        const auto frequency = frequencyOf(supportOf(filter));
        passed += frequency ? 1U : 0U;
        if (frequency)
            frequencies.insert(*frequency);
    }
    return looked >= kLeastFilters && static_cast<double>(passed) >= kFilterShare * static_cast<double>(looked)
        && frequencies.size() * kMostAlike >= passed;
}

bool isBandBank(const FilterBank& bank)
{
    if (!isWhole(bank))
        return false;
    std::set<std::pair<std::size_t, std::size_t>> bands;
    std::size_t filled = 0;
    for (std::size_t f = 0; f < bank.filters; ++f) {
        const auto filter = filterOf(bank, f);
        if (std::ranges::all_of(filter, [](float value) { return value == 0; }))
            continue; // narrower than the steps between its frequencies
        const auto band = bandOf(filter);
        if (!band)
            return false;
        bands.insert(*band);
        filled += band->second - band->first;
    }
    return bands.size() >= kLeastFilters && 2 * filled < bank.values.size();
}

} // namespace duo
