// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/scope_trees.h"

#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/scope/trees/execution_places.h"

#include <algorithm>

namespace duo {
namespace {

/// Visits a scope and all above it once per stamp; O(depth) per first visit of a branch.
class Climber
{
public:
    explicit Climber(const ScopeTree& tree)
        : m_tree(tree)
        , m_stamps(tree.scopes.size(), -1)
    {
    }

    template <typename Visit> void climb(ScopeId scope, std::int64_t stamp, Visit visit)
    {
        for (; scope.valid() && m_stamps[scope.index] != stamp; scope = m_tree.scope(scope).parent) {
            m_stamps[scope.index] = stamp;
            visit(scope);
        }
    }

private:
    const ScopeTree& m_tree;
    std::vector<std::int64_t> m_stamps;
};

ScopeId addScope(ScopeTree& tree, ScopeId parent, std::string path, std::string name)
{
    const ScopeId id(tree.scopes.size());
    Scope scope;
    scope.path = std::move(path);
    scope.name = std::move(name);
    scope.parent = parent;
    tree.index.emplace(scope.path, id);
    tree.scopes.push_back(std::move(scope));
    if (parent.valid())
        tree.scopes[parent.index].children.push_back(id);
    return id;
}

void addNode(ScopeTree& tree, Climber& climber, NodeId node, ScopeId scope)
{
    tree.scopes[scope.index].nodes.push_back(node);
    climber.climb(scope, node.index, [&](ScopeId above) { ++tree.scopes[above.index].totalNodes; });
}

/// Tensors and the scopes that read them, grouped by tensor so that one stamp per tensor is enough.
using TensorReads = std::vector<std::pair<TensorId, ScopeId>>;

void addTensors(ScopeTree& tree, const std::vector<Tensor>& tensors, TensorReads reads)
{
    std::sort(reads.begin(), reads.end());
    Climber climber(tree);
    TensorId last;
    std::int64_t elements = 0;
    std::int64_t bytes = 0;
    for (const auto& [id, scope] : reads) {
        if (id != last) {
            elements = tensors[id.index].elements();
            bytes = static_cast<std::int64_t>(tensors[id.index].bytes().size());
            last = id;
        }
        climber.climb(scope, id.index, [&](ScopeId above) {
            tree.scopes[above.index].totalParameters += elements;
            tree.scopes[above.index].totalBytes += bytes;
        });
    }
}

} // namespace

ExecutionTree executionTree(const Model& model, const ScopeFacts& facts)
{
    const ExecutionPlaces places = executionPlaces(model, facts.tree, facts.nodeOrder.sequence);
    const std::vector<bool> neverRuns = bodiesNeverRun(model);
    ExecutionTree result;
    result.tree.scopes.reserve(places.places.size());
    result.tree.index.reserve(places.places.size());
    for (std::size_t p = 0; p < places.places.size(); ++p) {
        const ExecutionPlace& place = places.places[p];
        const ScopeId parent = p == 0 ? ScopeId{} : ScopeId(place.parent);
        std::string path = parent.valid() ? result.tree.scope(parent).path : "";
        path += path.empty() ? "" : "/";
        path += place.element;
        Scope& scope = result.tree.scopes[addScope(result.tree, parent, std::move(path), place.element).index];
        const Call& call = facts.tree.calls[place.call.index];
        scope.module = facts.paths.text(call.module);
        scope.isBody = place.body.valid();
        scope.neverRuns = (parent.valid() && result.tree.scope(parent).neverRuns)
            || (place.body.valid() && neverRuns[place.body.index]);
        const std::string& used = facts.paths.className(call.path);
        if (!scope.isBody)
            scope.className = used.empty() ? facts.paths.className(call.module) : used;
    }
    result.ofCall = std::vector<ScopeId>(places.ofCall.begin(), places.ofCall.end());
    result.ofNode = std::vector<ScopeId>(places.ofNode.begin(), places.ofNode.end());
    Climber climber(result.tree);
    TensorReads tensors;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const ScopeId scope = result.ofNode[n];
        if (!isConstantNode(model.nodes[n]))
            addNode(result.tree, climber, NodeId(n), scope);
        for (const ParameterRead& read : facts.parameters.reads[n]) {
            if (read.tensor.valid())
                tensors.emplace_back(read.tensor, scope);
        }
    }
    addTensors(result.tree, model.tensors, std::move(tensors));
    return result;
}

namespace {

ScopeId storageScope(StorageTree& result, const ScopeFacts& facts, PathId path)
{
    if (const ScopeId known = result.ofPath[path.index]; known.valid())
        return known;
    const PathId above = facts.paths.parent(path);
    const ScopeId parent = above.valid() ? storageScope(result, facts, above) : ScopeId{};
    const ScopeId id = addScope(result.tree, parent, facts.paths.text(path), std::string(facts.paths.atom(path)));
    result.ofPath[path.index] = id;
    Scope& scope = result.tree.scopes[id.index];
    const PathId first = facts.aliases.known(facts.paths, path);
    scope.className = facts.paths.className(path).empty() ? facts.paths.className(first) : facts.paths.className(path);
    scope.module = facts.paths.text(first);
    scope.calls = first.index < facts.tree.runs.size() ? facts.tree.runs[first.index] : 0;
    if (first != path)
        result.tree.scopes[id.index].sameAs = storageScope(result, facts, first);
    return id;
}

/// Every tensor of a key in each module that has a key for it; what lost its name, in each that is taken for its owner;
/// what nobody is known to own, in the root. What a checkpoint holds counts as it is there.
void addOwnedTensors(const Model& model, const ScopeFacts& facts, const Checkpoint* checkpoint, StorageTree& result)
{
    TensorReads stored;
    TensorReads inModel;
    std::vector<bool> hasOwner(model.tensors.size(), false);
    for (const Key& key : facts.parameters.keys) {
        const ScopeId scope = result.ofPath[key.owner.index];
        const Key& first = facts.parameters.key(key.first);
        if (key.stored != kNoKey)
            stored.emplace_back(TensorId(static_cast<std::size_t>(key.stored)), scope);
        else if (first.stored != kNoKey)
            stored.emplace_back(TensorId(static_cast<std::size_t>(first.stored)), scope);
        else if (const TensorId tensor = key.tensor.valid() ? key.tensor : first.tensor; tensor.valid())
            inModel.emplace_back(tensor, scope);
        if (key.tensor.valid())
            hasOwner[key.tensor.index] = true;
    }
    for (const auto& reads : facts.parameters.reads) {
        for (const ParameterRead& read : reads) {
            const bool isStored = checkpoint != nullptr; // then every parameter is among the keys
            const bool hasKey = read.tensor.valid() && facts.parameters.keyOf[read.tensor.index] != kNoKey;
            if (isStored || hasKey || !read.tensor.valid() || !read.owner.valid())
                continue;
            hasOwner[read.tensor.index] = true;
            inModel.emplace_back(read.tensor, result.ofPath[read.owner.index]);
        }
    }
    for (std::size_t t = 0; t < model.tensors.size() && checkpoint == nullptr; ++t) {
        const std::int32_t key = facts.parameters.keyOf[t];
        const PathId owner = key != kNoKey ? facts.parameters.key(key).owner : ModulePaths::root();
        if (facts.parameters.isLearned[t] && !hasOwner[t])
            inModel.emplace_back(TensorId(t), result.ofPath[owner.index]);
    }
    addTensors(result.tree, model.tensors, std::move(inModel));
    if (checkpoint != nullptr)
        addTensors(result.tree, checkpoint->tensors, std::move(stored));
}

} // namespace

StorageTree storageTree(
    const Model& model, const ScopeFacts& facts, const StorageOrder& order, const Checkpoint* checkpoint)
{
    StorageTree result;
    result.ofPath.resize(facts.paths.size());
    result.tree.scopes.reserve(facts.paths.size());
    result.tree.index.reserve(facts.paths.size());
    storageScope(result, facts, ModulePaths::root());
    for (const RecordedModule& module : facts.modules) {
        const PathId path = facts.paths.find(module.path);
        if (path.valid())
            storageScope(result, facts, path);
    }
    for (const StorageOrder::Item& item : order.items) {
        const ScopeId scope = storageScope(result, facts, item.owner);
        if (item.key != kNoKey)
            result.tree.scopes[scope.index].keys.push_back(facts.parameters.key(item.key).label);
    }
    for (const auto& reads : facts.parameters.reads) {
        for (const ParameterRead& read : reads) {
            if (read.owner.valid())
                storageScope(result, facts, read.owner); // also where no key is known by it
        }
    }
    Climber climber(result.tree);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        std::vector<ScopeId> owners;
        for (const ParameterRead& read : facts.parameters.reads[n]) {
            if (read.owner.valid())
                owners.push_back(result.ofPath[read.owner.index]);
        }
        std::sort(owners.begin(), owners.end());
        owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
        for (const ScopeId owner : owners)
            addNode(result.tree, climber, NodeId(n), owner);
    }
    addOwnedTensors(model, facts, checkpoint, result);
    return result;
}

} // namespace duo
