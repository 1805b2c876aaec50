// SPDX-License-Identifier: Apache-2.0
#include "core/state/unmade_changes.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

bool isMulOf(const NodeRecord& node, const FloatChange& change)
{
    return change.kind == FloatChangeKind::SmoothQuant && change.foldedInto.empty() && node.opType == "Mul"
        && node.name.starts_with(change.value);
}

class RecordedNodes
{
public:
    explicit RecordedNodes(const GraphRecord& graph)
        : m_graph(graph)
    {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            m_index.emplace(graph.nodes[i].name, i);
    }

    /// What gives the data that a node reads; null for what is no node, or not recorded.
    [[nodiscard]] const NodeRecord* giverOf(const std::string& reader) const
    {
        const auto node = m_index.find(reader);
        if (node == m_index.end())
            return nullptr;
        const auto& inputs = m_graph.nodes[node->second].inputs;
        const auto giver = std::ranges::find_if(inputs, [](std::int32_t input) { return input >= 0; });
        return giver == inputs.end() ? nullptr : &m_graph.nodes[static_cast<std::size_t>(*giver)];
    }

private:
    const GraphRecord& m_graph;
    std::unordered_map<std::string_view, std::size_t> m_index;
};

/// Names of the nodes whose values changes scaled, and of those that read them.
struct Scaled {
    std::set<std::string> givers;
    std::set<std::string> readers;

    void add(const FloatChange& change, const RecordedNodes& nodes)
    {
        const bool isPair = change.kind == FloatChangeKind::CrossLayer;
        const std::string& start = isPair ? change.nodes.front() : change.foldedInto;
        if (!start.empty())
            givers.insert(start);
        for (const std::string& reader : change.nodes) {
            if (isPair && reader == start)
                continue;
            readers.insert(reader);
            const NodeRecord* giver = nodes.giverOf(reader);
            if (start.empty() && giver != nullptr && isMulOf(*giver, change))
                givers.insert(giver->name);
            while (!start.empty() && giver != nullptr && givers.insert(giver->name).second)
                giver = nodes.giverOf(giver->name);
        }
    }
};

} // namespace

std::vector<std::string> mulsOf(const GraphRecord& graph, const std::vector<FloatChange>& changes)
{
    const RecordedNodes nodes(graph);
    std::vector<std::string> muls;
    for (const FloatChange& change : changes) {
        const NodeRecord* giver = change.nodes.empty() ? nullptr : nodes.giverOf(change.nodes.front());
        muls.push_back(giver != nullptr && isMulOf(*giver, change) ? giver->name : std::string());
    }
    return muls;
}

GraphRecord beforeChanges(GraphRecord graph, const std::vector<FloatChange>& changes)
{
    std::set<std::string> muls;
    for (std::string& mul : mulsOf(graph, changes)) {
        if (!mul.empty())
            muls.insert(std::move(mul));
    }
    if (muls.empty())
        return graph;
    struct Read {
        std::int32_t giver = -1;
        std::uint32_t port = 0;
    };
    std::unordered_map<std::int32_t, Read> readsOf; // of a Mul that goes, what it read
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        NodeRecord& node = graph.nodes[i];
        if (!muls.contains(node.name))
            continue;
        if (!node.inputs.empty())
            readsOf.emplace(
                static_cast<std::int32_t>(i), Read{node.inputs.front(), node.ports.empty() ? 0 : node.ports.front()});
        node.opType.clear();
        node.inputs.clear();
        node.ports.clear();
    }
    for (NodeRecord& node : graph.nodes) {
        for (std::size_t port = 0; port < node.inputs.size(); ++port) {
            const auto mul = readsOf.find(node.inputs[port]);
            if (mul == readsOf.end())
                continue;
            node.inputs[port] = mul->second.giver;
            if (node.ports.empty() && mul->second.port != 0)
                node.ports.resize(node.inputs.size());
            if (!node.ports.empty())
                node.ports[port] = mul->second.port;
        }
    }
    return graph;
}

RecordedState withoutScaled(
    RecordedState state, const std::vector<FloatChange>& unmade, std::vector<std::string>& leftOut)
{
    Scaled scaled;
    const RecordedNodes nodes(state.graph);
    for (const FloatChange& change : unmade)
        scaled.add(change, nodes);
    std::erase_if(state.setup.points, [&](const RecordedPoint& point) {
        const bool isScaled = point.port ? !point.isWeight && *point.port == 0 && scaled.readers.contains(point.target)
                                         : scaled.givers.contains(point.target);
        if (isScaled)
            leftOut.push_back("quantizer " + std::to_string(point.id)
                + " was left out: what it stands on was scaled by a change that cannot be made here");
        return isScaled;
    });
    std::erase_if(state.inputMeans, [&](const auto& means) { return scaled.readers.contains(means.first); });
    std::erase_if(state.biasShifts, [&](const auto& shift) {
        const bool isScaled = scaled.readers.contains(shift.first);
        if (isScaled)
            leftOut.push_back("the corrected bias of '" + shift.first
                + "' was left out: what it reads was scaled by a change that cannot be made here");
        return isScaled;
    });
    return state;
}

} // namespace duo
