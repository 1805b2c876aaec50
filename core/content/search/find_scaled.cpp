// SPDX-License-Identifier: Apache-2.0
#include "core/content/search/find_scaled.h"

#include "core/content/search/batch_norms.h"
#include "core/content/search/explain_scale.h"
#include "core/content/search/follow_bias.h"
#include "core/content/search/peak_index.h"
#include "core/content/search/scale_fit.h"
#include "core/content/values/telling.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace duo {
namespace {

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
