// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/written_out_calls.h"

#include "core/model/key_names.h"
#include "core/onnx/absent_data.h"
#include "core/onnx/outlined_model.h"
#include "core/scope/make_record.h"
#include "core/support/phrases.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace duo {

namespace {

std::shared_ptr<const Model> withRaisedNote(const Inlined& written)
{
    auto told = std::make_shared<Model>(*written.model);
    told->notes.push_back({kOpsetsJoined, raisedText(written.raised), {}});
    return told;
}

std::string pathText(const ScopeRecord& record, std::int64_t path)
{
    std::string text;
    for (; path > 0; path = record.paths[static_cast<std::size_t>(path) - 1].parent) {
        const std::string& atom = record.paths[static_cast<std::size_t>(path) - 1].atom;
        text = text.empty() ? atom : atom + "." + text;
    }
    return text;
}

/// The tensor of a read as the model has it, if it is still there.
bool isStillThere(const ScopeRecord::ReadEntry& read, const ScopeRecord& record, const Model& made)
{
    std::string name = read.tensor;
    if (name.empty() && read.key >= 0) {
        const ScopeRecord::KeyEntry& key = record.keys[static_cast<std::size_t>(read.key)];
        name = keyName(pathText(record, key.owner), key.leaf);
    }
    const ValueId value = made.findValue(name);
    return value.valid() && made.value(value).initializer.valid();
}

/// What a node read that became a part of another one is read by that: as it is, or folded into what that reads.
/// @param record of `model`, node by node
void addReadsOfPartsInPlace(ScopeRecord& record, const Model& model, const Model& made)
{
    std::unordered_map<std::string_view, std::int64_t> numbers;
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        numbers.emplace(nameBefore(model.nodes[n]), static_cast<std::int64_t>(n));
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

bool hasCallsToWriteOut(const Model& model)
{
    return model.source && std::ranges::any_of(model.nodes, &Node::isCall)
        && std::ranges::find(model.notes, kCallsStay, &Note::kind) == model.notes.end();
}

Result<std::shared_ptr<const Model>> withCallsWrittenOut(
    const std::shared_ptr<const Model>& model, const JobContext& job)
{
    if (!hasCallsToWriteOut(*model) || !checkHasData(*model))
        return model;
    std::set<FunctionName> all;
    for (const LocalFunction& function : localFunctions(*model))
        all.emplace(function.domain, function.name);
    auto written = inlinedModel(model, all, job, NamesBefore::AreKept);
    if (written)
        return written->raised.empty() ? std::move(written->model) : withRaisedNote(*written);
    if (written.error().code == ErrorCode::Cancelled)
        return written.error();
    auto kept = std::make_shared<Model>(*model);
    const Error& error = written.error();
    kept->notes.insert(
        kept->notes.begin(), {kCallsStay, "what is inside functions stays as it is: " + error.what, error.where});
    return std::shared_ptr<const Model>(std::move(kept));
}

std::string carriedRecordText(const Model& model, const Scopes& scopes, const Model& made)
{
    ScopeRecord record = carriedScopeRecord(model, scopes);
    addReadsOfPartsInPlace(record, model, made);
    std::unordered_map<std::string_view, const std::string*> now;
    for (const Node& node : made.nodes) {
        if (const std::string_view before = nameBefore(node); before != node.name)
            now.emplace(before, &node.name);
    }
    for (ScopeRecord::NodeEntry& entry : record.nodes) {
        if (const auto found = now.find(entry.name); found != now.end())
            entry.name = *found->second;
    }
    return scopeRecordText(record);
}

std::string callsText(const Model& model)
{
    std::set<std::pair<std::string_view, std::string_view>> functions;
    std::size_t calls = 0;
    for (const Node& node : model.nodes) {
        if (!node.isCall)
            continue;
        ++calls;
        functions.emplace(node.domain, node.opType);
    }
    return counted(calls, "call", "calls") + " of " + counted(functions.size(), "function", "functions");
}

} // namespace duo
