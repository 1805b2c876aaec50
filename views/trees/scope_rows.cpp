// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_rows.h"

#include <algorithm>
#include <span>

namespace duo::ui {
namespace {

/// When the first node at or below each scope runs; NodeId::kNone for none. Children come after their parents.
std::vector<std::uint32_t> firstNodes(const ScopeTree& tree, const std::vector<std::uint32_t>& order)
{
    std::vector<std::uint32_t> first(tree.scopes.size(), NodeId::kNone);
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        const Scope& scope = tree.scopes[i];
        for (const NodeId node : scope.nodes)
            first[i] = std::min(first[i], order[node.index]);
        if (scope.parent.valid())
            first[scope.parent.index] = std::min(first[scope.parent.index], first[i]);
    }
    return first;
}

void appendParameters(std::vector<ScopeRow>& rows, const Scope& scope, ScopeId id)
{
    for (std::size_t key = 0; key < scope.keys.size(); ++key) {
        ScopeRow row;
        row.kind = ScopeRow::Kind::Parameter;
        row.scope = id;
        row.key = static_cast<std::uint32_t>(key);
        rows.push_back(row);
    }
}

void appendNodes(std::vector<ScopeRow>& rows, const Scope& scope, ScopeId id)
{
    for (const NodeId node : scope.nodes) {
        ScopeRow row;
        row.kind = ScopeRow::Kind::Node;
        row.scope = id;
        row.node = node;
        rows.push_back(row);
    }
}

void appendScopes(std::vector<ScopeRow>& rows, const Scope& scope)
{
    for (const ScopeId child : scope.children) {
        ScopeRow row;
        row.scope = child;
        rows.push_back(row);
    }
}

/// They belong to no module: they stand in the root.
void appendConstants(std::vector<ScopeRow>& rows, std::size_t constants)
{
    for (std::size_t constant = 0; constant < constants; ++constant) {
        ScopeRow row;
        row.kind = ScopeRow::Kind::Constant;
        row.scope = ScopeId(0);
        row.key = static_cast<std::uint32_t>(constant);
        rows.push_back(row);
    }
}

/// Without constants.
std::size_t rowsOf(const ScopeTree& tree, TreeKind kind)
{
    std::size_t rows = tree.scopes.size();
    for (const Scope& scope : tree.scopes)
        rows += scope.nodes.size() + (kind == TreeKind::Storage ? scope.keys.size() : 0);
    return rows;
}

/// Rows are numbered level by level, so children come after their parents: sizes from the back, places from the front.
void setSpansInPlace(std::vector<ScopeRow>& rows)
{
    std::vector<std::uint32_t> size(rows.size(), 1);
    for (std::size_t i = rows.size(); i-- > 1;)
        size[static_cast<std::size_t>(rows[i].parent)] += size[i];
    rows.front().span = {0, size.front()};
    for (ScopeRow& parent : rows) {
        std::uint32_t next = parent.span.begin + 1;
        for (std::uint32_t child = parent.firstChild; child < parent.firstChild + parent.children; ++child) {
            rows[child].span = {next, next + size[child]};
            next += size[child];
        }
    }
}

} // namespace

std::vector<std::uint32_t> runOrder(const Model& model)
{
    std::vector<bool> isConstant(model.nodes.size(), false);
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        isConstant[id.index] = std::all_of(node.inputs.begin(), node.inputs.end(), [&](ValueId input) {
            if (!input.valid())
                return true;
            const Value& value = model.value(input);
            return value.initializer.valid() || (value.producer.valid() && isConstant[value.producer.index]);
        });
    }
    std::vector<std::uint32_t> order(model.nodes.size());
    for (auto id = model.order.rbegin(); id != model.order.rend(); ++id) {
        order[id->index] = id->index;
        if (!isConstant[id->index])
            continue;
        std::uint32_t first = NodeId::kNone;
        for (const ValueId output : model.node(*id).outputs) {
            if (!output.valid())
                continue;
            for (const Use& use : model.value(output).uses)
                first = std::min(first, order[use.node.index]);
        }
        if (first != NodeId::kNone)
            order[id->index] = first;
    }
    return order;
}

std::vector<ScopeRow> makeScopeRows(
    const ScopeTree& tree, TreeKind kind, const std::vector<std::uint32_t>& order, std::size_t constants)
{
    std::vector<ScopeRow> rows;
    if (tree.scopes.empty())
        return rows;
    const auto first = kind == TreeKind::Execution ? firstNodes(tree, order) : std::vector<std::uint32_t>();
    const auto firstOf = [&](const ScopeRow& row) {
        return row.kind == ScopeRow::Kind::Scope ? first[row.scope.index] : order[row.node.index];
    };
    rows.reserve(rowsOf(tree, kind) + constants);
    rows.emplace_back();
    rows.front().scope = ScopeId(0);
    for (std::size_t i = 0; i < rows.size(); ++i) { // breadth first: rows grows while we walk it
        if (rows[i].kind != ScopeRow::Kind::Scope)
            continue;
        const ScopeId id = rows[i].scope;
        const Scope& scope = tree.scope(id);
        const std::size_t begin = rows.size();
        if (kind == TreeKind::Storage)
            appendParameters(rows, scope, id);
        appendNodes(rows, scope, id);
        appendScopes(rows, scope);
        if (i == 0)
            appendConstants(rows, constants);
        const std::span added = std::span(rows).subspan(begin);
        const bool isInOrder = kind == TreeKind::Storage || std::ranges::is_sorted(added, {}, firstOf);
        if (!isInOrder) // few are not, and sorting takes memory
            std::ranges::stable_sort(added, {}, firstOf);
        rows[i].firstChild = static_cast<std::uint32_t>(begin);
        rows[i].children = static_cast<std::uint32_t>(rows.size() - begin);
        for (std::size_t child = begin; child < rows.size(); ++child)
            rows[child].parent = static_cast<std::int32_t>(i);
    }
    setSpansInPlace(rows);
    return rows;
}

} // namespace duo::ui
