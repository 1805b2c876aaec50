// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/readings.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace duo {
namespace {

std::vector<std::int64_t> lettersOf(std::span<const std::int64_t> said, std::int64_t blank)
{
    std::vector<std::int64_t> letters;
    for (std::size_t i = 0; i < said.size(); ++i) {
        if (said[i] != blank && (i == 0 || said[i] != said[i - 1]))
            letters.push_back(said[i]);
    }
    return letters;
}

/// O(a * b) time, O(b) memory.
std::int64_t changesBetween(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    std::vector<std::int64_t> changes(b.size() + 1);
    std::iota(changes.begin(), changes.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::int64_t diagonal = changes[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::int64_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = changes[j + 1];
            changes[j + 1] = std::min({replaced, changes[j] + 1, diagonal + 1});
        }
    }
    return changes.back();
}

} // namespace

void ReadLetters::add(const ReadLetters& next)
{
    steps += next.steps;
    blanks += next.blanks;
    read += next.read;
    letters += next.letters;
    alike += next.alike;
    isLong = isLong || next.isLong;
}

bool ReadLetters::isOfRecogniser() const
{
    constexpr std::int64_t kTelling = 20; // letters
    constexpr double kBlank = 0.25;
    constexpr double kRun = 1.5; // steps per letter
    return !isLong && read >= kTelling && static_cast<double>(blanks) >= kBlank * static_cast<double>(steps)
        && static_cast<double>(steps - blanks) <= kRun * static_cast<double>(read);
}

ReadLetters readingOf(std::span<const std::int64_t> saidByA, std::span<const std::int64_t> saidByB, std::int64_t blank)
{
    constexpr std::size_t kMost = 4000; // letters
    const std::vector<std::int64_t> a = lettersOf(saidByA, blank);
    const std::vector<std::int64_t> b = lettersOf(saidByB, blank);
    ReadLetters reading;
    reading.steps = static_cast<std::int64_t>(saidByA.size());
    reading.blanks = std::ranges::count(saidByA, blank);
    reading.read = static_cast<std::int64_t>(a.size());
    reading.isLong = std::max(a.size(), b.size()) > kMost;
    if (reading.isLong)
        return reading;
    reading.letters = static_cast<std::int64_t>(std::max(a.size(), b.size()));
    reading.alike = reading.letters - changesBetween(a, b);
    return reading;
}

} // namespace duo
