// SPDX-License-Identifier: Apache-2.0
#include "core/graph/containment.h"

#include <algorithm>
#include <numeric>

namespace duo {
namespace {

using Items = std::vector<ContainedItem>;
using Kind = ContainedItem::Kind;

/// Drawn nodes of each scope, those below included; scopes come parents first.
std::vector<std::int64_t> nodesPerScope(const Model& model, const Scopes& scopes)
{
    std::vector<std::int64_t> count(scopes.execution.scopes.size(), 0);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (isDrawn(model, NodeId(n)))
            ++count[scopes.nodes[n].executionScope.index];
    }
    for (std::size_t s = count.size(); s-- > 1;)
        count[scopes.execution.scopes[s].parent.index] += count[s];
    return count;
}

class Builder
{
public:
    Builder(const Model& model, const Scopes& scopes)
        : m_model(model)
        , m_scopes(scopes)
        , m_count(nodesPerScope(model, scopes))
    {
    }

    Containment build()
    {
        addScopes();
        addNodes();
        const std::size_t scopeContainers = m_result.containers.size();
        for (std::uint32_t c = 0; c < scopeContainers; ++c)
            splitIntoGroups(c, m_result.containers[c].key, "");
        addBoundary(m_model.mainGraph().inputs, Kind::Input);
        addBoundary(m_model.mainGraph().outputs, Kind::Output);
        settle();
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool isContainer(std::size_t scope) const { return scope == 0 || m_count[scope] > 1; }

    void addScopes()
    {
        const auto& tree = m_scopes.execution.scopes;
        m_containerOf.assign(tree.size(), 0);
        for (std::size_t s = 0; s < tree.size(); ++s) {
            const std::uint32_t parent = s == 0 ? 0 : m_containerOf[tree[s].parent.index];
            m_containerOf[s] = parent;
            if (!isContainer(s))
                continue;
            m_containerOf[s] = static_cast<std::uint32_t>(m_result.containers.size());
            Container container;
            container.key = tree[s].path;
            container.scope = ScopeId(s);
            container.parent = parent;
            container.nodes = m_count[s];
            m_result.containers.push_back(std::move(container));
        }
    }

    /// Items appear where their first node appears in topological order.
    void addNodes()
    {
        m_result.ofNode.assign(m_model.nodes.size(), Containment::kHidden);
        std::vector<bool> placed(m_result.containers.size(), false);
        placed[0] = true;
        for (const NodeId node : m_model.order) {
            if (!isDrawn(m_model, node))
                continue;
            const std::uint32_t home = m_containerOf[m_scopes.nodes[node.index].executionScope.index];
            m_result.ofNode[node.index] = home;
            std::vector<std::uint32_t> entered;
            for (std::uint32_t c = home; !placed[c]; c = m_result.containers[c].parent) {
                placed[c] = true;
                entered.push_back(c);
            }
            for (auto c = entered.rbegin(); c != entered.rend(); ++c)
                m_result.containers[m_result.containers[*c].parent].items.push_back({Kind::Container, *c});
            m_result.containers[home].items.push_back({Kind::Node, node.index});
        }
    }

    /// Cuts the items of a container that has too many into runs of equal length, and those into runs again.
    void splitIntoGroups(std::uint32_t container, std::string path, const std::string& name)
    {
        const std::size_t total = m_result.containers[container].items.size();
        std::vector<std::size_t> starts(total); // [items] the first original item each stands for
        std::iota(starts.begin(), starts.end(), std::size_t{1});
        while (m_result.containers[container].items.size() > Containment::kMostItems) {
            const Items items = std::move(m_result.containers[container].items);
            const std::size_t runs = (items.size() + Containment::kMostItems - 1) / Containment::kMostItems;
            Items groups;
            std::vector<std::size_t> groupStarts;
            for (std::size_t run = 0; run < runs; ++run) {
                const std::size_t begin = run * items.size() / runs;
                const std::size_t end = (run + 1) * items.size() / runs;
                const std::string first = std::to_string(starts[begin]);
                const std::string last = std::to_string(end < items.size() ? starts[end] - 1 : total);
                groups.push_back(addGroup(container, path + "//" + name + first + "-" + last, first + "–" + last,
                    Items(items.begin() + static_cast<std::ptrdiff_t>(begin),
                        items.begin() + static_cast<std::ptrdiff_t>(end))));
                groupStarts.push_back(starts[begin]);
            }
            m_result.containers[container].items = std::move(groups);
            starts = std::move(groupStarts);
        }
    }

    ContainedItem addGroup(std::uint32_t parent, std::string key, std::string title, Items items)
    {
        const auto index = static_cast<std::uint32_t>(m_result.containers.size());
        Container group;
        group.key = std::move(key);
        group.title = std::move(title);
        group.scope = m_result.containers[parent].scope;
        group.isGroup = true;
        group.parent = parent;
        group.items = std::move(items);
        m_result.containers.push_back(std::move(group));
        return {Kind::Container, index};
    }

    void addBoundary(const std::vector<ValueId>& values, Kind kind)
    {
        Items items;
        for (const ValueId value : values) {
            if (value.valid())
                items.push_back({kind, value.index});
        }
        const std::string name = kind == Kind::Input ? "inputs" : "outputs";
        if (items.size() > Containment::kMostLooseInputs) {
            const ContainedItem group = addGroup(0, "//" + name, name, std::move(items));
            splitIntoGroups(group.index, "", name + "//");
            items.assign(1, group);
        }
        Items& root = m_result.containers[0].items;
        root.insert(kind == Kind::Input ? root.begin() : root.end(), items.begin(), items.end());
    }

    /// Parents and node counts of groups, and the containers of nodes that went into them.
    void settle()
    {
        auto& containers = m_result.containers;
        std::vector<std::uint32_t> order(1, 0);
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (const ContainedItem& item : containers[order[i]].items) {
                if (item.kind == Kind::Node)
                    m_result.ofNode[item.index] = order[i];
                if (item.kind != Kind::Container)
                    continue;
                containers[item.index].parent = order[i];
                order.push_back(item.index);
            }
        }
        for (auto c = order.rbegin(); c != order.rend(); ++c) {
            std::int64_t nodes = 0;
            for (const ContainedItem& item : containers[*c].items) {
                nodes += item.kind == Kind::Node ? 1 : 0;
                nodes += item.kind == Kind::Container ? containers[item.index].nodes : 0;
            }
            containers[*c].nodes = nodes;
        }
    }

    const Model& m_model;
    const Scopes& m_scopes;
    std::vector<std::int64_t> m_count; // [scopes]
    std::vector<std::uint32_t> m_containerOf; // [scopes]
    Containment m_result;
};

} // namespace

bool isDrawn(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    if (node.isCall) {
        return std::any_of(node.outputs.begin(), node.outputs.end(),
            [&](ValueId value) { return value.valid() && model.value(value).producer == id; });
    }
    return !(node.opType == "Constant" && node.domain.empty());
}

std::vector<std::string> Containment::keysTo(std::uint32_t container) const
{
    std::vector<std::string> keys;
    for (std::uint32_t c = container; c != 0 && c < containers.size(); c = containers[c].parent)
        keys.push_back(containers[c].key);
    std::reverse(keys.begin(), keys.end());
    return keys;
}

Containment findContainment(const Model& model, const Scopes& scopes)
{
    return Builder(model, scopes).build();
}

} // namespace duo
