// SPDX-License-Identifier: Apache-2.0
#include "core/content/search/peak_index.h"

#include "core/content/values/float_values.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace duo {
namespace {

constexpr std::int64_t kMostChannels = 64;

/// The three largest elements of a channel by absolute value: where the first two stand, and how large all are.
struct Peaks {
    std::int64_t first = 0;
    std::int64_t second = 0;
    float sizes[3] = {0, 0, 0};

    void add(std::int64_t index, float value)
    {
        const float size = std::abs(value);
        if (size > sizes[0]) {
            std::tie(sizes[2], sizes[1], sizes[0]) = std::tuple(sizes[1], sizes[0], size);
            std::tie(second, first) = std::pair(first, index);
        } else if (size > sizes[1]) {
            std::tie(sizes[2], sizes[1]) = std::pair(sizes[1], size);
            second = index;
        } else {
            sizes[2] = std::max(sizes[2], size);
        }
    }
};

template <typename ElementAt> Peaks peaksOf(const ChannelView& view, std::int64_t channel, const ElementAt& elementAt)
{
    Peaks peaks;
    for (std::int64_t i = 0; i < view.perChannel(); ++i)
        peaks.add(i, elementAt(view.at(channel, i)));
    return peaks;
}

/// The wanted tensors that are looked for among the same stored ones, by the same channels.
using Group = std::tuple<ViewPair, std::vector<std::int64_t>, bool, std::pair<std::int64_t, std::int64_t>>;

Group groupOf(const ContentSearch& search, const PeakQuery& query)
{
    const bool needsDims = query.views.stored.outer > 1 || query.views.stored.groups > 1;
    const Tensor& wanted = *search.wanted.sets[query.set].tensor;
    return {query.views, needsDims ? wanted.dims : std::vector<std::int64_t>{}, query.isClear, query.channels};
}

std::pair<std::int64_t, std::int64_t> storedPeaks(const Tensor& tensor, const PeakQuery& query)
{
    const auto elementAt = [&](std::size_t i) { return floatAt(tensor, i); };
    const Peaks first = peaksOf(query.views.stored, query.channels.first, elementAt);
    if (query.channels.first == query.channels.second)
        return {first.first, first.second};
    return {first.first, peaksOf(query.views.stored, query.channels.second, elementAt).first};
}

} // namespace

PeakQuery peakQuery(
    std::size_t set, const Tensor& wanted, const ViewPair& views, const std::optional<WeightQuantization>& quantization)
{
    const float margin = elementBits(wanted.type) >= 32 ? 0.9999F : 0.98F;
    const auto elementAt = [&](std::size_t i) {
        const float value = floatAt(wanted, i);
        if (!quantization)
            return value;
        const std::size_t s = quantization->at(i);
        return (value - quantization->zeroPoints[s]) * quantization->scales[s];
    };
    PeakQuery query{set, views, {}, {}, false};
    const std::int64_t channels = views.wanted.allChannels();
    std::vector<std::pair<std::int64_t, std::int64_t>> clear; // channel, peak
    for (std::int64_t c = 0; c < std::min(channels, kMostChannels) && clear.size() < 2; ++c) {
        const Peaks peaks = peaksOf(views.wanted, c, elementAt);
        if (!(peaks.sizes[1] < margin * peaks.sizes[0]))
            continue;
        clear.emplace_back(c, peaks.first);
        if (channels == 1 && peaks.sizes[2] < margin * peaks.sizes[1])
            clear.emplace_back(c, peaks.second);
    }
    query.isClear = clear.size() == 2;
    if (query.isClear) {
        query.channels = {clear[0].first, clear[1].first};
        query.peaks = {clear[0].second, clear[1].second};
    }
    return query;
}

Result<PeakIndex> PeakIndex::of(const ContentSearch& search, const std::vector<PeakQuery>& queries)
{
    std::map<Group, std::vector<std::size_t>> groups;
    for (std::size_t q = 0; q < queries.size(); ++q)
        groups[groupOf(search, queries[q])].push_back(q);
    struct Look {
        const std::vector<std::size_t>* queries = nullptr;
        std::uint32_t stored = 0;
        std::pair<std::int64_t, std::int64_t> peaks;
    };
    std::vector<Look> looks;
    for (const auto& [group, members] : groups) {
        const Tensor& wanted = *search.wanted.sets[queries[members.front()].set].tensor;
        for (const std::uint32_t stored : search.stored.ofSize(wanted.elements())) {
            const Tensor& tensor = search.stored.tensor(stored);
            if (isConvertible(tensor.type) && fitsView(tensor, wanted, queries[members.front()].views))
                looks.push_back({&members, stored, {}});
        }
    }
    DUO_CHECK(parallelFor(looks.size(), search.threads, search.job, [&](std::size_t i) {
        const PeakQuery& query = queries[looks[i].queries->front()];
        if (query.isClear)
            looks[i].peaks = storedPeaks(search.stored.tensor(looks[i].stored), query);
        return success();
    }));
    std::map<std::pair<const void*, std::pair<std::int64_t, std::int64_t>>, std::vector<std::uint32_t>> byPeaks;
    for (const Look& look : looks)
        byPeaks[{look.queries, look.peaks}].push_back(look.stored);
    PeakIndex index;
    index.m_found.resize(queries.size());
    for (const auto& [group, members] : groups) {
        for (const std::size_t q : members) {
            const auto found = byPeaks.find({&members, queries[q].peaks});
            if (found == byPeaks.end())
                continue;
            const std::size_t count = std::min(found->second.size(), kMostTried);
            index.m_found[q].assign(found->second.begin(), found->second.begin() + static_cast<std::ptrdiff_t>(count));
        }
    }
    return index;
}

std::span<const std::uint32_t> PeakIndex::find(std::size_t q) const
{
    return m_found[q];
}

} // namespace duo
