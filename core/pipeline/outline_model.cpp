// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/outline_model.h"

#include "core/onnx/metadata_keys.h"
#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"
#include "core/outline/call_scopes.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/make_record.h"
#include "core/scope/scope.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace duo {
namespace {

/// The name that each node has in the model with functions, by the one before.
class Places
{
public:
    Places(const Model& before, const OutlineEdits& edits, const Model& after)
        : m_before(before)
        , m_edits(edits)
        , m_after(after)
        , m_regionsBefore(regionsByOwner(before))
        , m_regionsAfter(regionsByOwner(after))
    {
        for (std::size_t c = 0; c < edits.calls.size(); ++c) {
            for (const BodyPart& part : edits.calls[c].parts) {
                if (const auto* node = std::get_if<NodeId>(&part))
                    m_taken.insert(*node);
            }
            if (!edits.calls[c].isNested)
                m_callsIn[edits.calls[c].region].push_back(c);
        }
        addRegion(RegionId(0), RegionId(0));
    }

    std::vector<std::pair<std::size_t, std::string>> callNodes; // calls of the edits, and the nodes they are

    [[nodiscard]] std::string nameOf(const std::string& before) const
    {
        const auto place = m_names.find(before);
        return place == m_names.end() ? before : place->second;
    }

private:
    using RegionsByOwner = std::unordered_map<NodeId, std::vector<RegionId>>;

    static RegionsByOwner regionsByOwner(const Model& model)
    {
        RegionsByOwner regions;
        for (std::size_t r = 1; r < model.regions.size(); ++r)
            regions[model.regions[r].owner].emplace_back(r);
        return regions;
    }

    void addCall(std::size_t index, NodeId node)
    {
        const OutlinedCall& call = m_edits.calls[index];
        callNodes.emplace_back(index, m_after.node(node).name);
        const auto regions = m_regionsAfter.find(node);
        if (regions == m_regionsAfter.end())
            return;
        const auto& nodes = m_after.region(regions->second.front()).nodes;
        for (std::size_t p = 0; p < std::min(nodes.size(), call.parts.size()); ++p) {
            if (const auto* inner = std::get_if<std::size_t>(&call.parts[p]))
                addCall(*inner, nodes[p]);
            else
                addNode(std::get<NodeId>(call.parts[p]), nodes[p]);
        }
    }

    /// With the nodes in its bodies, and in the calls it is.
    void addNode(NodeId before, NodeId after)
    {
        if (m_before.node(before).name != m_after.node(after).name)
            m_names.emplace(m_before.node(before).name, m_after.node(after).name);
        const auto own = m_regionsBefore.find(before);
        const auto other = m_regionsAfter.find(after);
        if (own == m_regionsBefore.end() || other == m_regionsAfter.end())
            return;
        for (std::size_t r = 0; r < std::min(own->second.size(), other->second.size()); ++r)
            addRegion(own->second[r], other->second[r]);
    }

    /// What stays is found by its name, else in its order: calls may have forced another one.
    void addRegion(RegionId before, RegionId after)
    {
        std::unordered_map<std::string_view, std::size_t> calls;
        if (const auto known = m_callsIn.find(before); known != m_callsIn.end()) {
            for (const std::size_t call : known->second)
                calls.emplace(m_edits.calls[call].name, call);
        }
        std::unordered_map<std::string_view, NodeId> named;
        std::vector<NodeId> unnamed;
        for (const NodeId node : m_before.region(before).nodes) {
            const std::string& name = m_before.node(node).localName;
            if (!m_taken.contains(node) && (name.empty() || !named.emplace(name, node).second))
                unnamed.push_back(node);
        }
        auto next = unnamed.begin();
        for (const NodeId node : m_after.region(after).nodes) {
            const std::string& name = m_after.node(node).localName;
            if (const auto call = calls.find(name); call != calls.end())
                addCall(call->second, node);
            else if (const auto same = named.find(name); same != named.end())
                addNode(same->second, node);
            else if (next != unnamed.end())
                addNode(*next++, node);
        }
    }

    const Model& m_before;
    const OutlineEdits& m_edits;
    const Model& m_after;
    const RegionsByOwner m_regionsBefore;
    const RegionsByOwner m_regionsAfter;
    std::unordered_set<NodeId> m_taken; // into calls
    std::unordered_map<RegionId, std::vector<std::size_t>> m_callsIn; // by the region before, calls that stand there
    std::unordered_map<std::string, std::string> m_names;
};

/// A call of which parts run in several bodies has a scope in each.
std::unordered_map<ScopeId, std::int64_t> callsByScope(const Model& model, const Scopes& scopes)
{
    const ScopeFacts& facts = *scopes.facts;
    std::unordered_map<ScopeId, std::int64_t> calls;
    for (std::size_t c = 0; c < facts.scopeOfCall.size(); ++c)
        calls.emplace(facts.scopeOfCall[c], static_cast<std::int64_t>(c));
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        ScopeId scope = scopes.nodes[n].executionScope;
        for (CallId call = facts.tree.callOf[n]; call.valid() && scope.valid();
             scope = scopes.execution.scope(scope).parent) {
            if (scopes.execution.scope(scope).isBody)
                continue;
            if (scopes.execution.scope(scope).module != facts.paths.text(facts.tree.calls[call.index].module))
                break;
            calls.emplace(scope, call.index);
            call = facts.tree.calls[call.index].parent;
        }
    }
    return calls;
}

/// What is known of scopes, under the names that nodes have in functions; else their trees would have to be found anew.
Result<std::shared_ptr<const Model>> withScopes(const Model& before, const Scopes& scopes, const OutlinePlan& plan,
    const std::shared_ptr<const Model>& after, const JobContext& job)
{
    const Places places(before, plan.edits, *after);
    ScopeRecord record = scopeRecord(before, scopes);
    for (ScopeRecord::NodeEntry& node : record.nodes)
        node.name = places.nameOf(node.name);
    const auto calls = callsByScope(before, scopes);
    for (const auto& [index, name] : places.callNodes) {
        const auto call = calls.find(scopes.execution.find(plan.scopes[index]));
        if (call == calls.end())
            continue;
        ScopeRecord::NodeEntry& entry = record.nodes.emplace_back();
        entry.name = name;
        entry.call = call->second;
        entry.from = Provenance::Recorded;
        entry.isScoped = true;
    }
    EditList told;
    if (metadataValue(before.metadata, kScopesBeforeKey).empty())
        told.metadata.emplace_back(kScopesBeforeKey, metadataValue(before.metadata, kScopeRecordKey));
    told.metadata.emplace_back(kScopeRecordKey, scopeRecordText(record));
    return convertedModel(after, told, {}, job);
}

/// @param scopes of the model
Result<OutlinedFile> madeOf(
    const std::shared_ptr<const Model>& model, const Scopes& scopes, OutlinePlan plan, const JobContext& job)
{
    OutlinedFile outlined{model, model, std::move(plan)};
    if (outlined.plan.edits.calls.empty())
        return outlined;
    DUO_TRY(changed, outlinedModel(model, outlined.plan.edits, job));
    DUO_TRY(told, withScopes(*model, scopes, outlined.plan, changed, job));
    outlined.model = std::move(told);
    return outlined;
}

} // namespace

Result<OutlinedFile> outlineFile(const std::filesystem::path& path, const OpenOptions& options,
    const OutlineRequest& request, bool isDryRun, const JobContext& job)
{
    DUO_TRY(model, readModelFile(path, options.read, job));
    DUO_CHECK(checkCanRun(*model));
    Snapshot snapshot;
    snapshot.model = model;
    snapshot.scopes = std::make_shared<Scopes>(findScopes(*model));
    if (!options.checkpoint.empty()) {
        DUO_TRY(told, withCheckpoint(snapshot, options.checkpoint, options.threads, job));
        snapshot = std::move(told);
    }
    DUO_TRY(plan, planOutline(*model, *snapshot.scopes, request));
    if (isDryRun)
        return OutlinedFile{model, model, std::move(plan)};
    return madeOf(model, *snapshot.scopes, std::move(plan), job);
}

Result<OutlinedFile> withFunctionsAgain(
    const std::filesystem::path& path, const OpenedModel& opened, const JobContext& job)
{
    DUO_TRY(model, readModelFile(path, {}, job));
    const Scopes scopes = findScopes(*model);
    const CallScopes calls = callScopes(*model, scopes, {*opened.model, *opened.scopes});
    DUO_TRY(plan, planOutline(*model, calls.scopes, {.all = true}, &calls.functions));
    for (std::size_t c = 0; c < plan.scopes.size(); ++c) {
        const std::string& scope = calls.ranIn.at(plan.scopes[c]);
        if (plan.edits.calls[c].isNested)
            plan.edits.calls[c].name = plan.scopes[c]; // for those who tell of it
        for (auto& [key, text] : plan.edits.calls[c].metadata)
            text = key == kScopeKey ? scope : text;
        plan.scopes[c] = scope;
    }
    return madeOf(model, scopes, std::move(plan), job);
}

} // namespace duo
