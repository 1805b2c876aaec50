// SPDX-License-Identifier: Apache-2.0
// Wiring: how blocks in a row read one another, as hashes that are equal for isomorphic stretches.
#pragma once

#include "core/scope/structure/block_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace duo {

class Wiring
{
public:
    explicit Wiring(const WorkSequence& sequence);

    /// Looks at blocks that follow one another. O(their nodes and reads).
    void read(const std::vector<Block>& blocks, std::span<const std::uint32_t> row);
    /// Of places [begin, end) of the row: what the blocks are, which of them read which, and which read the same value
    /// from outside. What Concat and its like read from outside does not count: it has any number. O(reads).
    [[nodiscard]] std::uint64_t hash(std::size_t begin, std::size_t end);
    /// Of one unit, from its nodes. O(reads).
    [[nodiscard]] std::uint64_t unitHash(std::uint32_t begin, std::uint32_t end);

private:
    struct Read {
        std::uint32_t slot = 0; // place in the row that makes the value; WorkRead::kOutside: none
        std::uint32_t value = 0;
        bool isOneOfMany = false;
    };

    std::uint64_t addReads(std::uint64_t hash, std::span<const Read> reads, std::size_t begin, std::size_t at);
    void restart();

    const WorkSequence& m_sequence;
    std::vector<std::uint64_t> m_hashes; // [row]
    std::vector<std::uint32_t> m_first; // [row + 1] into m_reads
    std::vector<Read> m_reads; // of each block what it reads from before it, each value once
    std::vector<std::uint32_t> m_slot; // [places of the sequence] place in the row
    std::vector<std::uint32_t> m_seen; // [values] stamp: counted since the last restart
    std::vector<std::uint32_t> m_number; // [values] the n-th value from outside
    std::uint32_t m_stamp = 0;
    std::uint32_t m_outside = 0;
};

} // namespace duo
