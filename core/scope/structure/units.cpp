// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/units.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::uint32_t kLookAhead = 16; // nodes of the longest activation or normalization: fork to join

class Units
{
public:
    explicit Units(const WorkSequence& sequence)
        : m_sequence(sequence)
        , m_size(static_cast<std::uint32_t>(sequence.nodes.size()))
    {
    }

    std::vector<std::uint32_t> starts() const
    {
        std::vector<std::uint32_t> starts;
        for (std::uint32_t begin = 0; begin < m_size;) {
            starts.push_back(begin);
            std::uint32_t end = begin + 1;
            for (std::uint32_t next = grown(begin, end); next != end; next = grown(begin, end))
                end = next;
            begin = end;
        }
        return starts;
    }

private:
    /// Takes in all readers of the last node, with what lies between, if they read nothing else; else stays. A sum of
    /// two branches takes in its activation only: the norm of the next layer follows where nothing else reads the sum.
    std::uint32_t grown(std::uint32_t begin, std::uint32_t end) const
    {
        const bool isSum = !m_sequence.nodes[begin].kind.isHeavy && m_sequence.readsOf(begin).size() > 1;
        std::uint32_t last = m_sequence.nodes[end - 1].lastUse;
        const bool isFork = last != end;
        for (std::uint32_t at = end; at <= last; ++at) {
            if (last >= m_size || last - end >= kLookAhead || !isOwn(begin, at))
                return end;
            const WorkLabel& kind = m_sequence.nodes[at].kind;
            if (kind.isApart || (kind.isReduction && !isFork) || (isSum && kind.hasTensor))
                return end;
            if (at < last)
                last = std::max(last, m_sequence.nodes[at].lastUse);
        }
        return last + 1;
    }

    bool isOwn(std::uint32_t begin, std::uint32_t at) const
    {
        const auto reads = m_sequence.readsOf(at);
        return !m_sequence.nodes[at].kind.isHeavy && std::all_of(reads.begin(), reads.end(), [&](const WorkRead& read) {
            return read.producer != WorkRead::kOutside && read.producer >= begin;
        });
    }

    const WorkSequence& m_sequence;
    std::uint32_t m_size;
};

} // namespace

std::vector<std::uint32_t> unitStarts(const WorkSequence& sequence)
{
    return Units(sequence).starts();
}

} // namespace duo
