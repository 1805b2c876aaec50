// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/tandem_runs.h"

#include "core/support/sorted.h"

#include <algorithm>

namespace duo {
namespace {

/// How far two places of a sequence agree, by hashes of its prefixes. Equal hashes are taken for equal letters: whoever
/// uses a run compares its copies.
class Agreement
{
public:
    explicit Agreement(std::span<const std::uint32_t> letters)
        : m_size(letters.size())
        , m_prefix(letters.size() + 1)
        , m_power(letters.size() + 1, 1)
    {
        for (std::size_t i = 0; i < m_size; ++i) {
            m_prefix[i + 1] = m_prefix[i] * kBase + letters[i] + 1;
            m_power[i + 1] = m_power[i] * kBase;
        }
    }

    /// Letters that agree from a and b on, a < b.
    std::size_t forward(std::size_t a, std::size_t b) const
    {
        return longest(m_size - b, [&](std::size_t n) { return hash(a, n) == hash(b, n); });
    }

    /// Letters that agree before a and b, a < b.
    std::size_t backward(std::size_t a, std::size_t b) const
    {
        return longest(a, [&](std::size_t n) { return hash(a - n, n) == hash(b - n, n); });
    }

private:
    static constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15ULL;

    std::uint64_t hash(std::size_t at, std::size_t count) const
    {
        return m_prefix[at + count] - m_prefix[at] * m_power[count];
    }

    /// Doubles, then halves: cheap where the answer is small.
    template <typename Agrees> static std::size_t longest(std::size_t limit, Agrees agrees)
    {
        std::size_t step = 1;
        while (step <= limit && agrees(step))
            step *= 2;
        std::size_t low = step / 2;
        std::size_t high = std::min(step - 1, limit);
        while (low < high) {
            const std::size_t middle = (low + high + 1) / 2;
            if (agrees(middle))
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    }

    std::size_t m_size;
    std::vector<std::uint64_t> m_prefix;
    std::vector<std::uint64_t> m_power;
};

/// Runs whose root is a Lyndon word in one of the two orders of letters.
void addRuns(
    std::span<const std::uint32_t> letters, const Agreement& agreement, bool isReversed, std::vector<TandemRun>& runs)
{
    const std::size_t size = letters.size();
    const auto isLess = [&](std::size_t a, std::size_t b) { // suffixes, a < b
        const std::size_t same = agreement.forward(a, b);
        return b + same < size && (letters[a + same] < letters[b + same]) != isReversed;
    };
    std::vector<std::size_t> end(size); // of the longest Lyndon word that starts here
    for (std::size_t i = size; i-- > 0;) {
        std::size_t next = i + 1;
        while (next < size && isLess(i, next))
            next = end[next];
        end[i] = next;
        if (next == size)
            continue;
        const std::size_t period = next - i;
        const std::size_t before = agreement.backward(i, next);
        const std::size_t after = agreement.forward(i, next);
        if (before + after >= period)
            runs.push_back({static_cast<std::uint32_t>(i - before), static_cast<std::uint32_t>(next + after),
                static_cast<std::uint32_t>(period)});
    }
}

} // namespace

std::vector<TandemRun> tandemRuns(std::span<const std::uint32_t> letters)
{
    std::vector<TandemRun> runs;
    const Agreement agreement(letters);
    addRuns(letters, agreement, false, runs);
    addRuns(letters, agreement, true, runs);
    sortUniqueInPlace(runs);
    return runs;
}

} // namespace duo
