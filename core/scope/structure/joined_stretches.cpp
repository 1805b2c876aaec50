// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/joined_stretches.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

/// The largest of any stretch of numbers. O(n log n) to make, O(1) to ask.
class RangeMaximum
{
public:
    explicit RangeMaximum(std::vector<std::uint32_t> numbers)
    {
        m_levels.push_back(std::move(numbers));
        for (std::size_t width = 1; 2 * width <= m_levels[0].size(); width *= 2) {
            const auto& below = m_levels.back();
            std::vector<std::uint32_t> level(m_levels[0].size() - 2 * width + 1);
            for (std::size_t i = 0; i < level.size(); ++i)
                level[i] = std::max(below[i], below[i + width]);
            m_levels.push_back(std::move(level));
        }
    }

    std::uint32_t of(std::size_t begin, std::size_t end) const // begin < end
    {
        const auto level = static_cast<std::size_t>(std::bit_width(end - begin) - 1);
        return std::max(m_levels[level][begin], m_levels[level][end - (std::size_t{1} << level)]);
    }

private:
    std::vector<std::vector<std::uint32_t>> m_levels;
};

std::vector<std::uint32_t> lastUses(const WorkSequence& sequence, const std::vector<Block>& units)
{
    std::vector<std::uint32_t> last(units.size(), 0);
    for (std::size_t u = 0; u < units.size(); ++u) {
        for (std::uint32_t at = units[u].begin; at < units[u].end; ++at)
            last[u] = std::max(last[u], sequence.nodes[at].lastUse);
    }
    return last;
}

/// Pairs of a value and a unit that reads it, values together, units ascending, without repeats; reads inside a unit
/// are none.
std::vector<std::pair<std::uint32_t, std::uint32_t>> readers(
    const WorkSequence& sequence, const std::vector<Block>& units)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t u = 0; u < units.size(); ++u) {
        for (std::uint32_t at = units[u].begin; at < units[u].end; ++at) {
            for (const WorkRead& read : sequence.readsOf(at)) {
                if (read.producer == WorkRead::kOutside || read.producer < units[u].begin)
                    pairs.emplace_back(read.value, u);
            }
        }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

std::vector<std::uint32_t> unitsOf(const WorkSequence& sequence, const std::vector<Block>& units)
{
    std::vector<std::uint32_t> of(sequence.nodes.size());
    for (std::uint32_t u = 0; u < units.size(); ++u)
        std::fill(of.begin() + units[u].begin, of.begin() + units[u].end, u);
    return of;
}

/// The first unit from `second` on behind which nothing made from `begin` on, but in that unit, is read; the number of
/// units if there is none near.
std::uint32_t joinOf(std::uint32_t begin, std::uint32_t second, const std::vector<Block>& units,
    const RangeMaximum& last, const std::vector<std::uint32_t>& unitOf)
{
    constexpr int kMostSteps = 64; // forks inside forks
    std::uint32_t join = second;
    for (int step = 0; step < kMostSteps; ++step) {
        const std::uint32_t use = last.of(begin, join);
        if (use < units[join].end)
            return join;
        if (use == WorkNode::kEnd)
            break;
        join = unitOf[use];
    }
    return static_cast<std::uint32_t>(units.size());
}

std::vector<JoinedStretch> candidates(const WorkSequence& sequence, const std::vector<Block>& units)
{
    const RangeMaximum last(lastUses(sequence, units));
    const std::vector<std::uint32_t> unitOf = unitsOf(sequence, units);
    const auto pairs = readers(sequence, units);
    std::vector<JoinedStretch> found;
    for (std::size_t first = 0, next = 0; first < pairs.size(); first = next) {
        next = first + 1;
        while (next < pairs.size() && pairs[next].first == pairs[first].first)
            ++next;
        if (next == first + 1)
            continue;
        const std::uint32_t begin = pairs[first].second;
        const std::uint32_t join = joinOf(begin, pairs[first + 1].second, units, last, unitOf);
        if (join < units.size())
            found.push_back({begin, join + 1});
    }
    const auto key = [](const JoinedStretch& stretch) { return std::make_pair(stretch.begin, ~stretch.end); };
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

/// Nested or apart, and nowhere nested without end.
std::vector<JoinedStretch> nested(const std::vector<JoinedStretch>& stretches)
{
    constexpr std::size_t kDeepest = 8;
    std::vector<JoinedStretch> kept;
    std::vector<std::uint32_t> ends;
    for (const JoinedStretch& stretch : stretches) {
        while (!ends.empty() && ends.back() <= stretch.begin)
            ends.pop_back();
        if (ends.size() == kDeepest || (!ends.empty() && stretch.end > ends.back()))
            continue;
        ends.push_back(stretch.end);
        kept.push_back(stretch);
    }
    return kept;
}

} // namespace

std::vector<JoinedStretch> joinedStretches(
    const WorkSequence& sequence, const std::vector<Block>& units, const std::vector<bool>& hasWeights, Wiring& wiring)
{
    constexpr std::size_t kMostCompared = 64; // units looked at per unit, over all stretches it lies in
    std::vector<std::uint32_t> weights(units.size() + 1, 0); // units with weights before this one
    for (std::size_t u = 0; u < units.size(); ++u)
        weights[u + 1] = weights[u] + (hasWeights[u] ? 1 : 0);

    std::vector<JoinedStretch> found = candidates(sequence, units);
    std::erase_if(found, [&](const JoinedStretch& s) { return weights[s.begin] == weights[s.end]; });
    std::vector<std::size_t> bySize(found.size());
    std::iota(bySize.begin(), bySize.end(), std::size_t{0});
    std::stable_sort(bySize.begin(), bySize.end(),
        [&](std::size_t a, std::size_t b) { return found[a].end - found[a].begin < found[b].end - found[b].begin; });
    std::vector<std::uint32_t> all(units.size());
    std::iota(all.begin(), all.end(), 0U);
    wiring.read(units, all);
    std::size_t budget = kMostCompared * units.size();
    std::vector<std::uint64_t> hashes(found.size(), 0);
    std::unordered_map<std::uint64_t, int> count;
    for (const std::size_t i : bySize) {
        const std::size_t size = found[i].end - found[i].begin;
        if (size > budget)
            break;
        budget -= size;
        hashes[i] = wiring.hash(found[i].begin, found[i].end);
        ++count[hashes[i]];
    }
    std::vector<JoinedStretch> repeated;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (hashes[i] != 0 && count[hashes[i]] > 1)
            repeated.push_back(found[i]);
    }
    return nested(repeated);
}

} // namespace duo
