// SPDX-License-Identifier: Apache-2.0
#include "core/scope/make_record.h"

#include "core/model/key_names.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/parameters/parameter_origins.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace duo {
namespace {

enum class Reader { OfFile, OfModel };

class RecordMaker
{
public:
    RecordMaker(const Model& model, const Scopes& scopes, Reader reader, std::span<const NodeId> removed,
        std::span<const std::pair<NodeId, NodeId>> fused)
        : m_model(model)
        , m_scopes(scopes)
        , m_facts(*scopes.facts)
        , m_reader(reader)
        , m_numbers(model.nodes.size(), 0)
        , m_names(model.tensors.size())
    {
        for (const HeldTensor& held : heldTensors(model))
            m_names[held.tensor.index] = held.name;
        for (const NodeId id : removed)
            m_numbers[id.index] = kRemoved;
        for (const auto& [whole, part] : fused)
            m_partsOf[whole].push_back(part);
    }

    ScopeRecord make()
    {
        m_record.namesScopes = m_facts.namesScopes;
        m_record.hasRecords = m_facts.parameters.hasRecords;
        m_record.hasContent = m_facts.parameters.hasContent;
        m_record.signatures = m_facts.signatures;
        addPaths();
        addKeys();
        for (std::size_t c = 1; c < m_facts.tree.calls.size(); ++c) {
            const Call& call = m_facts.tree.calls[c];
            m_record.calls.push_back(entryOf(call, call.parent.index));
        }
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            if (m_numbers[n] != kRemoved)
                addNode(n);
        }
        addFused();
        addParts();
        for (const MergedRead& read : m_facts.merged) {
            const std::int64_t producer = m_numbers[read.producer.index];
            const std::int64_t reader = m_numbers[read.reader.index];
            if (producer != kRemoved && reader != kRemoved)
                m_record.merged.push_back({producer, reader, read.port, read.name});
        }
        for (const auto& [owner, names] : m_facts.bodyOwners) {
            if (m_numbers[owner.index] != kRemoved)
                m_record.owners.push_back({m_numbers[owner.index], names.name, names.whole});
        }
        std::ranges::sort(m_record.owners, {}, &ScopeRecord::OwnerEntry::node);
        return std::move(m_record);
    }

private:
    static constexpr std::int64_t kRemoved = -1;

    /// How a fact is known to whoever reads it from the record.
    [[nodiscard]] Provenance keptProvenance(Provenance from) const
    {
        return m_reader == Reader::OfFile && from <= Provenance::Content ? Provenance::Recorded : from;
    }

    void addPaths()
    {
        const ModulePaths& paths = m_facts.paths;
        m_record.rootClass = paths.className(ModulePaths::root());
        for (std::size_t p = 1; p < paths.size(); ++p) {
            const PathId path(p);
            m_record.paths.push_back({paths.parent(path).index, std::string(paths.atom(path)), paths.className(path)});
        }
        for (std::size_t p = 0; p < paths.size(); ++p) {
            for (const PathId other : m_facts.aliases.others(PathId(p)))
                m_record.sameModules.emplace_back(p, other.index);
        }
        for (const RecordedModule& module : m_facts.modules) {
            if (const PathId path = paths.find(module.path); path.valid())
                m_record.modules.push_back(path.index);
        }
        for (const std::string& never : m_scopes.neverExecuted)
            m_record.neverExecuted.push_back(paths.find(never).index);
    }

    void addKeys()
    {
        for (const Key& key : m_facts.parameters.keys) {
            ScopeRecord::KeyEntry entry;
            entry.owner = key.owner.index;
            entry.leaf = keyLeaf(key.name);
            entry.label = key.label == nameOf(key) ? std::string() : key.label;
            entry.first = key.first;
            entry.isRecorded = key.isRecorded;
            if (key.readBy)
                entry.readBy = keptProvenance(*key.readBy);
            m_record.keys.push_back(std::move(entry));
        }
        for (const StorageOrder::Item& item : m_facts.order->items)
            m_record.order.push_back(
                item.key != kNoKey ? std::int64_t{item.key} : -1 - static_cast<std::int64_t>(item.owner.index));
        const auto isNext = [n = std::int64_t{0}](std::int64_t item) mutable { return item == n++; };
        if (std::all_of(m_record.order.begin(), m_record.order.end(), isNext))
            m_record.order.clear();
    }

    void addNode(std::size_t n)
    {
        const FramedNode& framed = m_facts.frames[n];
        ScopeRecord::NodeEntry node;
        node.name = m_model.nodes[n].name;
        node.call = m_facts.tree.callOf[n].index;
        node.from = keptProvenance(m_facts.executionFrom[n]);
        node.isScoped = framed.isScoped;
        node.isMade = framed.isMade;
        node.isPastForward = framed.isPastForward;
        node.isDirectCall = framed.isDirectCall;
        node.isUnregistered = m_facts.isUnregistered[n];
        m_numbers[n] = static_cast<std::int64_t>(m_record.nodes.size());
        m_record.nodes.push_back(std::move(node));
        for (const ParameterRead& read : m_facts.parameters.reads[n])
            addRead(n, read);
        const auto parts = m_partsOf.find(NodeId(n));
        for (const NodeId part : parts == m_partsOf.end() ? std::vector<NodeId>() : parts->second) {
            for (ParameterRead read : m_facts.parameters.reads[part.index]) {
                read.tensor = {};
                read.isFolded = true;
                addRead(n, read);
            }
        }
    }

    /// By the names under which those tell of them that they became a part of.
    void addFused()
    {
        for (const auto& [whole, parts] : m_partsOf) {
            for (const NodeId part : parts) {
                ScopeRecord::NodeEntry& node = m_record.nodes.emplace_back();
                node.name = nameBefore(m_model.node(part));
                node.call = m_facts.tree.callOf[part.index].index;
                node.from = keptProvenance(m_facts.executionFrom[part.index]);
                node.isScoped = m_facts.frames[part.index].isScoped;
            }
        }
    }

    static ScopeRecord::CallEntry entryOf(const Call& call, std::int64_t parent)
    {
        return {parent, call.path.index, call.number, call.from == Provenance::Guess};
    }

    /// Behind the nodes that are there; calls in which nothing else runs behind those of the tree.
    void addParts()
    {
        const NodeParts& parts = m_facts.parts;
        std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t> known; // -> ScopeRecord::calls
        const auto numberOf = [&](const ScopeRecord::CallEntry& call, std::size_t wish) {
            const auto number = static_cast<std::int64_t>(wish);
            return known.try_emplace({call.parent, call.path, call.number}, number).first->second;
        };
        for (std::size_t c = 0; !parts.parts.empty() && c < m_record.calls.size(); ++c)
            numberOf(m_record.calls[c], c + 1);
        std::vector<std::int64_t> numbers{0}; // [calls of parts]
        for (std::size_t c = 1; c < parts.calls.calls.size(); ++c) {
            const Call& call = parts.calls.calls[c];
            const ScopeRecord::CallEntry entry = entryOf(call, numbers[call.parent.index]);
            const std::size_t next = m_record.calls.size() + 1;
            numbers.push_back(numberOf(entry, next));
            if (numbers.back() == static_cast<std::int64_t>(next))
                m_record.calls.push_back(entry);
        }
        for (const NodeParts::Part& part : parts.parts) {
            ScopeRecord::NodeEntry& node = m_record.nodes.emplace_back();
            node.name = part.name;
            node.call = numbers[part.call.index];
            node.from = keptProvenance(part.from);
            node.isScoped = true;
        }
    }

    void addRead(std::size_t n, const ParameterRead& read)
    {
        ScopeRecord::ReadEntry entry;
        entry.node = m_numbers[n];
        entry.key = read.key;
        if (read.key == kNoKey && read.owner.valid())
            entry.owner = read.owner.index;
        entry.isStored = read.tensor.valid();
        if (entry.isStored
            && (read.key == kNoKey || m_names[read.tensor.index] != nameOf(m_facts.parameters.key(read.key))))
            entry.tensor = m_names[read.tensor.index];
        if (entry.isStored)
            entry.alias = aliasAt(m_model.nodes[n], read.tensor);
        entry.from = keptProvenance(read.from);
        entry.isRenamed = read.isRenamed;
        entry.isEqualValues = read.isEqualValues;
        entry.isFolded = read.isFolded;
        m_record.reads.push_back(std::move(entry));
    }

    std::string aliasAt(const Node& node, TensorId tensor) const
    {
        for (const ValueId input : node.inputs) {
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (producer.valid() && isIdentityAlias(m_model, m_model.node(producer))
                && heldTensor(m_model, m_model.node(producer).inputs[0]) == tensor)
                return m_model.value(input).name;
        }
        return {};
    }

    /// What the key will be called: an owner that was guessed is not in the name it has.
    std::string nameOf(const Key& key) const { return keyName(m_facts.paths.text(key.owner), keyLeaf(key.name)); }

    const Model& m_model;
    const Scopes& m_scopes;
    const ScopeFacts& m_facts;
    Reader m_reader;
    std::vector<std::int64_t> m_numbers; // [Model::nodes] -> ScopeRecord::nodes, or kRemoved
    std::map<NodeId, std::vector<NodeId>> m_partsOf; // of those that stay: what is removed and became a part of them
    std::vector<std::string_view> m_names; // [Model::tensors] as nodes read them
    ScopeRecord m_record;
};

} // namespace

ScopeRecord scopeRecord(const Model& model, const Scopes& scopes, std::span<const NodeId> removed,
    std::span<const std::pair<NodeId, NodeId>> fused)
{
    return RecordMaker(model, scopes, Reader::OfFile, removed, fused).make();
}

ScopeRecord carriedScopeRecord(const Model& model, const Scopes& scopes)
{
    return RecordMaker(model, scopes, Reader::OfModel, {}, {}).make();
}

} // namespace duo
