// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/merge_candidates.h"

#include <algorithm>
#include <tuple>

namespace duo {
namespace {

auto rank(const QuantizerConfig& config, std::ptrdiff_t votes)
{
    return std::tuple(votes, -config.numBits, config.perChannel, config.mode == QuantizationMode::Asymmetric);
}

} // namespace

Candidates commonCandidates(const std::vector<Candidates>& lists)
{
    std::vector<std::pair<QuantizerConfig, std::ptrdiff_t>> common;
    for (const QuantizerConfig& config : lists.front()) {
        std::ptrdiff_t votes = 0;
        bool isCommon = true;
        for (const Candidates& list : lists) {
            const auto found = std::find(list.begin(), list.end(), config);
            isCommon = isCommon && found != list.end();
            votes += found - list.begin();
        }
        if (isCommon)
            common.emplace_back(config, votes);
    }
    std::stable_sort(common.begin(), common.end(),
        [](const auto& a, const auto& b) { return rank(a.first, a.second) < rank(b.first, b.second); });
    Candidates merged;
    for (const auto& [config, votes] : common)
        merged.push_back(config);
    return merged;
}

} // namespace duo
