// SPDX-License-Identifier: Apache-2.0
#include "core/state/find_nodes.h"

#include "core/model/op_facts.h"
#include "core/state/record_neighbours.h"
#include "core/state/same_ports.h"
#include "core/support/enum_text.h"
#include "core/support/one_of.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace duo {
namespace {

constexpr int kMostRounds = 64; // of giving up and searching again

constexpr auto kTexts = enumTexts<FoundBy::Position>({"name", "scope", "storage", "position"});

using Index = std::uint32_t; // of a node in its list

/// Of nodes that multiply by weights, which an architecture has as many of however it is written.
std::ptrdiff_t productsOf(const NodeRecords& records)
{
    return std::ranges::count_if(
        records, [](const NodeRecord& node) { return opFacts(node.opType).product != Product::None; });
}

struct KnownNames {
    explicit KnownNames(const NodeRecords& records)
    {
        for (const NodeRecord& record : records) {
            scopes.insert(record.scope);
            for (const std::string& key : record.keys)
                ++keys[key];
            if (!record.weights.empty())
                ++weights[record.weights];
        }
    }

    [[nodiscard]] bool hasOne(const std::string& digest) const
    {
        const auto at = weights.find(digest);
        return at != weights.end() && at->second == 1;
    }

    std::set<std::string_view> scopes;
    std::map<std::string_view, std::size_t> keys; // of each how many nodes read it
    std::map<std::string_view, std::size_t> weights; // likewise
};

bool hasBias(const NodeRecord& node)
{
    return node.inputs.size() > opFacts(node.opType).biasPort;
}

bool shareAny(const std::vector<std::string>& a, const std::vector<std::string>& b)
{
    return std::ranges::any_of(a, [&](const auto& key) { return std::ranges::find(b, key) != b.end(); });
}

class Finder
{
public:
    Finder(const GraphRecord& recorded, const GraphRecord& present)
        : m_recordedOutputs(recorded.outputs)
        , m_presentOutputs(present.outputs)
        , m_recorded(recorded.nodes)
        , m_present(present.nodes)
        , m_found(recorded.nodes.size())
        , m_isTaken(present.nodes.size(), false)
        , m_recordedNames(recorded.nodes)
        , m_presentNames(present.nodes)
        , m_recordedReaders(recorded.nodes)
        , m_presentReaders(present.nodes)
        , m_isOneArchitecture(productsOf(recorded.nodes) == productsOf(present.nodes))
    {
    }

    std::vector<std::optional<FoundNode>> find(bool isSameGraph)
    {
        if (isSameGraph && findInOrder())
            return std::move(m_found);
        findByName();
        findByScope();
        findByStorage();
        findJoined();
        if (m_isOneArchitecture)
            findByPosition();
        for (int round = 0; giveUpContradicted() && m_isOneArchitecture && round < kMostRounds; ++round)
            findByPosition(); // each round can contradict what reads what was given up
        for (Index i = 0; i < m_found.size(); ++i) {
            if (m_found[i] && m_found[i]->takesTheSame)
                m_found[i]->givesTheSame = giveTheSame(m_recorded[i], m_present[m_found[i]->index]);
        }
        findFolded();
        findRewired();
        return std::move(m_found);
    }

private:
    using Key = std::tuple<std::string, std::string, std::vector<std::string>>;

    /// Nodes of which the same is true, here and there.
    struct Alike {
        std::vector<Index> recorded;
        std::vector<Index> present;
    };

    /// Of nodes in one order. @return false where they are not alike, and nothing is found
    bool findInOrder()
    {
        std::vector<Index> recorded; // but for those that were taken out
        std::vector<std::int32_t> place(m_recorded.size(), -1);
        for (Index i = 0; i < m_recorded.size(); ++i) {
            if (m_recorded[i].opType.empty())
                continue;
            place[i] = static_cast<std::int32_t>(recorded.size());
            recorded.push_back(i);
        }
        const auto isAlike = [&](const NodeRecord& then, const NodeRecord& now) {
            return then.opType == now.opType
                && std::ranges::equal(then.inputs, now.inputs,
                    [&](std::int32_t a, std::int32_t b) { return (a < 0 ? a : place[static_cast<Index>(a)]) == b; });
        };
        if (recorded.size() != m_present.size())
            return false;
        for (Index i = 0; i < recorded.size(); ++i) {
            if (!isAlike(m_recorded[recorded[i]], m_present[i]))
                return false;
        }
        for (Index i = 0; i < recorded.size(); ++i)
            take(recorded[i], i, provenBy(m_recorded[recorded[i]], m_present[i]));
        return true;
    }

    /// What two nodes that are one have in common.
    [[nodiscard]] FoundBy provenBy(const NodeRecord& a, const NodeRecord& b) const
    {
        if (a.name == b.name)
            return FoundBy::Name;
        if (runInOneScope(a, b))
            return FoundBy::Scope;
        return shareAny(a.keys, b.keys) || haveOwnWeights(a, b) ? FoundBy::Storage : FoundBy::Position;
    }

    static bool runInOneScope(const NodeRecord& a, const NodeRecord& b)
    {
        return !a.scope.empty() && a.scope == b.scope;
    }

    void take(Index recorded, Index present, FoundBy by)
    {
        m_found[recorded] = FoundNode{present, by};
        m_isTaken[present] = true;
    }

    /// Neither has weights, runs in a scope, or reads parameters, that are those of others there.
    [[nodiscard]] bool mayBe(const NodeRecord& a, const NodeRecord& b) const
    {
        if (a.weights != b.weights && (m_presentNames.hasOne(a.weights) || m_recordedNames.hasOne(b.weights)))
            return false;
        if (runInOneScope(a, b) || haveOwnWeights(a, b))
            return true;
        const auto isElsewhere
            = [](const auto& known, const std::string& name) { return !name.empty() && known.contains(name); };
        const bool areScoped = !a.scope.empty() && !b.scope.empty();
        if (areScoped && (isElsewhere(m_presentNames.scopes, a.scope) || isElsewhere(m_recordedNames.scopes, b.scope)))
            return false;
        return a.keys.empty() || b.keys.empty() || shareAny(a.keys, b.keys)
            || (!isElsewhere(m_presentNames.keys, a.keys.front())
                && !isElsewhere(m_recordedNames.keys, b.keys.front()));
    }

    /// Not where one has taken in what another node there does: a bias, or a norm with its parameters.
    [[nodiscard]] bool giveTheSame(const NodeRecord& a, const NodeRecord& b) const
    {
        const auto lacksNone = [](const NodeRecord& node, const NodeRecord& other, const KnownNames& known) {
            return std::ranges::none_of(other.keys, [&](const std::string& key) {
                return std::ranges::find(node.keys, key) == node.keys.end() && known.keys.contains(key);
            });
        };
        return hasBias(a) == hasBias(b) && lacksNone(a, b, m_recordedNames) && lacksNone(b, a, m_presentNames);
    }

    /// The operator of a constant alone behind a node: a simplifier may have put it into the node's weights. "" for
    /// none.
    [[nodiscard]] static std::string_view constantBehind(
        const NodeRecords& records, const std::vector<Reader>& readers, const std::vector<bool>& isFound)
    {
        if (readers.size() != 1 || isFound[readers.front().node])
            return {};
        const NodeRecord& reader = records[readers.front().node];
        const bool isFolded = opFacts(reader.opType).norm == Norm::Batch
            || (isOneOf(reader.opType, {"Add", "Div", "Mul", "Sub"}) && std::ranges::count(reader.inputs, -1) == 1);
        return isFolded ? std::string_view(reader.opType) : std::string_view();
    }

    /// Products give another value where such a node stands behind them on one side only.
    void findFolded()
    {
        std::vector<bool> isFound(m_recorded.size());
        for (Index i = 0; i < m_found.size(); ++i)
            isFound[i] = m_found[i].has_value();
        for (Index i = 0; i < m_found.size(); ++i) {
            if (!m_found[i] || !m_found[i]->takesTheSame || opFacts(m_recorded[i].opType).product == Product::None)
                continue;
            const Index now = m_found[i]->index;
            if (constantBehind(m_recorded, m_recordedReaders.ofNode[i], isFound)
                != constantBehind(m_present, m_presentReaders.ofNode[now], m_isTaken))
                m_found[i]->givesTheSame = false;
        }
    }

    /// At the port, or at any where they commute.
    [[nodiscard]] static bool reads(const NodeRecord& node, std::size_t port, std::int32_t giver)
    {
        return commutes(node.opType) ? std::ranges::find(node.inputs, giver) != node.inputs.end()
                                     : node.inputs[port] == giver;
    }

    /// Whether it reads, at a port, another value than it did: one that was another node's, or input's, then.
    [[nodiscard]] bool isRewired(Index recorded) const
    {
        const NodeRecord& then = m_recorded[recorded];
        const NodeRecord& now = m_present[m_found[recorded]->index];
        const auto isKnown = [&](std::int32_t giver) {
            return giver >= 0 ? m_isTaken[static_cast<Index>(giver)] : m_recordedReaders.ofInput.contains(giver);
        };
        for (std::size_t port = 0; port < std::min(then.inputs.size(), now.inputs.size()); ++port) {
            std::int32_t expected = then.inputs[port];
            if (expected == -1 || (expected >= 0 && !m_found[static_cast<Index>(expected)]))
                continue;
            if (expected >= 0)
                expected = static_cast<std::int32_t>(m_found[static_cast<Index>(expected)]->index);
            if (!reads(now, port, expected) && isKnown(now.inputs[port]))
                return true;
        }
        return false;
    }

    /// Such nodes give other values, and so does what follows them, up to the next products.
    void findRewired()
    {
        std::deque<Index> open;
        for (Index i = 0; i < m_found.size(); ++i) {
            if (m_found[i] && m_found[i]->takesTheSame && isRewired(i))
                open.push_back(i);
        }
        std::vector<bool> isSeen(m_recorded.size(), false);
        while (!open.empty()) {
            const Index node = open.front();
            open.pop_front();
            if (isSeen[node])
                continue;
            isSeen[node] = true;
            m_found[node]->givesTheSame = false;
            for (const Reader& reader : m_recordedReaders.ofNode[node]) {
                if (m_found[reader.node] && opFacts(m_recorded[reader.node].opType).product == Product::None)
                    open.push_back(reader.node);
            }
        }
    }

    [[nodiscard]] static std::vector<std::string> operatorsBefore(const NodeRecords& records, const NodeRecord& node)
    {
        std::vector<std::string> givers;
        for (const std::int32_t input : node.inputs)
            givers.push_back(input >= 0 ? records[static_cast<Index>(input)].opType : std::to_string(input));
        return givers;
    }

    /// The same weights that no other node has.
    [[nodiscard]] bool haveOwnWeights(const NodeRecord& a, const NodeRecord& b) const
    {
        return a.weights == b.weights && m_recordedNames.hasOne(a.weights) && m_presentNames.hasOne(b.weights);
    }

    /// By its scope, its weights, or a parameter that it alone reads.
    [[nodiscard]] bool isProvenAlone(const NodeRecord& a, const NodeRecord& b) const
    {
        const auto isOwn = [&](const std::string& key) {
            return std::ranges::find(b.keys, key) != b.keys.end() && m_recordedNames.keys.at(key) == 1
                && m_presentNames.keys.at(key) == 1;
        };
        return runInOneScope(a, b) || haveOwnWeights(a, b) || std::ranges::any_of(a.keys, isOwn);
    }

    /// Gives up what reads another node of the operator of the one that it is to read. @return whether anything was
    bool giveUpContradicted()
    {
        std::vector<Index> contradicted;
        for (Index i = 0; i < m_found.size(); ++i) {
            if (m_found[i] && m_found[i]->takesTheSame && !isProvenAlone(m_recorded[i], m_present[m_found[i]->index])
                && isContradicted(m_recorded[i], m_present[m_found[i]->index]))
                contradicted.push_back(i);
        }
        for (const Index i : contradicted) {
            m_givenUp.emplace(i, m_found[i]->index);
            m_isTaken[m_found[i]->index] = false;
            m_found[i].reset();
        }
        return !contradicted.empty();
    }

    [[nodiscard]] bool isContradicted(const NodeRecord& then, const NodeRecord& now) const
    {
        for (std::size_t port = 0; port < std::min(then.inputs.size(), now.inputs.size()); ++port) {
            const std::int32_t giver = then.inputs[port];
            if (giver < 0 || !m_found[static_cast<Index>(giver)])
                continue;
            const auto there = static_cast<std::int32_t>(m_found[static_cast<Index>(giver)]->index);
            const std::int32_t read = now.inputs[port];
            if (!reads(now, port, there) && read >= 0
                && m_present[static_cast<Index>(read)].opType == m_present[static_cast<Index>(there)].opType)
                return true;
        }
        return false;
    }

    /// Counted names ("Relu_7") are those of other nodes where a node was added: such must have alike surroundings.
    [[nodiscard]] bool isProven(const NodeRecord& a, const NodeRecord& b) const
    {
        return isProvenAlone(a, b)
            || (m_isOneArchitecture && operatorsBefore(m_recorded, a) == operatorsBefore(m_present, b));
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
            if (m_recorded[i].opType == other.opType && mayBe(m_recorded[i], other) && isProven(m_recorded[i], other))
                take(i, at->second, FoundBy::Name);
        }
    }

    /// By the scope alone, or, of several of an operator in it, by what else is told.
    void findByScope()
    {
        const auto inScope
            = [this](const NodeRecords& records, Index i, bool mayBeFound, std::vector<std::string> more) {
                  const bool tells = !records[i].scope.empty() && (mayBeFound || !isDone(records, i));
                  return tells ? std::optional(Key(classOf(records[i].opType), records[i].scope, std::move(more)))
                               : std::nullopt;
              };
        const auto exactly = [](const NodeRecords& records, Index i, std::vector<std::string> more) {
            const NodeRecord& node = records[i];
            return node.scope.empty() ? std::nullopt : std::optional(Key(node.opType, node.scope, std::move(more)));
        };
        findByKey(FoundBy::Scope, [&](const NodeRecords& all, Index i) { return exactly(all, i, all[i].keys); });
        findByKey(FoundBy::Scope, [&](const NodeRecords& all, Index i) { return exactly(all, i, {}); });
        findByKey(FoundBy::Scope, [&](const NodeRecords& all, Index i) { return inScope(all, i, true, {}); });
        findByKey(FoundBy::Scope,
            [&](const NodeRecords& all, Index i) { return inScope(all, i, false, giversOf(all, all[i])); });
        findByKey(FoundBy::Scope, [&](const NodeRecords& all, Index i) {
            return inScope(all, i, false, readersOf(all, readers(all).ofNode[i]));
        });
    }

    void findByStorage()
    {
        const auto byKeys = [](const NodeRecord& node, std::size_t most) {
            const auto end = node.keys.begin() + static_cast<std::ptrdiff_t>(std::min(node.keys.size(), most));
            return node.keys.empty() ? std::nullopt : std::optional(Key(node.opType, "", {node.keys.begin(), end}));
        };
        findByKey(
            FoundBy::Storage, [&](const NodeRecords& all, Index i) { return byKeys(all[i], all[i].keys.size()); });
        findByKey(FoundBy::Storage, [&](const NodeRecords& all, Index i) { return byKeys(all[i], 1); });
        findByKey(FoundBy::Storage, [](const NodeRecords& all, Index i) {
            const NodeRecord& node = all[i];
            return node.weights.empty() ? std::nullopt : std::optional(Key(node.opType, node.weights, {}));
        });
    }

    [[nodiscard]] bool isDone(const NodeRecords& records, Index i) const
    {
        return &records == &m_recorded ? m_found[i].has_value() : m_isTaken[i];
    }

    [[nodiscard]] const Readers& readers(const NodeRecords& records) const
    {
        return &records == &m_recorded ? m_recordedReaders : m_presentReaders;
    }

    /// Those whose key nobody else has on either side.
    template <typename KeyOf> void findByKey(FoundBy by, const KeyOf& keyOf)
    {
        std::map<Key, Alike> nodes;
        for (Index i = 0; i < m_recorded.size(); ++i) {
            if (auto key = keyOf(m_recorded, i))
                nodes[*std::move(key)].recorded.push_back(i);
        }
        for (Index i = 0; i < m_present.size(); ++i) {
            if (auto key = keyOf(m_present, i))
                nodes[*std::move(key)].present.push_back(i);
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

    /// The MatMul before an Add of a constant to nothing else; nothing for other nodes.
    [[nodiscard]] std::optional<Index> productOf(const NodeRecord& add) const
    {
        if (add.opType != "Add" || add.inputs.size() != 2 || std::ranges::count(add.inputs, -1) != 1)
            return std::nullopt;
        const std::int32_t giver = std::ranges::max(add.inputs);
        if (giver < 0)
            return std::nullopt;
        const auto product = static_cast<Index>(giver);
        const bool isAlone = m_recorded[product].opType == "MatMul" && m_recordedReaders.ofNode[product].size() == 1;
        return isAlone ? std::optional(product) : std::nullopt;
    }

    /// Simplifiers write a MatMul and the Add of its bias as one Gemm: known by the bias that it alone reads.
    void findJoined()
    {
        std::map<std::string_view, std::vector<Index>> gemms; // by the parameters that they read
        for (Index i = 0; i < m_present.size(); ++i) {
            if (m_present[i].opType != "Gemm" || m_isTaken[i] || !hasBias(m_present[i]))
                continue;
            for (const std::string& key : m_present[i].keys)
                gemms[key].push_back(i);
        }
        if (gemms.empty())
            return;
        std::map<std::string_view, std::vector<Index>> adds;
        for (Index i = 0; i < m_recorded.size(); ++i) {
            const auto product = m_found[i] ? std::nullopt : productOf(m_recorded[i]);
            if (product && !m_found[*product] && m_recorded[i].keys.size() == 1)
                adds[m_recorded[i].keys.front()].push_back(i);
        }
        for (const auto& [key, those] : adds) {
            const auto gemm = gemms.find(key);
            if (those.size() != 1 || gemm == gemms.end() || gemm->second.size() != 1 || m_isTaken[gemm->second.front()])
                continue;
            const Index add = those.front();
            take(*productOf(m_recorded[add]), gemm->second.front(), FoundBy::Storage);
            m_found[add] = FoundNode{gemm->second.front(), FoundBy::Storage, true, false};
        }
    }

    /// From found nodes to what they read, port by port unless they commute, and to who reads them, where only one can
    /// be meant.
    void findByPosition()
    {
        std::deque<Index> open;
        for (Index i = 0; i < m_recorded.size(); ++i) {
            if (m_found[i])
                open.push_back(i);
        }
        for (const auto& [input, readers] : m_recordedReaders.ofInput) {
            const auto others = m_presentReaders.ofInput.find(input);
            if (others != m_presentReaders.ofInput.end())
                matchAlike(rolesOf(readers, others->second), open);
        }
        if (m_recordedOutputs.size() == m_presentOutputs.size())
            matchOutputs(open);
        while (!open.empty()) {
            const Index node = open.front();
            open.pop_front();
            const Index other = m_found[node]->index;
            if (commutes(m_recorded[node].opType))
                matchAlike(rolesOf(m_recorded[node], m_present[other]), open);
            else
                matchGivers(m_recorded[node], m_present[other], open);
            matchAlike(rolesOf(m_recordedReaders.ofNode[node], m_presentReaders.ofNode[other]), open);
        }
    }

    void matchGivers(const NodeRecord& recorded, const NodeRecord& present, std::deque<Index>& open)
    {
        for (std::size_t port = 0; port < std::min(recorded.inputs.size(), present.inputs.size()); ++port) {
            if (recorded.inputs[port] >= 0 && present.inputs[port] >= 0
                && outputOf(recorded, port) == outputOf(present, port))
                match(static_cast<Index>(recorded.inputs[port]), static_cast<Index>(present.inputs[port]), open);
        }
    }

    /// Only what is of one form: an architecture that changed has outputs, too.
    void matchOutputs(std::deque<Index>& open)
    {
        for (std::size_t i = 0; i < m_recordedOutputs.size(); ++i) {
            if (m_recordedOutputs[i] < 0 || m_presentOutputs[i] < 0)
                continue;
            const auto then = static_cast<Index>(m_recordedOutputs[i]);
            const auto now = static_cast<Index>(m_presentOutputs[i]);
            if (m_recorded[then].form == m_present[now].form)
                match(then, now, open);
        }
    }

    void match(Index recorded, Index present, std::deque<Index>& open)
    {
        const NodeRecord& then = m_recorded[recorded];
        const NodeRecord& now = m_present[present];
        if (m_found[recorded] || m_isTaken[present] || then.opType != now.opType || !mayBe(then, now)
            || m_givenUp.contains({recorded, present}))
            return;
        take(recorded, present, runInOneScope(then, now) ? FoundBy::Scope : FoundBy::Position);
        open.push_back(recorded);
    }

    /// Operator, output that is read, and port that reads it; 0 where that tells nothing.
    using Role = std::tuple<std::string_view, std::uint32_t, std::uint32_t>;
    using Roles = std::map<Role, Alike>;

    [[nodiscard]] Roles rolesOf(const std::vector<Reader>& recorded, const std::vector<Reader>& present) const
    {
        Roles roles;
        const auto roleOf = [](const NodeRecord& node, const Reader& reader) {
            return Role(node.opType, reader.output, commutes(node.opType) ? 0 : reader.port);
        };
        for (const Reader& reader : recorded)
            roles[roleOf(m_recorded[reader.node], reader)].recorded.push_back(reader.node);
        for (const Reader& reader : present)
            roles[roleOf(m_present[reader.node], reader)].present.push_back(reader.node);
        return roles;
    }

    /// Of the givers of a node that commutes.
    [[nodiscard]] Roles rolesOf(const NodeRecord& recorded, const NodeRecord& present) const
    {
        Roles roles;
        const auto add = [&](const NodeRecords& records, const NodeRecord& node, std::vector<Index> Alike::*side) {
            for (std::size_t port = 0; port < node.inputs.size(); ++port) {
                if (node.inputs[port] < 0)
                    continue;
                const auto giver = static_cast<Index>(node.inputs[port]);
                (roles[{records[giver].opType, outputOf(node, port), 0}].*side).push_back(giver);
            }
        };
        add(m_recorded, recorded, &Alike::recorded);
        add(m_present, present, &Alike::present);
        return roles;
    }

    /// The only one of its role, or else of its form, that is not found yet.
    void matchAlike(Roles roles, std::deque<Index>& open)
    {
        for (auto& [role, nodes] : roles) {
            if (nodes.recorded.size() != nodes.present.size())
                continue; // one was added: which one, nothing tells
            std::erase_if(nodes.recorded, [&](Index node) { return m_found[node].has_value(); });
            std::erase_if(nodes.present, [&](Index node) { return m_isTaken[node]; });
            if (nodes.recorded.size() == 1 && nodes.present.size() == 1) {
                match(nodes.recorded.front(), nodes.present.front(), open);
                continue;
            }
            std::map<std::string_view, Alike> forms;
            for (const Index node : nodes.recorded)
                forms[m_recorded[node].form].recorded.push_back(node);
            for (const Index node : nodes.present)
                forms[m_present[node].form].present.push_back(node);
            for (const auto& [form, alike] : forms) {
                if (!form.empty() && alike.recorded.size() == 1 && alike.present.size() == 1)
                    match(alike.recorded.front(), alike.present.front(), open);
            }
        }
    }

    const std::vector<std::int32_t>& m_recordedOutputs;
    const std::vector<std::int32_t>& m_presentOutputs;
    const NodeRecords& m_recorded;
    const NodeRecords& m_present;
    std::vector<std::optional<FoundNode>> m_found;
    std::vector<bool> m_isTaken; // [present]
    std::set<std::pair<Index, Index>> m_givenUp; // recorded and present
    KnownNames m_recordedNames;
    KnownNames m_presentNames;
    Readers m_recordedReaders;
    Readers m_presentReaders;
    bool m_isOneArchitecture;
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

std::vector<std::optional<FoundNode>> findNodes(
    const GraphRecord& recorded, const GraphRecord& present, bool isSameGraph)
{
    return Finder(recorded, inNumbersOf(recorded, present)).find(isSameGraph);
}

std::vector<std::string> nearestNodes(
    const NodeRecord& missing, const NodeRecords& present, const std::vector<std::optional<FoundNode>>& found)
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
