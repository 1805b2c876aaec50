// SPDX-License-Identifier: Apache-2.0
#include "core/graph/containment.h"

#include "core/graph/bundles.h"
#include "core/graph/pages.h"
#include "core/graph/shape_groups.h"
#include "core/model/held_tensors.h"
#include "core/scope/facts/canonical_order.h"
#include "core/support/digits.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kManyAlike = 20; // side by side: one box is more to look at than so many

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
    Builder(const Model& model, const Scopes& scopes, std::size_t most)
        : m_model(model)
        , m_scopes(scopes)
        , m_count(nodesPerScope(model, scopes))
    {
        m_result.most = most;
    }

    Containment build()
    {
        addScopes();
        addNodes();
        const std::size_t scopeContainers = m_result.containers.size();
        for (std::uint32_t c = 0; c < scopeContainers; ++c)
            splitIntoGroups(c, std::string(m_result.containers[c].key), ""); // a copy: containers are added
        addBoundary(m_model.mainGraph().inputs, Kind::Input);
        addBoundary(m_model.mainGraph().outputs, Kind::Output);
        settle();
        return std::move(m_result);
    }

private:
    /// A body is a box even around a single node: its branch is told by nothing else.
    [[nodiscard]] bool isContainer(std::size_t scope) const
    {
        return scope == 0 || m_count[scope] > 1 || (m_count[scope] == 1 && m_scopes.execution.scopes[scope].isBody);
    }

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

    /// Items appear where their first node appears, in an order that the file does not decide.
    void addNodes()
    {
        m_result.ofNode.assign(m_model.nodes.size(), Containment::kHidden);
        std::vector<bool> placed(m_result.containers.size(), false);
        placed[0] = true;
        m_result.order = canonicalOrder(m_model).sequence;
        for (const NodeId node : m_result.order) {
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

    /// Of a container that has too many items: what stands side by side goes into bundles, and what is still too much
    /// into pages. Large bundles are made where there are fewer items too.
    void splitIntoGroups(std::uint32_t container, const std::string& path, const std::string& name)
    {
        const Items& items = m_result.containers[container].items;
        const bool isTooMuch = items.size() > m_result.most;
        if (name.empty() && (isTooMuch || hasManyAlike(items)))
            bundleInPlace(container, path, isTooMuch ? kLeastBranches : kManyAlike);
        if (m_result.containers[container].items.size() > m_result.most && name.empty())
            groupShapesInPlace(container, path);
        splitIntoPages(container, path + "//" + name);
    }

    /// What computes shapes stands in boxes of its own where there is too much to see.
    void groupShapesInPlace(std::uint32_t container, const std::string& path)
    {
        if (m_shapeRoles.empty())
            m_shapeRoles = shapeRoles(m_model);
        const auto roleOf = [this](const ContainedItem& item) {
            return item.kind == Kind::Node ? m_shapeRoles[item.index] : ShapeRole::None;
        };
        const auto measures = std::ranges::count(m_result.containers[container].items, ShapeRole::Measures, roleOf);
        const auto computes = std::ranges::count(m_result.containers[container].items, ShapeRole::Computes, roleOf);
        if (measures + computes < static_cast<std::ptrdiff_t>(kLeastOfShapes))
            return;
        const Items items = inReadingOrder(m_result.containers[container].items);
        std::vector<ShapeRole> roles;
        std::ranges::transform(items, std::back_inserter(roles), roleOf);
        std::vector<NamedGroup> groups;
        for (auto& group : findShapeGroups(roles, linksOf(items).links)) {
            std::string key = shapeGroupKey(path, group);
            groups.push_back({std::move(group), std::move(key), "shape arithmetic"});
        }
        if (!groups.empty())
            putIntoGroups(container, items, groups);
    }

    /// Items of a container that become one.
    struct NamedGroup {
        std::vector<std::uint32_t> items;
        std::string key;
        std::string title;
    };

    void putIntoGroups(std::uint32_t container, const Items& items, const std::vector<NamedGroup>& groups)
    {
        std::vector<std::optional<ContainedItem>> kept(items.begin(), items.end());
        for (const NamedGroup& group : groups) {
            Items inside;
            for (const std::uint32_t item : group.items) {
                inside.push_back(items[item]);
                kept[item].reset();
            }
            const ContainedItem added = addGroup(container, group.key, group.title, std::move(inside));
            splitIntoPages(added.index, group.key + "//");
            kept[group.items.front()] = added;
        }
        Items& left = m_result.containers[container].items;
        left.clear();
        for (const auto& item : kept) {
            if (item)
                left.push_back(*item);
        }
    }

    [[nodiscard]] bool hasManyAlike(const Items& items)
    {
        if (items.size() < kManyAlike)
            return false;
        std::unordered_map<std::uint64_t, std::size_t> alike;
        return std::ranges::any_of(
            pageItems(items), [&](const PageItem& item) { return ++alike[item.likeness] >= kManyAlike; });
    }

    /// @param prefix of the keys
    void splitIntoPages(std::uint32_t container, const std::string& prefix)
    {
        if (m_result.containers[container].items.size() <= m_result.most)
            return;
        const Items items = inReadingOrder(m_result.containers[container].items);
        const std::vector<Page> pages = findPages(pageItems(items), linksOf(items).crossing, m_result.most);
        m_result.containers[container].items = groupsOf(container, prefix, pages, items);
    }

    /// @param least items of a bundle
    void bundleInPlace(std::uint32_t container, const std::string& path, std::size_t least)
    {
        const Items items = m_result.containers[container].items;
        const std::vector<PageItem> described = pageItems(items);
        std::vector<std::uint64_t> likeness;
        for (const PageItem& item : described)
            likeness.push_back(item.likeness);
        std::vector<NamedGroup> bundles;
        for (auto& bundle : findBundles(likeness, linksOf(items).links)) {
            if (bundle.size() < least)
                continue;
            std::vector<PageItem> named;
            for (const std::uint32_t item : bundle)
                named.push_back(described[item]);
            std::string key = bundleKey(path, bundle);
            bundles.push_back({std::move(bundle), std::move(key), pageTitle(named)});
        }
        putIntoGroups(container, items, bundles);
    }

    /// Pages nest a few levels deep.
    Items groupsOf(
        std::uint32_t container, const std::string& prefix, const std::vector<Page>& pages, const Items& items)
    {
        Items groups;
        for (const Page& page : pages) {
            const std::string key = pageKey(prefix, page);
            Items inside = page.pages.empty() ? Items(items.begin() + static_cast<std::ptrdiff_t>(page.first),
                               items.begin() + static_cast<std::ptrdiff_t>(page.last))
                                              : groupsOf(container, prefix, page.pages, items);
            groups.push_back(addGroup(container, key, page.title, std::move(inside)));
        }
        return groups;
    }

    std::vector<PageItem> pageItems(const Items& items)
    {
        std::vector<PageItem> described;
        for (const ContainedItem& item : items)
            described.push_back(pageItem(item));
        return described;
    }

    /// A bare number with the name of what it is an item of.
    [[nodiscard]] std::string tellingName(ScopeId id) const
    {
        const Scope& scope = m_scopes.execution.scope(id);
        const std::string parent = scope.parent.valid() ? m_scopes.execution.scope(scope.parent).name : std::string();
        return allDigits(scope.name) && !parent.empty() ? parent + "." + scope.name : scope.name;
    }

    [[nodiscard]] PageItem pageItem(const ContainedItem& item)
    {
        switch (item.kind) {
        case Kind::Node: {
            const Node& node = m_model.nodes[item.index];
            return {node.opType, false, hashOf(NodeId(item.index)), labelOf(node)};
        }
        case Kind::Container: {
            const Container& container = m_result.containers[item.index];
            if (container.isGroup)
                return {container.title, false, std::hash<std::string>()(container.title), container.title};
            if (m_likeness.empty())
                addUpLikeness();
            const std::string name = tellingName(container.scope);
            return {name, true, m_likeness[container.scope.index], name};
        }
        case Kind::Input:
        case Kind::Output:
            break;
        }
        return {m_model.values[item.index].name, true, 0, m_model.values[item.index].name};
    }

    /// The last part of its name, else of a value it makes.
    [[nodiscard]] std::string labelOf(const Node& node) const
    {
        std::string_view name = node.name;
        for (std::size_t o = 0; o < node.outputs.size() && name.empty(); ++o) {
            if (node.outputs[o].valid())
                name = m_model.value(node.outputs[o]).name;
        }
        return std::string(name.substr(name.find_last_of('/') + 1));
    }

    [[nodiscard]] std::uint64_t hashOf(NodeId node) const
    {
        return std::hash<std::string>()(m_model.node(node).opType) | 1U;
    }

    /// [scopes] what the operators inside come to, those below included.
    void addUpLikeness()
    {
        const auto& tree = m_scopes.execution.scopes;
        m_likeness.assign(tree.size(), 0);
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            if (isDrawn(m_model, NodeId(n)))
                m_likeness[m_scopes.nodes[n].executionScope.index] += hashOf(NodeId(n));
        }
        for (std::size_t s = tree.size(); s-- > 1;)
            m_likeness[tree[s].parent.index] += m_likeness[s];
    }

    /// Each after those it reads, so that pages read from pages before them; where items read each other, the first one
    /// comes first.
    [[nodiscard]] Items inReadingOrder(const Items& items) const
    {
        std::vector<std::vector<std::uint32_t>> readers(items.size());
        std::vector<std::uint32_t> waitsFor(items.size(), 0);
        for (const auto& [from, to] : linksOf(items).links) {
            readers[from].push_back(to);
            ++waitsFor[to];
        }
        std::set<std::uint32_t> waiting;
        std::set<std::uint32_t> ready;
        for (std::uint32_t i = 0; i < items.size(); ++i)
            (waitsFor[i] == 0 ? ready : waiting).insert(i);
        Items ordered;
        while (ordered.size() < items.size()) {
            std::set<std::uint32_t>& from = ready.empty() ? waiting : ready;
            const std::uint32_t next = *from.begin();
            from.erase(from.begin());
            ordered.push_back(items[next]);
            for (const std::uint32_t reader : readers[next]) {
                if (--waitsFor[reader] == 0 && waiting.erase(reader) > 0)
                    ready.insert(reader);
            }
        }
        return ordered;
    }

    struct ItemLinks {
        std::vector<std::uint32_t> crossing; // [items] values that lead from items before to this one or behind it
        std::vector<std::pair<std::uint32_t, std::uint32_t>> links; // of a value: items that make and read it
    };

    /// O(nodes and uses inside).
    [[nodiscard]] ItemLinks linksOf(const Items& items) const
    {
        ItemLinks result;
        std::unordered_map<std::uint32_t, std::uint32_t> itemOf; // node
        for (std::uint32_t i = 0; i < items.size(); ++i) {
            std::vector<ContainedItem> pending{items[i]};
            while (!pending.empty()) {
                const ContainedItem item = pending.back();
                pending.pop_back();
                if (item.kind == Kind::Node)
                    itemOf.emplace(item.index, i);
                else if (item.kind == Kind::Container)
                    pending.insert(pending.end(), m_result.containers[item.index].items.begin(),
                        m_result.containers[item.index].items.end());
            }
        }
        std::vector<std::int64_t> change(items.size() + 1, 0);
        for (const auto& [node, from] : itemOf) {
            for (const ValueId value : m_model.nodes[node].outputs) {
                std::uint32_t last = from;
                if (!value.valid())
                    continue;
                for (const Use& use : m_model.value(value).uses) {
                    const auto reader = itemOf.find(use.node.index);
                    if (reader == itemOf.end() || reader->second == from)
                        continue;
                    last = std::max(last, reader->second);
                    result.links.emplace_back(from, reader->second);
                }
                ++change[from + 1];
                --change[last + 1];
            }
        }
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            sum += change[i];
            result.crossing.push_back(static_cast<std::uint32_t>(sum));
        }
        return result;
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
    std::vector<std::uint64_t> m_likeness; // [scopes], or none yet
    std::vector<ShapeRole> m_shapeRoles; // [nodes], or none yet
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
    return !isConstantNode(node);
}

std::vector<std::string> Containment::keysTo(std::uint32_t container) const
{
    std::vector<std::string> keys;
    for (std::uint32_t c = container; c != 0 && c < containers.size(); c = containers[c].parent)
        keys.push_back(containers[c].key);
    std::reverse(keys.begin(), keys.end());
    return keys;
}

Containment findContainment(const Model& model, const Scopes& scopes, std::size_t most)
{
    return Builder(model, scopes, most).build();
}

std::size_t mostItems(const std::set<std::string>& open)
{
    return open.contains(kFewItemsMark) ? Containment::kFewItems : Containment::kMostItems;
}

} // namespace duo
