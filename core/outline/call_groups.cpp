// SPDX-License-Identifier: Apache-2.0
#include "core/outline/call_groups.h"

#include "core/model/held_tensors.h"
#include "core/onnx/outlined_model.h"
#include "core/scope/facts/scope_facts.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

namespace duo {
namespace {

using Vertex = std::uint32_t; // a node of NodeFlow, or behind them a group

/// Strongly connected components of more than one vertex. Iterative (Tarjan 1972): chains are as long as the model.
std::vector<std::vector<Vertex>> cycles(const std::vector<std::vector<Vertex>>& edges)
{
    struct Frame {
        Vertex vertex;
        std::size_t next = 0;
    };
    constexpr std::uint32_t kUnseen = 0;
    std::vector<std::uint32_t> number(edges.size(), kUnseen), low(edges.size(), kUnseen);
    std::vector<bool> isOpen(edges.size());
    std::vector<Vertex> open;
    std::vector<Frame> frames;
    std::vector<std::vector<Vertex>> found;
    std::uint32_t counter = kUnseen;
    const auto enter = [&](Vertex vertex) {
        number[vertex] = low[vertex] = ++counter;
        open.push_back(vertex);
        isOpen[vertex] = true;
        frames.push_back({vertex});
    };
    const auto close = [&](Vertex vertex) {
        std::vector<Vertex> component;
        Vertex top = vertex;
        do {
            top = open.back();
            open.pop_back();
            isOpen[top] = false;
            component.push_back(top);
        } while (top != vertex);
        if (component.size() > 1)
            found.push_back(std::move(component));
    };
    for (Vertex start = 0; start < edges.size(); ++start) {
        if (number[start] != kUnseen)
            continue;
        enter(start);
        while (!frames.empty()) {
            const Vertex vertex = frames.back().vertex;
            if (frames.back().next < edges[vertex].size()) {
                const Vertex to = edges[vertex][frames.back().next++];
                if (number[to] == kUnseen)
                    enter(to);
                else if (isOpen[to])
                    low[vertex] = std::min(low[vertex], number[to]);
                continue;
            }
            frames.pop_back();
            if (!frames.empty())
                low[frames.back().vertex] = std::min(low[frames.back().vertex], low[vertex]);
            if (low[vertex] == number[vertex])
                close(vertex);
        }
    }
    return found;
}

/// Which nodes read what a node makes. [NodeFlow::nodes]
using Readers = std::vector<std::vector<std::pair<Vertex, ValueId>>>;

Readers readersOf(const Model& model, const NodeFlow& flow)
{
    Readers readers(flow.nodes.size());
    for (Vertex n = 0; n < flow.nodes.size(); ++n) {
        flow.eachRead(model, n, [&](ValueId value) {
            const auto maker = flow.makerOf[value.index];
            if (maker && *maker != n)
                readers[*maker].emplace_back(n, value);
        });
    }
    return readers;
}

/// Groups as they lie in each other.
class Nesting
{
public:
    Nesting() = default;
    Nesting(const NodeFlow& flow, const CallGroups& groups)
        : m_nodes(flow.nodes.size())
        , m_groups(&groups)
        , m_depth(groups.groups.size())
    {
        for (std::size_t g = 0; g < m_depth.size(); ++g)
            m_depth[g] = depthOf(above(g)) + 1;
    }

    /// What stands for two nodes in the innermost list that both are in.
    [[nodiscard]] std::pair<Vertex, Vertex> items(Vertex a, Vertex b) const
    {
        std::size_t ofA = m_groups->groupOf[a];
        std::size_t ofB = m_groups->groupOf[b];
        Vertex itemA = a;
        Vertex itemB = b;
        const auto climb = [&](std::size_t& group, Vertex& item) {
            item = static_cast<Vertex>(m_nodes + group);
            group = above(group);
        };
        while (ofA != ofB) {
            if (depthOf(ofA) >= depthOf(ofB))
                climb(ofA, itemA);
            else
                climb(ofB, itemB);
        }
        return {itemA, itemB};
    }

    /// How many vertices there are.
    [[nodiscard]] std::size_t size() const { return m_nodes + m_depth.size(); }

private:
    [[nodiscard]] int depthOf(std::size_t group) const { return group == kNoGroup ? -1 : m_depth[group]; }
    [[nodiscard]] std::size_t above(std::size_t group) const { return m_groups->groups[group].parent; }

    std::size_t m_nodes = 0;
    const CallGroups* m_groups = nullptr;
    std::vector<int> m_depth; // [groups]
};

/// From each node or group to those beside it that read what is made there.
std::vector<std::vector<Vertex>> edgesOf(const Nesting& nesting, const Readers& readers)
{
    std::vector<std::vector<Vertex>> edges(nesting.size());
    for (Vertex n = 0; n < readers.size(); ++n) {
        for (const auto& [reader, value] : readers[n]) {
            const auto [from, to] = nesting.items(n, reader);
            if (from != to && (edges[from].empty() || edges[from].back() != to))
                edges[from].push_back(to);
        }
    }
    return edges;
}

class Grouping
{
public:
    Grouping(const Model& model, const Scopes& scopes, const NodeFlow& flow, const OutlineRequest& request)
        : m_model(model)
        , m_scopes(scopes)
        , m_flow(flow)
        , m_request(request)
        , m_isSelected(scopes.execution.scopes.size())
        , m_readers(readersOf(model, flow))
    {
    }

    Result<CallGroups> run()
    {
        DUO_CHECK(select());
        refuseScattered();
        refuseOverloads();
        // Every round takes a module call out, so that there is an end; few need more than two.
        do
            build();
        while (breakCycles());
        refuseEmpty();
        return std::move(m_result);
    }

private:
    // Selecting

    [[nodiscard]] const Scope& scope(ScopeId id) const { return m_scopes.execution.scope(id); }

    static bool isClass(const std::string& qualified, const std::string& wanted)
    {
        const std::size_t dot = qualified.rfind('.');
        return !wanted.empty()
            && (qualified == wanted || (dot != std::string::npos && qualified.substr(dot + 1) == wanted));
    }

    Status select()
    {
        if (m_request.isEmpty())
            return Error{ErrorCode::Usage, "nothing says which modules become functions", {},
                "give --scope, --class, --depth or --all"};
        for (const std::string& wanted : m_request.scopes)
            DUO_CHECK(selectScope(wanted));
        for (const std::string& wanted : m_request.classes) {
            if (!selectWhere([&](const Scope& one, int) { return isClass(one.className, wanted); }))
                return Error{ErrorCode::Usage, "no module that runs is of this class", wanted,
                    "see duoscope-cli scopes MODEL for classes"};
        }
        for (const int depth : m_request.depths) {
            if (!selectWhere([&](const Scope&, int at) { return at == depth; }))
                return Error{ErrorCode::Usage, "no module runs at this depth", std::to_string(depth),
                    "see duoscope-cli scopes MODEL"};
        }
        if (m_request.all)
            selectWhere([](const Scope&, int) { return true; });
        return success();
    }

    /// "blk" of "blk#0", which says of a module that runs several times that its first call is meant.
    static std::string withoutFirst(std::string scope)
    {
        constexpr std::string_view kFirst = "#0";
        for (std::size_t at = scope.find(kFirst); at != std::string::npos; at = scope.find(kFirst, at)) {
            const std::size_t end = at + kFirst.size();
            if (end == scope.size() || scope[end] == '/')
                scope.erase(at, kFirst.size());
            else
                at = end;
        }
        return scope;
    }

    Status selectScope(const std::string& wanted)
    {
        const ScopeId found = m_scopes.execution.find(withoutFirst(wanted));
        if (found.valid() && !scope(found).parent.valid())
            return Error{
                ErrorCode::Usage, "the whole model is no call of a module", "--scope ''", "name one of its modules"};
        std::string module;
        if (found.valid() && !scope(found).isBody)
            module = scope(found).module;
        else
            module = wanted;
        if (found.valid() && wanted.find('#') != std::string::npos) {
            m_isSelected[found.index] = true;
            return success();
        }
        if (!module.empty() && selectWhere([&](const Scope& one, int) { return one.module == module; }))
            return success();
        return Error{ErrorCode::Usage, "no module runs under this scope", wanted, "see duoscope-cli scopes MODEL"};
    }

    /// Module calls at their depth; false if there is none.
    template <typename Is> bool selectWhere(const Is& is)
    {
        bool isAny = false;
        std::vector<int> depths(m_isSelected.size(), 0);
        for (std::size_t s = 1; s < m_isSelected.size(); ++s) {
            const Scope& one = m_scopes.execution.scopes[s];
            depths[s] = depths[one.parent.index] + (one.isBody ? 0 : 1);
            if (one.isBody || !is(one, depths[s]))
                continue;
            m_isSelected[s] = true;
            isAny = true;
        }
        return isAny;
    }

    void refuse(ScopeId id, std::string why)
    {
        m_isSelected[id.index] = false;
        m_result.refusals.push_back({scope(id).path, std::move(why)});
    }

    [[nodiscard]] ScopeId scopeOf(NodeId node) const { return m_scopes.nodes[node.index].executionScope; }

    /// The region in which a module is called, seen from one of its nodes: the outermost that it does not go on around.
    [[nodiscard]] RegionId homeOf(ScopeId call, RegionId region) const
    {
        while (region != RegionId(0)) {
            const NodeId owner = m_model.region(region).owner;
            if (!isWithin(scopeOf(owner), call))
                break;
            region = m_model.node(owner).region;
        }
        return region;
    }

    /// A call stands in one list of nodes, and in none that belongs to a function which is there already.
    void refuseScattered()
    {
        std::map<ScopeId, RegionId> homes;
        for (const NodeId id : m_model.order) {
            for (ScopeId at = scopeOf(id); at.valid(); at = scope(at).parent) {
                if (!m_isSelected[at.index])
                    continue;
                const RegionId home = homeOf(at, m_model.node(id).region);
                const NodeId owner = m_model.region(home).owner;
                const auto [known, isNew] = homes.try_emplace(at, home);
                if (const NodeId call = callAround(home); call.valid())
                    refuse(at, "it runs inside function '" + m_model.node(call).opType + "'");
                else if (!isNew && known->second != home)
                    refuse(at,
                        "part of it runs in a body of "
                            + nodeText(owner.valid() ? owner : m_model.region(known->second).owner));
            }
        }
    }

    /// The call of a function that a region stands in; invalid: none.
    [[nodiscard]] NodeId callAround(RegionId region) const
    {
        for (; region != RegionId(0); region = m_model.node(m_model.region(region).owner).region) {
            if (m_model.node(m_model.region(region).owner).isCall)
                return m_model.region(region).owner;
        }
        return {};
    }

    [[nodiscard]] bool isWithin(ScopeId below, ScopeId above) const
    {
        for (; below.valid(); below = scope(below).parent) {
            if (below == above)
                return true;
        }
        return false;
    }

    [[nodiscard]] std::string nodeText(NodeId node) const { return "'" + m_model.node(node).name + "'"; }

    // Building

    [[nodiscard]] int partIn(ScopeId id, Vertex node) const
    {
        const auto parts = m_parts.find(id);
        return parts == m_parts.end() ? 0 : parts->second.of[node];
    }

    void build()
    {
        auto& groups = m_result.groups;
        groups.clear();
        m_result.groupOf.assign(m_flow.nodes.size(), kNoGroup);
        std::map<std::pair<std::uint32_t, int>, std::size_t> known;
        for (Vertex n = 0; n < m_flow.nodes.size(); ++n) {
            const RegionId region = m_model.node(m_flow.nodes[n]).region;
            const NodeId owner = m_model.region(region).owner;
            std::vector<ScopeId> chain; // selected ones that are called in this region, innermost first
            const bool isWeight = holdsWeight(m_flow.nodes[n]);
            for (ScopeId at = scopeOf(m_flow.nodes[n]); at.valid() && !isWeight; at = scope(at).parent) {
                if (m_isSelected[at.index] && homeOf(at, region) == region)
                    chain.push_back(at);
            }
            std::size_t parent = owner.valid() ? m_result.groupOf[m_flow.placeOf[owner.index]] : kNoGroup;
            for (const ScopeId at : chain | std::views::reverse) {
                const int part = partIn(at, n);
                const auto [found, isNew] = known.try_emplace({at.index, part}, groups.size());
                if (isNew) {
                    CallGroup& group = groups.emplace_back();
                    group.scope = at;
                    group.part = part;
                    group.parts = m_parts.contains(at) ? m_parts.at(at).count : 1;
                    group.region = region;
                    group.parent = parent;
                    if (m_result.isPart(found->second))
                        groups[parent].children.push_back(found->second);
                }
                parent = found->second;
            }
            m_result.groupOf[n] = parent; // owners come before what stands in their bodies
            if (!chain.empty())
                groups[parent].nodes.push_back(n);
        }
        sortGroups();
        m_nesting = Nesting(m_flow, m_result);
    }

    /// Weights go into calls, also where the file keeps them in Constant nodes.
    [[nodiscard]] bool holdsWeight(NodeId node) const
    {
        const Node& constant = m_model.node(node);
        if (!m_scopes.facts || !isConstantNode(constant) || constant.outputs.empty())
            return false;
        const TensorId tensor = heldTensor(m_model, constant.outputs.front());
        return tensor.valid() && m_scopes.facts->parameters.isLearned[tensor.index];
    }

    /// By their scopes, whose order does not depend on the file's; those around others first.
    void sortGroups()
    {
        auto& groups = m_result.groups;
        std::vector<std::size_t> byScope(groups.size());
        std::iota(byScope.begin(), byScope.end(), std::size_t{0});
        std::ranges::sort(byScope, {}, [&](std::size_t g) { return std::pair(groups[g].scope, groups[g].part); });
        std::vector<std::size_t> order;
        std::vector<bool> isOrdered(groups.size());
        for (std::size_t g : byScope) {
            const std::size_t end = order.size();
            for (; g != kNoGroup && !isOrdered[g]; g = groups[g].parent) {
                isOrdered[g] = true;
                order.push_back(g);
            }
            std::reverse(order.begin() + static_cast<std::ptrdiff_t>(end), order.end());
        }
        std::vector<std::size_t> places(groups.size());
        for (std::size_t place = 0; place < order.size(); ++place)
            places[order[place]] = place;
        const auto move = [&](std::size_t& group) { group = group == kNoGroup ? kNoGroup : places[group]; };
        std::vector<CallGroup> sorted;
        sorted.reserve(groups.size());
        for (const std::size_t g : order) {
            CallGroup& group = sorted.emplace_back(std::move(groups[g]));
            move(group.parent);
            std::ranges::for_each(group.children, move);
            std::ranges::sort(group.children);
        }
        groups = std::move(sorted);
        std::ranges::for_each(m_result.groupOf, move);
    }

    // Cycles

    [[nodiscard]] bool isGroup(Vertex vertex) const { return vertex >= m_flow.nodes.size(); }
    [[nodiscard]] std::size_t groupAt(Vertex vertex) const { return vertex - m_flow.nodes.size(); }

    [[nodiscard]] bool isIn(Vertex node, std::size_t group) const
    {
        return m_result.isIn(m_result.groupOf[node], group);
    }

    /// Takes module calls out, or apart, that the others could not be ordered with. False where there is none.
    bool breakCycles()
    {
        const auto found = cycles(edgesOf(m_nesting, m_readers));
        for (const auto& cycle : found)
            breakCycle(cycle);
        return !found.empty();
    }

    void breakCycle(const std::vector<Vertex>& cycle)
    {
        std::vector<std::size_t> groups;
        for (const Vertex vertex : cycle) {
            if (isGroup(vertex))
                groups.push_back(groupAt(vertex));
        }
        std::ranges::sort(groups);
        constexpr std::size_t kMostTried = 32; // each costs up to the whole graph; further ones wait for the next round
        bool isBroken = false;
        for (const std::size_t group : groups | std::views::take(kMostTried)) {
            const auto way = wayBack(group);
            if (!way)
                continue;
            isBroken = true;
            if (!m_request.split || !splitUp(group))
                refuse(m_result.groups[group].scope, *way);
        }
        if (isBroken)
            return;
        const std::size_t last = groups.back();
        const std::size_t other = groups.front();
        refuse(m_result.groups[last].scope,
            "it and '" + scope(m_result.groups[other].scope).path + "' need each other's results");
    }

    /// How the dataflow leaves a group and comes back; nothing if it does not.
    [[nodiscard]] std::optional<std::string> wayBack(std::size_t group) const
    {
        std::vector<bool> isSeen(m_flow.nodes.size());
        std::vector<std::pair<Vertex, Vertex>> reached; // a node outside, and the one that it was first reached at
        std::vector<std::pair<Vertex, ValueId>> leaving; // by `reached`: out of which node, as what
        std::vector<std::size_t> first; // [reached] index of the start of its way
        for (Vertex n = 0; n < m_flow.nodes.size(); ++n) {
            if (!isIn(n, group))
                continue;
            for (const auto& [reader, value] : m_readers[n]) {
                if (isSeen[reader] || isIn(reader, group))
                    continue;
                isSeen[reader] = true;
                first.push_back(leaving.size());
                leaving.emplace_back(reader, value);
                reached.emplace_back(reader, n);
            }
        }
        for (std::size_t at = 0; at < reached.size(); ++at) {
            const Vertex node = reached[at].first;
            for (const auto& [reader, value] : m_readers[node]) {
                if (isIn(reader, group)) {
                    const auto& [out, left] = leaving[first[at]];
                    return "'" + m_model.value(left).name + "' leaves it for " + nodeText(m_flow.nodes[out])
                        + " and comes back as '" + m_model.value(value).name + "' to " + nodeText(m_flow.nodes[reader]);
                }
                if (isSeen[reader])
                    continue;
                isSeen[reader] = true;
                reached.emplace_back(reader, node);
                first.push_back(first[at]);
            }
        }
        return std::nullopt;
    }

    /// As many parts as a way through it leaves it and comes back, and one: fewer could not be ordered.
    /// False where a child of it would come apart.
    bool splitUp(std::size_t group)
    {
        const ScopeId id = m_result.groups[group].scope;
        if (m_parts.contains(id))
            return false;
        Parts parts;
        parts.of.resize(m_flow.nodes.size());
        auto& level = parts.of;
        for (Vertex n = 0; n < m_flow.nodes.size(); ++n) {
            const bool isInside = isIn(n, group);
            for (const auto& [reader, value] : m_readers[n])
                level[reader] = std::max(level[reader], level[n] + (isInside && !isIn(reader, group) ? 1 : 0));
            if (isInside)
                parts.count = std::max(parts.count, level[n] + 1);
        }
        for (const std::size_t child : m_result.groups[group].children) {
            int part = -1;
            for (Vertex n = 0; n < m_flow.nodes.size(); ++n) {
                if (!isIn(n, child))
                    continue;
                if (part >= 0 && part != level[n])
                    return false;
                part = level[n];
            }
        }
        m_parts.emplace(id, std::move(parts));
        return true;
    }

    /// ONNX Runtime 1.32 finds a function by its overload where the graph calls it, and not where a function does.
    void refuseOverloads()
    {
        std::set<FunctionName> overloaded;
        if (std::ranges::any_of(m_flow.nodes, [&](NodeId node) { return m_model.node(node).isCall; })) {
            for (const LocalFunction& function : localFunctions(m_model)) {
                if (!function.overload.empty())
                    overloaded.emplace(function.domain, function.name);
            }
        }
        for (const NodeId id : overloaded.empty() ? std::vector<NodeId>() : m_model.order) {
            const Node& node = m_model.node(id);
            if (!node.isCall || !overloaded.contains({node.domain, node.opType}))
                continue;
            for (ScopeId at = scopeOf(id); at.valid(); at = scope(at).parent) {
                if (m_isSelected[at.index])
                    refuse(at, "it calls '" + node.opType + "' by an overload, which functions cannot");
            }
        }
    }

    void refuseEmpty()
    {
        std::vector<bool> isThere(m_isSelected.size());
        for (const CallGroup& group : m_result.groups)
            isThere[group.scope.index] = true;
        for (std::size_t s = 0; s < m_isSelected.size(); ++s) {
            if (m_isSelected[s] && !isThere[s])
                refuse(ScopeId(s), "no node is left of it");
        }
    }

    struct Parts {
        int count = 1;
        std::vector<int> of; // [NodeFlow::nodes] of those that are in it
    };

    const Model& m_model;
    const Scopes& m_scopes;
    const NodeFlow& m_flow;
    const OutlineRequest& m_request;
    std::vector<bool> m_isSelected; // [scopes]
    std::map<ScopeId, Parts> m_parts; // of those that come apart
    const Readers m_readers;
    CallGroups m_result;
    Nesting m_nesting; // of m_result
};

} // namespace

Result<CallGroups> groupCalls(
    const Model& model, const Scopes& scopes, const NodeFlow& flow, const OutlineRequest& request)
{
    return Grouping(model, scopes, flow, request).run();
}

bool canBeOrdered(const Model& model, const NodeFlow& flow, const CallGroups& groups,
    const std::vector<std::pair<std::size_t, ValueId>>& waits)
{
    std::vector<Vertex> nodeIn(groups.groups.size());
    for (Vertex n = 0; n < flow.nodes.size(); ++n) {
        for (std::size_t g = groups.groupOf[n]; g != kNoGroup; g = groups.groups[g].parent)
            nodeIn[g] = n;
    }
    Readers readers = readersOf(model, flow);
    for (const auto& [group, value] : waits) {
        if (const auto maker = flow.makerOf[value.index])
            readers[*maker].emplace_back(nodeIn[group], value);
    }
    return cycles(edgesOf(Nesting(flow, groups), readers)).empty();
}

} // namespace duo
