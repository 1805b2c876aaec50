// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/log_histogram.h"

#include <algorithm>
#include <cmath>

namespace duo {

std::vector<BinCount> BinView::bins() const
{
    std::vector<BinCount> all;
    for (int bin = lowest; !isEmpty && bin <= highest; bin = above(bin)) {
        if (const std::uint64_t found = count(bin); found > 0)
            all.push_back({bin, found});
    }
    return all;
}

std::vector<BinCount> BinView::outerBins(std::uint64_t enough) const
{
    std::vector<BinCount> outer;
    if (isEmpty)
        return outer;
    int reached = lowest;
    for (std::uint64_t seen = 0; seen < enough && reached <= highest; reached = above(reached)) {
        if (const std::uint64_t found = count(reached); found > 0) {
            outer.push_back({reached, found});
            seen += found;
        }
    }
    const auto middle = static_cast<std::ptrdiff_t>(outer.size());
    int bin = highest;
    for (std::uint64_t seen = 0; seen < enough && bin >= reached; bin = below(bin)) {
        if (const std::uint64_t found = count(bin); found > 0) {
            outer.push_back({bin, found});
            seen += found;
        }
    }
    std::reverse(outer.begin() + middle, outer.end());
    return outer;
}

/// @param from |bin| of more[0]
void BinTotals::Side::add(std::span<const std::uint32_t> more, std::size_t from)
{
    constexpr std::size_t kStep = 64; // grown by whole powers of two, and two
    const std::size_t last = from + more.size() - 1;
    if (counts.empty() || from < first || last >= first + counts.size()) {
        const std::size_t begin = std::min(from, counts.empty() ? from : first) / kStep * kStep;
        const std::size_t end = (std::max(last, counts.empty() ? last : first + counts.size() - 1) / kStep + 1) * kStep;
        std::vector<std::uint64_t> grown(end - begin);
        std::ranges::copy(counts, grown.begin() + static_cast<std::ptrdiff_t>(counts.empty() ? 0 : first - begin));
        counts = std::move(grown);
        first = begin;
    }
    std::uint64_t* const into = counts.data() + (from - first);
    const std::uint32_t* const what = more.data();
    for (std::size_t i = 0; i < more.size(); ++i)
        into[i] += what[i];
}

void BinTotals::add(const BinView& view)
{
    if (view.isEmpty)
        return;
    m_zeros += view.count(0);
    const auto addSide = [&view](Side& side, std::span<const std::uint32_t> counts, int farthest) {
        if (farthest >= view.nearest)
            side.add(
                counts.subspan(view.placeOf(view.nearest), view.placeOf(farthest) - view.placeOf(view.nearest) + 1),
                static_cast<std::size_t>(view.nearest));
    };
    addSide(m_positive, view.positive, view.highest);
    addSide(m_negative, view.negative, -view.lowest);
}

std::vector<BinCount> BinTotals::bins() const
{
    std::vector<BinCount> all;
    for (std::size_t i = m_negative.counts.size(); i-- > 0;) {
        if (m_negative.counts[i] > 0)
            all.push_back({-static_cast<int>(m_negative.first + i), m_negative.counts[i]});
    }
    if (m_zeros > 0)
        all.push_back({0, m_zeros});
    for (std::size_t i = 0; i < m_positive.counts.size(); ++i) {
        if (m_positive.counts[i] > 0)
            all.push_back({static_cast<int>(m_positive.first + i), m_positive.counts[i]});
    }
    return all;
}

void LogHistogram::add(std::span<const BinCount> bins)
{
    std::vector<BinCount> unknown;
    auto at = m_bins.begin();
    for (const BinCount& bin : bins) {
        while (at != m_bins.end() && at->bin < bin.bin)
            ++at;
        if (at != m_bins.end() && at->bin == bin.bin) {
            at->count += bin.count;
        } else if (bin.count > 0) {
            unknown.push_back(bin);
        }
    }
    if (unknown.empty())
        return;
    const auto middle = static_cast<std::ptrdiff_t>(m_bins.size());
    m_bins.insert(m_bins.end(), unknown.begin(), unknown.end());
    std::inplace_merge(m_bins.begin(), m_bins.begin() + middle, m_bins.end(),
        [](const auto& a, const auto& b) { return a.bin < b.bin; });
}

std::uint64_t LogHistogram::total() const
{
    std::uint64_t total = 0;
    for (const BinCount& bin : m_bins)
        total += bin.count;
    return total;
}

namespace {

/// The value of a rank, from 0.
double valueAt(const LogHistogram& histogram, std::uint64_t rank)
{
    std::uint64_t before = 0;
    for (const BinCount& bin : histogram.bins()) {
        if (before + bin.count <= rank) {
            before += bin.count;
            continue;
        }
        if (bin.bin == 0)
            return 0;
        const int k = std::abs(bin.bin);
        const double near = logbin::lower(k);
        const double far = k == logbin::kLast ? near : static_cast<double>(logbin::lower(k + 1));
        const double share = (static_cast<double>(rank - before) + 0.5)
            / static_cast<double>(bin.count); // of the bin, by rising value
        return bin.bin > 0 ? near + share * (far - near) : -(far - share * (far - near));
    }
    return 0;
}

} // namespace

float quantileOf(const LogHistogram& histogram, double q, float least, float most)
{
    const std::uint64_t total = histogram.total();
    if (total == 0)
        return 0;
    const double position = std::clamp(q, 0.0, 1.0) * static_cast<double>(total - 1);
    const auto rank = static_cast<std::uint64_t>(position);
    const auto exactAt = [&](std::uint64_t at) {
        const double inside = at == 0 ? least : at + 1 >= total ? most : valueAt(histogram, at);
        return std::clamp<double>(inside, least, most);
    };
    const double value = exactAt(rank);
    const double next = exactAt(std::min(rank + 1, total - 1));
    return static_cast<float>(value + (position - static_cast<double>(rank)) * (next - value));
}

} // namespace duo
