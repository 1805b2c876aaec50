// SPDX-License-Identifier: Apache-2.0
#include "core/content/decided_use.h"

#include "core/content/match_evidence.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace duo {
namespace {

constexpr std::size_t kMostCandidates = 64;

class MatchMaker
{
public:
    MatchMaker(const ContentSearch& search, const DecidedUse& use)
        : m_search(search)
        , m_use(use)
        , m_set(search.wanted.sets[search.wanted.setOf[use.read]])
        , m_derivation(use.derivation != nullptr ? *use.derivation : m_set.found.front())
    {
    }

    ContentMatch make()
    {
        m_match.tensor = m_search.wanted.reads[m_use.read].tensor;
        m_match.kind = m_derivation.kind == MatchKind::Exact && hasItsName() ? MatchKind::Name : m_derivation.kind;
        m_match.transform = m_derivation.transform;
        m_match.certainty = m_use.derivation == nullptr ? Certainty::Undecided : m_use.key.certainty;
        if (m_use.derivation != nullptr)
            addKeys();
        if (m_match.certainty >= Certainty::Guess)
            addCandidates();
        m_match.evidence = matchEvidence(m_search, m_set, m_derivation, m_match);
        if (!m_use.key.evidence.empty())
            m_match.evidence.push_back(m_use.key.evidence);
        return std::move(m_match);
    }

private:
    /// The file calls the tensor, as this node reads it, what its key is called.
    bool hasItsName() const
    {
        const auto named = m_search.names.find(m_search.model.value(m_use.use.named).name);
        if (m_use.derivation == nullptr || !named)
            return false;
        const auto ties = m_search.stored.ties(m_use.key.key);
        return std::ranges::find(ties, *named) != ties.end();
    }

    void addKeys()
    {
        if (!m_derivation.parts.empty())
            m_match.keys.push_back(m_use.key.key);
        for (std::size_t part = 1; part < m_derivation.parts.size(); ++part)
            addPart(part);
        if (m_use.norm.norm != nullptr)
            addNorm();
        for (const std::uint32_t key : m_match.keys) {
            const auto ties = m_search.stored.ties(key);
            m_match.aliases.insert(m_match.aliases.end(), ties.begin() + 1, ties.end());
        }
        m_match.aliases.insert(m_match.aliases.end(), m_use.tied.begin(), m_use.tied.end());
    }

    /// A further part: the only choice, or the one in the module of the first part; else the next in definition order.
    void addPart(std::size_t part)
    {
        const auto keys = m_search.stored.owners(m_derivation.parts[part]);
        if (keys.size() == 1) {
            m_match.keys.push_back(keys.front());
            return;
        }
        const auto inModule = keysInModule(part);
        if (inModule.size() == 1) {
            m_match.keys.push_back(inModule.front());
            m_match.certainty = std::max(m_match.certainty, Certainty::Witnessed);
            return;
        }
        const auto after = std::ranges::upper_bound(keys, m_match.keys.back());
        m_match.keys.push_back(after == keys.end() ? keys.back() : *after);
        m_match.certainty = Certainty::Guess;
    }

    std::vector<std::uint32_t> keysInModule(std::size_t part) const
    {
        const std::string_view leaf = m_derivation.leaves.empty() ? std::string_view() : m_derivation.leaves[part];
        std::vector<std::uint32_t> result;
        for (const std::uint32_t key : m_search.names.keysOf(m_search.names.module(m_match.keys.front()))) {
            const bool isNew = std::ranges::find(m_match.keys, key) == m_match.keys.end();
            const bool fits
                = m_search.stored.setOf(key) == m_derivation.parts[part] && m_search.stored.ties(key).front() == key;
            if (isNew && fits && (leaf.empty() || m_search.names.leaf(key) == leaf))
                result.push_back(key);
        }
        return result;
    }

    /// A norm that is only likely must not make the owner of the weight less sure.
    void addNorm()
    {
        const auto& keys = m_use.norm.norm->keys;
        const bool isSure = m_use.norm.certainty <= Certainty::Witnessed || m_derivation.parts.empty();
        auto& to = isSure ? m_match.keys : m_match.guessed;
        to.insert(to.end(), keys.begin(), keys.end());
        if (isSure)
            m_match.certainty = std::max(m_match.certainty, m_use.norm.certainty);
    }

    void addCandidates()
    {
        for (const Derivation& derivation : m_set.found) {
            if (derivation.parts.empty())
                continue;
            for (const std::uint32_t key : m_search.stored.owners(derivation.parts.front())) {
                if (m_match.candidates.size() < kMostCandidates)
                    m_match.candidates.push_back(key);
            }
        }
        std::ranges::sort(m_match.candidates);
    }

    const ContentSearch& m_search;
    const DecidedUse& m_use;
    const WantedSet& m_set;
    const Derivation& m_derivation;
    ContentMatch m_match;
};

} // namespace

std::vector<ContentMatch> matchesOf(const ContentSearch& search, const std::vector<DecidedUse>& uses)
{
    std::vector<ContentMatch> matches;
    std::map<std::tuple<TensorId, std::uint32_t, Certainty>, std::size_t> index; // owner of a tensor -> match
    for (const DecidedUse& use : uses) {
        const TensorId tensor = search.wanted.reads[use.read].tensor;
        const std::uint32_t owner = use.derivation == nullptr ? UINT32_MAX : use.key.key;
        const auto [entry, isNew] = index.try_emplace({tensor, owner, use.key.certainty}, matches.size());
        if (isNew)
            matches.push_back(MatchMaker(search, use).make());
        auto& readers = matches[entry->second].readers;
        if (readers.empty() || readers.back() != use.use.reader)
            readers.push_back(use.use.reader);
    }
    std::ranges::sort(matches, [](const ContentMatch& a, const ContentMatch& b) {
        return std::pair(a.tensor, a.readers.front()) < std::pair(b.tensor, b.readers.front());
    });
    return matches;
}

} // namespace duo
