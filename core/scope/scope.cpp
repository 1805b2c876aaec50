// SPDX-License-Identifier: Apache-2.0
#include "core/scope/scope.h"

#include "core/scope/node_scopes.h"
#include "core/scope/scope_facts.h"
#include "core/scope/trees/never_executed.h"
#include "core/scope/trees/scope_trees.h"
#include "core/scope/trees/storage_order.h"
#include "core/support/enum_text.h"

#include <array>

namespace duo {
namespace {

constexpr auto kProvenances = enumTexts<Provenance::Guess>({"recorded", "name", "content", "dataflow", "guess"});
constexpr auto kReasons = enumTexts<Reason::UnregisteredModule>(
    {"aliased-parameter", "bypassed-call", "container-skipped", "equal-values", "exporter-made", "folded-producers",
        "foreign-call", "functional-use", "merged-calls", "renamed-tensor", "shared-module", "unregistered-module"});

} // namespace

std::string_view provenanceText(Provenance provenance)
{
    return enumText(kProvenances, provenance);
}

std::string_view reasonText(Reason reason)
{
    return enumText(kReasons, reason);
}

ScopeId ScopeTree::find(std::string_view path) const
{
    const auto found = index.find(std::string(path));
    return found == index.end() ? ScopeId{} : found->second;
}

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
