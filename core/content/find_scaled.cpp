// SPDX-License-Identifier: Apache-2.0
#include "core/content/searches.h"

#include "core/content/batch_norms.h"
#include "core/content/channel_view.h"
#include "core/content/explain_scale.h"
#include "core/content/float_values.h"
#include "core/content/follow_bias.h"
#include "core/content/scale_fit.h"
#include "core/content/telling.h"
#include "core/content/wanted_tensors.h"
#include "core/content/wanted_values.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace duo {
namespace {

/// Where the largest element of a channel stands is the same before and after scaling: two channels make a key, or of a
/// single channel (a vector) its two largest elements.
struct PeakQuery {
    std::size_t set = 0; // of Wanted
    ViewPair views;
    std::pair<std::int64_t, std::int64_t> channels; // equal if there is only one
    std::pair<std::int64_t, std::int64_t> peaks; // elements of these channels
    bool isClear = false; // else nothing stands out, and every tensor of the shape is a candidate
};

class PeakIndex
{
public:
    /// Reads two channels of every floating stored tensor that some query could mean. @return Cancelled
    static Result<PeakIndex> of(const ContentSearch& search, const std::vector<PeakQuery>& queries);

    /// Stored sets for query number q, in definition order; at most kMostTried.
    [[nodiscard]] std::span<const std::uint32_t> find(std::size_t q) const;

    static constexpr std::size_t kMostTried = 64;

private:
    std::vector<std::vector<std::uint32_t>> m_found; // [queries]
};

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

/// Takes the first two of 64 channels whose largest elements stand out so far that rounding cannot have moved them.
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

/// A wanted set that is still open, and the queries made for it.
struct OpenSet {
    std::size_t set = 0;
    std::optional<WeightQuantization> quantization;
    std::vector<PeakQuery> queries;
    std::size_t firstQuery = 0; // in the list of all
};

/// Small tensors are looked at, though they need a second witness; large ones without information are not.
bool mayBeScaled(const ContentSearch& search, const WantedSet& set)
{
    constexpr std::int64_t kFewest = 4;
    const bool isSmall = set.tensor->elements() < kFewestTelling;
    if (!set.found.empty() || set.tensor->elements() < kFewest)
        return false;
    if (isFloating(set.tensor->type))
        return (set.tells || isSmall) && isConvertible(set.tensor->type) && set.tensor->type != ElementType::Float64;
    return quantizationOf(search.model, search.wanted.reads[set.reads.front()]).has_value();
}

OpenSet openSet(const ContentSearch& search, std::size_t s)
{
    const WantedSet& set = search.wanted.sets[s];
    const ReadTensor& read = search.wanted.reads[set.reads.front()];
    OpenSet open{s, quantizationOf(search.model, read), {}, 0};
    const TensorUse& use = read.uses.front();
    for (const ViewPair& views : viewPairs(*set.tensor, search.model.node(use.reader), use.port))
        open.queries.push_back(peakQuery(s, *set.tensor, views, open.quantization));
    return open;
}

/// Sets whose keys have the tensor's name and that can be seen so, before those that the peaks lead to.
std::vector<std::uint32_t> candidates(
    const ContentSearch& search, const WantedSet& set, const PeakQuery& query, std::span<const std::uint32_t> byPeaks)
{
    std::vector<std::uint32_t> result;
    for (const std::string_view name : namesOf(search.model, search.wanted.reads[set.reads.front()])) {
        const auto key = search.names.find(name);
        const auto stored = key ? search.stored.setOf(*key) : std::nullopt;
        if (!stored)
            continue;
        const Tensor& tensor = search.stored.tensor(*stored);
        if (tensor.elements() == set.tensor->elements() && isConvertible(tensor.type)
            && fitsView(tensor, *set.tensor, query.views))
            result.push_back(*stored);
    }
    for (const std::uint32_t stored : byPeaks) {
        if (std::ranges::find(result, stored) == result.end())
            result.push_back(stored);
    }
    return result;
}

void findOne(const ContentSearch& search, const BatchNorms& norms, const PeakIndex& index, const OpenSet& open)
{
    WantedSet& set = search.wanted.sets[open.set];
    std::optional<WantedValues> values; // made when there is a candidate
    for (std::size_t q = 0; q < open.queries.size(); ++q) {
        const PeakQuery& query = open.queries[q];
        for (const std::uint32_t stored : candidates(search, set, query, index.find(open.firstQuery + q))) {
            if (!values)
                values.emplace(*set.tensor, open.quantization);
            const bool isSmall = set.tensor->elements() < kFewestTelling;
            if ((!isSmall && !values->areTelling()) || search.job.stopped())
                return;
            const FloatValues floats(search.stored.tensor(stored));
            std::vector<float> copy;
            const auto inOrder = inWantedOrder(floats.all(), query.views, copy);
            const auto fit = fitScale(*values, inOrder, query.views.wanted, search.job);
            if (!fit)
                continue;
            if (auto found = explainScale(search, norms, {*set.tensor, *values, stored, inOrder, query.views, *fit}))
                set.found.push_back(*std::move(found));
        }
    }
}

} // namespace

Status findScaledInPlace(ContentSearch& search)
{
    auto& sets = search.wanted.sets;
    std::vector<OpenSet> open;
    for (std::size_t s = 0; s < sets.size(); ++s) {
        if (mayBeScaled(search, sets[s]))
            open.push_back({s, {}, {}, 0});
    }
    DUO_CHECK(parallelFor(open.size(), search.threads, search.job, [&](std::size_t i) {
        open[i] = openSet(search, open[i].set);
        return success();
    }));
    std::vector<PeakQuery> queries;
    for (OpenSet& one : open) {
        one.firstQuery = queries.size();
        queries.insert(queries.end(), one.queries.begin(), one.queries.end());
    }
    DUO_TRY(index, PeakIndex::of(search, queries));
    const BatchNorms norms(search.checkpoint, search.names, search.stored);
    DUO_CHECK(parallelFor(open.size(), search.threads, search.job, [&](std::size_t i) {
        findOne(search, norms, index, open[i]);
        return success();
    }));
    return followBiasesInPlace(search, norms);
}

} // namespace duo
