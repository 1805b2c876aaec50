// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/content_reads.h"

#include <algorithm>

namespace duo {
ContentReads::ContentReads(const ScopeSources& sources, Parameters& parameters)
    : m_matches(sources.checkpoint != nullptr ? sources.matches : nullptr)
    , m_parameters(parameters)
{
    m_parameters.hasContent = m_matches != nullptr;
}

bool ContentReads::names(const ContentMatch& match, std::int32_t key) const
{
    return std::any_of(match.keys.begin(), match.keys.end(), [&](std::uint32_t stored) {
        const std::int32_t found = m_parameters.ofStored[stored];
        return found != kNoKey && m_parameters.firstOf(found) == m_parameters.firstOf(key);
    });
}

void ContentReads::addMatch(
    const ContentMatch& match, const ParameterRead& read, std::vector<ParameterRead>& improved) const
{
    const bool hasName = read.key != kNoKey;
    for (const std::uint32_t stored : match.keys) {
        const std::int32_t key = m_parameters.ofStored[stored];
        if (key == kNoKey || (hasName && m_parameters.firstOf(key) == m_parameters.firstOf(read.key)))
            continue;
        ParameterRead found = read;
        found.key = key;
        found.from = match.certainty <= Certainty::Witnessed ? Provenance::Content : Provenance::Guess;
        found.isRenamed = match.kind != MatchKind::Name;
        found.isFolded = match.keys.size() > 1;
        found.isEqualValues = read.isEqualValues && found.from == Provenance::Guess; // else it is known which it is
        improved.push_back(found);
    }
}

void ContentReads::improve(NodeId reader, std::vector<ParameterRead>& reads) const
{
    if (m_matches == nullptr)
        return;
    std::vector<ParameterRead> improved;
    for (const ParameterRead& read : reads) {
        const ContentMatch* match = read.tensor.valid() ? m_matches->find(read.tensor, reader) : nullptr;
        const bool hasName = read.key != kNoKey;
        const bool isAnswer
            = match != nullptr && !match->keys.empty() && (!hasName || match->certainty <= Certainty::Witnessed);
        if (!isAnswer) {
            improved.push_back(read);
            continue;
        }
        const bool isKept = hasName && (names(*match, read.key) || read.isEqualValues);
        const bool isTie = hasName && !isKept && m_parameters.key(read.key).stored == kNoKey && match->keys.size() == 1
            && match->kind <= MatchKind::Exact;
        if (isTie)
            m_parameters.join(read.key, m_parameters.ofStored[match->keys.front()]);
        if (isKept || isTie)
            improved.push_back(read);
        if (!isTie && !(hasName && read.isEqualValues))
            addMatch(*match, read, improved);
    }
    reads = std::move(improved);
}

} // namespace duo
