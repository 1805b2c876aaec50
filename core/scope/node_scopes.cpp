// SPDX-License-Identifier: Apache-2.0
#include "core/scope/node_scopes.h"

#include "core/scope/facts/element_text.h"
#include "core/scope/trees/call_reasons.h"

#include <algorithm>

namespace duo {
namespace {

std::string_view shortName(std::string_view className)
{
    return className.substr(className.rfind('.') + 1);
}

/// "ResNet/Sequential[layer1]/BasicBlock[0]" per scope; an element without a known class stays as it is. Empty where no
/// class is known: then all are as the execution scopes.
std::vector<std::string> longForms(const ScopeTree& execution)
{
    const auto& scopes = execution.scopes;
    if (std::all_of(scopes.begin(), scopes.end(), [](const Scope& scope) { return scope.className.empty(); }))
        return {};
    std::vector<std::string> forms(scopes.size());
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const Scope& scope = scopes[i];
        const std::string className(shortName(scope.className));
        if (!scope.parent.valid()) {
            forms[i] = className;
            continue;
        }
        forms[i] = forms[scope.parent.index];
        forms[i] += forms[i].empty() ? "" : "/";
        forms[i] += className.empty() ? scope.name : className + "[" + scope.name + "]";
    }
    return forms;
}

/// Execution path without call numbers and escapes, elements joined by dots: comparable with a storage scope.
std::string plainPath(const CallTree& tree, CallId call)
{
    std::vector<std::string> elements;
    for (; tree.calls[call.index].parent.valid(); call = tree.calls[call.index].parent)
        elements.push_back(plainElement(tree.calls[call.index].element));
    std::string plain;
    for (std::size_t i = elements.size(); i-- > 0;) {
        plain += plain.empty() ? "" : ".";
        plain += elements[i];
    }
    return plain;
}

class NodeScopes
{
public:
    NodeScopes(const Model& model, const ScopeFacts& facts, const StorageOrder& order, const ExecutionTree& execution,
        const StorageTree& storage)
        : m_facts(facts)
        , m_order(order)
        , m_execution(execution)
        , m_storage(storage)
        , m_callReasons(callReasons(facts))
        , m_longForms(longForms(execution.tree))
        , m_hasChildren(facts.tree.calls.size())
        , m_isMerged(model.nodes.size())
        , m_ownsKey(facts.paths.size())
    {
        for (const MergedRead& read : facts.merged)
            m_isMerged[read.producer.index] = true;
        for (const Call& call : facts.tree.calls) {
            m_callFrom.push_back(call.from);
            if (!call.parent.valid())
                continue;
            m_hasChildren[call.parent.index] = true;
            m_callFrom.back() = std::max(call.from, m_callFrom[call.parent.index]);
        }
        for (const Key& key : facts.parameters.keys) {
            for (PathId path = key.owner; path.valid() && !m_ownsKey[path.index]; path = facts.paths.parent(path))
                m_ownsKey[path.index] = true;
        }
    }

    NodeScope scopeOf(std::size_t n) const
    {
        NodeScope scope;
        scope.executionScope = m_execution.ofNode[n];
        scope.execution = m_execution.tree.scope(scope.executionScope).path;
        scope.longForm = m_longForms.empty() ? scope.execution : m_longForms[scope.executionScope.index];
        scope.executionFrom = m_facts.executionFrom[n];
        addStorage(n, scope);
        addReasons(n, scope);
        scope.executionFrom = std::max(scope.executionFrom, m_callFrom[m_facts.tree.callOf[n].index]);
        return scope;
    }

private:
    const std::vector<ParameterRead>& reads(std::size_t n) const { return m_facts.parameters.reads[n]; }
    const Key& key(std::int32_t k) const { return m_facts.parameters.keys[static_cast<std::size_t>(k)]; }

    void addStorage(std::size_t n, NodeScope& scope) const
    {
        std::vector<std::pair<ScopeId, Provenance>> owners;
        std::vector<std::int32_t> keys;
        bool hasUnknown = false;
        for (const ParameterRead& read : reads(n)) {
            hasUnknown = hasUnknown || !read.owner.valid();
            if (read.owner.valid())
                owners.emplace_back(m_storage.ofPath[read.owner.index], read.from);
            if (read.key != kNoKey) {
                for (std::int32_t k = key(read.key).first; k != kNoKey; k = key(k).next)
                    keys.push_back(k);
            }
        }
        const auto rank = [&](std::int32_t k) { return m_order.keyRank[static_cast<std::size_t>(k)]; };
        std::sort(keys.begin(), keys.end(), [&](std::int32_t a, std::int32_t b) { return rank(a) < rank(b); });
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        for (const std::int32_t k : keys)
            scope.keys.push_back(key(k).label);
        scope.storageFrom = hasUnknown && owners.empty() ? Provenance::Guess : Provenance::Recorded;
        std::sort(owners.begin(), owners.end()); // scopes were made in storage order; the best read of each goes first
        const auto isSameScope = [](const auto& a, const auto& b) { return a.first == b.first; };
        owners.erase(std::unique(owners.begin(), owners.end(), isSameScope), owners.end());
        for (const auto& [owner, from] : owners) {
            scope.storageScopes.push_back(owner);
            scope.storage.push_back(m_storage.tree.scope(owner).path);
            scope.storageFrom = std::max(scope.storageFrom, from);
        }
    }

    /// The module that runs has nothing of its own, calls nothing, and does not contain the owner: it shares the tensor
    /// under a key that the file has not kept.
    bool isSharedParameter(const Call& call, CallId id, PathId owner) const
    {
        return call.module != ModulePaths::root() && !m_ownsKey[call.module.index] && !m_hasChildren[id.index]
            && !m_facts.paths.contains(call.module, owner) && !m_facts.paths.contains(owner, call.module);
    }

    void addReadReasons(std::size_t n, const NodeScope& scope, ReasonSet& reasons) const
    {
        const CallId id = m_facts.tree.callOf[n];
        const Call& call = m_facts.tree.calls[id.index];
        for (const ParameterRead& read : reads(n)) {
            if (read.isRenamed && read.owner.valid() && (m_facts.namesScopes || read.from != Provenance::Guess))
                reasons.insert(Reason::RenamedTensor);
            if (read.isEqualValues)
                reasons.insert(Reason::EqualValues);
            if (read.isFolded && scope.storage.size() > 1)
                reasons.insert(Reason::FoldedProducers);
            if (read.key != kNoKey && m_facts.parameters.hasSeveralKeys(read.key))
                reasons.insert(Reason::AliasedParameter);
            const bool isOwn = !read.owner.valid() || read.owner == call.module || read.isFolded;
            if (isOwn || reasons.contains(Reason::AliasedParameter) || scope.executionFrom > Provenance::Name)
                continue;
            reasons.insert(isSharedParameter(call, id, read.owner) ? Reason::AliasedParameter : Reason::FunctionalUse);
        }
    }

    void addReasons(std::size_t n, NodeScope& scope) const
    {
        const CallId id = m_facts.tree.callOf[n];
        const ReasonSet& around = m_callReasons[id.index];
        ReasonSet reasons = around;
        addReadReasons(n, scope, reasons);
        if (m_facts.isUnregistered[n])
            reasons.insert(Reason::UnregisteredModule);
        if (m_facts.frames[n].isDirectCall)
            reasons.insert(Reason::BypassedCall);
        if (m_isMerged[n])
            reasons.insert(Reason::MergedCalls);
        const bool isFramed = m_facts.frames[n].isScoped && !m_facts.frames[n].isMade;
        if (m_facts.namesScopes && !isFramed)
            reasons.insert(Reason::ExporterMade);
        const std::string plain = scope.storage.empty() ? std::string() : plainPath(m_facts.tree, id);
        const bool isElsewhere = std::any_of(
            scope.storage.begin(), scope.storage.end(), [&](const std::string& owner) { return owner != plain; });
        const bool isSaid = scope.executionFrom <= Provenance::Name; // where it runs is not inferred
        if (isElsewhere && isSaid && reasons.isHarmless())
            reasons.insert(Reason::FunctionalUse);
        scope.differs = around.contains(Reason::ForeignCall) || around.contains(Reason::SharedModule)
            || (isElsewhere && !reasons.isHarmless());
        scope.reasons = reasons.sorted();
    }

    const ScopeFacts& m_facts;
    const StorageOrder& m_order;
    const ExecutionTree& m_execution;
    const StorageTree& m_storage;
    std::vector<ReasonSet> m_callReasons;
    std::vector<std::string> m_longForms; // [ExecutionTree::tree]
    std::vector<bool> m_hasChildren; // [calls]
    std::vector<Provenance> m_callFrom; // [calls] how it is known which calls these are, the whole stack
    std::vector<bool> m_isMerged; // [nodes] stands for others that the exporter dropped
    std::vector<bool> m_ownsKey; // [ModulePaths] owns a key, itself or below
};

} // namespace

std::vector<NodeScope> nodeScopes(const Model& model, const ScopeFacts& facts, const StorageOrder& order,
    const ExecutionTree& execution, const StorageTree& storage)
{
    const NodeScopes scopes(model, facts, order, execution, storage);
    std::vector<NodeScope> nodes;
    nodes.reserve(model.nodes.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        nodes.push_back(scopes.scopeOf(n));
    return nodes;
}

} // namespace duo
