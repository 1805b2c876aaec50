// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/snapshot_builder.h"

#include "core/model/op_facts.h"
#include "core/quantize/points/decision_terms.h"
#include "tests/support/model_builder.h"

#include <algorithm>

namespace duo::test {
namespace {

ScopeTree treeWithRoot()
{
    ScopeTree tree;
    tree.scopes.emplace_back();
    tree.index.emplace("", ScopeId(0));
    return tree;
}

/// Of an element without escapes, called by a module.
std::string moduleAt(const std::string& caller, const std::string& element)
{
    const std::string path = element.substr(0, element.find('#'));
    if (path.starts_with('@'))
        return path.substr(1);
    return caller.empty() ? path : caller + "." + path;
}

ScopeId scopeAt(ScopeTree& tree, const std::string& path, char separator)
{
    if (const auto found = tree.index.find(path); found != tree.index.end())
        return found->second;
    const auto cut = path.find_last_of(separator);
    const ScopeId parent = scopeAt(tree, cut == std::string::npos ? "" : path.substr(0, cut), separator);
    const ScopeId id(tree.scopes.size());
    Scope scope;
    scope.path = path;
    scope.name = cut == std::string::npos ? path : path.substr(cut + 1);
    scope.module = separator == '.' ? path : moduleAt(tree.scopes[parent.index].module, scope.name);
    scope.parent = parent;
    tree.scopes.push_back(scope);
    tree.scopes[parent.index].children.push_back(id);
    tree.index.emplace(path, id);
    return id;
}

void addTotals(ScopeTree& tree)
{
    for (std::size_t i = tree.scopes.size(); i-- > 0;) {
        Scope& scope = tree.scopes[i];
        const auto parameters = static_cast<std::int64_t>(scope.keys.size()) * 4;
        scope.totalNodes += static_cast<std::int64_t>(scope.nodes.size());
        scope.totalParameters += parameters;
        scope.totalBytes += parameters * 4;
        if (scope.parent.valid()) {
            tree.scopes[scope.parent.index].totalNodes += scope.totalNodes;
            tree.scopes[scope.parent.index].totalParameters += scope.totalParameters;
            tree.scopes[scope.parent.index].totalBytes += scope.totalBytes;
        }
    }
}

void addKey(ScopeTree& tree, const std::string& key)
{
    const auto dot = key.find_last_of('.');
    Scope& owner = tree.scopes[scopeAt(tree, dot == std::string::npos ? "" : key.substr(0, dot), '.').index];
    if (std::find(owner.keys.begin(), owner.keys.end(), key) == owner.keys.end())
        owner.keys.push_back(key);
}

NodeScope factsOf(const NodeLine& line, NodeId node, Scopes& scopes)
{
    NodeScope facts;
    facts.execution = line.execution;
    facts.storage = line.storage;
    facts.keys = line.keys;
    facts.reasons = line.reasons;
    facts.differs = !line.reasons.empty();
    facts.executionFrom = facts.storageFrom = Provenance::Name;
    facts.executionScope = scopeAt(scopes.execution, line.execution, '/');
    scopes.execution.scopes[facts.executionScope.index].nodes.push_back(node);
    for (const auto& key : line.keys)
        addKey(scopes.storage, key);
    for (const auto& path : line.storage) {
        facts.storageScopes.push_back(scopeAt(scopes.storage, path, '.'));
        scopes.storage.scopes[facts.storageScopes.back().index].nodes.push_back(node);
    }
    return facts;
}

std::shared_ptr<const Model> modelOf(const std::vector<NodeLine>& lines)
{
    ModelBuilder builder;
    builder.input("x", {1, 2});
    std::vector<std::string> known;
    std::string value = "x";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::vector<std::string> inputs = {value};
        for (const auto& key : lines[i].keys) {
            if (std::find(known.begin(), known.end(), key) == known.end())
                builder.weight(key, {2, 2});
            known.push_back(key);
            inputs.push_back(key);
        }
        value = i + 1 == lines.size() ? "y" : "v" + std::to_string(i);
        builder.node(lines[i].opType, lines[i].name, inputs, {value});
    }
    return builder.output("y").build();
}

bool catches(const Rule& rule, const Model& model, const Scopes& scopes, NodeId node)
{
    if (rule.kind == RuleKind::Name)
        return model.node(node).name == rule.value;
    if (rule.kind == RuleKind::Type)
        return model.node(node).opType == rule.value;
    const std::string& execution = scopes.nodes[node.index].execution;
    return rule.kind == RuleKind::ExecutionScope
        && (rule.value.empty() || execution == rule.value || execution.starts_with(rule.value + "/"));
}

} // namespace

std::shared_ptr<const Snapshot> makeSnapshot(const std::vector<NodeLine>& lines)
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = modelOf(lines);
    auto scopes = std::make_shared<Scopes>();
    scopes->execution = treeWithRoot();
    scopes->storage = treeWithRoot();
    auto placement = std::make_shared<Placement>();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        scopes->nodes.push_back(factsOf(lines[i], NodeId(i), *scopes));
        const ReasonCode why = lines[i].state == NodeState::Quantized ? ReasonCode::InputsOnly
            : isQuantizer(snapshot->model->nodes[i])                  ? ReasonCode::IsFileQuantizer
                                                                      : ReasonCode::FloatOperator;
        placement->decisions.push_back({lines[i].state, {why}});
    }
    addTotals(scopes->execution);
    addTotals(scopes->storage);
    snapshot->scopes = scopes;
    snapshot->unruled = placement;
    if (const auto base = preparePlacement(*snapshot->model, {}))
        snapshot->base = *base;
    return withRules(*snapshot, {});
}

std::shared_ptr<const Snapshot> withRules(const Snapshot& snapshot, const RuleSet& rules)
{
    auto result = std::make_shared<Snapshot>(snapshot);
    result->recipe.rules = rules;
    auto hits = std::make_shared<RuleHits>();
    auto placement = std::make_shared<Placement>(*snapshot.unruled);
    const std::size_t nodes = snapshot.model->nodes.size();
    hits->ignoredBy.assign(nodes, RuleHits::kNoRule);
    hits->targeted.assign(nodes, true);
    for (std::size_t r = 0; r < rules.rules.size(); ++r) {
        RuleHit hit;
        hit.rule = rules.rules[r];
        for (std::size_t n = 0; n < nodes; ++n) {
            if (!rules.rules[r].enabled || !catches(rules.rules[r], *snapshot.model, *snapshot.scopes, NodeId(n)))
                continue;
            hit.nodes.emplace_back(n);
            if (hits->ignoredBy[n] == RuleHits::kNoRule && rules.rules[r].action == RuleAction::Ignore) {
                hits->ignoredBy[n] = static_cast<int>(r);
                placement->decisions[n] = {NodeState::Ignored, {ReasonCode::CaughtByRule}};
            }
        }
        if (hit.nodes.empty() && rules.rules[r].enabled)
            hit.suggestions.push_back({"the nearest is conv1", RuleKind::ExecutionScope, "conv1"});
        hits->hits.push_back(hit);
    }
    placement->terms = std::make_shared<const DecisionTerms>(termsOf(*hits));
    result->hits = hits;
    result->placement = placement;
    result->effects = std::make_shared<const std::vector<RuleEffect>>(
        ruleEffects(*result->model, *hits, placement.get(), result->unruled.get()));
    return result;
}

std::shared_ptr<const Snapshot> exampleSnapshot()
{
    auto snapshot = std::make_shared<Snapshot>(*makeSnapshot({
        {"/conv1/Conv", "Conv", "conv1", {"conv1"}, {"conv1.weight", "conv1.bias"}},
        {"/blk/lin/Gemm", "Gemm", "blk/lin", {"blk.lin"}, {"blk.lin.weight"}, NodeState::Quantized,
            {Reason::SharedModule}},
        {"/blk/Relu", "Relu", "blk", {}, {}, NodeState::Fused},
        {"/blk_1/lin/Gemm", "Gemm", "blk#1/lin#1", {"blk.lin"}, {"blk.lin.weight"}, NodeState::Quantized,
            {Reason::SharedModule}},
        {"/blk_1/Relu", "Relu", "blk#1", {}, {}, NodeState::Fused},
        {"/dec/proj/Gemm", "Gemm", "dec/@enc.proj", {"enc.proj"}, {"enc.proj.weight"}, NodeState::Quantized,
            {Reason::ForeignCall}},
        {"/Softmax", "Softmax", "", {}, {}, NodeState::Unsupported},
    }));
    auto scopes = std::make_shared<Scopes>(*snapshot->scopes);
    const ScopeId aux = scopeAt(scopes->storage, "aux", '.');
    scopes->storage.scopes[aux.index].keys = {"aux.weight"};
    scopes->neverExecuted = {"aux"};
    snapshot->scopes = scopes;
    return snapshot;
}

} // namespace duo::test
