// SPDX-License-Identifier: Apache-2.0
// Finding: the nodes and scopes of a model that a query asks for, piece by piece, so that nobody waits while it is
// typed.
#pragma once

#include "core/quantize/points/decision.h"
#include "core/search/search_query.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace duo {

struct FoundThing {
    enum class Kind { ExecutionScope, StorageScope, Node };
    Kind kind = Kind::Node;
    ScopeId scope; // of the tree that `kind` names
    NodeId node;
    bool operator==(const FoundThing&) const = default;
};

struct Found {
    std::vector<FoundThing> things; // as they run; a scope before what is in it, what never runs at the end
    std::vector<NodeId> gone; // nodes of the file that are not in the model any more, as they ran
    std::int64_t givenUp = 0; // things whose texts cost a pattern too much
    bool operator==(const Found&) const = default;
};

/// Where nodes and scopes stand in the order of Found. Of one model and its scopes. O(nodes + scopes).
struct SearchOrder {
    std::vector<std::uint32_t> ofNode; // [Model::nodes]
    std::vector<std::uint32_t> ofExecution; // [scopes] of the first node at or below
    std::vector<std::uint32_t> ofStorage; // likewise
};
SearchOrder searchOrder(const Model& model, const Scopes& scopes);

/// What a query is asked of; all of it outlives the search.
struct SearchPlace {
    const Model& model;
    const Scopes& scopes;
    const Decisions* decisions = nullptr; // null: nodes have no state
    const SearchOrder& order;
    const Model* opened = nullptr; // the file's, where transforms made `model` of it; null: nothing went
    const Scopes* openedScopes = nullptr; // of `opened`
    const ValueTypes* types = nullptr; // of the values of `model`; null: shapes are those that the file tells
};

/// One search, made in steps. Nodes and scopes below a scope that was found count only where something of their own
/// was found too; a module only where none of its calls was; of what went from the model only what the query says of
/// the node itself. An empty query finds nothing.
class Search
{
public:
    Search(const SearchPlace& place, SearchQuery query);
    /// Looks at the next `count` things. @return true once all were looked at
    bool advance(std::size_t count);
    /// Sorted once advance() has said true.
    [[nodiscard]] const Found& found() const { return m_found; }

private:
    void lookAt(std::size_t index);
    void lookAtScope(FoundThing::Kind kind, std::size_t index);
    void lookAtNode(std::size_t index);
    void lookAtOpened(std::size_t index);
    [[nodiscard]] std::size_t things() const; // to look at
    bool matches(const SearchSubject& subject);
    void sort();

    SearchPlace m_place;
    SearchQuery m_query;
    Found m_found;
    std::size_t m_next = 0; // execution scopes, nodes, storage scopes, nodes of the file
    std::vector<bool> m_isBelow; // [execution scopes] found, or below one that was
    std::vector<bool> m_isStoredBelow; // [storage scopes] likewise
    std::vector<std::string_view> m_called; // modules of execution scopes that were found; sorted before it is read
};

/// All of it at once.
Found findThings(const SearchPlace& place, SearchQuery query);

/// The first node at or below a scope; invalid where there is none. O(depth).
NodeId firstNodeBelow(const ScopeTree& tree, ScopeId scope);

} // namespace duo
