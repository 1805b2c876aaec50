// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/data_findings.h"

#include "core/analysis/signal_error.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

/// What is known of an input from the samples so far.
struct Seen {
    std::vector<double> first; // the first sample's numbers, with NaN as they are
    std::int64_t elements = 0;
    bool isFloating = false;
    bool isConstant = true; // every number of every sample
    bool isRepeated = true; // every sample
};

/// Of one input: what every element is about its mean over the samples.
struct Spread {
    std::vector<double> sums; // [elements]
    std::vector<double> squares; // [elements]
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    std::int64_t samples = 0;
    bool isKnown = true; // floating, finite, and of one size
};

void addInPlace(Spread& spread, const HostTensor& feed)
{
    const std::vector<double> numbers = toDoubles(viewOf(feed));
    if (spread.samples++ == 0) {
        spread.sums.resize(numbers.size());
        spread.squares.resize(numbers.size());
    }
    spread.isKnown = spread.isKnown && isFloating(feed.type) && numbers.size() == spread.sums.size();
    for (std::size_t i = 0; spread.isKnown && i < numbers.size(); ++i) {
        spread.isKnown = std::isfinite(numbers[i]);
        spread.sums[i] += numbers[i];
        spread.squares[i] += numbers[i] * numbers[i];
        spread.low = std::min(spread.low, numbers[i]);
        spread.high = std::max(spread.high, numbers[i]);
    }
}

/// Root of the mean square of what differs.
double sizeOf(const Spread& spread)
{
    const auto samples = static_cast<double>(spread.samples);
    double all = 0;
    for (std::size_t i = 0; i < spread.sums.size(); ++i)
        all += std::max(0.0, spread.squares[i] - spread.sums[i] * spread.sums[i] / samples);
    return std::sqrt(all / (samples * static_cast<double>(std::max<std::size_t>(1, spread.sums.size()))));
}

bool isSame(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

void lookAt(const HostTensor& feed, Seen& seen)
{
    std::vector<double> numbers = toDoubles(viewOf(feed));
    if (seen.elements == 0)
        seen.first = numbers;
    seen.isFloating = isFloating(feed.type);
    seen.elements += static_cast<std::int64_t>(numbers.size());
    seen.isRepeated = seen.isRepeated && std::ranges::equal(numbers, seen.first, isSame);
    seen.isConstant = seen.isConstant && !seen.first.empty()
        && std::ranges::all_of(numbers, [&](double number) { return number == seen.first.front(); });
}

} // namespace

Result<bool> hardlyDiffer(const Dataset& dataset, std::span<const std::int64_t> samples)
{
    std::vector<Spread> inputs;
    for (const std::int64_t sample : samples) {
        DUO_TRY(feeds, dataset.sample(sample));
        inputs.resize(feeds.size());
        for (std::size_t i = 0; i < feeds.size(); ++i)
            addInPlace(inputs[i], feeds[i]);
    }
    constexpr double kSteps = 255;
    bool differs = false;
    for (const Spread& input : inputs) {
        const double size = sizeOf(input);
        if (!input.isKnown || size * kSteps >= input.high - input.low)
            return false;
        differs = differs || size > 0;
    }
    return differs;
}

Result<DataFindings> dataFindings(const Dataset& dataset, std::span<const std::int64_t> samples)
{
    std::vector<Seen> inputs;
    for (const std::int64_t sample : samples) {
        DUO_TRY(feeds, dataset.sample(sample));
        inputs.resize(feeds.size());
        for (std::size_t i = 0; i < feeds.size(); ++i)
            lookAt(feeds[i], inputs[i]);
    }
    DataFindings findings;
    if (inputs.empty())
        return findings;
    const bool hasFloats = std::ranges::any_of(inputs, &Seen::isFloating);
    const bool isConstant = std::ranges::all_of(
        inputs, [&](const Seen& input) { return input.isConstant || (hasFloats && !input.isFloating); });
    const bool isSeveral = std::ranges::any_of(inputs, [](const Seen& input) { return input.elements > 1; });
    if (isConstant && isSeveral)
        findings.checks.push_back({"varying-data", false,
            "the data hold one and the same number everywhere: ranges and errors measured on them say nothing", {}});
    else if (samples.size() > 1 && std::ranges::all_of(inputs, &Seen::isRepeated))
        findings.notes.push_back({"same-samples",
            "all " + std::to_string(samples.size())
                + " samples that were compared are the same: ranges and errors are of one sample",
            {}});
    return findings;
}

} // namespace duo
