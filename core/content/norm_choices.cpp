// SPDX-License-Identifier: Apache-2.0
#include "core/content/norm_choices.h"

#include <algorithm>

namespace duo {
namespace {

std::string_view parentOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

} // namespace

ChosenNorm NormChoices::nearest(const Derivation& derivation, std::uint32_t owner) const
{
    const std::string_view parent = parentOf(m_search.names.owner(owner));
    const NormKeys* beside = nullptr;
    int besides = 0;
    const NormKeys* next = nullptr;
    for (const NormKeys& norm : derivation.norms) {
        if (parentOf(m_search.names.owner(norm.keys.front())) == parent) {
            beside = &norm;
            ++besides;
        }
        if (next == nullptr && norm.keys.front() > owner)
            next = &norm;
    }
    if (besides == 1)
        return {beside, Certainty::Witnessed};
    return {next != nullptr ? next : &derivation.norms.back(), Certainty::Guess};
}

std::optional<ChosenNorm> NormChoices::choose(
    const Derivation& derivation, NodeId reader, std::optional<std::uint32_t> owner)
{
    ChosenNorm chosen;
    if (derivation.norms.size() == 1) {
        chosen = {&derivation.norms.front(), Certainty::Proof};
    } else if (derivation.followsWeight) {
        const auto known = m_atReader.find(reader.index);
        if (known == m_atReader.end())
            return std::nullopt;
        const auto norm = std::ranges::find(derivation.norms, known->second.norm, &NormKeys::norm);
        if (norm == derivation.norms.end())
            return std::nullopt;
        return ChosenNorm{&*norm, known->second.certainty};
    } else if (owner) {
        chosen = nearest(derivation, *owner);
    } else {
        return std::nullopt;
    }
    m_atReader.try_emplace(reader.index, Remembered{chosen.norm->norm, chosen.certainty});
    return chosen;
}

} // namespace duo
