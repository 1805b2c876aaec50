// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/half_search.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kGroups = 16; // at first
constexpr std::size_t kParts = 4; // of a group that is looked at closer
constexpr int kAskedBeforeEnd = 80; // then groups stay as large as they are
constexpr std::size_t kGivenBack = 32; // tries

class CostSearch
{
public:
    CostSearch(std::size_t count, double most, const HalvedNoise& noiseOf)
        : m_count(count)
        , m_most(most)
        , m_noiseOf(noiseOf)
    {
    }

    Result<CostlyNodes> run()
    {
        DUO_TRY(noise, noiseWithout(0));
        if (noise <= m_most)
            return CostlyNodes{{}, noise};
        DUO_CHECK(addParts({0, m_count}, kGroups));
        for (;;) {
            DUO_TRY(found, fewest());
            if (!canLookCloser(found.ranges.size())) {
                DUO_CHECK(giveBack(found));
                return inOrder(std::move(found));
            }
            DUO_CHECK(lookCloser(found.ranges.size()));
        }
    }

private:
    Result<double> ask(const std::vector<bool>& isHalf)
    {
        ++m_asked;
        return m_noiseOf(isHalf);
    }

    [[nodiscard]] std::vector<bool> allBut(std::span<const NodeRange> ranges) const
    {
        std::vector<bool> isHalf(m_count, true);
        for (const NodeRange& range : ranges)
            std::fill_n(isHalf.begin() + static_cast<std::ptrdiff_t>(range.first), range.count, false);
        return isHalf;
    }

    /// With all in 16 bits but the first ranges.
    Result<double> noiseWithout(std::size_t ranges) { return ask(allBut({m_ranges.data(), ranges})); }

    /// Measures each part of a range, and keeps ranges sorted by what they cost per node.
    Status addParts(NodeRange whole, std::size_t parts)
    {
        parts = std::min(parts, whole.count);
        for (std::size_t i = 0; i < parts; ++i) {
            const std::size_t first = whole.first + whole.count * i / parts;
            NodeRange part{first, whole.first + whole.count * (i + 1) / parts - first};
            std::vector<bool> isHalf(m_count);
            std::fill_n(isHalf.begin() + static_cast<std::ptrdiff_t>(part.first), part.count, true);
            DUO_TRY(noise, ask(isHalf));
            part.noise = noise;
            m_ranges.push_back(part);
        }
        std::ranges::stable_sort(m_ranges, [](const NodeRange& a, const NodeRange& b) {
            const double ofA = a.noise / static_cast<double>(a.count);
            const double ofB = b.noise / static_cast<double>(b.count);
            return ofA != ofB ? ofA > ofB : a.first < b.first;
        });
        return success();
    }

    /// The first ranges without which the bound holds, as few as a bisection finds.
    Result<CostlyNodes> fewest()
    {
        std::size_t tooFew = 0;
        std::size_t enough = m_ranges.size(); // nothing in 16 bits
        double left = 0;
        while (enough - tooFew > 1) {
            const std::size_t middle = tooFew + (enough - tooFew) / 2;
            DUO_TRY(noise, noiseWithout(middle));
            const bool holds = noise <= m_most;
            left = holds ? noise : left;
            (holds ? enough : tooFew) = middle;
        }
        return CostlyNodes{{m_ranges.begin(), m_ranges.begin() + static_cast<std::ptrdiff_t>(enough)}, left};
    }

    [[nodiscard]] bool canLookCloser(std::size_t ranges) const
    {
        return m_asked < kAskedBeforeEnd
            && std::any_of(m_ranges.begin(), m_ranges.begin() + static_cast<std::ptrdiff_t>(ranges),
                [](const NodeRange& range) { return range.count > 1; });
    }

    Status lookCloser(std::size_t ranges)
    {
        const auto end = m_ranges.begin() + static_cast<std::ptrdiff_t>(ranges);
        std::vector<NodeRange> wide;
        std::copy_if(m_ranges.begin(), end, std::back_inserter(wide), [](const NodeRange& it) { return it.count > 1; });
        m_ranges.erase(std::remove_if(m_ranges.begin(), end, [](const NodeRange& it) { return it.count > 1; }), end);
        for (const NodeRange& range : wide)
            DUO_CHECK(addParts(range, kParts));
        return success();
    }

    /// What costs less beside others than alone, in 16 bits again; the widest ranges are tried first.
    Status giveBack(CostlyNodes& found)
    {
        std::ranges::stable_sort(found.ranges, std::ranges::greater(), &NodeRange::count);
        std::size_t tried = 0;
        for (std::size_t i = 0; i < found.ranges.size() && tried < kGivenBack; ++tried) {
            std::vector<NodeRange> fewer = found.ranges;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            DUO_TRY(noise, ask(allBut(fewer)));
            if (noise <= m_most)
                found = {std::move(fewer), noise};
            else
                ++i;
        }
        return success();
    }

    static CostlyNodes inOrder(CostlyNodes found)
    {
        std::ranges::sort(found.ranges, {}, &NodeRange::first);
        return found;
    }

    std::size_t m_count;
    double m_most;
    const HalvedNoise& m_noiseOf;
    std::vector<NodeRange> m_ranges; // all nodes, those that cost most per node first
    int m_asked = 0;
};

} // namespace

Result<CostlyNodes> findCostlyNodes(std::size_t count, double most, const HalvedNoise& noiseOf)
{
    return CostSearch(count, most, noiseOf).run();
}

} // namespace duo
