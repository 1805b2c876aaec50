// SPDX-License-Identifier: Apache-2.0
// DecidedUse: what was decided about one use of a tensor, and how such decisions become matches.
#pragma once

#include "core/content/wanted_tensors.h"
#include "core/content/witnesses.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

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

struct DecidedUse {
    std::uint32_t read = 0; // index into Wanted::reads
    TensorUse use;
    const Derivation* derivation = nullptr; // null: open
    WitnessedKey key; // of the first part; of the batch norm if there are no parts
    ChosenNorm norm; // null if none was folded
    std::vector<std::uint32_t> tied; // further keys of the tensor, which the checkpoint does not record as ties
};

/// One match for the uses of a tensor that have the same owner and certainty; sorted by tensor, then first reader.
/// @param uses by read, then reader
std::vector<ContentMatch> matchesOf(const ContentSearch& search, const std::vector<DecidedUse>& uses);

} // namespace duo
