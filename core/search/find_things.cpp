// SPDX-License-Identifier: Apache-2.0
#include "core/search/find_things.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace duo {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

/// Children come after their parents.
std::vector<std::uint32_t> firstPlaces(const ScopeTree& tree, const std::vector<std::uint32_t>& ofNode)
{
    std::vector<std::uint32_t> places(tree.scopes.size(), kNever);
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        for (const NodeId node : tree.scopes[i].nodes)
            places[i] = std::min(places[i], ofNode[node.index]);
        if (tree.scopes[i].parent.valid())
            places[tree.scopes[i].parent.index] = std::min(places[tree.scopes[i].parent.index], places[i]);
    }
    return places;
}

} // namespace

SearchOrder searchOrder(const Model& model, const Scopes& scopes)
{
    SearchOrder order;
    order.ofNode.assign(model.nodes.size(), kNever);
    for (std::size_t i = 0; i < model.order.size(); ++i)
        order.ofNode[model.order[i].index] = static_cast<std::uint32_t>(i);
    order.ofExecution = firstPlaces(scopes.execution, order.ofNode);
    order.ofStorage = firstPlaces(scopes.storage, order.ofNode);
    return order;
}

Search::Search(const SearchPlace& place, SearchQuery query)
    : m_place(place)
    , m_query(std::move(query))
    , m_isBelow(place.scopes.execution.scopes.size(), false)
    , m_isStoredBelow(place.scopes.storage.scopes.size(), false)
{
}

bool Search::matches(const SearchSubject& subject)
{
    const SearchOutcome outcome = m_query.matches(subject);
    m_found.givenUp += outcome == SearchOutcome::TooCostly ? 1 : 0;
    return outcome == SearchOutcome::Match;
}

void Search::lookAtScope(FoundThing::Kind kind, std::size_t index)
{
    const bool isCall = kind == FoundThing::Kind::ExecutionScope;
    const Scope& scope = (isCall ? m_place.scopes.execution : m_place.scopes.storage).scopes[index];
    std::vector<bool>& isBelow = isCall ? m_isBelow : m_isStoredBelow;
    const bool isInside = scope.parent.valid() && isBelow[scope.parent.index];
    isBelow[index] = isInside;
    if (!scope.parent.valid() || !m_query.findsScopes()) // the root has no name of its own
        return;
    const SearchSubject subject = scopeSubject(scope);
    if (!matches(subject) || (isInside && !m_query.isOwn(subject)))
        return;
    isBelow[index] = true;
    if (isCall)
        m_called.push_back(scope.module);
    else if (std::ranges::binary_search(m_called, std::string_view(scope.module)))
        return;
    m_found.things.push_back({kind, ScopeId(index), {}});
}

void Search::lookAtNode(std::size_t index)
{
    const NodeId node(index);
    const SearchSubject subject = nodeSubject(m_place.model, m_place.scopes, m_place.decisions, node, m_place.types);
    if (!matches(subject))
        return;
    const ScopeId scope = m_place.scopes.nodes[index].executionScope;
    if (scope.valid() && m_isBelow[scope.index] && !m_query.isOwn(subject))
        return;
    m_found.things.push_back({FoundThing::Kind::Node, {}, node});
}

void Search::lookAtOpened(std::size_t index)
{
    const NodeId id(index);
    const Node& node = m_place.opened->node(id);
    if (node.isCall || m_place.model.findNode(node.name).valid()) // calls that were written out are scopes
        return;
    const SearchSubject subject = nodeSubject(*m_place.opened, *m_place.openedScopes, nullptr, id);
    if (matches(subject) && m_query.isOwn(subject))
        m_found.gone.push_back(id);
}

std::size_t Search::things() const
{
    return m_place.scopes.execution.scopes.size() + m_place.model.nodes.size() + m_place.scopes.storage.scopes.size()
        + (m_place.opened == nullptr ? 0 : m_place.opened->nodes.size());
}

void Search::lookAt(std::size_t index)
{
    const std::size_t calls = m_place.scopes.execution.scopes.size();
    const std::size_t nodes = m_place.model.nodes.size();
    const std::size_t modules = m_place.scopes.storage.scopes.size();
    if (index == calls)
        std::ranges::sort(m_called);
    if (index < calls)
        lookAtScope(FoundThing::Kind::ExecutionScope, index);
    else if (index < calls + nodes)
        lookAtNode(index - calls);
    else if (index < calls + nodes + modules)
        lookAtScope(FoundThing::Kind::StorageScope, index - calls - nodes);
    else
        lookAtOpened(index - calls - nodes - modules);
}

void Search::sort()
{
    const auto key = [this](const FoundThing& thing) {
        const SearchOrder& order = m_place.order;
        const std::uint32_t place = thing.kind == FoundThing::Kind::Node ? order.ofNode[thing.node.index]
            : thing.kind == FoundThing::Kind::ExecutionScope             ? order.ofExecution[thing.scope.index]
                                                                         : order.ofStorage[thing.scope.index];
        return std::tuple(place, thing.kind, thing.scope.index); // parents have lower numbers than what is in them
    };
    std::ranges::sort(m_found.things, {}, key);
    if (m_found.gone.size() < 2)
        return;
    std::vector<std::uint32_t> places(m_place.opened->nodes.size(), kNever);
    for (std::size_t i = 0; i < m_place.opened->order.size(); ++i)
        places[m_place.opened->order[i].index] = static_cast<std::uint32_t>(i);
    std::ranges::sort(m_found.gone, {}, [&places](NodeId node) { return places[node.index]; });
}

bool Search::advance(std::size_t count)
{
    const std::size_t all = m_query.empty() ? 0 : things();
    if (m_next >= all)
        return true;
    const std::size_t end = std::min(all, m_next + count);
    while (m_next < end)
        lookAt(m_next++);
    if (m_next < all)
        return false;
    sort();
    return true;
}

Found findThings(const SearchPlace& place, SearchQuery query)
{
    Search search(place, std::move(query));
    while (!search.advance(std::numeric_limits<std::uint32_t>::max())) { }
    return search.found();
}

NodeId firstNodeBelow(const ScopeTree& tree, ScopeId scope)
{
    while (scope.valid()) {
        const Scope& at = tree.scope(scope);
        if (!at.nodes.empty())
            return at.nodes.front();
        const auto next
            = std::ranges::find_if(at.children, [&](ScopeId child) { return tree.scope(child).totalNodes > 0; });
        scope = next == at.children.end() ? ScopeId() : *next;
    }
    return {};
}

} // namespace duo
