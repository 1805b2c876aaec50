// SPDX-License-Identifier: Apache-2.0
#include "core/content/decide_owners.h"

#include "core/content/content_matches.h"
#include "core/content/decided_use.h"
#include "core/content/telling.h"
#include "core/content/wanted_tensors.h"
#include "core/content/witnesses.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace duo {
namespace {

/// Surest first, then simplest.
using Rank = std::pair<Certainty, MatchKind>;

void countKeys(const ContentSearch& search, ContentMatches& result)
{
    std::vector<std::optional<Rank>> ranks(search.checkpoint.keys.size());
    for (const ContentMatch& match : result.matches) {
        const Rank rank{match.certainty, match.kind};
        for (const auto* keys : {&match.keys, &match.aliases}) {
            for (const std::uint32_t key : *keys)
                ranks[key] = ranks[key] ? std::min(*ranks[key], rank) : rank;
        }
    }
    std::map<MatchKind, std::int64_t> foundBy;
    for (const auto& rank : ranks) {
        if (rank)
            ++foundBy[rank->second];
    }
    result.coverage.keys = static_cast<std::int64_t>(ranks.size());
    for (const auto& [kind, count] : foundBy)
        result.coverage.found += count;
    result.coverage.foundBy.assign(foundBy.begin(), foundBy.end());
}

void countTensors(const ContentSearch& search, ContentMatches& result)
{
    std::set<TensorId> matched;
    for (const ContentMatch& match : result.matches) {
        if (match.certainty != Certainty::Undecided)
            matched.insert(match.tensor);
    }
    for (const ReadTensor& read : search.wanted.reads) {
        const Tensor& tensor = search.model.tensor(read.tensor);
        const bool isMatched = matched.contains(read.tensor);
        const bool isLarge
            = tensor.elements() >= kFewestTelling && (isFloating(tensor.type) || read.dequantizer.valid());
        result.coverage.tensors += isLarge || isMatched ? 1 : 0;
        result.coverage.matched += isMatched ? 1 : 0;
    }
}

void findUnequalNames(const ContentSearch& search, ContentMatches& result)
{
    for (const ReadTensor& read : search.wanted.reads) {
        const auto key = search.names.find(search.model.value(read.value).name);
        if (!key)
            continue;
        const auto matches = result.of(read.tensor);
        const bool isFound = std::ranges::any_of(matches, [&](const ContentMatch& match) {
            const auto holds
                = [&](const std::vector<std::uint32_t>& keys) { return std::ranges::find(keys, *key) != keys.end(); };
            return holds(match.keys) || holds(match.aliases) || holds(match.candidates);
        });
        if (!isFound)
            result.unequalNames.push_back({read.tensor, *key});
    }
}

/// Fills ContentMatches::coverage and unequalNames from its matches. O(matches + keys + names).
void addCoverage(const ContentSearch& search, ContentMatches& result)
{
    countKeys(search, result);
    countTensors(search, result);
    findUnequalNames(search, result);
}

constexpr int kNeighbourRounds = 4;
constexpr std::int64_t kLargestMerged = 1024; // elements; exporters merge equal tensors that are not tied up to here

class OwnerDecisions
{
public:
    OwnerDecisions(const ContentSearch& search, const ContentPriors& priors)
        : m_search(search)
        , m_witnesses(search, priors)
        , m_norms(search)
    {
        for (std::uint32_t r = 0; r < search.wanted.reads.size(); ++r) {
            if (setOf(r).found.empty())
                continue;
            for (const TensorUse& use : search.wanted.reads[r].uses)
                m_uses.push_back({r, use, nullptr, {}, {}, {}});
        }
    }

    std::vector<DecidedUse> decide()
    {
        forEachOpen([&](DecidedUse& use) { return decideDirectly(use); });
        for (int round = 0; round < kNeighbourRounds; ++round)
            forEachOpen([&](DecidedUse& use) { return decideByNeighbours(use); });
        joinTies();
        decideByOrder();
        forEachOpen([&](DecidedUse& use) { return takeFirst(use); });
        return std::move(m_uses);
    }

private:
    const WantedSet& setOf(std::uint32_t read) const { return m_search.wanted.sets[m_search.wanted.setOf[read]]; }
    const ReadTensor& readOf(const DecidedUse& use) const { return m_search.wanted.reads[use.read]; }

    /// What the values allow; a bias that goes with an explained weight allows nothing else.
    std::span<const Derivation> found(const DecidedUse& use) const
    {
        const std::span<const Derivation> all = setOf(use.read).found;
        return all.front().followsWeight ? all.first(1) : all;
    }

    std::span<const std::uint32_t> choices(const Derivation& derivation) const
    {
        if (derivation.parts.empty())
            return {};
        return m_search.stored.owners(derivation.parts.front());
    }

    static std::string_view leafOf(const Derivation& derivation)
    {
        return derivation.leaves.empty() ? std::string_view() : derivation.leaves.front();
    }

    /// The values leave one tensor for the first part; MatchMaker says how sure the others are.
    bool isOnlyChoice(const Derivation& derivation) const
    {
        return derivation.tells && choices(derivation).size() == 1;
    }

    template <typename Decide> void forEachOpen(const Decide& decideOne)
    {
        for (DecidedUse& use : m_uses) {
            if (use.derivation == nullptr && decideOne(use))
                m_witnesses.addDecided(use.use.reader, use.key.key);
        }
    }

    /// Takes a decision, if the batch norm that goes with it can be chosen too.
    bool take(DecidedUse& use, const Derivation& derivation, const WitnessedKey& key)
    {
        if (!derivation.norms.empty()) {
            const auto norm = m_norms.choose(derivation, use.use.reader, key.key);
            if (!norm)
                return false;
            use.norm = *norm;
        }
        use.derivation = &derivation;
        use.key = key;
        return true;
    }

    /// A bias that was made from a batch norm alone.
    bool takeNorm(DecidedUse& use, const Derivation& derivation)
    {
        const auto norm = m_norms.choose(derivation, use.use.reader, std::nullopt);
        if (!norm)
            return false;
        use.derivation = &derivation;
        use.norm = *norm;
        use.key = {norm->norm->keys.front(), norm->certainty, {}};
        return true;
    }

    bool decideDirectly(DecidedUse& use)
    {
        const auto all = found(use);
        if (all.front().parts.empty())
            return takeNorm(use, all.front());
        const bool isProof = all.size() == 1 && isOnlyChoice(all.front());
        for (const Derivation& derivation : all) {
            auto witness = m_witnesses.direct(readOf(use), use.use, derivation.parts.front(), leafOf(derivation));
            if (!witness || (!isProof && witness->certainty != Certainty::Witnessed))
                continue;
            if (isProof)
                witness->certainty = Certainty::Proof;
            if (take(use, derivation, *witness))
                return true;
        }
        return isProof && take(use, all.front(), {choices(all.front()).front(), Certainty::Proof, {}});
    }

    bool decideByNeighbours(DecidedUse& use)
    {
        for (const Derivation& derivation : found(use)) {
            if (derivation.parts.empty())
                return takeNorm(use, derivation);
            const auto witness = m_witnesses.byNeighbours(use.use, derivation.parts.front(), leafOf(derivation));
            if (witness && take(use, derivation, *witness))
                return true;
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
            const bool hasOwnName = use.use.named != readOf(use).value;
            if (isLarge && !hasOwnName && use.derivation != nullptr && use.derivation->tells)
                keysOfRead[use.read].insert(use.key.key);
        }
        for (DecidedUse& use : m_uses) {
            const auto keys = keysOfRead.find(use.read);
            if (keys == keysOfRead.end() || keys->second.size() < 2 || use.derivation == nullptr)
                continue;
            use.key.key = *keys->second.begin();
            use.tied.assign(std::next(keys->second.begin()), keys->second.end());
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
        const Derivation& derivation = found(use).front();
        const auto keys = choices(derivation);
        const auto first = std::ranges::upper_bound(keys, before);
        if (first == keys.end() || *first >= after || (std::next(first) != keys.end() && *std::next(first) < after))
            return;
        take(use, derivation,
            {*first, Certainty::Guess,
                "the nodes around it read '" + m_search.names.name(before) + "' and '" + m_search.names.name(after)
                    + "'"});
    }

    /// A name that other readers share, or the first of equal keys whose values tell.
    bool takeFirst(DecidedUse& use)
    {
        for (const Derivation& derivation : found(use)) {
            if (derivation.parts.empty())
                continue;
            const auto witness = m_witnesses.direct(readOf(use), use.use, derivation.parts.front(), leafOf(derivation));
            if (witness && take(use, derivation, *witness))
                return true;
        }
        const Derivation& derivation = found(use).front();
        if (!derivation.tells || derivation.parts.empty())
            return false;
        return take(use, derivation,
            {choices(derivation).front(), Certainty::Guess, "the first of several keys with these values"});
    }

    const ContentSearch& m_search;
    Witnesses m_witnesses;
    NormChoices m_norms;
    std::vector<DecidedUse> m_uses; // by read, then reader and port
};

} // namespace

ContentMatches decideOwners(const ContentSearch& search, const ContentPriors& priors)
{
    ContentMatches result;
    result.matches = matchesOf(search, OwnerDecisions(search, priors).decide());
    result.prefix = search.names.prefix();
    result.modelPrefix = search.names.modelPrefix();
    addCoverage(search, result);
    return result;
}

} // namespace duo
