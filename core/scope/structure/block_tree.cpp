// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/block_tree.h"

#include "core/scope/structure/tandem_runs.h"
#include "core/scope/structure/wiring.h"
#include "core/scope/structure/work_sequence.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {
namespace {

/// Units [begin, end).
struct JoinedStretch {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const JoinedStretch&) const = default;
};

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
    sortUniqueInPlace(pairs);
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

/// From the first reader of a value over the second to where all that they make comes together: a residual block from
/// its fork to its Add. Only those that occur twice or more and hold weights; nested or apart,
/// sorted by begin, the outer ones first. O(units log units + uses).
/// @param units blocks that cover the sequence
/// @param hasWeights [units]
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

constexpr std::uint32_t kLookAhead = 16; // nodes of the longest activation or normalization: fork to join

class Units
{
public:
    explicit Units(const WorkSequence& sequence)
        : m_sequence(sequence)
        , m_size(static_cast<std::uint32_t>(sequence.nodes.size()))
    {
    }

    std::vector<std::uint32_t> starts() const
    {
        std::vector<std::uint32_t> starts;
        for (std::uint32_t begin = 0; begin < m_size;) {
            starts.push_back(begin);
            std::uint32_t end = begin + 1;
            for (std::uint32_t next = grown(begin, end); next != end; next = grown(begin, end))
                end = next;
            begin = end;
        }
        return starts;
    }

private:
    /// Takes in all readers of the last node, with what lies between, if they read nothing else; else stays. A sum of
    /// two branches takes in its activation only: the norm of the next layer follows where nothing else reads the sum.
    std::uint32_t grown(std::uint32_t begin, std::uint32_t end) const
    {
        const bool isSum = !m_sequence.nodes[begin].kind.isHeavy && m_sequence.readsOf(begin).size() > 1;
        std::uint32_t last = m_sequence.nodes[end - 1].lastUse;
        const bool isFork = last != end;
        for (std::uint32_t at = end; at <= last; ++at) {
            if (last >= m_size || last - end >= kLookAhead || !isOwn(begin, at))
                return end;
            const WorkLabel& kind = m_sequence.nodes[at].kind;
            if (kind.isApart || (kind.isReduction && !isFork) || (isSum && kind.hasTensor))
                return end;
            if (at < last)
                last = std::max(last, m_sequence.nodes[at].lastUse);
        }
        return last + 1;
    }

    bool isOwn(std::uint32_t begin, std::uint32_t at) const
    {
        const auto reads = m_sequence.readsOf(at);
        return !m_sequence.nodes[at].kind.isHeavy && std::all_of(reads.begin(), reads.end(), [&](const WorkRead& read) {
            return read.producer != WorkRead::kOutside && read.producer >= begin;
        });
    }

    const WorkSequence& m_sequence;
    std::uint32_t m_size;
};

/// First places of the units; each ends where the next begins, and only the last node's outputs leave it. O(nodes).
std::vector<std::uint32_t> unitStarts(const WorkSequence& sequence)
{
    return Units(sequence).starts();
}

using Row = std::vector<std::uint32_t>; // of blocks that follow one another

/// `copies` times `period` places of a row, from `begin`.
struct Repetition {
    std::uint32_t begin = 0;
    std::uint32_t period = 0;
    std::uint32_t copies = 0;
};

/// Which repetitions are made blocks first. Two copies are weak evidence where one layer is all that repeats.
enum class Strength { SameGroup, Many, Twice, None };

class BlockFinder
{
public:
    BlockFinder(const WorkSequence& sequence, const std::vector<bool>& hasWeights)
        : m_sequence(sequence)
        , m_wiring(sequence)
        , m_live(liveValues(sequence))
        , m_weights(sequence.nodes.size() + 1, 0)
    {
        for (std::size_t at = 0; at < hasWeights.size(); ++at)
            m_weights[at + 1] = m_weights[at] + (hasWeights[at] ? 1 : 0);
    }

    BlockTree find()
    {
        addUnits();
        const std::size_t units = m_tree.blocks.size();
        std::vector<bool> hasWeight(units);
        for (std::size_t u = 0; u < units; ++u)
            hasWeight[u] = holdsWeights(m_tree.blocks[u].begin, m_tree.blocks[u].end);
        const auto stretches = joinedStretches(m_sequence, m_tree.blocks, hasWeight, m_wiring);
        std::size_t next = 0;
        m_tree.top = rowOf(stretches, next, 0, static_cast<std::uint32_t>(units));
        return std::move(m_tree);
    }

private:
    /// Values made before each place and read there or later.
    static std::vector<std::int32_t> liveValues(const WorkSequence& sequence)
    {
        std::vector<std::int32_t> live(sequence.nodes.size() + 2, 0);
        for (std::size_t at = 0; at < sequence.nodes.size(); ++at) {
            const std::uint32_t last = sequence.nodes[at].lastUse;
            ++live[at + 1];
            if (last != WorkNode::kEnd)
                --live[last + 1];
        }
        for (std::size_t at = 1; at < live.size(); ++at)
            live[at] += live[at - 1];
        return live;
    }

    bool holdsWeights(std::uint32_t begin, std::uint32_t end) const { return m_weights[begin] != m_weights[end]; }
    const Block& block(std::uint32_t id) const { return m_tree.blocks[id]; }

    std::uint32_t add(Block::Kind kind, Row children, std::uint64_t hash)
    {
        Block made;
        made.kind = kind;
        made.begin = block(children.front()).begin;
        made.end = block(children.back()).end;
        made.hash = hash;
        made.children = std::move(children);
        m_tree.blocks.push_back(std::move(made));
        return static_cast<std::uint32_t>(m_tree.blocks.size() - 1);
    }

    void addUnits()
    {
        const std::vector<std::uint32_t> starts = unitStarts(m_sequence);
        for (std::size_t u = 0; u < starts.size(); ++u) {
            Block unit;
            unit.begin = starts[u];
            unit.end = u + 1 < starts.size() ? starts[u + 1] : static_cast<std::uint32_t>(m_sequence.nodes.size());
            unit.hash = m_wiring.unitHash(unit.begin, unit.end);
            m_tree.blocks.push_back(std::move(unit));
        }
    }

    /// Units [begin, end) with the stretches in them as groups, then with their runs; stretches nest 8 deep at most.
    Row rowOf(const std::vector<JoinedStretch>& stretches, std::size_t& next, std::uint32_t begin, std::uint32_t end)
    {
        Row row;
        for (std::uint32_t unit = begin; unit < end;) {
            if (next == stretches.size() || stretches[next].begin != unit || stretches[next].end > end) {
                row.push_back(unit++);
                continue;
            }
            const JoinedStretch stretch = stretches[next++];
            Row inner = rowOf(stretches, next, stretch.begin, stretch.end);
            m_wiring.read(m_tree.blocks, inner);
            const std::uint64_t hash = m_wiring.hash(0, inner.size());
            row.push_back(add(Block::Kind::Group, std::move(inner), hash));
            unit = stretch.end;
        }
        return withRuns(std::move(row));
    }

    Row withRuns(Row row)
    {
        constexpr int kMostRounds = 24; // each makes a level of nesting, or what another run stood in the way of
        for (int round = 0; round < kMostRounds && row.size() > 1; ++round) {
            m_wiring.read(m_tree.blocks, row);
            const std::vector<Repetition> chosen = repetitions(row);
            if (chosen.empty())
                break;
            row = contracted(row, chosen);
        }
        return row;
    }

    static std::vector<std::uint32_t> lettersOf(const std::vector<Block>& blocks, const Row& row)
    {
        std::vector<std::uint64_t> hashes;
        for (const std::uint32_t id : row)
            hashes.push_back(blocks[id].hash);
        sortUniqueInPlace(hashes);
        std::vector<std::uint32_t> letters;
        for (const std::uint32_t id : row) {
            const auto found = std::lower_bound(hashes.begin(), hashes.end(), blocks[id].hash);
            letters.push_back(static_cast<std::uint32_t>(found - hashes.begin()));
        }
        return letters;
    }

    Strength strengthOf(const Row& row, const Repetition& found) const
    {
        const Block& first = block(row[found.begin]);
        const std::uint32_t begin = first.begin;
        const std::uint32_t end = block(row[found.begin + found.period - 1]).end;
        const bool isHeavy = holdsWeights(begin, end);
        if (found.copies < 2 || (end - begin < 2 && !isHeavy))
            return Strength::None;
        if (found.period == 1 && first.kind != Block::Kind::Unit)
            return Strength::SameGroup;
        if (found.copies > 2)
            return Strength::Many;
        constexpr std::uint32_t kFewNodes = 4;
        return found.period > 1 && isHeavy && end - begin >= kFewNodes ? Strength::Twice : Strength::None;
    }

    /// The strongest kind there is, the shortest periods first; apart from each other.
    std::vector<Repetition> repetitions(const Row& row)
    {
        std::vector<TandemRun> runs = tandemRuns(lettersOf(m_tree.blocks, row));
        std::stable_sort(runs.begin(), runs.end(), [](const TandemRun& a, const TandemRun& b) {
            return std::make_tuple(a.period, b.end - b.begin) < std::make_tuple(b.period, a.end - a.begin);
        });
        std::vector<std::pair<Strength, Repetition>> found;
        Strength best = Strength::None;
        for (const TandemRun& run : runs) {
            for (const Repetition& repetition : equalCopies(inPhase(row, run))) {
                const Strength strength = strengthOf(row, repetition);
                if (strength != Strength::None)
                    found.emplace_back(strength, repetition);
                best = std::min(best, strength);
            }
        }
        std::vector<Repetition> chosen;
        std::vector<bool> isTaken(row.size(), false);
        for (const auto& [strength, repetition] : found) {
            const auto first = isTaken.begin() + repetition.begin;
            const auto last = first + repetition.period * repetition.copies;
            if (strength != best || std::find(first, last, true) != last)
                continue;
            std::fill(first, last, true);
            chosen.push_back(repetition);
        }
        std::sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
        return chosen;
    }

    /// Where to cut a run: where the fewest values cross, then where most copies fit, then where they are equally long,
    /// then as early as possible.
    Repetition inPhase(const Row& row, const TandemRun& run) const
    {
        Repetition best;
        std::tuple<double, std::uint32_t, bool> lowest;
        for (std::uint32_t shift = 0; shift < run.period; ++shift) {
            const Repetition phase{run.begin + shift, run.period, (run.end - run.begin - shift) / run.period};
            if (phase.copies < 2)
                break;
            std::int64_t width = 0;
            for (std::uint32_t copy = 1; copy < phase.copies; ++copy)
                width += m_live[block(row[phase.begin + copy * phase.period]).begin];
            const double mean = static_cast<double>(width) / (phase.copies - 1);
            const auto cost = std::make_tuple(mean, ~phase.copies, !areEquallyLong(row, phase));
            if (shift != 0 && cost >= lowest)
                continue;
            best = phase;
            lowest = cost;
        }
        return best;
    }

    bool areEquallyLong(const Row& row, const Repetition& phase) const
    {
        const auto size = [&](std::uint32_t copy) {
            const std::uint32_t first = phase.begin + copy * phase.period;
            return block(row[first + phase.period - 1]).end - block(row[first]).begin;
        };
        for (std::uint32_t copy = 1; copy < phase.copies; ++copy) {
            if (size(copy) != size(0))
                return false;
        }
        return true;
    }

    /// Copies next to each other that are wired alike.
    std::vector<Repetition> equalCopies(const Repetition& all)
    {
        std::vector<Repetition> equal;
        std::uint64_t last = 0;
        for (std::uint32_t copy = 0; copy < all.copies; ++copy) {
            const std::uint32_t begin = all.begin + copy * all.period;
            const std::uint64_t hash = m_wiring.hash(begin, begin + all.period);
            if (equal.empty() || hash != last)
                equal.push_back({begin, all.period, 0});
            ++equal.back().copies;
            last = hash;
        }
        return equal;
    }

    Row contracted(const Row& row, const std::vector<Repetition>& chosen)
    {
        std::vector<std::uint64_t> hashes;
        for (const Repetition& repetition : chosen)
            hashes.push_back(m_wiring.hash(repetition.begin, repetition.begin + repetition.period));
        Row shorter;
        std::uint32_t at = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            const auto [begin, period, copies] = chosen[i];
            shorter.insert(shorter.end(), row.begin() + at, row.begin() + begin);
            Row run;
            for (at = begin; at < begin + period * copies; at += period) {
                const Row copy(row.begin() + at, row.begin() + at + period);
                run.push_back(period == 1 ? copy[0] : add(Block::Kind::Group, withRuns(copy), hashes[i]));
            }
            shorter.push_back(add(Block::Kind::Run, std::move(run), hashes[i]));
        }
        shorter.insert(shorter.end(), row.begin() + at, row.end());
        return shorter;
    }

    const WorkSequence& m_sequence;
    Wiring m_wiring;
    std::vector<std::int32_t> m_live; // [places]
    std::vector<std::uint32_t> m_weights; // [places + 1] nodes before that read a parameter
    BlockTree m_tree;
};

} // namespace

BlockTree findBlocks(const WorkSequence& sequence, const std::vector<bool>& hasWeights)
{
    return BlockFinder(sequence, hasWeights).find();
}

} // namespace duo
