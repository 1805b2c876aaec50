// SPDX-License-Identifier: Apache-2.0
#include "core/scope/scope.h"

#include "core/model/key_names.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/gather_facts.h"
#include "core/scope/node_scopes.h"
#include "core/scope/trees/scope_trees.h"
#include "core/scope/trees/storage_order.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

namespace duo {
namespace {

struct ModuleUse {
    bool ownsKey = false;
    bool isUsed = false;
};

/// Some tensor that nodes read has an owner nobody knows: a normalization may have been folded into it.
bool hasUnexplained(const Parameters& parameters)
{
    return std::any_of(parameters.reads.begin(), parameters.reads.end(), [](const auto& reads) {
        return std::any_of(reads.begin(), reads.end(),
            [](const ParameterRead& read) { return read.key == kNoKey || read.from == Provenance::Guess; });
    });
}

/// Modules that exporters fold into the one before: those with running statistics.
std::unordered_set<PathId> foldableModules(const Parameters& parameters)
{
    std::unordered_set<PathId> modules;
    for (const Key& key : parameters.keys) {
        if (keyLeaf(key.name) == "running_var")
            modules.insert(key.owner);
    }
    return modules;
}

/// Whether it would be known if some node read the key.
class ReadsKnown
{
public:
    explicit ReadsKnown(const Parameters& parameters)
        : m_parameters(parameters)
    {
        if (hasUnexplained(parameters))
            m_foldable = foldableModules(parameters);
    }

    bool contains(const Key& key) const
    {
        return key.tensor.valid() || m_parameters.hasRecords
            || (m_parameters.hasContent && !m_foldable.contains(key.owner));
    }

private:
    const Parameters& m_parameters;
    std::unordered_set<PathId> m_foldable;
};

/// Paths of modules that own a key, themselves or below, while no node reads any of them and no node runs there; in
/// storage order, only the topmost. A key that the exporter lists but the file does not hold counts only if the
/// exporter also recorded what every operation read.
std::vector<std::string> neverExecuted(const ScopeFacts& facts, const StorageOrder& order)
{
    const ModulePaths& paths = facts.paths;
    std::vector<std::string> never;
    if (facts.neverExecuted) {
        for (const PathId path : *facts.neverExecuted)
            never.push_back(paths.text(path));
        return never;
    }
    const ReadsKnown known(facts.parameters);
    std::vector<ModuleUse> uses(paths.size());
    for (const Key& key : facts.parameters.keys) {
        const bool isKnown = known.contains(key);
        for (PathId path = key.owner; path.valid(); path = paths.parent(path)) {
            uses[path.index].ownsKey = true;
            uses[path.index].isUsed = uses[path.index].isUsed || key.readBy || !isKnown;
        }
    }
    for (const Call& call : facts.tree.calls) {
        for (const PathId module : {call.path, call.module}) {
            for (PathId path = module; path.valid() && !uses[path.index].isUsed; path = paths.parent(path))
                uses[path.index].isUsed = true;
        }
    }
    std::vector<bool> isListed(paths.size(), false);
    for (const StorageOrder::Item& item : order.items) {
        if (item.key == kNoKey)
            continue;
        PathId topmost;
        for (PathId path = item.owner; path.valid() && path != ModulePaths::root(); path = paths.parent(path)) {
            if (uses[path.index].isUsed)
                break;
            topmost = path;
        }
        if (!topmost.valid() || isListed[topmost.index])
            continue;
        isListed[topmost.index] = true;
        never.push_back(paths.text(topmost));
    }
    return never;
}

} // namespace

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
    gathered->bodyOwners = std::move(execution.bodyOwners);

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
