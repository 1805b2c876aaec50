// SPDX-License-Identifier: Apache-2.0
#include "core/content/decided_use.h"

#include "core/content/wanted_tensors.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace duo {
namespace {

std::string_view parentOf(std::string_view path)
{
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

} // namespace

ChosenNorm NormChoices::nearest(const Derivation& derivation, std::uint32_t owner) const
{
    const std::string_view parent = parentOf(m_search.names.owner(owner));
    const NormKeys* beside = nullptr;
    int besides = 0;
    const NormKeys* next = nullptr;
    for (const NormKeys& norm : derivation.norms) {
        if (parentOf(m_search.names.owner(norm.keys.front())) == parent) {
            beside = &norm;
            ++besides;
        }
        if (next == nullptr && norm.keys.front() > owner)
            next = &norm;
    }
    if (besides == 1)
        return {beside, Certainty::Witnessed};
    return {next != nullptr ? next : &derivation.norms.back(), Certainty::Guess};
}

std::optional<ChosenNorm> NormChoices::choose(
    const Derivation& derivation, NodeId reader, std::optional<std::uint32_t> owner)
{
    ChosenNorm chosen;
    if (derivation.norms.size() == 1) {
        chosen = {&derivation.norms.front(), Certainty::Proof};
    } else if (derivation.followsWeight) {
        const auto known = m_atReader.find(reader.index);
        if (known == m_atReader.end())
            return std::nullopt;
        const auto norm = std::ranges::find(derivation.norms, known->second.norm, &NormKeys::norm);
        if (norm == derivation.norms.end())
            return std::nullopt;
        return ChosenNorm{&*norm, known->second.certainty};
    } else if (owner) {
        chosen = nearest(derivation, *owner);
    } else {
        return std::nullopt;
    }
    m_atReader.try_emplace(reader.index, Remembered{chosen.norm->norm, chosen.certainty});
    return chosen;
}

namespace {

constexpr std::size_t kMostNamed = 4;

std::string keyList(const ContentSearch& search, const std::vector<std::uint32_t>& keys)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(keys.size(), kMostNamed); ++i)
        text += (i == 0 ? "'" : ", '") + search.checkpoint.keys[keys[i]].name + "'";
    if (keys.size() > kMostNamed)
        text += " and " + std::to_string(keys.size() - kMostNamed) + " more";
    return text;
}

std::string numberList(const std::vector<int>& numbers)
{
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

/// Sentences about the values: what equals what, how it was moved, and whether that says enough. `match` has its keys
/// and candidates. Keys are named as in the checkpoint.
std::vector<std::string> matchEvidence(
    const ContentSearch& search, const WantedSet& set, const Derivation& derivation, const ContentMatch& match)
{
    const bool hasKeys = !match.keys.empty();
    std::string values = derivation.how.empty() ? "equal to " : derivation.how + " ";
    values += keyList(search, hasKeys ? match.keys : match.candidates);
    if (!match.transform.axes.empty())
        values += ", axes in the order " + numberList(match.transform.axes);
    if (!match.transform.gates.empty())
        values += ", blocks in the order " + numberList(match.transform.gates);
    values += ", " + std::to_string(set.tensor->elements()) + " elements";
    std::vector<std::string> evidence{std::move(values)};
    if (!match.guessed.empty())
        evidence.push_back(std::to_string(derivation.norms.size()) + " batch norms fit as well as "
            + keyList(search, match.guessed) + ", the next one in definition order");
    if (!derivation.tells)
        evidence.emplace_back("its values alone say little");
    if (hasKeys && match.candidates.size() > 1)
        evidence.push_back(
            std::to_string(match.candidates.size()) + " keys have these values: " + keyList(search, match.candidates));
    return evidence;
}

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
