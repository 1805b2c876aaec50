// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/build_calls.h"

#include "core/scope/calls/call_splitter.h"
#include "core/scope/facts/call_tree.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/element_text.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

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

/// Fills Call::number and CallTree::runs; Call::module must be known. Of two calls of a module the one that depends on
/// the other has the higher number; independent ones go by the number the exporter gave them, then by the path used,
/// then by their place in the canonical order. Numbers that the file records are kept, each series on top of the
/// others. O((nodes + uses) * repeated calls / 64), for at most 4,096 repeated calls; beyond, and for modules called
/// more than 64 times, the canonical order stands for dependence.
void numberCalls(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
    const ModulePaths& paths, CallTree& tree)
{
    Numberer(model, order, nodes, paths, tree).number();
}

std::uint64_t siteKey(PathId path, std::int32_t site)
{
    return (std::uint64_t{path.index} << 32) | static_cast<std::uint32_t>(site);
}

/// Places calls by recursion over frames; its depth is that of the deepest stack (64) plus functions inside functions.
class Builder
{
public:
    Builder(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes, const CodeLines& code,
        const Parameters& parameters, const ModulePaths& paths)
        : m_model(model)
        , m_order(order)
        , m_nodes(nodes)
        , m_splitter(model, order, nodes, code, parameters, paths)
    {
        m_tree.calls.reserve(nodes.size() + 1); // mostly enough
        m_tree.calls.emplace_back();
        m_tree.calls[0].path = m_tree.calls[0].module = ModulePaths::root();
        m_tree.callOf.resize(nodes.size());
    }

    CallTree build()
    {
        std::vector<std::uint32_t> sequence;
        std::vector<std::uint32_t> constants;
        for (const NodeId id : m_order.sequence) {
            if (m_nodes[id.index].isScoped)
                (isConstantNode(m_model.node(id)) ? constants : sequence).push_back(id.index);
        }
        place(CallId(0), 0, sequence);
        for (const std::uint32_t n : constants)
            m_tree.callOf[n] = callOfConstant(m_nodes[n]);
        return std::move(m_tree);
    }

private:
    /// Nodes that run in one call of a module, or in several that are still to be told apart.
    struct Group {
        PathId path;
        std::vector<std::uint32_t> nodes;
    };

    /// The body or branch a node lies in, seen from a module at this depth: the outermost one whose owner does not run
    /// in the module; invalid if there is none.
    RegionId bodyAround(std::uint32_t n, std::size_t depth) const
    {
        RegionId around;
        const auto& frames = m_nodes[n].frames;
        for (RegionId r = m_model.nodes[n].region; m_model.region(r).owner.valid();
             r = m_model.node(m_model.region(r).owner).region) {
            const auto& owner = m_nodes[m_model.region(r).owner.index].frames;
            if (owner.size() <= depth || owner[depth].path != frames[depth].path)
                around = r;
        }
        return around;
    }

    /// Nodes by the module at this depth; each branch of an If that the module does not hold itself is another group.
    std::vector<Group> groupsOf(CallId parent, std::size_t depth, const std::vector<std::uint32_t>& sequence)
    {
        std::vector<Group> groups;
        std::map<std::pair<PathId, RegionId>, std::size_t> known;
        for (const std::uint32_t n : sequence) {
            if (m_nodes[n].frames.size() <= depth) {
                m_tree.callOf[n] = parent;
                continue;
            }
            const PathId path = m_nodes[n].frames[depth].path;
            const auto [entry, isNew] = known.try_emplace(
                {path, m_model.regions.size() == 1 ? RegionId{} : bodyAround(n, depth)}, groups.size());
            if (isNew)
                groups.push_back({path, {}});
            groups[entry->second].nodes.push_back(n);
        }
        return m_model.regions.size() > 1 ? joined(std::move(groups), known) : groups;
    }

    /// A module that works outside of a body, too, holds the body.
    std::vector<Group> joined(
        std::vector<Group> groups, const std::map<std::pair<PathId, RegionId>, std::size_t>& known) const
    {
        for (const auto& [key, g] : known) {
            const auto outside = known.find({key.first, RegionId{}});
            if (!key.second.valid() || outside == known.end())
                continue;
            auto& nodes = groups[outside->second].nodes;
            nodes.insert(nodes.end(), groups[g].nodes.begin(), groups[g].nodes.end());
            groups[g].nodes.clear();
        }
        std::erase_if(groups, [](const Group& group) { return group.nodes.empty(); });
        for (Group& group : groups)
            std::sort(group.nodes.begin(), group.nodes.end(),
                [&](std::uint32_t a, std::uint32_t b) { return m_order.isBefore(NodeId(a), NodeId(b)); });
        return groups;
    }

    void place(CallId parent, std::size_t depth, const std::vector<std::uint32_t>& sequence)
    {
        struct Part {
            PathId path;
            CallNodes nodes;
        };
        std::vector<Part> parts;
        std::unordered_map<std::uint64_t, std::size_t> known;
        for (const Group& group : groupsOf(parent, depth, sequence)) {
            for (CallNodes& part : m_splitter.split(group.nodes, depth)) {
                const std::uint64_t site = siteKey(group.path, part.site);
                if (part.site != kNoMark && known.contains(site)) {
                    auto& nodes = parts[known[site]].nodes.nodes;
                    nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
                    continue;
                }
                if (part.site != kNoMark)
                    known.emplace(site, parts.size());
                parts.push_back({group.path, std::move(part)});
            }
        }
        std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
            return m_order.isBefore(NodeId(a.nodes.nodes.front()), NodeId(b.nodes.nodes.front()));
        });
        std::vector<CallId> calls;
        for (const Part& part : parts)
            calls.push_back(addCall(parent, part.path, part.nodes));
        for (std::size_t i = 0; i < parts.size(); ++i)
            place(calls[i], depth + 1, std::exchange(parts[i].nodes.nodes, {}));
    }

    CallId addCall(CallId parent, PathId path, const CallNodes& part)
    {
        const CallId id(m_tree.calls.size());
        Call call;
        call.parent = parent;
        call.path = path;
        call.site = part.site;
        call.from = std::max(part.from, m_tree.calls[parent.index].childrenFrom);
        call.childrenFrom = part.childrenFrom;
        call.firstNode = part.nodes.front();
        call.depth = m_tree.calls[parent.index].depth + 1;
        const Frame& frame = m_nodes[call.firstNode].frames[static_cast<std::size_t>(call.depth) - 1];
        call.recordedNumber = frame.number;
        call.series = frame.series;
        m_tree.calls.push_back(std::move(call));
        if (part.site != kNoMark)
            m_callOfSite.emplace(siteKey(path, part.site), id);
        const auto [entry, isNew] = m_soleCall.try_emplace(path, id);
        if (!isNew)
            entry->second = CallId{};
        return id;
    }

    /// The call a constant is named after, if it is one that does anything; nothing where several may be meant.
    CallId callOfConstant(const FramedNode& node) const
    {
        if (node.frames.empty())
            return CallId(0);
        const Frame& frame = node.frames.back();
        if (const auto call = m_callOfSite.find(siteKey(frame.path, frame.site));
            frame.site != kNoMark && call != m_callOfSite.end())
            return call->second;
        const auto sole = m_soleCall.find(frame.path);
        return sole == m_soleCall.end() ? CallId{} : sole->second;
    }

    const Model& m_model;
    const NodeOrder& m_order;
    const std::vector<FramedNode>& m_nodes;
    CallSplitter m_splitter;
    CallTree m_tree;
    std::unordered_map<std::uint64_t, CallId> m_callOfSite; // asked for constants only
    std::unordered_map<PathId, CallId> m_soleCall; // invalid where a path is called several times
};

void addNumber(Call& call)
{
    if (call.number > 0)
        call.element += "#" + std::to_string(call.number);
}

void writeElement(const CallTree& tree, const ModuleAliases& aliases, const ModulePaths& paths, Call& call)
{
    const Call& caller = tree.calls[call.parent.index];
    if (call.path != caller.path && paths.contains(caller.path, call.path)) { // nearly always
        call.isForeign = false;
        call.element = escapedElement(paths.relative(caller.path, call.path));
        return addNumber(call);
    }
    std::vector<PathId> callerPaths{caller.path, caller.module};
    std::vector<PathId> calleePaths{call.path, call.module};
    for (const PathId other : aliases.others(caller.module))
        callerPaths.push_back(other);
    for (const PathId other : aliases.others(call.module))
        calleePaths.push_back(other);
    call.isForeign = true;
    for (const PathId callee : calleePaths) {
        for (const PathId above : callerPaths) {
            if (!call.isForeign || above == callee || !paths.contains(above, callee))
                continue;
            call.element = escapedElement(paths.relative(above, callee));
            call.isForeign = false;
        }
    }
    if (call.isForeign)
        call.element = "@" + escapedElement(paths.text(call.module));
    addNumber(call);
}

} // namespace

CallTree buildCalls(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
    const CodeLines& code, const Parameters& parameters, const ModuleAliases& aliases, ModulePaths& paths)
{
    CallTree tree = Builder(model, order, nodes, code, parameters, paths).build();
    for (Call& call : tree.calls)
        call.module = aliases.canonical(paths, call.path);
    tree.runs.assign(paths.size(), 0);
    numberCalls(model, order, nodes, paths, tree);
    writeElements(tree, aliases, paths);
    return tree;
}

void writeElements(CallTree& tree, const ModuleAliases& aliases, const ModulePaths& paths)
{
    for (std::size_t i = 1; i < tree.calls.size(); ++i)
        writeElement(tree, aliases, paths, tree.calls[i]);
}

} // namespace duo
