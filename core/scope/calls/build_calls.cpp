// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/build_calls.h"

#include "core/scope/calls/call_numbers.h"
#include "core/scope/calls/call_splitter.h"
#include "core/scope/facts/element_text.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace duo {
namespace {

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
