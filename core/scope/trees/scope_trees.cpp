// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/scope_trees.h"

#include "core/model/constant_conditions.h"
#include "core/model/held_tensors.h"
#include "core/model/model.h"
#include "core/scope/facts/call_tree.h"
#include "core/scope/facts/element_text.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {
namespace {

/// A call, or the part of a body that a call holds.
struct ExecutionPlace {
    std::uint32_t parent = 0; // an earlier place; the root's is itself
    CallId call; // the call; of a body: the call that holds it
    RegionId body; // invalid: a call
    std::string element; // "layer1", "If_0 [then]"
};

struct ExecutionPlaces {
    std::vector<ExecutionPlace> places; // [0] is the root; parents before children
    std::vector<std::uint32_t> ofCall; // [CallTree::calls] the first place of each; of a call without nodes: around it
    std::vector<std::uint32_t> ofNode; // [Model::nodes]
    BodyOwners bodyOwners;
};

/// Whether the region is a body of control flow, not the expanded call of a function.
bool isBody(const Model& model, RegionId region)
{
    return !model.region(region).attribute.empty() && model.region(region).owner.valid();
}

/// "then" of "then_branch", "body".
std::string branchText(const std::string& attribute)
{
    constexpr std::string_view kBranch = "_branch";
    return attribute.ends_with(kBranch) ? attribute.substr(0, attribute.size() - kBranch.size()) : attribute;
}

/// "If_0" of "/enc/If_0".
std::string_view lastPart(std::string_view name)
{
    return name.substr(name.rfind('/') + 1);
}

/// Without a name of its own; an export writes invented names (model.cpp) down.
bool isUnnamed(const Node& node)
{
    return lastPart(node.localName).empty() || node.localName.starts_with(node.opType + ":");
}

/// What the owners of bodies are called in the tree.
class OwnerNames
{
public:
    OwnerNames(const Model& model, std::span<const NodeId> order, const BodyOwners& recorded)
        : m_model(model)
        , m_recorded(recorded)
    {
        std::map<std::string_view, std::size_t> unnamed; // by op type
        std::vector<bool> isOwner(model.nodes.size(), false);
        for (std::size_t r = 1; r < model.regions.size(); ++r) {
            if (isBody(model, RegionId(r)))
                isOwner[model.regions[r].owner.index] = true;
        }
        for (const NodeId id : order) {
            const Node& node = model.node(id);
            if (isOwner[id.index] && isUnnamed(node))
                m_numbers[id] = unnamed[node.opType]++;
        }
    }

    [[nodiscard]] BodyOwner of(NodeId owner) const
    {
        if (const auto recorded = m_recorded.find(owner); recorded != m_recorded.end())
            return recorded->second;
        const Node& node = m_model.node(owner);
        const auto number = m_numbers.find(owner);
        return {number == m_numbers.end() ? std::string(lastPart(node.localName))
                                          : node.opType + "_" + std::to_string(number->second),
            node.localName.empty() ? node.name : node.localName};
    }

private:
    const Model& m_model;
    const BodyOwners& m_recorded;
    std::unordered_map<NodeId, std::size_t> m_numbers; // among owners of the type without a name
};

class PlaceFinder
{
public:
    PlaceFinder(const Model& model, const ScopeFacts& facts)
        : m_model(model)
        , m_tree(facts.tree)
        , m_order(facts.nodeOrder.sequence)
        , m_recordedOwners(facts.bodyOwners)
    {
        m_places.push_back({0, CallId(0), {}, {}});
        m_position.resize(model.nodes.size());
        for (std::uint32_t i = 0; i < m_order.size(); ++i)
            m_position[m_order[i].index] = i;
    }

    ExecutionPlaces find()
    {
        m_ofNode.resize(m_model.nodes.size());
        for (const NodeId id : m_order) {
            if (!isConstantNode(m_model.node(id)))
                m_ofNode[id.index] = placeOf(id);
        }
        const auto ofCall = placesOfCalls();
        for (const NodeId id : m_order) {
            if (isConstantNode(m_model.node(id))) // does nothing anywhere, and makes no place
                m_ofNode[id.index] = ofCall[m_tree.callOf[id.index].index];
        }
        nameBodies();
        ExecutionPlaces result = inOrder(ofCall);
        result.bodyOwners = std::move(m_owners);
        return result;
    }

private:
    using Key = std::pair<std::uint32_t, std::uint64_t>; // parent; call, or body

    std::uint32_t child(std::uint32_t parent, CallId call, RegionId body)
    {
        const std::uint64_t what = body.valid() ? (std::uint64_t{1} << 32) + body.index : call.index;
        const auto [found, isNew] = m_known.try_emplace(Key(parent, what), static_cast<std::uint32_t>(m_places.size()));
        if (isNew)
            m_places.push_back({parent, call, body, body.valid() ? "" : m_tree.calls[call.index].element});
        return found->second;
    }

    /// Calls from the outermost to this one, without the root.
    [[nodiscard]] std::vector<CallId> stackOf(CallId call) const
    {
        std::vector<CallId> stack;
        for (; m_tree.calls[call.index].parent.valid(); call = m_tree.calls[call.index].parent)
            stack.push_back(call);
        std::reverse(stack.begin(), stack.end());
        return stack;
    }

    /// Bodies around a node, from the outermost.
    [[nodiscard]] std::vector<RegionId> bodiesAround(NodeId node) const
    {
        std::vector<RegionId> bodies;
        for (RegionId r = m_model.node(node).region; m_model.region(r).owner.valid();
             r = m_model.node(m_model.region(r).owner).region) {
            if (isBody(m_model, r))
                bodies.push_back(r);
        }
        std::reverse(bodies.begin(), bodies.end());
        return bodies;
    }

    std::uint32_t placeOf(NodeId node)
    {
        const CallId call = m_tree.callOf[node.index];
        std::uint32_t place = 0;
        std::size_t depth = 0;
        const auto stack = stackOf(call);
        const auto enter = [&](std::size_t to) {
            for (; depth < to; ++depth)
                place = child(place, stack[depth], {});
        };
        for (const RegionId body : bodiesAround(node)) {
            const CallId owner = m_tree.callOf[m_model.region(body).owner.index];
            const CallId around = commonCall(m_tree, owner, call);
            enter(static_cast<std::size_t>(m_tree.calls[around.index].depth));
            place = child(place, depth == 0 ? CallId(0) : stack[depth - 1], body);
        }
        enter(stack.size());
        return place;
    }

    /// The first place of each call; one without nodes lies where its caller does.
    std::vector<std::uint32_t> placesOfCalls()
    {
        constexpr std::uint32_t kNone = 0xFFFFFFFFU;
        std::vector<std::uint32_t> ofCall(m_tree.calls.size(), kNone);
        ofCall[0] = 0;
        for (std::uint32_t p = 1; p < m_places.size(); ++p) {
            const std::uint32_t call = m_places[p].call.index;
            if (!m_places[p].body.valid() && ofCall[call] == kNone)
                ofCall[call] = p;
        }
        for (std::size_t c = 1; c < ofCall.size(); ++c) {
            if (ofCall[c] == kNone)
                ofCall[c] = child(ofCall[m_tree.calls[c].parent.index], CallId(c), {});
        }
        return ofCall;
    }

    /// Owners with the same last part in one place are told apart by their whole names: as in the file, else as here.
    void nameBodies()
    {
        const OwnerNames names(m_model, m_order, m_recordedOwners);
        const auto ownerOf = [&](const ExecutionPlace& place) { return m_model.region(place.body).owner; };
        std::map<std::pair<std::uint32_t, std::string>, std::set<NodeId>> owners; // of a name in a place
        const auto addOwner = [&](const ExecutionPlace& place, const std::string& name) {
            owners[{place.parent, name}].insert(ownerOf(place));
        };
        for (const ExecutionPlace& place : m_places) {
            if (!place.body.valid())
                continue;
            const BodyOwner& owner = m_owners.try_emplace(ownerOf(place), names.of(ownerOf(place))).first->second;
            addOwner(place, owner.name);
            addOwner(place, owner.whole);
        }
        for (ExecutionPlace& place : m_places) {
            if (!place.body.valid())
                continue;
            const BodyOwner& owner = m_owners.at(ownerOf(place));
            const auto isTaken = [&](const std::string& name) { return owners[{place.parent, name}].size() > 1; };
            const std::string& name = !isTaken(owner.name) ? owner.name
                : !isTaken(owner.whole)                    ? owner.whole
                                                           : m_model.node(ownerOf(place)).name;
            place.element = escapedElement(name) + " [" + branchText(m_model.region(place.body).attribute) + "]";
        }
    }

    /// Along the dataflow; the then branch before the else branch.
    [[nodiscard]] std::uint64_t bodyPosition(RegionId body) const
    {
        const Region& region = m_model.region(body);
        return 2 * std::uint64_t{m_position[region.owner.index]} + (region.attribute == "else_branch" ? 1 : 0);
    }

    /// When a place comes among those beside it: calls as they are, a body with its first call, one without calls last.
    [[nodiscard]] std::vector<std::uint64_t> ranks() const
    {
        std::vector<std::uint64_t> ranks(m_places.size());
        for (std::size_t p = m_places.size(); p-- > 1;) {
            const ExecutionPlace& place = m_places[p];
            if (!place.body.valid())
                ranks[p] = place.call.index;
            else if (ranks[p] == 0)
                ranks[p] = m_tree.calls.size() + bodyPosition(place.body);
            std::uint64_t& above = ranks[place.parent];
            if (m_places[place.parent].body.valid())
                above = above == 0 ? ranks[p] : std::min(above, ranks[p]);
        }
        return ranks;
    }

    /// Level by level, so that parents come before children.
    ExecutionPlaces inOrder(const std::vector<std::uint32_t>& ofCall) const
    {
        const auto rank = ranks();
        std::vector<std::vector<std::uint32_t>> children(m_places.size());
        for (std::uint32_t p = 1; p < m_places.size(); ++p)
            children[m_places[p].parent].push_back(p);
        std::vector<std::uint32_t> order{0};
        std::vector<std::uint32_t> placeAt(m_places.size(), 0);
        ExecutionPlaces result;
        for (std::size_t i = 0; i < order.size(); ++i) {
            auto& below = children[order[i]];
            const auto key = [&](std::uint32_t p) { // one call may go on from branch to branch
                const RegionId body = m_places[p].body;
                return std::pair(rank[p], body.valid() ? bodyPosition(body) : 0);
            };
            std::sort(below.begin(), below.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
            order.insert(order.end(), below.begin(), below.end());
            placeAt[order[i]] = static_cast<std::uint32_t>(i);
            result.places.push_back(m_places[order[i]]);
            result.places.back().parent = placeAt[m_places[order[i]].parent];
        }
        for (const std::uint32_t place : ofCall)
            result.ofCall.push_back(placeAt[place]);
        for (const std::uint32_t place : m_ofNode)
            result.ofNode.push_back(placeAt[place]);
        return result;
    }

    const Model& m_model;
    const CallTree& m_tree;
    std::vector<ExecutionPlace> m_places;
    std::span<const NodeId> m_order;
    const BodyOwners& m_recordedOwners;
    BodyOwners m_owners;
    std::vector<std::uint32_t> m_position; // [nodes] in m_order
    std::vector<std::uint32_t> m_ofNode;
    std::map<Key, std::uint32_t> m_known;
};

/// Where there are no bodies: one place per call.
ExecutionPlaces callsAlone(const Model& model, const CallTree& tree)
{
    ExecutionPlaces result;
    for (std::size_t c = 0; c < tree.calls.size(); ++c) {
        const Call& call = tree.calls[c];
        result.places.push_back({call.parent.valid() ? call.parent.index : 0, CallId(c), {}, call.element});
        result.ofCall.push_back(static_cast<std::uint32_t>(c));
    }
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        result.ofNode.push_back(tree.callOf[n].index);
    return result;
}

/// Where each node runs. A node in a body of an If, Loop or Scan runs in that body, which lies in the innermost call
/// that holds both the node and the owner of the body; calls between them lie in the body. A call that goes on outside
/// of the body has a place in either. Without bodies the places are the calls. O(nodes * depth).
/// The order of the facts numbers owners without a name, and sorts bodies without calls.
ExecutionPlaces executionPlaces(const Model& model, const ScopeFacts& facts)
{
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        if (isBody(model, RegionId(r)))
            return PlaceFinder(model, facts).find();
    }
    return callsAlone(model, facts.tree);
}

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

/// The scope of a call, below that of its caller.
Scope& addCall(ScopeTree& tree, ScopeId parent, const std::string& element, const Call& call, const ModulePaths& paths)
{
    std::string path = parent.valid() ? tree.scope(parent).path : "";
    path += path.empty() ? "" : "/";
    path += element;
    Scope& scope = tree.scopes[addScope(tree, parent, std::move(path), element).index];
    scope.module = paths.text(call.module);
    const std::string& used = paths.className(call.path);
    scope.className = used.empty() ? paths.className(call.module) : used;
    return scope;
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
            bytes = storedBytes(tensors[id.index]);
            last = id;
        }
        climber.climb(scope, id.index, [&](ScopeId above) {
            tree.scopes[above.index].totalParameters += elements;
            tree.scopes[above.index].totalBytes += bytes;
        });
    }
}

} // namespace

ScopeTree scopesOfCalls(const CallTree& calls, const ModulePaths& paths)
{
    ScopeTree tree;
    for (const Call& call : calls.calls)
        addCall(tree, call.parent.valid() ? ScopeId(call.parent.index) : ScopeId(), call.element, call, paths);
    return tree;
}

ExecutionTree executionTree(const Model& model, const ScopeFacts& facts)
{
    ExecutionPlaces places = executionPlaces(model, facts);
    const std::vector<bool> neverRuns = bodiesNeverRun(model);
    ExecutionTree result;
    result.tree.scopes.reserve(places.places.size());
    result.tree.index.reserve(places.places.size());
    for (std::size_t p = 0; p < places.places.size(); ++p) {
        const ExecutionPlace& place = places.places[p];
        const ScopeId parent = p == 0 ? ScopeId{} : ScopeId(place.parent);
        const Call& call = facts.tree.calls[place.call.index];
        Scope& scope = addCall(result.tree, parent, place.element, call, facts.paths);
        scope.isBody = place.body.valid();
        scope.neverRuns = (parent.valid() && result.tree.scope(parent).neverRuns)
            || (place.body.valid() && neverRuns[place.body.index]);
        if (scope.isBody)
            scope.className.clear();
    }
    result.bodyOwners = std::move(places.bodyOwners);
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
        sortUniqueInPlace(owners);
        for (const ScopeId owner : owners)
            addNode(result.tree, climber, NodeId(n), owner);
    }
    addOwnedTensors(model, facts, checkpoint, result);
    return result;
}

} // namespace duo
