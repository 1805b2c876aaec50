// SPDX-License-Identifier: Apache-2.0
#include "core/scope/content/owners/decide_owners.h"

#include "core/scope/content/owners/coverage.h"
#include "core/scope/content/owners/match_evidence.h"
#include "core/scope/content/owners/witnesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace duo {
namespace {

constexpr int kNeighbourRounds = 4;
constexpr std::size_t kMostCandidates = 64;
constexpr std::int64_t kLargestMerged = 1024; // elements; exporters merge equal tensors that are not tied up to here

/// A use, and what is decided about it.
struct DecidedUse {
    std::uint32_t read = 0; // index into Wanted::reads
    TensorUse use;
    const Derivation* derivation = nullptr; // null: open
    WitnessedKey key; // of the first part
};

class OwnerDecisions
{
public:
    OwnerDecisions(const ContentSearch& search, const ContentPriors& priors)
        : m_search(search)
        , m_witnesses(search, priors)
    {
        for (std::uint32_t r = 0; r < search.wanted.reads.size(); ++r) {
            if (setOf(r).found.empty())
                continue;
            for (const TensorUse& use : search.wanted.reads[r].uses)
                m_uses.push_back({r, use, nullptr, {}});
        }
    }

    ContentMatches decide()
    {
        forEachOpen([&](DecidedUse& use) { return decideDirectly(use); });
        for (int round = 0; round < kNeighbourRounds; ++round)
            forEachOpen([&](DecidedUse& use) { return decideByNeighbours(use); });
        joinTies();
        decideByOrder();
        forEachOpen([&](DecidedUse& use) { return takeFirst(use); });
        return matches();
    }

private:
    const WantedSet& setOf(std::uint32_t read) const { return m_search.wanted.sets[m_search.wanted.setOf[read]]; }
    std::span<const std::uint32_t> choices(const Derivation& derivation) const
    {
        return m_search.stored.owners(derivation.parts.front());
    }

    static std::string_view leafOf(const Derivation& derivation)
    {
        return derivation.leaves.empty() ? std::string_view() : derivation.leaves.front();
    }

    /// The values leave one tensor for every part.
    bool isOnlyChoice(const Derivation& derivation) const
    {
        return derivation.tells && std::ranges::all_of(derivation.parts, [&](std::uint32_t set) {
            return m_search.stored.owners(set).size() == 1;
        });
    }

    template <typename Decide> void forEachOpen(const Decide& decideOne)
    {
        for (DecidedUse& use : m_uses) {
            if (use.derivation == nullptr && decideOne(use))
                m_witnesses.addDecided(use.use.reader, use.key.key);
        }
    }

    bool decideDirectly(DecidedUse& use)
    {
        const auto& found = setOf(use.read).found;
        const bool isProof = found.size() == 1 && isOnlyChoice(found.front());
        for (const Derivation& derivation : found) {
            auto witness = m_witnesses.direct(
                m_search.wanted.reads[use.read], use.use, derivation.parts.front(), leafOf(derivation));
            if (witness && (isProof || witness->certainty == Certainty::Witnessed)) {
                use.derivation = &derivation;
                use.key = *witness;
                break;
            }
        }
        if (isProof) {
            use.derivation = &found.front();
            use.key.key = choices(found.front()).front();
            use.key.certainty = Certainty::Proof;
        }
        return use.derivation != nullptr;
    }

    bool decideByNeighbours(DecidedUse& use)
    {
        for (const Derivation& derivation : setOf(use.read).found) {
            if (const auto witness = m_witnesses.byNeighbours(use.use, derivation.parts.front(), leafOf(derivation))) {
                use.derivation = &derivation;
                use.key = *witness;
                return true;
            }
        }
        return false;
    }

    /// One tensor of the model, too large to have been merged, that witnesses give to several equal keys: these are
    /// tied in a checkpoint that cannot say so; the first owns it.
    void joinTies()
    {
        if (m_search.checkpoint.recordsTies)
            return;
        std::map<std::uint32_t, std::set<std::uint32_t>> keysOfRead;
        for (const DecidedUse& use : m_uses) {
            const bool isLarge = setOf(use.read).tensor->elements() > kLargestMerged;
            const bool hasOwnName = use.use.named != m_search.wanted.reads[use.read].value;
            if (isLarge && !hasOwnName && use.derivation != nullptr && use.derivation->tells)
                keysOfRead[use.read].insert(use.key.key);
        }
        for (DecidedUse& use : m_uses) {
            const auto keys = keysOfRead.find(use.read);
            if (keys == keysOfRead.end() || keys->second.size() < 2 || use.derivation == nullptr)
                continue;
            use.key.key = *keys->second.begin();
            m_tied[use.read] = {std::next(keys->second.begin()), keys->second.end()};
        }
    }

    /// Definition order follows the order of the readers: the only choice between the nearest decided keys.
    void decideByOrder()
    {
        std::vector<DecidedUse*> inOrder;
        for (DecidedUse& use : m_uses)
            inOrder.push_back(&use);
        std::ranges::stable_sort(inOrder, [](const DecidedUse* a, const DecidedUse* b) {
            return std::pair(a->use.reader, a->use.port) < std::pair(b->use.reader, b->use.port);
        });
        constexpr std::uint32_t kEnd = UINT32_MAX;
        std::vector<std::uint32_t> next(inOrder.size() + 1, kEnd);
        for (std::size_t i = inOrder.size(); i-- > 0;)
            next[i] = inOrder[i]->derivation != nullptr ? inOrder[i]->key.key : next[i + 1];
        std::uint32_t before = kEnd;
        for (std::size_t i = 0; i < inOrder.size(); ++i) {
            DecidedUse& use = *inOrder[i];
            if (use.derivation == nullptr && before != kEnd && next[i] != kEnd)
                decideBetween(use, before, next[i]);
            if (use.derivation != nullptr)
                before = use.key.key;
        }
    }

    void decideBetween(DecidedUse& use, std::uint32_t before, std::uint32_t after)
    {
        const Derivation& derivation = setOf(use.read).found.front();
        const auto keys = choices(derivation);
        const auto first = std::ranges::upper_bound(keys, before);
        if (first == keys.end() || *first >= after || (std::next(first) != keys.end() && *std::next(first) < after))
            return;
        use.derivation = &derivation;
        use.key = {*first, Certainty::Guess, false,
            "the nodes around it read '" + m_search.names.name(before) + "' and '" + m_search.names.name(after) + "'"};
    }

    /// A name that other readers share, or the first of equal keys whose values tell.
    bool takeFirst(DecidedUse& use)
    {
        for (const Derivation& derivation : setOf(use.read).found) {
            if (auto witness = m_witnesses.direct(
                    m_search.wanted.reads[use.read], use.use, derivation.parts.front(), leafOf(derivation))) {
                use.derivation = &derivation;
                use.key = *witness;
                return true;
            }
        }
        const Derivation& derivation = setOf(use.read).found.front();
        if (!derivation.tells)
            return false;
        use.derivation = &derivation;
        use.key = {choices(derivation).front(), Certainty::Guess, false, "the first of several keys with these values"};
        return true;
    }

    ContentMatches matches() const
    {
        ContentMatches result;
        std::map<std::tuple<TensorId, std::uint32_t, Certainty>, std::size_t> index; // owner of a tensor -> match
        for (const DecidedUse& use : m_uses) {
            const TensorId tensor = m_search.wanted.reads[use.read].tensor;
            const std::uint32_t owner = use.derivation == nullptr ? UINT32_MAX : use.key.key;
            const auto [entry, isNew] = index.try_emplace({tensor, owner, use.key.certainty}, result.matches.size());
            if (isNew)
                result.matches.push_back(matchOf(use));
            auto& readers = result.matches[entry->second].readers;
            if (readers.empty() || readers.back() != use.use.reader)
                readers.push_back(use.use.reader);
        }
        std::ranges::sort(result.matches, [](const ContentMatch& a, const ContentMatch& b) {
            return std::pair(a.tensor, a.readers.front()) < std::pair(b.tensor, b.readers.front());
        });
        return result;
    }

    ContentMatch matchOf(const DecidedUse& use) const
    {
        const WantedSet& set = setOf(use.read);
        const Derivation& derivation = use.derivation != nullptr ? *use.derivation : set.found.front();
        ContentMatch match;
        match.tensor = m_search.wanted.reads[use.read].tensor;
        match.kind = use.key.isByName && derivation.kind == MatchKind::Exact ? MatchKind::Name : derivation.kind;
        match.transform = derivation.transform;
        match.certainty = use.derivation == nullptr ? Certainty::Undecided : use.key.certainty;
        if (use.derivation != nullptr)
            addKeys(match, use);
        if (match.certainty >= Certainty::Guess)
            addCandidates(match, set);
        match.evidence = matchEvidence(m_search, set, derivation, match);
        if (!use.key.evidence.empty())
            match.evidence.push_back(use.key.evidence);
        return match;
    }

    void addKeys(ContentMatch& match, const DecidedUse& use) const
    {
        match.keys.push_back(use.key.key);
        for (std::size_t part = 1; part < use.derivation->parts.size(); ++part)
            addPart(match, *use.derivation, part);
        for (const std::uint32_t key : match.keys) {
            const auto ties = m_search.stored.ties(key);
            match.aliases.insert(match.aliases.end(), ties.begin() + 1, ties.end());
        }
        if (const auto tied = m_tied.find(use.read); tied != m_tied.end())
            match.aliases.insert(match.aliases.end(), tied->second.begin(), tied->second.end());
    }

    /// A further part: the only choice, or the one in the module of the first part; else the nearest in definition
    /// order.
    void addPart(ContentMatch& match, const Derivation& derivation, std::size_t part) const
    {
        const auto keys = m_search.stored.owners(derivation.parts[part]);
        if (keys.size() == 1) {
            match.keys.push_back(keys.front());
            return;
        }
        const std::string_view leaf = derivation.leaves.empty() ? std::string_view() : derivation.leaves[part];
        std::vector<std::uint32_t> inModule;
        for (const std::uint32_t key : m_search.names.keysOf(m_search.names.owner(match.keys.front()))) {
            const bool fits = m_search.stored.setOf(key) == derivation.parts[part]
                && std::ranges::find(match.keys, key) == match.keys.end()
                && (leaf.empty() || m_search.names.leaf(key) == leaf);
            if (fits && m_search.stored.ties(key).front() == key)
                inModule.push_back(key);
        }
        if (inModule.size() == 1) {
            match.keys.push_back(inModule.front());
            match.certainty = std::max(match.certainty, Certainty::Witnessed);
            return;
        }
        const auto after = std::ranges::upper_bound(keys, match.keys.back());
        match.keys.push_back(after == keys.end() ? keys.back() : *after);
        match.certainty = Certainty::Guess;
    }

    void addCandidates(ContentMatch& match, const WantedSet& set) const
    {
        for (const Derivation& derivation : set.found) {
            for (const std::uint32_t key : choices(derivation)) {
                if (match.candidates.size() < kMostCandidates)
                    match.candidates.push_back(key);
            }
        }
        std::ranges::sort(match.candidates);
    }

    const ContentSearch& m_search;
    Witnesses m_witnesses;
    std::vector<DecidedUse> m_uses; // by read, then reader and port
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_tied; // read -> further keys
};

} // namespace

ContentMatches decideOwners(const ContentSearch& search, const ContentPriors& priors)
{
    ContentMatches result = OwnerDecisions(search, priors).decide();
    result.prefix = search.names.prefix();
    result.modelPrefix = search.names.modelPrefix();
    addCoverage(search, result);
    return result;
}

} // namespace duo
