// SPDX-License-Identifier: Apache-2.0
#include "views/trees/tree_content.h"

#include "core/scope/facts/scope_facts.h"
#include "core/scope/parameters/model_constants.h"
#include "core/support/sorted.h"

#include <numeric>
#include <utility>

namespace duo::ui {
namespace {

/// How it is known that a node stands where a tree shows it.
Provenance provenanceIn(const NodeScope& node, TreeKind kind)
{
    return kind == TreeKind::Execution ? node.executionFrom : node.storageFrom;
}

/// Counts of the nodes at and below a scope.
struct NodeCounts {
    std::int64_t listed = 0;
    std::int64_t guessed = 0;
    std::int64_t differing = 0;
    std::int64_t withParameters = 0;

    void add(const NodeScope& node, TreeKind kind)
    {
        ++listed;
        guessed += provenanceIn(node, kind) == Provenance::Guess ? 1 : 0;
        differing += node.differs ? 1 : 0;
        withParameters += node.storage.empty() ? 0 : 1;
    }
    void add(const NodeCounts& below)
    {
        listed += below.listed;
        guessed += below.guessed;
        differing += below.differing;
        withParameters += below.withParameters;
    }
};

/// Children come after their parents.
std::vector<NodeCounts> countNodes(const Scopes& scopes, TreeKind kind)
{
    const ScopeTree& tree = treeOf(scopes, kind);
    std::vector<NodeCounts> counts(tree.scopes.size());
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        for (const NodeId node : tree.scopes[i].nodes)
            counts[i].add(scopes.nodes[node.index], kind);
        if (tree.scopes[i].parent.valid())
            counts[tree.scopes[i].parent.index].add(counts[i]);
    }
    return counts;
}

void addNeverExecuted(ScopeFacts& facts, const Scopes& scopes)
{
    const ScopeTree& tree = scopes.storage;
    for (const auto& path : scopes.neverExecuted) {
        const ScopeId scope = tree.find(path);
        if (!scope.valid())
            continue;
        facts.neverExecuted[scope.index] = true;
        facts.neverBelow[scope.index] = 1;
    }
    for (std::size_t i = tree.scopes.size(); i-- > 1;)
        facts.neverBelow[tree.scopes[i].parent.index] += facts.neverBelow[i];
    for (std::size_t i = 1; i < tree.scopes.size(); ++i) {
        if (facts.neverExecuted[tree.scopes[i].parent.index])
            facts.neverExecuted[i] = true;
    }
}

/// O(nodes + scopes + keys).
ScopeFacts findScopeFacts(const Scopes& scopes, TreeKind kind)
{
    const ScopeTree& tree = treeOf(scopes, kind);
    ScopeFacts facts;
    for (const NodeCounts& count : countNodes(scopes, kind)) {
        facts.differing.push_back(count.differing);
        facts.withParameters.push_back(count.withParameters);
        facts.onlyGuessed.push_back(
            !facts.onlyGuessed.empty() && count.listed > 0 && count.guessed == count.listed); // never the root
    }
    facts.neverExecuted.assign(tree.scopes.size(), false);
    facts.neverBelow.assign(tree.scopes.size(), 0);
    if (kind == TreeKind::Execution)
        return facts;
    for (std::size_t i = 0; i < scopes.nodes.size(); ++i) {
        for (const auto& key : scopes.nodes[i].keys)
            facts.readers[key].push_back(NodeId(i));
    }
    addNeverExecuted(facts, scopes);
    return facts;
}

std::unordered_map<std::string_view, const Tensor*> savedTensors(const Snapshot& snapshot)
{
    std::unordered_map<std::string_view, const Tensor*> tensors;
    tensors.reserve(snapshot.scopes->facts ? snapshot.scopes->facts->parameters.keys.size() : 0);
    if (snapshot.checkpoint) {
        for (const CheckpointKey& key : snapshot.checkpoint->keys)
            tensors.emplace(key.name, &snapshot.checkpoint->tensors[key.tensor]);
    }
    if (snapshot.scopes->facts) {
        for (const Key& key : snapshot.scopes->facts->parameters.keys) {
            if (key.tensor.valid())
                tensors.emplace(key.label, &snapshot.model->tensor(key.tensor));
        }
    }
    for (const RecordedKey& key : snapshot.model->keys) {
        if (key.tensor.valid())
            tensors.emplace(key.name, &snapshot.model->tensor(key.tensor));
    }
    return tensors;
}

} // namespace

NodeRows::NodeRows(const std::vector<ScopeRow>& rows, std::size_t nodes)
    : m_first(nodes + 1, 0)
{
    for (const ScopeRow& row : rows) {
        if (row.kind == ScopeRow::Kind::Node)
            ++m_first[row.node.index];
    }
    std::exclusive_scan(m_first.begin(), m_first.end(), m_first.begin(), std::uint32_t{0});
    m_rows.resize(m_first.back());
    std::vector<std::uint32_t> next = m_first;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].kind == ScopeRow::Kind::Node)
            m_rows[next[rows[i].node.index]++] = i;
    }
}

const Decision* TreeContent::decision(NodeId node) const
{
    return snapshot->placement ? &snapshot->placement->decisions[node.index] : nullptr;
}

std::string_view TreeContent::tensorName(const ScopeRow& row) const
{
    if (row.kind == ScopeRow::Kind::Constant)
        return constants[row.key].name;
    return scope(row).keys[row.key];
}

const Tensor* TreeContent::tensor(const ScopeRow& row) const
{
    if (row.kind == ScopeRow::Kind::Constant)
        return &snapshot->model->tensor(constants[row.key].tensor);
    const std::string& key = scope(row).keys[row.key];
    if (const auto found = saved.find(key); found != saved.end())
        return found->second;
    const Model& model = *snapshot->model;
    const ValueId value = model.findValue(key);
    return value.valid() ? model.constant(value) : nullptr;
}

namespace {

std::vector<NodeId> readersOf(const Model& model, ValueId value)
{
    std::vector<NodeId> nodes;
    for (const Use& use : value.valid() ? model.value(value).uses : std::vector<Use>()) {
        if (nodes.empty() || nodes.back() != use.node)
            nodes.push_back(use.node);
    }
    return nodes;
}

} // namespace

/// Of a key those that own it; where none is known to, as where owners are guesses, those that read the tensor.
std::vector<NodeId> TreeContent::readers(const ScopeRow& row) const
{
    const Model& model = *snapshot->model;
    if (row.kind == ScopeRow::Kind::Constant)
        return readersOf(model, constants[row.key].value);
    if (const auto found = facts.readers.find(scope(row).keys[row.key]); found != facts.readers.end())
        return found->second;
    const Tensor* held = tensor(row);
    const ValueId value = held != nullptr ? model.findValue(held->name) : ValueId();
    return value.valid() && model.constant(value) == held ? readersOf(model, value) : std::vector<NodeId>();
}

Selection TreeContent::selectionOf(const ScopeRow& row) const
{
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return selectScope(*snapshot->scopes, kind, row.scope);
    case ScopeRow::Kind::Node:
        return selectNode(row.node);
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        return selectNodes(readers(row));
    }
    return {};
}

std::vector<std::size_t> TreeContent::rowsOf(const Selection& selection) const
{
    if (rows.empty())
        return {};
    if (selection.scope && selection.scope->tree == kind)
        return {rowOfScope[selection.scope->scope.index]};
    const Cover cover = coverNodes(tree(), selection.nodes, snapshot->scopes->nodes.size());
    // One node that is all of its scope is shown as the node: that is what was pointed at.
    const bool isSingle = !selection.scope && selection.nodes.size() == 1;
    std::vector<std::size_t> found;
    for (const ScopeId scope : cover.scopes) {
        if (!isSingle)
            found.push_back(rowOfScope[scope.index]);
    }
    const auto addRows = [&](NodeId node) {
        const auto ofNode = rowsOfNode.of(node);
        found.insert(found.end(), ofNode.begin(), ofNode.end());
    };
    if (isSingle)
        addRows(selection.nodes.front());
    for (const auto& [scope, node] : cover.nodes) {
        if (!isSingle)
            addRows(node);
    }
    sortUniqueInPlace(found);
    return found;
}

bool TreeContent::isGuess(const ScopeRow& row) const
{
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return facts.onlyGuessed[row.scope.index];
    case ScopeRow::Kind::Node:
        return provenanceIn(nodeScope(row.node), kind) == Provenance::Guess;
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        return false;
    }
    return false;
}

TreeContent makeTreeContent(TreeKind kind, std::shared_ptr<const Snapshot> snapshot)
{
    TreeContent content;
    content.kind = kind;
    content.snapshot = std::move(snapshot);
    if (!content.snapshot || !content.snapshot->scopes)
        return content;
    if (kind == TreeKind::Storage)
        content.constants = modelConstants(*content.snapshot->model, *content.snapshot->scopes);
    const bool isExecution = kind == TreeKind::Execution;
    content.rows = makeScopeRows(content.tree(), kind,
        isExecution ? runOrder(*content.snapshot->model) : std::vector<std::uint32_t>(), content.constants.size());
    content.rowsOfNode = NodeRows(content.rows, content.snapshot->scopes->nodes.size());
    content.facts = findScopeFacts(*content.snapshot->scopes, kind);
    if (kind == TreeKind::Storage)
        content.saved = savedTensors(*content.snapshot);
    content.rowOfScope.assign(content.tree().scopes.size(), 0);
    for (std::size_t i = 0; i < content.rows.size(); ++i) {
        if (content.rows[i].kind == ScopeRow::Kind::Scope)
            content.rowOfScope[content.rows[i].scope.index] = i;
    }
    content.counts = countStates(content);
    return content;
}

std::vector<StateCounts> countStates(const TreeContent& content)
{
    if (content.rows.empty())
        return {};
    const ScopeTree& tree = content.tree();
    const auto& placement = content.snapshot->placement;
    std::vector<StateCounts> counts(tree.scopes.size());
    if (!placement)
        return counts;
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        for (const NodeId node : tree.scopes[i].nodes)
            counts[i].add(placement->decisions[node.index]);
        if (tree.scopes[i].parent.valid())
            counts[tree.scopes[i].parent.index].add(counts[i]);
    }
    return counts;
}

} // namespace duo::ui
