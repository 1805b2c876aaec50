// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/carried_scopes.h"

#include "core/model/key_names.h"
#include "core/onnx/reader.h"
#include "core/scope/make_record.h"
#include "core/scope/scope.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {
namespace {

std::string pathText(const ScopeRecord& record, std::int64_t path)
{
    std::string text;
    for (; path > 0; path = record.paths[static_cast<std::size_t>(path) - 1].parent) {
        const std::string& atom = record.paths[static_cast<std::size_t>(path) - 1].atom;
        text = text.empty() ? atom : atom + "." + text;
    }
    return text;
}

/// Of a read that has a key.
std::string keyOf(const ScopeRecord::ReadEntry& read, const ScopeRecord& record)
{
    const ScopeRecord::KeyEntry& key = record.keys[static_cast<std::size_t>(read.key)];
    return keyName(pathText(record, key.owner), key.leaf);
}

/// What the model calls the tensor of a read.
std::string tensorOf(const ScopeRecord::ReadEntry& read, const ScopeRecord& record)
{
    return !read.tensor.empty() || read.key < 0 ? read.tensor : keyOf(read, record);
}

bool isStillThere(const ScopeRecord::ReadEntry& read, const ScopeRecord& record, const Model& made)
{
    const ValueId value = made.findValue(tensorOf(read, record));
    return value.valid() && made.value(value).initializer.valid();
}

using NodeNumbers = std::unordered_map<std::string_view, std::int64_t>; // by nameBefore

NodeNumbers numbersOf(const Model& model)
{
    NodeNumbers numbers;
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        numbers.emplace(nameBefore(model.nodes[n]), static_cast<std::int64_t>(n));
    return numbers;
}

/// Nodes that one was written as, beside the one that has its name. They run where it ran, and read of its parameters
/// what they are given: as it is, or as a tensor made of it, which has as many elements.
class WrittenNodes
{
public:
    WrittenNodes(ScopeRecord& record, const Model& model, const Model& made)
        : m_record(record)
        , m_model(model)
        , m_made(made)
    {
    }

    void addInPlace()
    {
        const NodeNumbers numbers = numbersOf(m_model);
        std::map<std::int64_t, std::vector<const Node*>> written; // by what was written
        for (const Node& node : m_made.nodes) {
            const auto whole = numbers.find(metadataValue(node.metadata, kWrittenOfKey));
            if (whole != numbers.end() && !numbers.contains(nameBefore(node)))
                written[whole->second].push_back(&node);
        }
        if (written.empty())
            return;
        std::unordered_map<std::int64_t, std::vector<ScopeRecord::ReadEntry>> reads;
        for (const ScopeRecord::ReadEntry& read : m_record.reads) {
            if (written.contains(read.node))
                reads[read.node].push_back(read);
        }
        for (const auto& [whole, nodes] : written) {
            for (const Node* node : nodes)
                addNode(*node, whole, reads[whole]);
        }
        std::ranges::stable_sort(m_record.reads, {}, &ScopeRecord::ReadEntry::node);
    }

private:
    void addNode(const Node& node, std::int64_t whole, const std::vector<ScopeRecord::ReadEntry>& reads)
    {
        const auto number = static_cast<std::int64_t>(m_record.nodes.size());
        ScopeRecord::NodeEntry entry = m_record.nodes[static_cast<std::size_t>(whole)];
        entry.name = node.name;
        m_record.nodes.push_back(std::move(entry));
        for (const ValueId input : node.inputs) {
            if (!input.valid() || !m_made.value(input).initializer.valid())
                continue;
            const std::string& name = m_made.value(input).name;
            const bool isNew = !m_model.findValue(name).valid();
            for (ScopeRecord::ReadEntry read : reads) {
                if (isNew ? !isMadeOf(input, read) : !isCalled(read, name))
                    continue;
                read.node = number;
                read.tensor = read.key >= 0 && name == keyOf(read, m_record) ? std::string() : name;
                read.alias.clear();
                read.isRenamed = read.isRenamed || isNew;
                m_record.reads.push_back(std::move(read));
            }
        }
    }

    /// As the tensor, as the node called it, or as its key, of which it may have got a tensor of its own.
    [[nodiscard]] bool isCalled(const ScopeRecord::ReadEntry& read, const std::string& name) const
    {
        return name == tensorOf(read, m_record) || name == read.alias
            || (read.key >= 0 && name == keyOf(read, m_record));
    }

    [[nodiscard]] bool isMadeOf(ValueId tensor, const ScopeRecord::ReadEntry& read) const
    {
        const Tensor* now = m_made.constant(tensor);
        const ValueId before = m_model.findValue(tensorOf(read, m_record));
        const Tensor* then = before.valid() ? m_model.constant(before) : nullptr;
        return now != nullptr && then != nullptr && now->elements() > 1 && now->elements() == then->elements()
            && now->type == then->type;
    }

    ScopeRecord& m_record;
    const Model& m_model;
    const Model& m_made;
};

/// What a node read that became a part of another one is read by that: as it is, or folded into what that reads.
/// @param record of `model`, node by node
void addReadsOfPartsInPlace(ScopeRecord& record, const Model& model, const Model& made)
{
    const NodeNumbers numbers = numbersOf(model);
    std::unordered_map<std::int64_t, std::vector<std::int64_t>> wholes; // by part: what it became a part of
    for (const Node& node : made.nodes) {
        const auto whole = numbers.find(nameBefore(node));
        for (const std::string_view name : fusedNames(node)) {
            const auto part = numbers.find(name);
            if (part != numbers.end() && whole != numbers.end())
                wholes[part->second].push_back(whole->second);
        }
    }
    std::vector<ScopeRecord::ReadEntry> added;
    for (const ScopeRecord::ReadEntry& read : record.reads) {
        const auto found = wholes.find(read.node);
        for (const std::int64_t whole : found == wholes.end() ? std::vector<std::int64_t>() : found->second) {
            ScopeRecord::ReadEntry& entry = added.emplace_back(read);
            entry.node = whole;
            entry.isFolded = !isStillThere(read, record, made);
            entry.isStored = read.isStored && !entry.isFolded;
        }
    }
    record.reads.insert(record.reads.end(), added.begin(), added.end());
    std::ranges::stable_sort(record.reads, {}, &ScopeRecord::ReadEntry::node);
}

} // namespace

std::string carriedRecordText(const Model& model, const Scopes& scopes, const Model& made)
{
    ScopeRecord record = carriedScopeRecord(model, scopes);
    addReadsOfPartsInPlace(record, model, made);
    WrittenNodes(record, model, made).addInPlace();
    std::unordered_map<std::string_view, const std::string*> now;
    for (const Node& node : made.nodes) {
        if (const std::string_view before = nameBefore(node); before != node.name)
            now.emplace(before, &node.name);
    }
    for (std::size_t n = 0; n < record.nodes.size(); ++n) {
        std::string& name = record.nodes[n].name;
        if (const auto found = now.find(name); found != now.end())
            name = *found->second;
        else if (n < model.nodes.size() && !made.findNode(name).valid())
            name = nameBefore(model.nodes[n]); // by which others tell of it
    }
    return scopeRecordText(record);
}

Result<std::shared_ptr<const Model>> withScopesTold(
    const Model& model, const Scopes& scopes, const std::shared_ptr<const Model>& made, const JobContext& job)
{
    const std::string carried = carriedRecordText(model, scopes, *made);
    EditList told;
    told.metadata.emplace_back(
        kScopeRecordKey, scopeRecordText(scopeRecord(*made, findScopes(*made, {nullptr, nullptr, carried}))));
    return convertedModel(made, told, {}, job);
}

} // namespace duo
