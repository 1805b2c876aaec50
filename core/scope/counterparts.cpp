// SPDX-License-Identifier: Apache-2.0
#include "core/scope/counterparts.h"

#include <set>

namespace duo {

std::vector<ScopeId> executionCounterparts(const Scopes& scopes, ScopeId storage)
{
    const Scope& stored = scopes.storage.scope(storage);
    std::vector<ScopeId> calls;
    for (std::size_t i = 0; i < scopes.execution.scopes.size(); ++i) {
        const Scope& scope = scopes.execution.scopes[i];
        if (!scope.isBody && scope.module == stored.module)
            calls.emplace_back(i);
    }
    if (!calls.empty())
        return calls;
    std::set<ScopeId> readers;
    for (const NodeId node : stored.nodes)
        readers.insert(scopes.nodes[node.index].executionScope);
    return {readers.begin(), readers.end()};
}

std::vector<ScopeId> storageCounterparts(const Scopes& scopes, ScopeId execution)
{
    const Scope& call = scopes.execution.scope(execution);
    if (const ScopeId stored = scopes.storage.find(call.module); stored.valid())
        return {stored};
    std::set<ScopeId> owners;
    for (const NodeId node : call.nodes)
        owners.insert(scopes.nodes[node.index].storageScopes.begin(), scopes.nodes[node.index].storageScopes.end());
    return {owners.begin(), owners.end()};
}

ContentPriors contentPriors(const Scopes& scopes)
{
    ContentPriors priors;
    priors.modules.resize(scopes.nodes.size());
    priors.keys.resize(scopes.nodes.size());
    for (std::size_t n = 0; n < scopes.nodes.size(); ++n) {
        const NodeScope& node = scopes.nodes[n];
        if (node.executionFrom != Provenance::Guess)
            priors.modules[n] = scopes.execution.scope(node.executionScope).module;
        if (node.storageFrom == Provenance::Recorded)
            priors.keys[n] = node.keys;
    }
    return priors;
}

} // namespace duo
