// SPDX-License-Identifier: Apache-2.0
#include "core/state/find_nodes.h"

#include "core/support/enum_text.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace duo {
namespace {

constexpr auto kTexts = enumTexts<FoundBy::Position>({"name", "scope", "storage", "position"});

using Index = std::uint32_t;
using Records = std::vector<NodeRecord>;

struct Reader {
    Index node = 0;
    std::uint32_t port = 0;
};

/// Who reads what each node gives, and each input of the model.
struct Readers {
    explicit Readers(const Records& records)
        : ofNode(records.size())
    {
        for (Index i = 0; i < records.size(); ++i) {
            for (std::uint32_t port = 0; port < records[i].inputs.size(); ++port) {
                const std::int32_t giver = records[i].inputs[port];
                if (giver >= 0)
                    ofNode[static_cast<Index>(giver)].push_back({i, port});
                else if (giver < -1)
                    ofInput[giver].push_back({i, port});
            }
        }
    }

    std::vector<std::vector<Reader>> ofNode;
    std::map<std::int32_t, std::vector<Reader>> ofInput;
};

struct KnownNames {
    explicit KnownNames(const Records& records)
    {
        for (const NodeRecord& record : records) {
            scopes.insert(record.scope);
            keys.insert(record.keys.begin(), record.keys.end());
        }
    }

    std::set<std::string_view> scopes;
    std::set<std::string_view> keys;
};

class Finder
{
public:
    Finder(const Records& recorded, const Records& present)
        : m_recorded(recorded)
        , m_present(present)
        , m_found(recorded.size())
        , m_isTaken(present.size(), false)
        , m_recordedNames(recorded)
        , m_presentNames(present)
    {
    }

    std::vector<std::optional<FoundNode>> find()
    {
        findByName();
        findByKey(FoundBy::Scope, [](const NodeRecord& node) { return Key(node.opType, node.scope, node.keys); });
        findByKey(FoundBy::Scope, [](const NodeRecord& node) { return Key(node.opType, node.scope, {}); });
        findByKey(FoundBy::Storage, [](const NodeRecord& node) { return Key(node.opType, "", node.keys); });
        findByPosition();
        return std::move(m_found);
    }

private:
    using Key = std::tuple<std::string, std::string, std::vector<std::string>>;

    void take(Index recorded, Index present, FoundBy by)
    {
        m_found[recorded] = FoundNode{present, by};
        m_isTaken[present] = true;
    }

    /// Of the same operator, and neither runs in a scope, or reads parameters, that are those of others there.
    [[nodiscard]] bool mayBe(const NodeRecord& a, const NodeRecord& b) const
    {
        if (a.opType != b.opType)
            return false;
        if (!a.scope.empty() && a.scope == b.scope)
            return true;
        const auto isElsewhere = [](const std::set<std::string_view>& known, const std::string& name) {
            return !name.empty() && known.contains(name);
        };
        const bool areScoped = !a.scope.empty() && !b.scope.empty();
        if (areScoped && (isElsewhere(m_presentNames.scopes, a.scope) || isElsewhere(m_recordedNames.scopes, b.scope)))
            return false;
        return a.keys == b.keys || a.keys.empty() || b.keys.empty()
            || (!isElsewhere(m_presentNames.keys, a.keys.front())
                && !isElsewhere(m_recordedNames.keys, b.keys.front()));
    }

    [[nodiscard]] static std::vector<std::string> giversOf(const Records& records, const NodeRecord& node)
    {
        std::vector<std::string> givers;
        for (const std::int32_t input : node.inputs)
            givers.push_back(input >= 0 ? records[static_cast<Index>(input)].opType : std::to_string(input));
        return givers;
    }

    /// Counted names ("Relu_7") are those of other nodes where a node was added: such must have alike surroundings.
    [[nodiscard]] bool isProven(const NodeRecord& a, const NodeRecord& b) const
    {
        const bool isScoped = !a.scope.empty() && a.scope == b.scope;
        const bool isKeyed = !a.keys.empty() && a.keys == b.keys;
        return isScoped || isKeyed || giversOf(m_recorded, a) == giversOf(m_present, b);
    }

    void findByName()
    {
        std::unordered_map<std::string_view, Index> names;
        for (Index i = 0; i < m_present.size(); ++i)
            names.emplace(m_present[i].name, i);
        for (Index i = 0; i < m_recorded.size(); ++i) {
            const auto at = names.find(m_recorded[i].name);
            if (at == names.end() || m_isTaken[at->second])
                continue;
            const NodeRecord& other = m_present[at->second];
            if (mayBe(m_recorded[i], other) && isProven(m_recorded[i], other))
                take(i, at->second, FoundBy::Name);
        }
    }

    /// Those whose key nobody else has on either side, among all nodes.
    template <typename KeyOf> void findByKey(FoundBy by, const KeyOf& keyOf)
    {
        struct Both {
            std::vector<Index> recorded;
            std::vector<Index> present;
        };
        std::map<Key, Both> nodes;
        const auto tells
            = [&](const NodeRecord& node) { return by == FoundBy::Scope ? !node.scope.empty() : !node.keys.empty(); };
        for (Index i = 0; i < m_recorded.size(); ++i) {
            if (tells(m_recorded[i]))
                nodes[keyOf(m_recorded[i])].recorded.push_back(i);
        }
        for (Index i = 0; i < m_present.size(); ++i) {
            if (tells(m_present[i]))
                nodes[keyOf(m_present[i])].present.push_back(i);
        }
        for (const auto& [key, both] : nodes) {
            if (both.recorded.size() != 1 || both.present.size() != 1)
                continue;
            const Index recorded = both.recorded.front();
            const Index present = both.present.front();
            if (!m_found[recorded] && !m_isTaken[present] && mayBe(m_recorded[recorded], m_present[present]))
                take(recorded, present, by);
        }
    }

    /// From found nodes to what they read, port by port, and to who reads them, where only one can be meant.
    void findByPosition()
    {
        const Readers recorded(m_recorded);
        const Readers present(m_present);
        std::deque<Index> open;
        for (Index i = 0; i < m_recorded.size(); ++i) {
            if (m_found[i])
                open.push_back(i);
        }
        for (const auto& [input, readers] : recorded.ofInput) {
            const auto others = present.ofInput.find(input);
            if (others != present.ofInput.end())
                matchReaders(readers, others->second, open);
        }
        while (!open.empty()) {
            const Index node = open.front();
            open.pop_front();
            const Index other = m_found[node]->index;
            const auto& inputs = m_recorded[node].inputs;
            const auto& otherInputs = m_present[other].inputs;
            for (std::size_t port = 0; port < std::min(inputs.size(), otherInputs.size()); ++port)
                matchGivers(inputs[port], otherInputs[port], open);
            matchReaders(recorded.ofNode[node], present.ofNode[other], open);
        }
    }

    void matchGivers(std::int32_t recorded, std::int32_t present, std::deque<Index>& open)
    {
        if (recorded >= 0 && present >= 0)
            match(static_cast<Index>(recorded), static_cast<Index>(present), open);
    }

    void match(Index recorded, Index present, std::deque<Index>& open)
    {
        if (m_found[recorded] || m_isTaken[present] || !mayBe(m_recorded[recorded], m_present[present]))
            return;
        take(recorded, present, FoundBy::Position);
        open.push_back(recorded);
    }

    void matchReaders(const std::vector<Reader>& recorded, const std::vector<Reader>& present, std::deque<Index>& open)
    {
        using Role = std::pair<std::string_view, std::uint32_t>; // operator and port
        std::map<Role, std::pair<std::vector<Index>, std::vector<Index>>> roles;
        for (const Reader& reader : recorded)
            roles[{m_recorded[reader.node].opType, reader.port}].first.push_back(reader.node);
        for (const Reader& reader : present)
            roles[{m_present[reader.node].opType, reader.port}].second.push_back(reader.node);
        for (auto& [role, nodes] : roles) {
            if (nodes.first.size() != nodes.second.size())
                continue; // one was added: which one, nothing tells
            std::erase_if(nodes.first, [&](Index node) { return m_found[node].has_value(); });
            std::erase_if(nodes.second, [&](Index node) { return m_isTaken[node]; });
            if (nodes.first.size() == 1 && nodes.second.size() == 1)
                match(nodes.first.front(), nodes.second.front(), open);
        }
    }

    const Records& m_recorded;
    const Records& m_present;
    std::vector<std::optional<FoundNode>> m_found;
    std::vector<bool> m_isTaken; // [present]
    KnownNames m_recordedNames;
    KnownNames m_presentNames;
};

std::size_t commonBeginning(std::string_view a, std::string_view b)
{
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

} // namespace

std::string_view foundByText(FoundBy by)
{
    return enumText(kTexts, by);
}

std::vector<std::optional<FoundNode>> findNodes(const Records& recorded, const Records& present)
{
    return Finder(recorded, present).find();
}

std::vector<std::string> nearestNodes(
    const NodeRecord& missing, const Records& present, const std::vector<std::optional<FoundNode>>& found)
{
    std::vector<bool> isTaken(present.size(), false);
    for (const auto& node : found) {
        if (node)
            isTaken[node->index] = true;
    }
    std::vector<std::pair<std::size_t, Index>> candidates; // by what they share, most first
    for (Index i = 0; i < present.size(); ++i) {
        if (isTaken[i] || present[i].opType != missing.opType)
            continue;
        const std::size_t shared = std::max(
            commonBeginning(present[i].scope, missing.scope), commonBeginning(present[i].name, missing.name));
        candidates.emplace_back(shared, i);
    }
    constexpr std::size_t kMost = 3;
    std::ranges::stable_sort(candidates, std::greater<>(), &std::pair<std::size_t, Index>::first);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(kMost, candidates.size()); ++i)
        names.push_back(present[candidates[i].second].name);
    return names;
}

} // namespace duo
