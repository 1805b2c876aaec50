// SPDX-License-Identifier: Apache-2.0
// NormChoices: which of several batch norms of equal values was folded into a tensor.
#pragma once

#include "core/content/search/wanted_tensors.h"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace duo {

struct ChosenNorm {
    const NormKeys* norm = nullptr;
    Certainty certainty = Certainty::Proof;
};

class NormChoices
{
public:
    explicit NormChoices(const ContentSearch& search)
        : m_search(search)
    {
    }

    /// The only norm; else the one chosen for the weight of this node; else the only one beside the owner's module;
    /// else, as a guess, the next one in definition order (fresh batch norms are all equal). Remembered for the node's
    /// bias.
    /// @param owner key of the first part; nothing for a bias without one, which must follow its weight
    std::optional<ChosenNorm> choose(const Derivation& derivation, NodeId reader, std::optional<std::uint32_t> owner);

private:
    [[nodiscard]] ChosenNorm nearest(const Derivation& derivation, std::uint32_t owner) const;

    struct Remembered {
        std::uint32_t norm = 0;
        Certainty certainty = Certainty::Proof;
    };
    const ContentSearch& m_search;
    std::unordered_map<std::uint32_t, Remembered> m_atReader; // by node
};

} // namespace duo
