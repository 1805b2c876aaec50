// SPDX-License-Identifier: Apache-2.0
#include "core/scope/recorded_facts.h"

#include "core/model/key_names.h"
#include "core/scope/calls/aliases.h"
#include "core/scope/calls/build_calls.h"
#include "core/scope/calls/unscoped_nodes.h"
#include "core/scope/parameters/learned_tensors.h"
#include "core/scope/scope_record.h"
#include "core/scope/trees/scope_trees.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace duo {
namespace {

constexpr int kDeepest = 256; // calls inside calls; recorded stacks have at most 64 modules
constexpr std::size_t kMostOwners = 16; // of one tensor
constexpr std::size_t kMostText = std::size_t{64} << 20; // bytes of all execution scopes together

class FactRestorer
{
public:
    FactRestorer(const Model& model, const ScopeRecord& record)
        : m_model(model)
        , m_record(record)
        , m_held(heldTensors(model))
    {
        for (const HeldTensor& held : m_held) {
            m_called.emplace(held.name, held.tensor);
            m_tensors.insert_or_assign(held.name, held.tensor); // the name itself goes before that of a quantized one
            m_tensors.try_emplace(nameBeforeTools(held.name), held.tensor);
        }
    }

    std::optional<ScopeFacts> restore(const Checkpoint* checkpoint)
    {
        if (!findNodes() || !addPaths() || !addKeys() || (checkpoint != nullptr && !addStored(*checkpoint)))
            return std::nullopt;
        findLearned();
        addReads();
        addOrder();
        if (!addCalls())
            return std::nullopt;
        addNodes();
        m_facts.nodeOrder = canonicalOrder(m_model);
        m_facts.executionFrom = placeUnscopedNodes(m_model, m_facts.frames, m_facts.tree);
        addNewReads();
        addMerged();
        addParts();
        for (const ScopeRecord::OwnerEntry& owner : m_record.owners) {
            if (node(owner.node).valid() && !owner.name.empty() && !owner.whole.empty())
                m_facts.bodyOwners.emplace(node(owner.node), BodyOwner{owner.name, owner.whole});
        }
        m_facts.signatures = m_record.signatures;
        return std::move(m_facts);
    }

private:
    static PathId path(std::int64_t number) { return PathId(static_cast<std::size_t>(number)); }
    NodeId node(std::int64_t number) const { return m_nodes[static_cast<std::size_t>(number)]; }

    bool findNodes()
    {
        m_entryOf.assign(m_model.nodes.size(), -1);
        bool hasAny = false;
        for (std::size_t i = 0; i < m_record.nodes.size(); ++i) {
            NodeId id = m_model.findNode(m_record.nodes[i].name);
            if (id.valid() && m_entryOf[id.index] >= 0)
                id = {};
            if (id.valid())
                m_entryOf[id.index] = static_cast<std::int64_t>(i);
            hasAny = hasAny || id.valid();
            m_nodes.push_back(id);
        }
        return hasAny;
    }

    bool addPaths()
    {
        ModulePaths& paths = m_facts.paths;
        paths.setClassName(ModulePaths::root(), m_record.rootClass);
        for (const ScopeRecord::Path& entry : m_record.paths) {
            const std::size_t size = paths.size();
            if (entry.atom.empty() || entry.atom.find('.') != std::string::npos
                || paths.text(path(entry.parent)).size() + entry.atom.size() >= ModulePaths::kLongest)
                return false;
            const PathId made = paths.child(path(entry.parent), entry.atom);
            if (made.index != size) // there already
                return false;
            paths.setClassName(made, entry.className);
        }
        for (const auto& [first, other] : m_record.sameModules) {
            if (first != other)
                m_facts.aliases.add(path(first), path(other));
        }
        m_facts.neverExecuted.emplace();
        for (const std::int64_t never : m_record.neverExecuted)
            m_facts.neverExecuted->push_back(path(never));
        for (const std::int64_t module : m_record.modules)
            m_facts.modules.push_back({paths.text(path(module)), paths.className(path(module)), {}});
        return true;
    }

    bool addKeys()
    {
        Parameters& parameters = m_facts.parameters;
        for (const ScopeRecord::KeyEntry& entry : m_record.keys) {
            Key key;
            key.name = keyName(m_facts.paths.text(path(entry.owner)), entry.leaf);
            key.label = entry.label.empty() ? key.name : entry.label;
            key.owner = path(entry.owner);
            key.first = static_cast<std::int32_t>(entry.first);
            key.isRecorded = entry.isRecorded;
            key.isListed = true;
            key.readBy = entry.readBy;
            key.tensor = tensorCalled(key.name);
            if (!key.tensor.valid() && !entry.label.empty())
                key.tensor = tensorCalled(entry.label);
            if (!parameters.index.emplace(key.name, static_cast<std::int32_t>(parameters.keys.size())).second)
                return false;
            parameters.keys.push_back(std::move(key));
        }
        parameters.hasRecords = m_record.hasRecords;
        parameters.hasContent = m_record.hasContent;
        m_facts.namesScopes = m_record.namesScopes;
        return true;
    }

    /// The record was made with this checkpoint, as far as its keys tell.
    bool addStored(const Checkpoint& checkpoint)
    {
        std::unordered_map<std::string_view, std::int32_t> labels;
        for (std::size_t k = 0; k < m_facts.parameters.keys.size(); ++k)
            labels.emplace(m_facts.parameters.keys[k].label, static_cast<std::int32_t>(k));
        for (const CheckpointKey& stored : checkpoint.keys) {
            const auto found = labels.find(stored.name);
            if (found == labels.end())
                return false;
            m_facts.parameters.ofStored.push_back(found->second);
            m_facts.parameters.key(found->second).stored = static_cast<std::int32_t>(stored.tensor);
        }
        return m_record.hasContent;
    }

    /// What has a key in the record; what nodes read without one comes with the reads.
    void findLearned()
    {
        Parameters& parameters = m_facts.parameters;
        const auto names = [&](std::string_view name) {
            const bool isKey = parameters.find(nameBeforeTools(name)) != kNoKey;
            return isKey ? NameSays::Recorded : NameSays::Nothing;
        };
        parameters.isLearned = learnedTensors(m_model, m_held, {names, !parameters.keys.empty()});
        parameters.keyOf.assign(m_model.tensors.size(), kNoKey);
        for (const HeldTensor& held : m_held) {
            if (parameters.isLearned[held.tensor.index])
                parameters.keyOf[held.tensor.index] = parameters.find(nameBeforeTools(held.name));
        }
    }

    TensorId tensorCalled(const std::string& name) const
    {
        const auto found = m_tensors.find(name);
        return found == m_tensors.end() ? TensorId{} : found->second;
    }

    /// Two bodies may hold a tensor of this name each.
    TensorId tensorReadBy(NodeId reader, const std::string& name) const
    {
        if (reader.valid()) {
            for (const ValueId input : m_model.node(reader).inputs) {
                if (const TensorId read = heldTensor(m_model, input); m_called.contains({name, read}))
                    return read;
            }
        }
        return tensorCalled(name);
    }

    void addReads()
    {
        m_facts.parameters.reads.resize(m_model.nodes.size());
        for (const ScopeRecord::ReadEntry& entry : m_record.reads) {
            const NodeId reader = node(entry.node);
            ParameterRead read;
            read.key = static_cast<std::int32_t>(entry.key);
            if (entry.key == kNoKey && entry.owner >= 0)
                read.owner = path(entry.owner);
            if (entry.isStored)
                read.tensor = storedTensor(entry, reader);
            if (read.tensor.valid())
                m_facts.parameters.isLearned[read.tensor.index] = true;
            read.from = entry.from;
            read.isRenamed = entry.isRenamed;
            read.isEqualValues = entry.isEqualValues;
            read.isFolded = entry.isFolded;
            if (reader.valid())
                m_facts.parameters.reads[reader.index].push_back(read);
            if (read.tensor.valid() && (read.key != kNoKey || read.owner.valid()))
                addReadOf(read);
        }
        spreadReads(m_facts.parameters);
    }

    TensorId storedTensor(const ScopeRecord::ReadEntry& entry, NodeId reader) const
    {
        if (!entry.alias.empty()) {
            if (const TensorId tensor = tensorReadBy(reader, entry.alias); tensor.valid())
                return tensor;
        }
        const bool isCalledAsKey = entry.tensor.empty() && entry.key != kNoKey;
        return tensorReadBy(
            reader, isCalledAsKey ? m_facts.parameters.keys[static_cast<std::size_t>(entry.key)].name : entry.tensor);
    }

    /// As recorded; what is missing there comes last.
    void addOrder()
    {
        std::vector<bool> hasKey(m_record.keys.size(), false);
        std::unordered_set<PathId> owners;
        StorageOrder order;
        order.keyRank.assign(hasKey.size(), 0);
        const auto addKey = [&](std::size_t k) {
            if (hasKey[k])
                return;
            hasKey[k] = true;
            order.keyRank[k] = static_cast<std::int32_t>(order.items.size());
            order.items.push_back({static_cast<std::int32_t>(k), m_facts.parameters.keys[k].owner});
            owners.insert(order.items.back().owner);
        };
        const auto addOwner = [&](PathId owner) {
            if (owner.valid() && owners.insert(owner).second)
                order.items.push_back({kNoKey, owner});
        };
        for (const std::int64_t item : m_record.order) {
            if (item >= 0)
                addKey(static_cast<std::size_t>(item));
            else
                addOwner(path(-1 - item));
        }
        for (std::size_t k = 0; k < hasKey.size(); ++k)
            addKey(k);
        for (const ScopeRecord::ReadEntry& read : m_record.reads)
            addOwner(read.owner >= 0 ? path(read.owner) : PathId{});
        m_facts.order = std::move(order);
    }

    void addReadOf(const ParameterRead& read)
    {
        auto& all = m_readsOf[read.tensor];
        const bool isKnown = std::any_of(all.begin(), all.end(),
            [&](const ParameterRead& known) { return known.key == read.key && known.owner == read.owner; });
        if (!isKnown && all.size() < kMostOwners)
            all.push_back(read);
    }

    /// Calls that hold a node of the model, themselves or below; and those in them of which the export left nothing.
    std::vector<bool> usedCalls() const
    {
        std::vector<bool> hadNodes(m_record.calls.size() + 1, false);
        std::vector<bool> isUsed(m_record.calls.size() + 1, false);
        for (std::size_t i = 0; i < m_record.nodes.size(); ++i) {
            const auto call = static_cast<std::size_t>(m_record.nodes[i].call);
            hadNodes[call] = true;
            isUsed[call] = isUsed[call] || m_nodes[i].valid();
        }
        for (std::size_t c = m_record.calls.size(); c > 0; --c) {
            const auto parent = static_cast<std::size_t>(m_record.calls[c - 1].parent);
            hadNodes[parent] = hadNodes[parent] || hadNodes[c];
            isUsed[parent] = isUsed[parent] || isUsed[c];
        }
        isUsed[0] = true;
        for (std::size_t c = 1; c < isUsed.size(); ++c)
            isUsed[c] = isUsed[c] || (!hadNodes[c] && isUsed[static_cast<std::size_t>(m_record.calls[c - 1].parent)]);
        return isUsed;
    }

    bool addCalls()
    {
        auto tree = callsWhere(usedCalls(), m_calls);
        if (!tree)
            return false;
        m_facts.tree = *std::move(tree);
        m_facts.tree.runs.assign(m_facts.paths.size(), 0);
        for (const Call& call : m_facts.tree.calls)
            m_facts.tree.runs[call.module.index] = std::max(m_facts.tree.runs[call.module.index], call.number + 1);
        return true;
    }

    /// The calls of the record that are used, each of which has its caller used. @param places [calls of the record +
    /// 1] where they are in what is returned. @return nothing where they do not fit
    std::optional<CallTree> callsWhere(const std::vector<bool>& isUsed, std::vector<CallId>& places)
    {
        CallTree tree;
        tree.calls.emplace_back();
        tree.calls[0].path = tree.calls[0].module = ModulePaths::root();
        places.assign(isUsed.size(), CallId(0));
        for (std::size_t c = 1; c < isUsed.size(); ++c) {
            if (!isUsed[c])
                continue;
            const ScopeRecord::CallEntry& entry = m_record.calls[c - 1];
            Call call;
            call.parent = places[static_cast<std::size_t>(entry.parent)];
            call.path = path(entry.path);
            call.module = m_facts.aliases.canonical(m_facts.paths, call.path);
            call.number = entry.number;
            call.from = entry.isGuess ? Provenance::Guess : Provenance::Recorded;
            call.depth = tree.calls[call.parent.index].depth + 1;
            if (call.depth > kDeepest)
                return std::nullopt;
            places[c] = CallId(tree.calls.size());
            tree.calls.push_back(std::move(call));
        }
        writeElements(tree, m_facts.aliases, m_facts.paths);
        return fits(tree) ? std::optional(std::move(tree)) : std::nullopt;
    }

    /// Scopes are unique, and all their texts together small enough to be written down.
    static bool fits(const CallTree& tree)
    {
        std::vector<std::size_t> length(tree.calls.size(), 0);
        std::size_t all = 0;
        for (std::size_t c = 1; c < tree.calls.size(); ++c) {
            length[c] = length[tree.calls[c].parent.index] + tree.calls[c].element.size() + 1;
            all += length[c];
            if (all > kMostText)
                return false;
        }
        return true;
    }

    void addNodes()
    {
        const std::size_t count = m_model.nodes.size();
        m_facts.frames.resize(count);
        m_facts.isUnregistered.assign(count, false);
        m_facts.tree.callOf.assign(count, CallId{});
        for (std::size_t n = 0; n < count; ++n) {
            if (m_entryOf[n] < 0)
                continue;
            const ScopeRecord::NodeEntry& entry = m_record.nodes[static_cast<std::size_t>(m_entryOf[n])];
            FramedNode& framed = m_facts.frames[n];
            framed.isScoped = entry.isScoped;
            framed.isMade = entry.isMade;
            framed.isPastForward = entry.isPastForward;
            framed.isDirectCall = entry.isDirectCall;
            framed.from = entry.from;
            m_facts.isUnregistered[n] = entry.isUnregistered;
            m_facts.tree.callOf[n] = m_calls[static_cast<std::size_t>(entry.call)];
        }
    }

    /// Nodes made since: what stands at their own ports.
    void addNewReads()
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            if (m_entryOf[n] >= 0)
                continue;
            for (const ValueId input : m_model.nodes[n].inputs) {
                const TensorId tensor = heldTensor(m_model, input);
                const auto found = tensor.valid() ? m_readsOf.find(tensor) : m_readsOf.end();
                if (found == m_readsOf.end())
                    continue;
                for (ParameterRead read : found->second) {
                    if (read.key != kNoKey)
                        read.owner = m_facts.parameters.key(m_facts.parameters.firstOf(read.key)).owner;
                    m_facts.parameters.reads[n].push_back(read);
                }
            }
        }
    }

    void addMerged()
    {
        for (const ScopeRecord::MergedEntry& entry : m_record.merged) {
            const NodeId producer = node(entry.producer);
            const NodeId reader = node(entry.reader);
            if (producer.valid() && reader.valid())
                m_facts.merged.push_back({producer, reader, static_cast<std::uint32_t>(entry.port), entry.name});
        }
        std::stable_sort(m_facts.merged.begin(), m_facts.merged.end(),
            [](const MergedRead& a, const MergedRead& b) { return a.producer < b.producer; });
    }

    /// Nodes that the model has no more, and where they ran, as far as others tell what they became a part of.
    void addParts()
    {
        std::unordered_map<std::string_view, std::vector<NodeId>> wholes; // by the name of a part
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            for (const std::string_view name : fusedNames(m_model.nodes[n]))
                wholes[name].emplace_back(n);
        }
        if (wholes.empty())
            return;
        NodeParts found;
        std::vector<std::int64_t> calls; // [parts] of the record
        std::vector<bool> isUsed(m_record.calls.size() + 1, false);
        for (std::size_t i = 0; i < m_record.nodes.size(); ++i) {
            const ScopeRecord::NodeEntry& entry = m_record.nodes[i];
            const auto of = m_nodes[i].valid() ? wholes.end() : wholes.find(entry.name);
            if (of == wholes.end())
                continue;
            found.parts.push_back({entry.name, {}, entry.from, std::move(of->second)});
            wholes.erase(of); // once each
            calls.push_back(entry.call);
            for (std::int64_t call = entry.call; call > 0 && !isUsed[static_cast<std::size_t>(call)];
                 call = m_record.calls[static_cast<std::size_t>(call) - 1].parent)
                isUsed[static_cast<std::size_t>(call)] = true;
        }
        std::vector<CallId> places;
        auto tree = callsWhere(isUsed, places);
        m_facts.tree.runs.resize(m_facts.paths.size(), 0); // first paths of modules that only parts ran in
        if (!tree || found.parts.empty())
            return;
        for (std::size_t p = 0; p < calls.size(); ++p)
            found.parts[p].call = places[static_cast<std::size_t>(calls[p])];
        found.calls = *std::move(tree);
        found.scopes = scopesOfCalls(found.calls, m_facts.paths);
        m_facts.parts = std::move(found);
    }

    const Model& m_model;
    const ScopeRecord& m_record;
    std::vector<HeldTensor> m_held;
    std::set<std::pair<std::string_view, TensorId>> m_called; // as the file calls them
    std::unordered_map<std::string_view, TensorId> m_tensors; // by the name before quantization
    std::vector<NodeId> m_nodes; // [ScopeRecord::nodes]; invalid: not in the model
    std::vector<std::int64_t> m_entryOf; // [Model::nodes] -> ScopeRecord::nodes; -1: not recorded
    std::vector<CallId> m_calls; // [ScopeRecord::calls + 1]
    std::unordered_map<TensorId, std::vector<ParameterRead>> m_readsOf; // of those whose owner is known
    ScopeFacts m_facts;
};

} // namespace

std::optional<ScopeFacts> recordedFacts(const Model& model, const ScopeSources& sources)
{
    const std::string_view own = metadataValue(model.metadata, kScopeRecordKey);
    const std::string_view text = sources.record.empty() ? own : sources.record;
    if (text.empty())
        return std::nullopt;
    const auto record = parseScopeRecord(text);
    return record ? FactRestorer(model, *record).restore(sources.checkpoint) : std::nullopt;
}

} // namespace duo
