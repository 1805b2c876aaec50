// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_rules.h"

#include "core/model/held_tensors.h"
#include "core/rules/match.h"
#include "core/rules/scope_rule.h"

#include <algorithm>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::size_t kMostScopeRules = 64;

/// How many nodes a rule of some text would catch, and how many of them it should not.
struct Catch {
    std::int64_t wanted = 0;
    std::int64_t others = 0;
};

class RuleCover
{
public:
    RuleCover(const Model& model, const Scopes& scopes, const std::vector<NodeId>& nodes, RuleAction action)
        : m_model(model)
        , m_scopes(scopes)
        , m_action(action)
        , m_isWanted(model.nodes.size(), false)
        , m_isCaught(model.nodes.size(), false)
    {
        for (const NodeId node : nodes)
            m_isWanted[node.index] = true;
    }

    std::vector<Rule> run()
    {
        addScopeRules(m_scopes.execution, RuleKind::ExecutionScope);
        addScopeRules(m_scopes.storage, RuleKind::StorageScope);
        for (std::size_t n = 0; n < m_isWanted.size(); ++n) {
            if (m_isWanted[n] && !m_isCaught[n])
                m_rules.push_back(ruleOf(RuleKind::Name, m_model.nodes[n].name));
        }
        return std::move(m_rules);
    }

private:
    [[nodiscard]] Rule ruleOf(RuleKind kind, std::string value) const
    {
        Rule rule;
        rule.action = m_action;
        rule.kind = kind;
        rule.value = std::move(value);
        return rule;
    }

    /// What is listed in a scope itself.
    void count(const Scope& scope, Catch& into) const
    {
        for (const NodeId node : scope.nodes)
            ++(m_isWanted[node.index] ? into.wanted : into.others);
    }

    /// From the root down: a scope whose rule is right ends the search there.
    void addScopeRules(const ScopeTree& tree, RuleKind kind)
    {
        std::vector<Catch> below(tree.scopes.size());
        for (std::size_t s = tree.scopes.size(); s-- > 0;) {
            count(tree.scopes[s], below[s]);
            if (const ScopeId parent = tree.scopes[s].parent; parent.valid()) {
                below[parent.index].wanted += below[s].wanted;
                below[parent.index].others += below[s].others;
            }
        }
        std::unordered_map<std::string, Catch> ofText;
        std::vector<std::string> texts(tree.scopes.size());
        for (std::size_t s = 0; s < tree.scopes.size(); ++s) {
            texts[s] = kind == RuleKind::ExecutionScope ? everyCall(tree.scopes[s].path) : tree.scopes[s].path;
            Catch& all = ofText[texts[s]];
            all.wanted += below[s].wanted;
            all.others += below[s].others;
        }
        std::vector<bool> isDone(tree.scopes.size(), false);
        for (std::size_t s = 0; s < tree.scopes.size() && m_tried < kMostScopeRules; ++s) {
            const ScopeId parent = tree.scopes[s].parent;
            isDone[s] = parent.valid() && isDone[parent.index];
            Catch& all = ofText[texts[s]];
            if (isDone[s] || all.wanted == 0 || all.others > 0)
                continue;
            isDone[s] = addIfRight(ruleOf(kind, texts[s]));
            all.wanted = 0; // of its other calls
        }
    }

    /// Unless it catches nothing new. @return whether it is right
    bool addIfRight(Rule rule)
    {
        ++m_tried;
        const RuleHits hits = matchRules(m_model, m_scopes, RuleSet{{rule}});
        const auto& nodes = hits.hits.front().nodes;
        const bool isRight = hits.hits.front().problem.empty() && std::ranges::all_of(nodes, [&](NodeId node) {
            return m_isWanted[node.index] || isConstantNode(m_model.node(node)); // these do nothing anywhere
        });
        const bool isNew = std::ranges::any_of(
            nodes, [&](NodeId node) { return m_isWanted[node.index] && !m_isCaught[node.index]; });
        if (!isRight || !isNew)
            return isRight;
        for (const NodeId node : nodes)
            m_isCaught[node.index] = true;
        m_rules.push_back(std::move(rule));
        return true;
    }

    const Model& m_model;
    const Scopes& m_scopes;
    RuleAction m_action;
    std::vector<bool> m_isWanted; // [nodes]
    std::vector<bool> m_isCaught;
    std::vector<Rule> m_rules;
    std::size_t m_tried = 0; // rules of scopes
};

/// What lies below modules, each by the path of its first parent.
struct Below {
    std::vector<std::int64_t> nodes; // [modules]
    std::vector<std::int64_t> wanted;
};

/// Modules in an order in which what lies below comes first, and the one each is first met under.
struct FirstParents {
    std::vector<std::uint32_t> order; // preorder
    std::vector<std::uint32_t> parent; // [modules]
};

FirstParents firstParents(const ModuleTree& tree)
{
    FirstParents found;
    found.parent.assign(tree.modules.size(), ModuleTree::kNone);
    std::vector<bool> seen(tree.modules.size(), false);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, ModuleTree::kNone}};
    while (!open.empty()) {
        const auto [module, parent] = open.back();
        open.pop_back();
        if (seen[module])
            continue;
        seen[module] = true;
        found.parent[module] = parent;
        found.order.push_back(module);
        const auto& children = tree.modules[module].children;
        for (auto child = children.rbegin(); child != children.rend(); ++child)
            open.emplace_back(*child, module);
    }
    return found;
}

} // namespace

std::vector<Rule> rulesCatching(
    const Model& model, const Scopes& scopes, const std::vector<NodeId>& nodes, RuleAction action)
{
    return RuleCover(model, scopes, nodes, action).run();
}

std::optional<Mark> markCatching(const ModuleTree& tree, const std::vector<NodeId>& nodes)
{
    const FirstParents parents = firstParents(tree);
    Below below{std::vector<std::int64_t>(tree.modules.size(), 0), std::vector<std::int64_t>(tree.modules.size(), 0)};
    std::vector<bool> isCaught(tree.modules.size(), false);
    std::vector<std::int64_t> caughtBelow(tree.modules.size(), 0);
    for (auto module = parents.order.rbegin(); module != parents.order.rend(); ++module) {
        const auto& own = tree.modules[*module].nodes;
        const auto wanted
            = std::ranges::count_if(own, [&](NodeId node) { return std::ranges::binary_search(nodes, node); });
        below.nodes[*module] += static_cast<std::int64_t>(own.size());
        below.wanted[*module] += wanted;
        const bool isAll = below.nodes[*module] > 0 && below.nodes[*module] == below.wanted[*module];
        isCaught[*module] = own.empty() ? isAll : wanted == static_cast<std::int64_t>(own.size());
        caughtBelow[*module] += isCaught[*module] ? 1 : 0;
        if (const std::uint32_t parent = parents.parent[*module]; parent != ModuleTree::kNone) {
            below.nodes[parent] += below.nodes[*module];
            below.wanted[parent] += below.wanted[*module];
            caughtBelow[parent] += caughtBelow[*module];
        }
    }
    if (caughtBelow[0] == 0)
        return std::nullopt;
    std::uint32_t root = 0;
    for (const std::uint32_t module : parents.order) { // a child that holds all of them comes behind its parent
        if (caughtBelow[module] == caughtBelow[0] && !isCaught[root])
            root = module;
    }
    Mark mark;
    mark.root = tree.modules[root].path;
    const Marked all = annotate(tree, {mark});
    for (const std::uint32_t module : all.marks.front().marked) {
        if (!isCaught[module])
            mark.ignored.push_back(tree.modules[module].path);
    }
    return mark;
}

} // namespace duo
