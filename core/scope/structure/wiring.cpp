// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/wiring.h"

#include "core/scope/structure/work_label.h"

namespace duo {

Wiring::Wiring(const WorkSequence& sequence)
    : m_sequence(sequence)
    , m_slot(sequence.nodes.size(), 0)
    , m_seen(sequence.values, 0)
    , m_number(sequence.values, 0)
{
}

void Wiring::restart()
{
    ++m_stamp;
    m_outside = 0;
}

void Wiring::read(const std::vector<Block>& blocks, std::span<const std::uint32_t> row)
{
    m_hashes.clear();
    m_first.clear();
    m_reads.clear();
    if (row.empty())
        return;
    const std::uint32_t begin = blocks[row.front()].begin;
    for (std::uint32_t slot = 0; slot < row.size(); ++slot) {
        const Block& block = blocks[row[slot]];
        m_hashes.push_back(block.hash);
        m_first.push_back(static_cast<std::uint32_t>(m_reads.size()));
        restart();
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            m_slot[at] = slot;
            for (const WorkRead& read : m_sequence.readsOf(at)) {
                const bool isBefore = read.producer == WorkRead::kOutside || read.producer < begin;
                if ((!isBefore && read.producer >= block.begin) || m_seen[read.value] == m_stamp)
                    continue;
                m_seen[read.value] = m_stamp;
                m_reads.push_back({isBefore ? WorkRead::kOutside : m_slot[read.producer], read.value,
                    m_sequence.nodes[at].kind.takesMany});
            }
        }
    }
    m_first.push_back(static_cast<std::uint32_t>(m_reads.size()));
}

std::uint64_t Wiring::addReads(std::uint64_t hash, std::span<const Read> reads, std::size_t begin, std::size_t at)
{
    constexpr std::uint64_t kFromOutside = 0x100000000ULL;
    for (const Read& read : reads) {
        if (read.slot != WorkRead::kOutside && read.slot >= begin) {
            hash = mixed(hash, at - read.slot);
            continue;
        }
        if (read.isOneOfMany)
            continue;
        if (m_seen[read.value] != m_stamp) {
            m_seen[read.value] = m_stamp;
            m_number[read.value] = m_outside++;
        }
        hash = mixed(hash, kFromOutside + m_number[read.value]);
    }
    return hash;
}

std::uint64_t Wiring::hash(std::size_t begin, std::size_t end)
{
    if (end == begin + 1)
        return m_hashes[begin];
    restart();
    std::uint64_t hash = end - begin;
    for (std::size_t slot = begin; slot < end; ++slot)
        hash = addReads(mixed(hash, m_hashes[slot]),
            std::span(m_reads).subspan(m_first[slot], m_first[slot + 1] - m_first[slot]), begin, slot);
    return hash;
}

std::uint64_t Wiring::unitHash(std::uint32_t begin, std::uint32_t end)
{
    restart();
    std::uint64_t hash = end - begin;
    for (std::uint32_t at = begin; at < end; ++at) {
        hash = mixed(hash, m_sequence.nodes[at].kind.hash);
        for (const WorkRead& read : m_sequence.readsOf(at)) {
            const bool isOutside = read.producer == WorkRead::kOutside || read.producer < begin;
            const Read known{
                isOutside ? WorkRead::kOutside : read.producer, read.value, m_sequence.nodes[at].kind.takesMany};
            hash = addReads(hash, std::span(&known, 1), begin, at);
        }
    }
    return hash;
}

} // namespace duo
