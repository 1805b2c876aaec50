// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/call_tree.h"

#include "core/scope/calls/run_splitter.h"
#include "core/scope/reading/element_text.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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
    Builder(const Model& model, const std::vector<FramedNode>& nodes, const CodeLines& code,
        const Parameters& parameters, const ModulePaths& paths)
        : m_model(model)
        , m_nodes(nodes)
        , m_splitter(nodes, code, parameters, paths)
    {
        m_tree.calls.reserve(nodes.size() + 1); // mostly enough
        m_tree.calls.emplace_back();
        m_tree.calls[0].path = m_tree.calls[0].module = ModulePaths::root();
        m_tree.callOf.resize(nodes.size());
    }

    CallTree build()
    {
        std::unordered_set<std::uint64_t> hasWork; // sites that hold more than fillers
        m_hasFillers
            = std::any_of(m_nodes.begin(), m_nodes.end(), [](const FramedNode& node) { return node.isFiller; });
        for (const FramedNode& node : m_nodes) {
            if (m_hasFillers && node.isScoped && !node.isFiller && !node.frames.empty())
                hasWork.insert(siteKey(node.frames.back().path, node.frames.back().site));
        }
        std::vector<std::uint32_t> sequence;
        std::vector<std::uint32_t> fillers;
        for (std::size_t n = 0; n < m_nodes.size(); ++n) {
            const FramedNode& node = m_nodes[n];
            if (!node.isScoped)
                continue;
            const bool isPlaced = node.isFiller && !node.frames.empty()
                && hasWork.contains(siteKey(node.frames.back().path, node.frames.back().site));
            (isPlaced ? fillers : sequence).push_back(static_cast<std::uint32_t>(n));
        }
        place(CallId(0), 0, sequence);
        for (const std::uint32_t n : fillers) {
            const Frame& frame = m_nodes[n].frames.back();
            const auto call = m_callOfSite.find(siteKey(frame.path, frame.site));
            if (call != m_callOfSite.end())
                m_tree.callOf[n] = call->second;
        }
        return std::move(m_tree);
    }

private:
    struct Run {
        PathId path;
        std::vector<std::uint32_t> nodes;
    };

    /// Nodes of a child next to each other; branches of one If that the child does not hold itself are not.
    std::vector<Run> runsOf(CallId parent, std::size_t depth, const std::vector<std::uint32_t>& sequence)
    {
        std::vector<Run> runs;
        bool isOpen = false;
        for (const std::uint32_t n : sequence) {
            if (m_nodes[n].frames.size() <= depth) {
                m_tree.callOf[n] = parent;
                isOpen = isOpen && m_nodes[n].isFiller;
                continue;
            }
            const Frame& frame = m_nodes[n].frames[depth];
            if (!isOpen || runs.back().path != frame.path || isOtherLine(runs.back(), depth, frame)
                || crossesBranch(runs.back(), n))
                runs.push_back({frame.path, {}});
            runs.back().nodes.push_back(n);
            isOpen = true;
        }
        return runs;
    }

    bool isOtherLine(const Run& run, std::size_t depth, const Frame& frame) const
    {
        const std::int32_t line = m_nodes[run.nodes.back()].frames[depth].line;
        return line != kNoMark && frame.line != kNoMark && line != frame.line;
    }

    /// The regions a node lies in, from the outermost.
    std::vector<RegionId> regionsOf(std::uint32_t n) const
    {
        std::vector<RegionId> regions;
        for (RegionId r = m_model.nodes[n].region; m_model.region(r).owner.valid();
             r = m_model.node(m_model.region(r).owner).region)
            regions.push_back(r);
        std::reverse(regions.begin(), regions.end());
        return regions;
    }

    bool crossesBranch(const Run& run, std::uint32_t n) const
    {
        const std::uint32_t last = run.nodes.back();
        if (m_model.nodes[last].region == m_model.nodes[n].region)
            return false;
        const auto a = regionsOf(last);
        const auto b = regionsOf(n);
        const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
        const auto isOutside = [&](auto region, auto end) {
            return region != end && m_model.region(*region).owner.index < run.nodes.front();
        };
        return isOutside(left, a.end()) || isOutside(right, b.end());
    }

    void place(CallId parent, std::size_t depth, const std::vector<std::uint32_t>& sequence)
    {
        std::vector<CallNodes> parts;
        std::vector<CallId> calls;
        std::unordered_map<std::uint64_t, std::size_t> known;
        std::vector<Run> runs = runsOf(parent, depth, sequence);
        for (const Run& run : runs) {
            for (CallNodes& part : m_splitter.split(run.nodes, depth)) {
                const std::uint64_t site = siteKey(run.path, part.site);
                if (part.site != kNoMark && known.contains(site)) { // moved about by the exporter: the same call
                    auto& nodes = parts[known[site]].nodes;
                    nodes.insert(nodes.end(), part.nodes.begin(), part.nodes.end());
                    continue;
                }
                if (part.site != kNoMark)
                    known.emplace(site, parts.size());
                calls.push_back(addCall(parent, run.path, part));
                parts.push_back(std::move(part));
            }
        }
        runs.clear();
        for (std::size_t i = 0; i < parts.size(); ++i)
            place(calls[i], depth + 1, parts[i].nodes);
    }

    CallId addCall(CallId parent, PathId path, const CallNodes& part)
    {
        const CallId id(m_tree.calls.size());
        Call call;
        call.parent = parent;
        call.path = path;
        call.site = part.site;
        call.firstNode = part.nodes.front();
        call.depth = m_tree.calls[parent.index].depth + 1;
        takeNumber(m_nodes[part.nodes.front()], call);
        m_tree.calls.push_back(std::move(call));
        if (part.site != kNoMark && m_hasFillers)
            m_callOfSite.emplace(siteKey(path, part.site), id);
        return id;
    }

    static void takeNumber(const FramedNode& node, Call& call)
    {
        const Frame& frame = node.frames[static_cast<std::size_t>(call.depth) - 1];
        call.recordedNumber = frame.number;
        call.series = frame.series;
    }

    const Model& m_model;
    const std::vector<FramedNode>& m_nodes;
    RunSplitter m_splitter;
    CallTree m_tree;
    std::unordered_map<std::uint64_t, CallId> m_callOfSite; // asked for fillers only
    bool m_hasFillers = false;
};

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

void numberCalls(CallTree& tree, const ModuleAliases& aliases, ModulePaths& paths)
{
    for (Call& call : tree.calls)
        call.module = aliases.canonical(paths, call.path);
    tree.runs.assign(paths.size(), 0);
    std::vector<std::size_t> order(tree.calls.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const Call& x = tree.calls[a];
        const Call& y = tree.calls[b];
        return x.firstNode != y.firstNode ? x.firstNode < y.firstNode : x.depth < y.depth;
    });
    std::unordered_map<PathId, CallNumbers> numbers;
    for (const std::size_t i : order) {
        Call& call = tree.calls[i];
        CallNumbers& ofModule = numbers[call.module];
        call.number = ofModule.next(call);
        tree.runs[call.module.index] = ofModule.total();
    }
}

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

CallTree buildCalls(const Model& model, const std::vector<FramedNode>& nodes, const CodeLines& code,
    const Parameters& parameters, const ModuleAliases& aliases, ModulePaths& paths)
{
    CallTree tree = Builder(model, nodes, code, parameters, paths).build();
    numberCalls(tree, aliases, paths);
    writeElements(tree, aliases, paths);
    return tree;
}

void writeElements(CallTree& tree, const ModuleAliases& aliases, const ModulePaths& paths)
{
    for (std::size_t i = 1; i < tree.calls.size(); ++i)
        writeElement(tree, aliases, paths, tree.calls[i]);
}

CallId commonCall(const CallTree& tree, CallId a, CallId b)
{
    while (a != b) {
        if (tree.calls[a.index].depth < tree.calls[b.index].depth)
            std::swap(a, b);
        a = tree.calls[a.index].parent;
    }
    return a;
}

} // namespace duo
