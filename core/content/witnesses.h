// SPDX-License-Identifier: Apache-2.0
// Witnesses: what besides values says which key a node reads.
#pragma once

#include "core/content/wanted_tensors.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// The key that a witness names, out of a set of equal ones.
struct WitnessedKey {
    std::uint32_t key = 0; // the first of its ties
    Certainty certainty = Certainty::Witnessed;
    std::string evidence;
};

class Witnesses
{
public:
    Witnesses(const ContentSearch& search, const ContentPriors& priors);

    /// Which tensor of the stored set this use reads, by the exporter's record, the names in the file, or the module
    /// that runs; in this order of trust. Needs nothing decided before. O(witnesses), not O(set).
    /// @param leaf what the key should be called in its module; "" if anything
    [[nodiscard]] std::optional<WitnessedKey> direct(
        const ReadTensor& read, const TensorUse& use, std::uint32_t set, std::string_view leaf) const;

    /// The same by what was decided of other tensors that this node, or the product before it or the sum behind it,
    /// reads.
    [[nodiscard]] std::optional<WitnessedKey> byNeighbours(
        const TensorUse& use, std::uint32_t set, std::string_view leaf) const;

    /// Makes a decision known to byNeighbours.
    void addDecided(NodeId reader, std::uint32_t key);

private:
    [[nodiscard]] std::optional<WitnessedKey> byRecord(
        const TensorUse& use, std::uint32_t set, std::string_view leaf) const;
    [[nodiscard]] std::optional<WitnessedKey> byName(
        const ReadTensor& read, const TensorUse& use, std::uint32_t set) const;
    [[nodiscard]] std::optional<WitnessedKey> byModule(
        const TensorUse& use, std::uint32_t set, std::string_view leaf) const;
    [[nodiscard]] std::optional<std::uint32_t> onlyKeyOf(
        std::string_view module, const TensorUse& use, std::uint32_t set, std::string_view leaf) const;
    [[nodiscard]] std::optional<std::uint32_t> only(
        std::vector<std::uint32_t> keys, const TensorUse& use, std::string_view leaf) const;
    [[nodiscard]] std::vector<NodeId> neighbours(NodeId id) const;
    [[nodiscard]] bool isIn(std::uint32_t key, std::uint32_t set) const;
    [[nodiscard]] std::uint32_t firstOf(std::uint32_t key) const { return m_search.stored.ties(key).front(); }

    const ContentSearch& m_search;
    const ContentPriors& m_priors;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_decided; // node -> keys
};

} // namespace duo
