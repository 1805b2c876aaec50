// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/repeated_scopes.h"

#include "core/scope/producers/few_values.h"
#include "core/scope/producers/tensorflow_names.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

using Hash = std::uint64_t;

Hash mixed(Hash a, Hash b)
{
    a ^= b + 0x9e3779b97f4a7c15ULL + (a << 6) + (a >> 2);
    a *= 0xbf58476d1ce4e5b9ULL;
    return a ^ (a >> 31);
}

Hash hashOf(std::string_view text)
{
    return std::hash<std::string_view>{}(text);
}

class Finder
{
public:
    Finder(const Model& model, const ScopeSpellings& spellings, std::span<const SpellingId> scopes,
        std::span<const NamedOperation> operations)
        : m_model(model)
        , m_spellings(spellings)
        , m_scopes(scopes)
        , m_operations(operations)
        , m_signature(spellings.size(), 0)
    {
        m_found.sameAs.resize(spellings.size());
        m_found.calls.assign(spellings.size(), 1);
        m_found.callOf.assign(operations.size(), 0);
        m_operationOf.assign(model.nodes.size(), -1);
        m_isReader.assign(model.nodes.size(), false);
        m_readsProof.assign(operations.size(), false);
        for (std::size_t o = 0; o < operations.size(); ++o) {
            m_counted.push_back(countedName(operations[o].operation));
            m_operationOf[operations[o].node.index] = static_cast<std::int32_t>(o);
        }
    }

    RepeatedScopes find()
    {
        gatherReads();
        if (m_reads.empty())
            return std::move(m_found);
        for (const Read& read : m_reads)
            addToSignatures(read);
        for (const auto& readers : m_sharedReaders)
            joinScopes(readers.second);
        splitScopes();
        return std::move(m_found);
    }

private:
    struct Read {
        std::size_t operation = 0; // index into m_operations
        std::uint32_t port = 0;
        TensorId tensor;
    };

    /// All reads of tensors that can prove something, and the readers of each tensor that has several.
    void gatherReads()
    {
        std::unordered_map<TensorId, int> readers;
        for (const NamedOperation& operation : m_operations) {
            for (const TensorId tensor : operation.tensors)
                ++readers[tensor];
        }
        std::unordered_map<TensorId, bool> isProof;
        bool hasShared = false;
        for (const auto& [tensor, count] : readers) {
            isProof[tensor] = count == 1 || !hasFewValues(m_model.tensor(tensor));
            hasShared = hasShared || (count > 1 && isProof[tensor]);
        }
        if (!hasShared)
            return;
        for (std::size_t o = 0; o < m_operations.size(); ++o) {
            for (std::uint32_t port = 0; port < m_operations[o].tensors.size(); ++port) {
                const TensorId tensor = m_operations[o].tensors[port];
                if (!isProof[tensor])
                    continue;
                m_reads.push_back({o, port, tensor});
                m_readsProof[o] = true;
                m_isReader[m_operations[o].node.index] = true;
                if (readers[tensor] > 1)
                    m_sharedReaders[tensor].push_back(m_reads.size() - 1);
            }
        }
    }

    const Node& nodeOf(std::size_t operation) const { return m_model.node(m_operations[operation].node); }

    Hash readHash(const Read& read) const
    {
        return mixed(mixed(hashOf(nodeOf(read.operation).opType), read.port), read.tensor.index);
    }

    /// The signature of a scope: what is read below it, each with the way down to it.
    void addToSignatures(const Read& read)
    {
        Hash way = mixed(hashOf(m_operations[read.operation].operation), readHash(read));
        for (SpellingId at = m_operations[read.operation].scope; at != ScopeSpellings::root();
             at = m_spellings.parent(at)) {
            m_signature[at.index] += way;
            way = mixed(way, hashOf(m_spellings.component(at)));
        }
    }

    /// By the outermost scope that differs: numbers order the calls that nothing else orders.
    bool isBefore(SpellingId a, SpellingId b) const
    {
        SpellingId left = a;
        SpellingId right = b;
        for (; a != b && a != ScopeSpellings::root() && b != ScopeSpellings::root();
             a = m_spellings.parent(a), b = m_spellings.parent(b)) {
            if (m_spellings.component(a) != m_spellings.component(b)) {
                left = a;
                right = b;
            }
        }
        const std::string& first = m_spellings.component(left);
        const std::string& second = m_spellings.component(right);
        if (countOf(first) != countOf(second))
            return countOf(first) < countOf(second);
        return first.size() != second.size() ? first.size() < second.size() : first < second;
    }

    /// Scopes that read one tensor by operations of one name.
    void joinScopes(const std::vector<std::size_t>& readers)
    {
        std::unordered_map<Hash, SpellingId> firsts; // by operation
        std::vector<std::pair<Hash, SpellingId>> scopes;
        for (const std::size_t r : readers) {
            const Read& read = m_reads[r];
            const SpellingId scope = m_operations[read.operation].scope;
            const Hash operation = mixed(hashOf(m_operations[read.operation].operation), readHash(read));
            const auto [first, isNew] = firsts.try_emplace(operation, scope);
            if (!isNew && isBefore(scope, first->second))
                first->second = scope;
            scopes.emplace_back(operation, scope);
        }
        for (const auto& [operation, scope] : scopes) {
            if (firsts.at(operation) != scope)
                join(firsts.at(operation), scope);
        }
    }

    void join(SpellingId first, SpellingId again)
    {
        SpellingId outerFirst;
        SpellingId outerAgain;
        while (first != again && first != ScopeSpellings::root() && again != ScopeSpellings::root()
            && withoutCount(m_spellings.component(first)) == withoutCount(m_spellings.component(again))
            && m_signature[first.index] == m_signature[again.index]) {
            if (m_spellings.component(first) != m_spellings.component(again) || !outerFirst.valid()) {
                outerFirst = first;
                outerAgain = again;
            }
            first = m_spellings.parent(first);
            again = m_spellings.parent(again);
        }
        if (outerFirst.valid())
            m_found.sameAs[outerAgain.index] = outerFirst;
    }

    /// Reads of one tensor by operations that differ in their number only, within one scope: per such scope.
    std::vector<SpellingId> scopesEnteredAgain() const
    {
        std::vector<SpellingId> scopes;
        for (const auto& [tensor, readers] : m_sharedReaders) {
            std::unordered_map<Hash, int> count;
            for (const std::size_t r : readers) {
                const Read& read = m_reads[r];
                const SpellingId scope = m_operations[read.operation].scope;
                const Hash key = mixed(mixed(hashOf(m_counted[read.operation].base), readHash(read)), scope.index);
                if (++count[key] == 2 && scope != ScopeSpellings::root())
                    scopes.push_back(scope);
            }
        }
        sortUniqueInPlace(scopes);
        return scopes;
    }

    /// Operations below a scope by the way down to them, their own numbers aside.
    using Groups = std::unordered_map<Hash, std::vector<std::size_t>>;

    /// How often the scope was entered as far as those of its operations that read tensors agree on it; 1 if they do
    /// not.
    std::int32_t entriesOf(const Groups& groups) const
    {
        std::size_t entries = 0;
        for (const auto& [way, members] : groups) {
            const auto& tensors = m_operations[members.front()].tensors;
            if (!readsProof(members.front()))
                continue;
            const bool isOne
                = std::ranges::all_of(members, [&](std::size_t o) { return m_operations[o].tensors == tensors; });
            if (!isOne || (entries != 0 && entries != members.size()))
                return 1;
            entries = members.size();
        }
        return entries < 2 ? 1 : static_cast<std::int32_t>(entries);
    }

    bool readsProof(std::size_t operation) const { return m_readsProof[operation]; }

    bool isBelow(SpellingId scope, SpellingId above) const
    {
        while (m_spellings.depth(scope) > m_spellings.depth(above))
            scope = m_spellings.parent(scope);
        return scope == above;
    }

    /// What feeds an operation within a scope, up to other operations that read tensors.
    std::unordered_set<NodeId> feeders(NodeId of, SpellingId scope) const
    {
        std::unordered_set<NodeId> found;
        std::vector<NodeId> open{of};
        while (!open.empty()) {
            const Node& node = m_model.node(open.back());
            open.pop_back();
            for (const ValueId input : node.inputs) {
                const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
                if (!producer.valid() || m_isReader[producer.index] || m_model.node(producer).inputs.empty()
                    || !m_scopes[producer.index].valid() || !isBelow(m_scopes[producer.index], scope)
                    || !found.insert(producer).second)
                    continue;
                open.push_back(producer);
            }
        }
        return found;
    }

    /// Whether work of the scope feeds two of the operations that read one tensor: then they are of one call.
    bool isOneEntry(SpellingId scope, const Groups& groups) const
    {
        const std::vector<std::size_t>* readers = nullptr; // any would do: always the same one is taken
        Hash least = 0;
        for (const auto& [way, members] : groups) {
            if (readsProof(members.front()) && members.size() > 1 && (readers == nullptr || way < least)) {
                readers = &members;
                least = way;
            }
        }
        if (readers == nullptr)
            return true;
        const auto first = feeders(m_operations[(*readers)[0]].node, scope);
        const auto second = feeders(m_operations[(*readers)[1]].node, scope);
        return std::ranges::any_of(first, [&](NodeId node) { return second.contains(node); });
    }

    void splitScopes()
    {
        const std::vector<SpellingId> again = scopesEnteredAgain();
        if (again.empty())
            return;
        std::unordered_map<std::uint32_t, Groups> below; // of scopes entered again and those around them
        for (const SpellingId scope : again) {
            for (SpellingId at = scope; at != ScopeSpellings::root(); at = m_spellings.parent(at))
                below.try_emplace(at.index);
        }
        for (std::size_t o = 0; o < m_operations.size(); ++o) {
            Hash way = mixed(hashOf(m_counted[o].base), hashOf(nodeOf(o).opType));
            for (SpellingId at = m_operations[o].scope; at != ScopeSpellings::root(); at = m_spellings.parent(at)) {
                if (const auto groups = below.find(at.index); groups != below.end())
                    groups->second[way].push_back(o);
                way = mixed(way, hashOf(m_spellings.component(at)));
            }
        }
        for (auto& [scope, groups] : below) {
            for (auto& [way, members] : groups)
                std::sort(members.begin(), members.end(),
                    [&](std::size_t a, std::size_t b) { return isCountedBefore(a, b); });
            const std::int32_t entries = entriesOf(groups);
            m_entries[scope] = entries > 1 && !isOneEntry(SpellingId(scope), groups) ? entries : 1;
        }
        for (const SpellingId scope : again)
            split(scope, below);
    }

    bool isCountedBefore(std::size_t a, std::size_t b) const { return m_counted[a].counts < m_counted[b].counts; }

    void split(SpellingId scope, const std::unordered_map<std::uint32_t, Groups>& below)
    {
        SpellingId outermost;
        for (SpellingId at = scope; at != ScopeSpellings::root(); at = m_spellings.parent(at)) {
            if (m_found.calls[at.index] > 1)
                return; // with another scope inside it
            if (m_entries.at(at.index) > 1)
                outermost = at;
        }
        if (!outermost.valid())
            return;
        const std::int32_t entries = m_entries.at(outermost.index);
        m_found.calls[outermost.index] = entries;
        std::vector<std::size_t> open; // the numbers do not tell of them
        for (const auto& [way, members] : below.at(outermost.index)) {
            const std::size_t each = members.size() / static_cast<std::size_t>(entries);
            const bool isWhole = members.size() % static_cast<std::size_t>(entries) == 0;
            for (std::size_t i = 0; i < members.size(); ++i)
                m_found.callOf[members[i]] = isWhole ? static_cast<std::int32_t>(i / each) : -1;
            if (!isWhole)
                open.insert(open.end(), members.begin(), members.end());
        }
        placeBetween(open, outermost);
    }

    /// The call of what a node reads from and is read by inside the scope, if that is one.
    std::int32_t callAround(std::size_t operation, SpellingId scope) const
    {
        std::int32_t call = -1;
        bool isClear = true;
        const auto look = [&](NodeId node) {
            const std::int32_t other = m_operationOf[node.index];
            if (other < 0 || !isBelow(m_scopes[node.index], scope)
                || m_found.callOf[static_cast<std::size_t>(other)] < 0)
                return;
            isClear = isClear && (call < 0 || call == m_found.callOf[static_cast<std::size_t>(other)]);
            call = m_found.callOf[static_cast<std::size_t>(other)];
        };
        const Node& node = nodeOf(operation);
        for (const ValueId input : node.inputs) {
            if (input.valid() && m_model.value(input).producer.valid())
                look(m_model.value(input).producer);
        }
        for (const ValueId output : node.outputs) {
            if (!output.valid())
                continue;
            for (const Use& use : m_model.value(output).uses)
                look(use.node);
        }
        return isClear ? call : -1;
    }

    /// Rounds over what is open, each as long as the one before it settled something; later ones see earlier ones.
    void placeBetween(std::vector<std::size_t> open, SpellingId scope)
    {
        constexpr int kMostRounds = 8; // chains of nodes without telling numbers are short
        for (int round = 0; round < kMostRounds && !open.empty(); ++round) {
            std::vector<std::pair<std::size_t, std::int32_t>> settled;
            for (const std::size_t operation : open)
                settled.emplace_back(operation, callAround(operation, scope));
            open.clear();
            for (const auto& [operation, call] : settled) {
                m_found.callOf[operation] = call;
                if (call < 0)
                    open.push_back(operation);
            }
        }
    }

    const Model& m_model;
    const ScopeSpellings& m_spellings;
    std::span<const SpellingId> m_scopes; // [nodes]
    std::span<const NamedOperation> m_operations;
    std::vector<std::int32_t> m_operationOf; // [nodes]; -1: none
    std::vector<bool> m_isReader; // [nodes] of tensors that can prove something
    std::vector<bool> m_readsProof; // [operations] the same
    std::vector<CountedName> m_counted; // [operations]
    std::vector<Read> m_reads;
    std::unordered_map<TensorId, std::vector<std::size_t>> m_sharedReaders; // index into m_reads
    std::vector<Hash> m_signature; // [spellings]
    std::unordered_map<std::uint32_t, std::int32_t> m_entries; // of scopes entered again and those around them
    RepeatedScopes m_found;
};

} // namespace

RepeatedScopes findRepeatedScopes(const Model& model, const ScopeSpellings& spellings,
    std::span<const SpellingId> scopes, std::span<const NamedOperation> operations)
{
    return Finder(model, spellings, scopes, operations).find();
}

} // namespace duo
