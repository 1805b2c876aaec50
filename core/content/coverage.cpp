// SPDX-License-Identifier: Apache-2.0
#include "core/content/coverage.h"

#include "core/content/values/telling.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace duo {
namespace {

/// Surest first, then simplest.
using Rank = std::pair<Certainty, MatchKind>;

void countKeys(const ContentSearch& search, ContentMatches& result)
{
    std::vector<std::optional<Rank>> ranks(search.checkpoint.keys.size());
    for (const ContentMatch& match : result.matches) {
        const Rank rank{match.certainty, match.kind};
        for (const auto* keys : {&match.keys, &match.aliases}) {
            for (const std::uint32_t key : *keys)
                ranks[key] = ranks[key] ? std::min(*ranks[key], rank) : rank;
        }
    }
    std::map<MatchKind, std::int64_t> foundBy;
    for (const auto& rank : ranks) {
        if (rank)
            ++foundBy[rank->second];
    }
    result.coverage.keys = static_cast<std::int64_t>(ranks.size());
    for (const auto& [kind, count] : foundBy)
        result.coverage.found += count;
    result.coverage.foundBy.assign(foundBy.begin(), foundBy.end());
}

void countTensors(const ContentSearch& search, ContentMatches& result)
{
    std::set<TensorId> matched;
    for (const ContentMatch& match : result.matches) {
        if (match.certainty != Certainty::Undecided)
            matched.insert(match.tensor);
    }
    for (const ReadTensor& read : search.wanted.reads) {
        const Tensor& tensor = search.model.tensor(read.tensor);
        const bool isMatched = matched.contains(read.tensor);
        const bool isLarge
            = tensor.elements() >= kFewestTelling && (isFloating(tensor.type) || read.dequantizer.valid());
        result.coverage.tensors += isLarge || isMatched ? 1 : 0;
        result.coverage.matched += isMatched ? 1 : 0;
    }
}

void findUnequalNames(const ContentSearch& search, ContentMatches& result)
{
    for (const ReadTensor& read : search.wanted.reads) {
        const auto key = search.names.find(search.model.value(read.value).name);
        if (!key)
            continue;
        const auto matches = result.of(read.tensor);
        const bool isFound = std::ranges::any_of(matches, [&](const ContentMatch& match) {
            const auto holds
                = [&](const std::vector<std::uint32_t>& keys) { return std::ranges::find(keys, *key) != keys.end(); };
            return holds(match.keys) || holds(match.aliases) || holds(match.candidates);
        });
        if (!isFound)
            result.unequalNames.push_back({read.tensor, *key});
    }
}

} // namespace

void addCoverage(const ContentSearch& search, ContentMatches& result)
{
    countKeys(search, result);
    countTensors(search, result);
    findUnequalNames(search, result);
}

} // namespace duo
