// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/block_tree.h"

#include "core/scope/structure/joined_stretches.h"
#include "core/scope/structure/tandem_runs.h"
#include "core/scope/structure/units.h"
#include "core/scope/structure/wiring.h"

#include <algorithm>
#include <tuple>

namespace duo {
namespace {

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
        std::sort(hashes.begin(), hashes.end());
        hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
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
