// SPDX-License-Identifier: Apache-2.0
#include "core/scope/scope.h"

#include "core/scope/gather_facts.h"
#include "core/scope/node_scopes.h"
#include "core/scope/trees/never_executed.h"
#include "core/scope/trees/scope_trees.h"
#include "core/scope/trees/storage_order.h"

namespace duo {

Scopes findScopes(const Model& model, const ScopeSources& sources)
{
    auto gathered = std::make_shared<ScopeFacts>(gatherScopeFacts(model, sources));
    if (!gathered->order)
        gathered->order = storageOrder(*gathered, sources.checkpoint);
    const ScopeFacts& facts = *gathered;
    const StorageOrder& order = *facts.order;
    ExecutionTree execution = executionTree(model, facts);
    StorageTree storage = storageTree(model, facts, order, sources.checkpoint);

    gathered->scopeOfCall = execution.ofCall;

    Scopes scopes;
    scopes.nodes = nodeScopes(model, facts, order, execution, storage);
    scopes.execution = std::move(execution.tree);
    scopes.storage = std::move(storage.tree);
    scopes.neverExecuted = neverExecuted(facts, order);
    for (const Key& key : facts.parameters.keys) {
        if (sources.checkpoint != nullptr && key.stored == kNoKey)
            continue;
        ++scopes.keys;
        if (key.readBy)
            ++scopes.matchedBy[std::string(provenanceText(*key.readBy))];
    }
    scopes.facts = std::move(gathered);
    return scopes;
}

} // namespace duo
