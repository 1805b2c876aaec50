// SPDX-License-Identifier: Apache-2.0
#include "views/trees/rows/tree_content.h"

#include <utility>

namespace duo::ui {
namespace {

std::unordered_map<std::string_view, const Tensor*> savedTensors(const Snapshot& snapshot)
{
    std::unordered_map<std::string_view, const Tensor*> tensors;
    if (snapshot.checkpoint) {
        for (const CheckpointKey& key : snapshot.checkpoint->keys)
            tensors.emplace(key.name, &snapshot.checkpoint->tensors[key.tensor]);
    }
    for (const RecordedKey& key : snapshot.model->keys) {
        if (key.tensor.valid())
            tensors.emplace(key.name, &snapshot.model->tensor(key.tensor));
    }
    return tensors;
}

} // namespace

const Decision* TreeContent::decision(NodeId node) const
{
    return snapshot->placement ? &snapshot->placement->decisions[node.index] : nullptr;
}

const Tensor* TreeContent::tensor(const ScopeRow& parameter) const
{
    const std::string& key = scope(parameter).keys[parameter.key];
    if (const auto found = saved.find(key); found != saved.end())
        return found->second;
    const Model& model = *snapshot->model;
    const ValueId value = model.findValue(key);
    return value.valid() ? model.constant(value) : nullptr;
}

std::vector<NodeId> TreeContent::readers(const ScopeRow& parameter) const
{
    const auto found = facts.readers.find(scope(parameter).keys[parameter.key]);
    return found == facts.readers.end() ? std::vector<NodeId>() : found->second;
}

bool TreeContent::isGuess(const ScopeRow& row) const
{
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return facts.onlyGuessed[row.scope.index];
    case ScopeRow::Kind::Node:
        return provenanceIn(nodeScope(row.node), kind) == Provenance::Guess;
    case ScopeRow::Kind::Parameter:
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
    content.rows = makeScopeRows(content.tree(), kind, runOrder(*content.snapshot->model));
    content.facts = findScopeFacts(*content.snapshot->scopes, kind);
    if (kind == TreeKind::Storage)
        content.saved = savedTensors(*content.snapshot);
    content.rowOfScope.assign(content.tree().scopes.size(), 0);
    for (std::size_t i = 0; i < content.rows.size(); ++i) {
        if (content.rows[i].kind == ScopeRow::Kind::Scope)
            content.rowOfScope[content.rows[i].scope.index] = i;
        else if (content.rows[i].kind == ScopeRow::Kind::Node)
            content.rowsOfNode[content.rows[i].node].push_back(i);
    }
    return content;
}

std::vector<StateCounts> countStates(const TreeContent& content)
{
    if (content.rows.empty())
        return {};
    return countStates(content.tree(), content.snapshot->placement.get());
}

} // namespace duo::ui
