// SPDX-License-Identifier: Apache-2.0
#include "core/rules/match.h"

#include "core/rules/pattern.h"
#include "core/rules/scope_rule.h"
#include "core/rules/subgraph.h"
#include "core/rules/suggestions.h"
#include "core/scope/facts/scope_facts.h"
#include "core/support/phrases.h"
#include "core/support/sorted.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

template <typename Test> std::vector<NodeId> nodesWhere(std::size_t count, Test test)
{
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < count; ++n) {
        if (test(n))
            nodes.emplace_back(n);
    }
    return nodes;
}

/// The node of a name, or where the file has none, what took one of this name in when the file was written. O(1), or
/// O(nodes + metadata).
std::vector<NodeId> nodesCalled(const Model& model, const std::string& name)
{
    if (const NodeId node = model.findNode(name); node.valid())
        return {node};
    return nodesWhere(model.nodes.size(), [&](std::size_t n) {
        const std::vector<std::string_view> names = fusedNames(model.nodes[n]);
        return std::ranges::find(names, name) != names.end();
    });
}

void matchName(const Model& model, const Rule& rule, RuleHit& hit)
{
    hit.nodes = nodesCalled(model, rule.value);
}

void matchPattern(const Model& model, const Rule& rule, RuleHit& hit)
{
    const auto compiled = Pattern::compile(rule.value);
    if (const auto* problem = std::get_if<PatternProblem>(&compiled)) {
        hit.problem = "pattern is not valid at " + std::to_string(problem->position) + ": " + problem->text;
        return;
    }
    const auto& pattern = std::get<Pattern>(compiled);
    hit.remarks = pattern.remarks();
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        std::vector<std::string_view> names = fusedNames(model.nodes[n]);
        names.insert(names.begin(), model.nodes[n].name);
        for (const std::string_view name : names) {
            const Pattern::Outcome outcome = pattern.match(name);
            if (outcome == Pattern::Outcome::TooCostly) {
                hit.nodes.clear();
                hit.problem = "pattern takes too many steps on node '" + std::string(name)
                    + "': write it without nested repetition";
                return;
            }
            if (outcome == Pattern::Outcome::Match) {
                hit.nodes.emplace_back(n);
                break;
            }
        }
    }
}

std::vector<NodeId> namedNodes(const Model& model, const std::vector<std::string>& names, RuleHit& hit)
{
    std::vector<NodeId> nodes;
    for (const std::string& name : names) {
        const std::vector<NodeId> called = nodesCalled(model, name);
        nodes.insert(nodes.end(), called.begin(), called.end());
        if (called.empty() && hit.problem.empty())
            hit.problem = "no node is named '" + name + "'";
    }
    return nodes;
}

void matchSubgraph(const Model& model, const Rule& rule, RuleHit& hit)
{
    const std::vector<NodeId> inputs = namedNodes(model, rule.inputs, hit);
    const std::vector<NodeId> outputs = namedNodes(model, rule.outputs, hit);
    if (!hit.problem.empty())
        return;
    if (inputs.empty() || outputs.empty()) {
        hit.problem = inputs.empty() ? "subgraph has no inputs" : "subgraph has no outputs";
        return;
    }
    hit.nodes = nodesBetween(model, inputs, outputs);
}

bool namesOnlySeparators(const Rule& rule, RuleHit& hit)
{
    if (rule.value.empty() || !scopeAtoms(rule.value).empty())
        return false;
    hit.problem = "scope '" + rule.value + "' has separators only: the whole model is the empty text";
    return true;
}

/// Whether the file says of any of these nodes what a rule of this kind goes by.
bool tellsScope(const Scopes& scopes, RuleKind kind, const std::vector<NodeId>& nodes)
{
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId node) {
        const NodeScope& scope = scopes.nodes[node.index];
        return (kind == RuleKind::StorageScope ? scope.storageFrom : scope.executionFrom) != Provenance::Guess;
    });
}

/// Adds what nodes became a part of that ran in the scopes of `caughtIn`, before the file was written.
template <typename Caught> void addWholes(const Scopes& scopes, const Caught& caughtIn, RuleHit& hit)
{
    if (!scopes.facts || scopes.facts->parts.parts.empty())
        return;
    const std::vector<bool> caught = caughtIn(scopes.facts->parts.scopes);
    for (const NodeParts::Part& part : scopes.facts->parts.parts) {
        if (caught[part.call.index])
            hit.nodes.insert(hit.nodes.end(), part.wholes.begin(), part.wholes.end());
    }
    sortUniqueInPlace(hit.nodes);
}

void matchExecution(const Model& model, const Scopes& scopes, const Rule& rule, RuleHit& hit)
{
    if (namesOnlySeparators(rule, hit))
        return;
    const std::vector<bool> caught = scopesCaught(scopes.execution, rule.value);
    hit.nodes = nodesWhere(model.nodes.size(), [&](std::size_t n) {
        const ScopeId scope = scopes.nodes[n].executionScope;
        return rule.value.empty() || (scope.valid() && caught[scope.index]);
    });
    addWholes(
        scopes, [&](const ScopeTree& tree) { return scopesCaught(tree, rule.value); }, hit);
}

void matchStorage(const Model& model, const Scopes& scopes, const Rule& rule, RuleHit& hit)
{
    if (namesOnlySeparators(rule, hit))
        return;
    const std::vector<bool> caught = scopesCaught(scopes.storage, rule.value);
    hit.nodes = nodesWhere(model.nodes.size(), [&](std::size_t n) {
        const auto& owners = scopes.nodes[n].storageScopes;
        return rule.value.empty()
            || std::any_of(owners.begin(), owners.end(), [&](ScopeId id) { return caught[id.index]; });
    });
}

/// A rule on scopes that were guessed carries the nodes it meant: another file may guess otherwise. They count unless
/// the file tells the scope of some node caught, or has none of them.
void useMeantNodes(const Model& model, const Scopes& scopes, const Rule& rule, RuleHit& hit)
{
    if (rule.nodes.empty() || tellsScope(scopes, rule.kind, hit.nodes))
        return;
    std::vector<NodeId> meant;
    for (const std::string& name : rule.nodes) {
        const NodeId node = model.findNode(name);
        if (node.valid())
            meant.push_back(node);
    }
    if (meant.empty())
        return;
    sortUniqueInPlace(meant);
    hit.nodes = std::move(meant);
    hit.problem.clear();
}

/// Short or qualified class name: `BasicBlock` and `torchvision.models.resnet.BasicBlock` are the same to a rule.
bool isClass(std::string_view className, std::string_view wanted)
{
    return !wanted.empty() && (className == wanted || className.substr(className.rfind('.') + 1) == wanted);
}

std::vector<bool> classesCaught(const ScopeTree& tree, std::string_view wanted)
{
    std::vector<bool> caught(tree.scopes.size(), false);
    for (std::size_t i = 0; i < caught.size(); ++i) {
        const Scope& scope = tree.scopes[i];
        caught[i] = isClass(scope.className, wanted) || (scope.parent.valid() && caught[scope.parent.index]);
    }
    return caught;
}

void matchClass(const Model& model, const Scopes& scopes, const Rule& rule, RuleHit& hit)
{
    const auto& tree = scopes.execution.scopes;
    if (std::all_of(tree.begin(), tree.end(), [](const Scope& scope) { return scope.className.empty(); })) {
        hit.problem = "the file does not tell the classes of its modules: name scopes instead";
        return;
    }
    const std::vector<bool> caught = classesCaught(scopes.execution, rule.value);
    hit.nodes = nodesWhere(model.nodes.size(), [&](std::size_t n) {
        const ScopeId scope = scopes.nodes[n].executionScope;
        return scope.valid() && caught[scope.index];
    });
    addWholes(
        scopes, [&](const ScopeTree& all) { return classesCaught(all, rule.value); }, hit);
}

RuleHit matchRule(const Model& model, const Scopes& scopes, const Rule& rule)
{
    RuleHit hit;
    hit.rule = rule;
    if (!rule.enabled)
        return hit;
    switch (rule.kind) {
    case RuleKind::Name:
        matchName(model, rule, hit);
        break;
    case RuleKind::Pattern:
        matchPattern(model, rule, hit);
        break;
    case RuleKind::Type:
        hit.nodes = nodesWhere(model.nodes.size(), [&](std::size_t n) { return model.nodes[n].opType == rule.value; });
        break;
    case RuleKind::Subgraph:
        matchSubgraph(model, rule, hit);
        break;
    case RuleKind::ExecutionScope:
        matchExecution(model, scopes, rule, hit);
        useMeantNodes(model, scopes, rule, hit);
        break;
    case RuleKind::StorageScope:
        matchStorage(model, scopes, rule, hit);
        useMeantNodes(model, scopes, rule, hit);
        break;
    case RuleKind::Class:
        matchClass(model, scopes, rule, hit);
        break;
    }
    if (hit.nodes.empty() && (hit.problem.empty() || rule.kind == RuleKind::Subgraph))
        hit.suggestions = suggestionsFor(model, scopes, rule);
    return hit;
}

/// Precision rules combine on the nodes several of them catch. O(caught nodes).
void addPrecisionsInPlace(RuleHits& all, std::size_t nodes)
{
    std::map<RulePrecision, std::uint32_t> known;
    for (const RuleHit& hit : all.hits) {
        if (hit.rule.action != RuleAction::Precision || !hit.rule.enabled || !hit.rule.precision.wantsQuantizers())
            continue;
        all.precisionOf.resize(nodes, 0);
        std::map<std::uint32_t, std::uint32_t> joined; // what a node had -> what it has with this rule
        for (const NodeId node : hit.nodes) {
            std::uint32_t& of = all.precisionOf[node.index];
            const auto [entry, isNew] = joined.try_emplace(of, 0);
            if (isNew) {
                const RulePrecision before = of == 0 ? RulePrecision{} : all.precisions[of - 1];
                const RulePrecision both
                    = combined(before, {hit.rule.precision.activations, hit.rule.precision.weights});
                const auto [place, isFirst]
                    = known.try_emplace(both, static_cast<std::uint32_t>(all.precisions.size() + 1));
                if (isFirst)
                    all.precisions.push_back(both);
                entry->second = place->second;
            }
            of = entry->second;
        }
    }
}

/// At the same place, or beside it after an insertion or removal.
const RuleHit* knownHit(const RuleHits& known, const Rule& rule, std::size_t at)
{
    for (const std::size_t near : {at, at + 1, at - 1}) {
        if (near < known.hits.size() && known.hits[near].rule == rule)
            return &known.hits[near];
    }
    return nullptr;
}

} // namespace

RuleHits joinedHits(std::vector<RuleHit> hits, std::size_t nodes)
{
    RuleHits all;
    all.hits = std::move(hits);
    all.ignoredBy.assign(nodes, RuleHits::kNoRule);
    bool targets = false;
    for (const RuleHit& hit : all.hits)
        targets = targets || (hit.rule.enabled && hit.rule.action == RuleAction::Target);
    all.targeted.assign(nodes, !targets);
    for (std::size_t r = 0; r < all.hits.size(); ++r) {
        for (const NodeId node : all.hits[r].nodes) {
            if (all.hits[r].rule.action == RuleAction::Target)
                all.targeted[node.index] = true;
            else if (all.hits[r].rule.action == RuleAction::Ignore && all.ignoredBy[node.index] == RuleHits::kNoRule)
                all.ignoredBy[node.index] = static_cast<int>(r);
        }
    }
    addPrecisionsInPlace(all, nodes);
    return all;
}

RuleHits matchRules(const Model& model, const Scopes& scopes, const RuleSet& rules, const RuleHits* known)
{
    std::vector<RuleHit> hits;
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        const RuleHit* same = known == nullptr ? nullptr : knownHit(*known, rules.rules[r], r);
        hits.push_back(same == nullptr ? matchRule(model, scopes, rules.rules[r]) : *same);
    }
    return joinedHits(std::move(hits), model.nodes.size());
}

RuleSet withMeantNodes(const Model& model, const Scopes& scopes, RuleSet rules)
{
    for (Rule& rule : rules.rules) {
        const bool isOfScope = rule.kind == RuleKind::ExecutionScope || rule.kind == RuleKind::StorageScope;
        if (!isOfScope || !rule.enabled || !rule.nodes.empty() || rule.value.empty())
            continue;
        const RuleHit hit = matchRule(model, scopes, rule);
        if (tellsScope(scopes, rule.kind, hit.nodes))
            continue;
        for (const NodeId node : hit.nodes)
            rule.nodes.push_back(model.node(node).name);
    }
    return rules;
}

std::vector<std::string> keptInFloat32(const RuleHits& hits, std::size_t nodes)
{
    std::vector<std::string> why(nodes);
    const auto tell = [&](int bits, const auto& telling) {
        for (const RuleHit& hit : hits.hits) {
            if (!hit.rule.enabled || hit.rule.action != RuleAction::Precision || hit.rule.precision.floatBits != bits)
                continue;
            for (const NodeId node : hit.nodes)
                why[node.index] = telling(hit.rule);
        }
    };
    const bool areChosen = std::ranges::any_of(hits.hits, [](const RuleHit& hit) {
        return hit.rule.enabled && hit.rule.action == RuleAction::Precision && hit.rule.precision.floatBits == 16;
    });
    if (areChosen)
        std::ranges::fill(why, "no rule that wants floats of 16 bits catches it");
    tell(16, [](const Rule&) { return std::string(); });
    tell(32, [](const Rule& rule) { return "rule " + inQuotes(ruleText(rule)); });
    return why;
}

std::vector<NodeId> ignoredNodes(const RuleHits& hits)
{
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < hits.ignoredBy.size(); ++n) {
        if (hits.ignoredBy[n] != RuleHits::kNoRule)
            nodes.emplace_back(n);
    }
    return nodes;
}

} // namespace duo
