// SPDX-License-Identifier: Apache-2.0
#include "core/rules/suggestions.h"

#include "core/rules/match.h"
#include "core/rules/near_names.h"
#include "core/rules/old_names.h"
#include "core/rules/pattern.h"
#include "core/rules/scope_rule.h"
#include "core/rules/subgraph.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace duo {
namespace {

/// Leaves out repeats, the rule itself and what is more than enough.
class SuggestionList
{
public:
    static constexpr std::size_t kMost = 5;

    explicit SuggestionList(const Rule& rule)
        : m_rule(rule)
    {
    }

    void add(RuleKind kind, const std::string& value, std::string text);
    void addSubgraph(std::vector<std::string> inputs, std::vector<std::string> outputs, std::string text);
    /// The names that the rule's value may be a slip of the pen for.
    void addNear(RuleKind kind, std::string_view what, std::span<const std::string_view> names);
    void addNear(RuleKind kind, std::string_view what, const std::vector<std::string>& names);

    [[nodiscard]] bool hasNames() const;
    [[nodiscard]] bool isEmpty() const { return m_list.empty(); }
    std::vector<Suggestion> take() { return std::move(m_list); }

private:
    const Rule& m_rule;
    std::vector<Suggestion> m_list;
};

void SuggestionList::add(RuleKind kind, const std::string& value, std::string text)
{
    const auto isSame = [&](const Suggestion& s) { return s.kind == kind && s.value == value; };
    const bool isRule = kind == m_rule.kind && value == m_rule.value;
    if (isRule || m_list.size() == kMost || std::any_of(m_list.begin(), m_list.end(), isSame))
        return;
    m_list.push_back({std::move(text), kind, value});
}

void SuggestionList::addSubgraph(std::vector<std::string> inputs, std::vector<std::string> outputs, std::string text)
{
    const std::string value = inBrackets(inputs) + " to " + inBrackets(outputs);
    m_list.push_back({std::move(text), RuleKind::Subgraph, value, std::move(inputs), std::move(outputs)});
}

void SuggestionList::addNear(RuleKind kind, std::string_view what, std::span<const std::string_view> names)
{
    for (const std::string& name : nearestNames(m_rule.value, names))
        add(kind, name, "did you mean " + std::string(what) + " " + inQuotes(name) + "?");
}

void SuggestionList::addNear(RuleKind kind, std::string_view what, const std::vector<std::string>& names)
{
    const std::vector<std::string_view> views(names.begin(), names.end());
    addNear(kind, what, std::span<const std::string_view>(views));
}

bool SuggestionList::hasNames() const
{
    return std::any_of(m_list.begin(), m_list.end(), [](const Suggestion& s) { return s.kind == RuleKind::Name; });
}

std::vector<NodeId> nodesIn(const Scopes& scopes, bool isStorage, std::string_view scope)
{
    const auto caught = scopesCaught(isStorage ? scopes.storage : scopes.execution, scope);
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < scopes.nodes.size(); ++n) {
        const NodeScope& node = scopes.nodes[n];
        const bool isIn = isStorage ? std::any_of(node.storageScopes.begin(), node.storageScopes.end(),
                              [&](ScopeId id) { return caught[id.index]; })
                                    : node.executionScope.valid() && caught[node.executionScope.index];
        if (isIn)
            nodes.emplace_back(n);
    }
    return nodes;
}

std::vector<std::string_view> nodeNames(const Model& model)
{
    std::vector<std::string_view> names;
    names.reserve(model.nodes.size());
    for (const Node& node : model.nodes)
        names.emplace_back(node.name);
    return names;
}

std::vector<std::string_view> opTypes(const Model& model)
{
    std::set<std::string_view> types;
    for (const Node& node : model.nodes)
        types.insert(node.opType);
    return {types.begin(), types.end()};
}

/// A scope as a rule would name it: every call, unless the rule asks for single ones.
std::string asAsked(const Rule& rule, const std::string& path)
{
    return everyCall(rule.value) == rule.value ? everyCall(path) : path;
}

/// Paths of scopes that hold a node themselves or below; storage scopes that nothing reads would match nothing.
std::vector<std::string> scopePaths(const ScopeTree& tree, const Rule& rule)
{
    std::vector<std::string> paths;
    std::unordered_set<std::string> known;
    for (const Scope& scope : tree.scopes) {
        if (!scope.parent.valid() || scope.totalNodes == 0)
            continue;
        std::string path = asAsked(rule, scope.path);
        if (known.insert(path).second)
            paths.push_back(std::move(path));
    }
    return paths;
}

/// The calls there are, where the rule asks for one that there is not.
void addEveryCall(const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    const std::string all = everyCall(rule.value);
    const std::size_t count = all == rule.value ? 0 : nodesIn(scopes, false, all).size();
    if (count > 0)
        out.add(RuleKind::ExecutionScope, all, "every call of " + inQuotes(all) + " has " + nodesText(count));
}

std::vector<std::string_view> classNames(const Scopes& scopes)
{
    std::set<std::string_view> names;
    for (const Scope& scope : scopes.execution.scopes) {
        if (scope.className.empty())
            continue;
        names.insert(scope.className);
        names.insert(std::string_view(scope.className).substr(scope.className.rfind('.') + 1));
    }
    return {names.begin(), names.end()};
}

/// Scopes with the same end somewhere else, or at least the one around what is not there.
void addLikeScopes(const Scopes& scopes, const Rule& rule, std::string_view what, SuggestionList& out)
{
    const ScopeTree& tree = rule.kind == RuleKind::StorageScope ? scopes.storage : scopes.execution;
    constexpr std::size_t kMostLike = 3;
    for (const ScopeId id : likeScopes(tree, rule.value, kMostLike)) {
        const std::string path = asAsked(rule, tree.scope(id).path);
        out.add(rule.kind, path, "did you mean " + std::string(what) + " " + inQuotes(path) + "?");
    }
    const ScopeId around = out.isEmpty() ? nearestAround(tree, rule.value) : ScopeId();
    if (around.valid()) {
        const std::string path = asAsked(rule, tree.scope(around).path);
        out.add(rule.kind, path,
            "the model has " + std::string(what) + " " + inQuotes(path) + " with "
                + nodesText(nodesIn(scopes, rule.kind == RuleKind::StorageScope, path).size())
                + ", but not this one in it");
    }
}

/// The same words as a scope of the other tree, and what that is in this one.
void addTranslation(const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    const bool isStorage = rule.kind == RuleKind::StorageScope;
    const std::vector<NodeId> nodes = nodesIn(scopes, !isStorage, rule.value);
    if (rule.value.empty() || nodes.empty())
        return;
    const RuleKind other = isStorage ? RuleKind::ExecutionScope : RuleKind::StorageScope;
    const std::string_view otherName = isStorage ? "an execution scope" : "a storage scope";
    const std::string_view thisName = isStorage ? "storage scope" : "execution scope";
    out.add(other, rule.value,
        inQuotes(rule.value) + " is " + std::string(otherName) + " of " + nodesText(nodes.size()) + ", not "
            + (isStorage ? "a " : "an ") + std::string(thisName));
    std::vector<std::string> seen;
    for (const NodeId id : nodes) {
        const NodeScope& node = scopes.nodes[id.index];
        const auto found = isStorage ? node.storage : std::vector<std::string>{everyCall(node.execution)};
        for (const std::string& scope : found) {
            if (scope.empty() || std::find(seen.begin(), seen.end(), scope) != seen.end())
                continue;
            seen.push_back(scope);
            out.add(rule.kind, scope, "in " + std::string(thisName) + " it is " + inQuotes(scope));
        }
        if (seen.size() >= SuggestionList::kMost)
            return;
    }
}

/// The value as a scope of one of the trees, for rules of other kinds.
void addScopes(const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    if (scopeAtoms(rule.value).empty())
        return;
    const auto running = nodesIn(scopes, false, rule.value);
    if (!running.empty())
        out.add(RuleKind::ExecutionScope, rule.value,
            inQuotes(rule.value) + " is an execution scope with " + nodesText(running.size()));
    const auto reading = nodesIn(scopes, true, rule.value);
    if (!reading.empty())
        out.add(RuleKind::StorageScope, rule.value,
            inQuotes(rule.value) + " is a storage scope read by " + nodesText(reading.size()));
}

/// A parameter's name instead of a node's.
void addReaders(const Model& model, const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    for (std::size_t n = 0; n < scopes.nodes.size(); ++n) {
        const auto& keys = scopes.nodes[n].keys;
        if (std::find(keys.begin(), keys.end(), rule.value) != keys.end())
            out.add(RuleKind::Name, model.nodes[n].name,
                inQuotes(rule.value) + " is a parameter, read by node " + inQuotes(model.nodes[n].name));
    }
}

void addSearchPattern(const Model& model, const Rule& rule, SuggestionList& out)
{
    const std::string anywhere = "(?s:.*?)(?:" + rule.value + ")";
    auto compiled = Pattern::compile(anywhere);
    const auto* pattern = std::get_if<Pattern>(&compiled);
    if (pattern == nullptr)
        return;
    std::size_t count = 0;
    for (const Node& node : model.nodes) {
        const auto outcome = pattern->match(node.name);
        if (outcome == Pattern::Outcome::TooCostly)
            return;
        count += outcome == Pattern::Outcome::Match ? 1 : 0;
    }
    if (count > 0)
        out.add(RuleKind::Pattern, anywhere,
            "a pattern must match from the start of the name; anywhere in the name it matches " + nodesText(count));
}

/// Where the rule speaks of another export: the scope it was made from, or the one its words tell, as it is here.
void addScopesHere(const Model& model, const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    constexpr std::size_t kMostScopes = 2;
    OldName old = rule.kind == RuleKind::Pattern ? OldName{scopeOfPattern(rule.value), {}} : readOldName(rule.value);
    const bool isSaid = !rule.scope.empty();
    if (isSaid)
        old.scope = rule.scope;
    const bool isOfOneCall = everyCall(old.scope) != old.scope || (isSaid && rule.kind == RuleKind::Name);
    const Calls calls = isOfOneCall ? Calls::Single : Calls::Every;
    for (const ScopeId id : likeScopes(scopes.execution, old.scope, kMostScopes, calls)) {
        const std::string path
            = isOfOneCall ? oneCall(scopes.execution, id) : everyCall(scopes.execution.scope(id).path);
        const std::vector<NodeId> nodes = nodesIn(scopes, false, path);
        std::vector<NodeId> alike;
        std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(alike),
            [&](NodeId node) { return !old.opType.empty() && model.node(node).opType == old.opType; });
        if (alike.size() == 1)
            out.add(RuleKind::Name, model.node(alike[0]).name,
                "the only " + old.opType + " in scope " + inQuotes(path) + " is named "
                    + inQuotes(model.node(alike[0]).name) + " in this export");
        out.add(RuleKind::ExecutionScope, path,
            (isSaid ? "the rule was made in scope " : "it speaks of scope ") + inQuotes(old.scope) + ", here "
                + inQuotes(path) + " with " + nodesText(nodes.size())
                + (alike.size() > 1 ? ", " + std::to_string(alike.size()) + " of them " + old.opType : ""));
    }
}

/// At least the scope that the name begins with.
void addScopeAround(const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    const OldName old = readOldName(rule.value);
    const ScopeId around = nearestAround(scopes.execution, old.scope);
    if (!around.valid())
        return;
    const std::string path = everyCall(scopes.execution.scope(around).path);
    out.add(RuleKind::ExecutionScope, path,
        "it speaks of scope " + inQuotes(old.scope) + "; the model has " + inQuotes(path) + " with "
            + nodesText(nodesIn(scopes, false, path).size()) + ", but not that one in it");
}

/// The name meant by one that is not there, or "".
std::string nameHere(const Model& model, const Scopes& scopes, const std::string& name)
{
    if (model.findNode(name).valid())
        return name;
    Rule asName;
    asName.value = name;
    SuggestionList found(asName);
    addScopesHere(model, scopes, asName, found);
    for (const Suggestion& suggestion : found.take()) {
        if (suggestion.kind == RuleKind::Name)
            return suggestion.value;
    }
    const auto near = nearestNames(name, nodeNames(model), 1);
    return near.empty() ? std::string() : near.front();
}

/// The same subgraph with names that are there, or with its ends exchanged where the paths lead the other way.
void addSubgraph(const Model& model, const Scopes& scopes, const Rule& rule, SuggestionList& out)
{
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    for (const std::string& name : rule.inputs)
        inputs.push_back(nameHere(model, scopes, name));
    for (const std::string& name : rule.outputs)
        outputs.push_back(nameHere(model, scopes, name));
    const bool isTurned = inputs == rule.inputs && outputs == rule.outputs;
    if (isTurned)
        std::swap(inputs, outputs);
    std::vector<NodeId> from;
    std::vector<NodeId> to;
    for (const std::string& name : inputs)
        from.push_back(model.findNode(name));
    for (const std::string& name : outputs)
        to.push_back(model.findNode(name));
    const auto isUnknown = [](NodeId node) { return !node.valid(); };
    if (std::any_of(from.begin(), from.end(), isUnknown) || std::any_of(to.begin(), to.end(), isUnknown))
        return;
    const std::size_t count = nodesBetween(model, from, to).size();
    if (count > 0)
        out.addSubgraph(std::move(inputs), std::move(outputs),
            (isTurned ? "the paths lead the other way, over " : "did you mean the subgraph with ") + nodesText(count)
                + (isTurned ? "" : " between names that are there?"));
}

} // namespace

std::vector<Suggestion> suggestionsFor(const Model& model, const Scopes& scopes, const Rule& rule)
{
    SuggestionList out(rule);
    switch (rule.kind) {
    case RuleKind::Name:
        addScopes(scopes, rule, out);
        addReaders(model, scopes, rule, out);
        out.addNear(RuleKind::Name, "node", nodeNames(model));
        if (!out.hasNames() || !rule.scope.empty()) // no slip of the pen: another export
            addScopesHere(model, scopes, rule, out);
        if (out.isEmpty())
            addScopeAround(scopes, rule, out);
        break;
    case RuleKind::Pattern:
        addSearchPattern(model, rule, out);
        addScopesHere(model, scopes, rule, out);
        break;
    case RuleKind::Type:
        out.addNear(RuleKind::Type, "op type", opTypes(model));
        out.addNear(RuleKind::Class, "class", classNames(scopes));
        break;
    case RuleKind::Subgraph:
        addSubgraph(model, scopes, rule, out);
        break;
    case RuleKind::ExecutionScope:
        addEveryCall(scopes, rule, out);
        addTranslation(scopes, rule, out);
        out.addNear(RuleKind::ExecutionScope, "execution scope", scopePaths(scopes.execution, rule));
        addLikeScopes(scopes, rule, "execution scope", out);
        break;
    case RuleKind::StorageScope:
        addTranslation(scopes, rule, out);
        out.addNear(RuleKind::StorageScope, "storage scope", scopePaths(scopes.storage, rule));
        addLikeScopes(scopes, rule, "storage scope", out);
        break;
    case RuleKind::Class:
        out.addNear(RuleKind::Class, "class", classNames(scopes));
        out.addNear(RuleKind::Type, "op type", opTypes(model));
        break;
    }
    return out.take();
}

std::optional<Suggestion> meaningByScope(const Model& model, const Scopes& scopes, const Rule& rule)
{
    SuggestionList out(rule);
    switch (rule.kind) {
    case RuleKind::Name:
    case RuleKind::Pattern:
        addScopesHere(model, scopes, rule, out);
        break;
    case RuleKind::Subgraph:
        addSubgraph(model, scopes, rule, out);
        break;
    case RuleKind::ExecutionScope:
    case RuleKind::StorageScope: {
        addTranslation(scopes, rule, out);
        const ScopeTree& tree = rule.kind == RuleKind::StorageScope ? scopes.storage : scopes.execution;
        for (const ScopeId id : out.isEmpty() ? likeScopes(tree, rule.value, 2) : std::vector<ScopeId>())
            out.add(rule.kind, asAsked(rule, tree.scope(id).path),
                "here it is " + inQuotes(asAsked(rule, tree.scope(id).path)));
        break;
    }
    case RuleKind::Type:
    case RuleKind::Class:
        break;
    }
    const std::vector<Suggestion> found = out.take();
    const auto places = std::count_if(
        found.begin(), found.end(), [](const Suggestion& s) { return s.kind == RuleKind::ExecutionScope; });
    const bool isClear = !found.empty() && (places < 2 || found.front().kind == RuleKind::StorageScope);
    return isClear ? std::optional(found.front()) : std::nullopt;
}

Rule withSuggestion(Rule rule, const Suggestion& suggestion)
{
    rule.kind = suggestion.kind;
    rule.value = suggestion.kind == RuleKind::Subgraph ? std::string() : suggestion.value;
    rule.inputs = suggestion.inputs;
    rule.outputs = suggestion.outputs;
    return rule;
}

} // namespace duo
