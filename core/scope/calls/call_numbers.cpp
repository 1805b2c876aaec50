// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/call_numbers.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::size_t kBits = 64;
constexpr std::size_t kMostRounds = 64;

/// Numbers calls of one module over all its paths. A number that the file records counts the calls of one series, those
/// without nodes included; the calls of other series so far come on top.
class CallNumbers
{
public:
    std::int64_t next(const Call& call)
    {
        if (call.recordedNumber < 0)
            return m_total++;
        std::int64_t& own = m_ofSeries[call.series];
        const std::int64_t number = call.recordedNumber + m_total - own;
        const std::int64_t grown = std::max(own, call.recordedNumber + 1);
        m_total += grown - own;
        own = grown;
        return m_used.insert(number).second ? number : m_total++;
    }
    [[nodiscard]] std::int64_t total() const { return m_total; } // above all numbers given

private:
    std::int64_t m_total = 0;
    std::unordered_map<std::int32_t, std::int64_t> m_ofSeries; // highest number + 1
    std::unordered_set<std::int64_t> m_used;
};

/// The least number an exporter gave to something that a call does; of alike calls, to the same thing.
struct Ordinal {
    std::int32_t series = std::numeric_limits<std::int32_t>::max();
    std::int32_t number = 0;
    auto operator<=>(const Ordinal&) const = default;
};

class Numberer
{
public:
    Numberer(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes, const ModulePaths& paths,
        CallTree& tree)
        : m_model(model)
        , m_order(order)
        , m_nodes(nodes)
        , m_paths(paths)
        , m_tree(tree)
        , m_ordinals(tree.calls.size())
    {
        for (std::size_t c = 0; c < tree.calls.size(); ++c)
            m_ofModule[tree.calls[c].module].push_back(CallId(c));
        for (auto& [module, calls] : m_ofModule) {
            if (calls.size() > 1)
                sortByPlace(calls);
        }
    }

    void number()
    {
        findOrdinals();
        sortAlongDataflow();
        for (const auto& [module, calls] : m_ofModule) {
            CallNumbers numbers;
            for (const CallId call : calls)
                m_tree.calls[call.index].number = numbers.next(m_tree.calls[call.index]);
            m_tree.runs[module.index] = numbers.total();
        }
    }

private:
    const Call& call(CallId id) const { return m_tree.calls[id.index]; }
    std::uint32_t place(CallId id) const { return m_order.position[call(id).firstNode]; }

    void sortByPlace(std::vector<CallId>& calls) const
    {
        std::sort(calls.begin(), calls.end(), [&](CallId a, CallId b) {
            return std::pair(place(a), call(a).depth) < std::pair(place(b), call(b).depth);
        });
    }

    void findOrdinals()
    {
        for (std::size_t n = 0; n < m_nodes.size(); ++n) {
            if (m_nodes[n].series == kNoMark || !m_tree.callOf[n].valid())
                continue;
            const Ordinal ordinal{m_nodes[n].series, m_nodes[n].ordinal};
            for (CallId c = m_tree.callOf[n]; c.valid(); c = call(c).parent)
                m_ordinals[c.index] = std::min(m_ordinals[c.index], ordinal);
        }
        for (std::size_t c = 0; c < m_ordinals.size(); ++c) {
            if (m_tree.calls[c].recordedNumber >= 0)
                m_ordinals[c] = {0, static_cast<std::int32_t>(m_tree.calls[c].recordedNumber)};
        }
    }

    /// The number first, so that `lin` goes before `lin_1` under any path.
    auto rank(CallId id) const
    {
        const Ordinal& ordinal = m_ordinals[id.index];
        return std::tuple(ordinal.number, std::string_view(m_paths.text(call(id).path)), place(id));
    }

    void sortAlongDataflow()
    {
        std::vector<std::vector<CallId>*> round;
        std::size_t bits = 0;
        std::size_t rounds = 0;
        for (auto& [module, calls] : m_ofModule) {
            if (calls.size() < 2 || calls.size() > kBits)
                continue;
            if (bits + calls.size() > kBits) {
                sortRound(round);
                round.clear();
                bits = 0;
                if (++rounds == kMostRounds)
                    return;
            }
            round.push_back(&calls);
            bits += calls.size();
        }
        sortRound(round);
    }

    /// One bit for each call of some modules, sent along the dataflow.
    void sortRound(const std::vector<std::vector<CallId>*>& modules)
    {
        if (modules.empty())
            return;
        std::vector<std::uint64_t> own(m_tree.calls.size(), 0);
        std::size_t bit = 0;
        for (const auto* calls : modules) {
            for (const CallId id : *calls)
                own[id.index] = std::uint64_t{1} << bit++;
        }
        const std::vector<std::uint64_t> needs = needsOf(own);
        for (auto* calls : modules)
            *calls = sorted(*calls, own, needs);
    }

    /// [calls] the calls that something in a call, or in its children, depends on.
    std::vector<std::uint64_t> needsOf(const std::vector<std::uint64_t>& own) const
    {
        std::vector<std::uint64_t> around = own; // with those of the calls above
        for (std::size_t c = 1; c < around.size(); ++c)
            around[c] |= around[m_tree.calls[c].parent.index];
        std::vector<std::uint64_t> needs(own.size(), 0);
        std::vector<std::uint64_t> behind(m_nodes.size(), 0); // with the node itself
        for (const NodeId id : m_order.sequence) {
            std::uint64_t reached = 0;
            for (const ValueId input : m_model.node(id).inputs) {
                if (input.valid() && m_model.value(input).producer.valid())
                    reached |= behind[m_model.value(input).producer.index];
            }
            const CallId at = m_tree.callOf[id.index];
            for (CallId c = at; reached != 0 && c.valid(); c = call(c).parent)
                needs[c.index] |= reached;
            behind[id.index] |= reached | (at.valid() ? around[at.index] : 0);
            for (NodeId owner = m_model.region(m_model.node(id).region).owner; owner.valid();
                 owner = m_model.region(m_model.node(owner).region).owner)
                behind[owner.index] |= behind[id.index];
        }
        return needs;
    }

    std::vector<CallId> sorted(const std::vector<CallId>& calls, const std::vector<std::uint64_t>& own,
        const std::vector<std::uint64_t>& needs) const
    {
        const auto waitsFor = [&](CallId a, CallId b) {
            return (needs[a.index] & own[b.index]) != 0 && (needs[b.index] & own[a.index]) == 0;
        };
        std::vector<CallId> left = calls;
        std::vector<CallId> result;
        while (!left.empty()) {
            auto best = left.end();
            for (auto c = left.begin(); c != left.end(); ++c) {
                const bool isReady
                    = std::none_of(left.begin(), left.end(), [&](CallId other) { return waitsFor(*c, other); });
                if (isReady && (best == left.end() || rank(*c) < rank(*best)))
                    best = c;
            }
            if (best == left.end()) // calls that wait for each other in a ring
                best = left.begin();
            result.push_back(*best);
            left.erase(best);
        }
        return result;
    }

    const Model& m_model;
    const NodeOrder& m_order;
    const std::vector<FramedNode>& m_nodes;
    const ModulePaths& m_paths;
    CallTree& m_tree;
    std::vector<Ordinal> m_ordinals; // [calls]
    std::map<PathId, std::vector<CallId>> m_ofModule;
};

} // namespace

void numberCalls(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
    const ModulePaths& paths, CallTree& tree)
{
    Numberer(model, order, nodes, paths, tree).number();
}

} // namespace duo
