// SPDX-License-Identifier: Apache-2.0
#include "core/content/match_evidence.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kMostNamed = 4;

std::string keyList(const ContentSearch& search, const std::vector<std::uint32_t>& keys)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), kMostNamed); ++i)
        text += (i == 0 ? "'" : ", '") + search.checkpoint.keys[keys[i]].name + "'";
    if (keys.size() > kMostNamed)
        text += " and " + std::to_string(keys.size() - kMostNamed) + " more";
    return text;
}

std::string numberList(const std::vector<int>& numbers)
{
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

} // namespace

std::vector<std::string> matchEvidence(
    const ContentSearch& search, const WantedSet& set, const Derivation& derivation, const ContentMatch& match)
{
    const bool hasKeys = !match.keys.empty();
    std::string values = derivation.how.empty() ? "equal to " : derivation.how + " ";
    values += keyList(search, hasKeys ? match.keys : match.candidates);
    if (!match.transform.axes.empty())
        values += ", axes in the order " + numberList(match.transform.axes);
    if (!match.transform.gates.empty())
        values += ", blocks in the order " + numberList(match.transform.gates);
    values += ", " + std::to_string(set.tensor->elements()) + " elements";
    std::vector<std::string> evidence{std::move(values)};
    if (!match.guessed.empty())
        evidence.push_back(std::to_string(derivation.norms.size()) + " batch norms fit as well as "
            + keyList(search, match.guessed) + ", the next one in definition order");
    if (!derivation.tells)
        evidence.emplace_back("its values alone say little");
    if (hasKeys && match.candidates.size() > 1)
        evidence.push_back(
            std::to_string(match.candidates.size()) + " keys have these values: " + keyList(search, match.candidates));
    return evidence;
}

} // namespace duo
