// SPDX-License-Identifier: Apache-2.0
#include "core/report/decisions_below.h"

#include "core/report/decision_sentences.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace duo {

namespace {

/// What is said follows from the node it is computed together with (togetherKey): so it is of half of all nodes of most
/// models.
bool isToldByFirst(const Decision& decision)
{
    if (decision.isOfGroup)
        return decision.reason.code != ReasonCode::InsideCall; // which names where the node itself is
    return decision.reason.code == ReasonCode::WithNode && !decision.isUnmovedByRule;
}

std::uint64_t togetherKey(const Decision& decision)
{
    static_assert(sizeof(decision.fusedWith.index) == 4 && sizeof(decision.group) == 2);
    static_assert(sizeof(ReasonCode) == 1 && sizeof(NodeState) == 1);
    return std::uint64_t{decision.fusedWith.index} << 32U | std::uint64_t{decision.group} << 16U
        | static_cast<std::uint64_t>(decision.reason.code) << 8U | static_cast<std::uint64_t>(decision.state) << 1U
        | (decision.isUnmovedByRule ? 1U : 0U);
}

} // namespace

std::vector<NodeId> nodesBelow(const ScopeTree& tree, ScopeId top)
{
    std::vector<NodeId> nodes;
    std::vector<ScopeId> open{top};
    while (!open.empty()) {
        const Scope& scope = tree.scope(open.back());
        open.pop_back();
        nodes.insert(nodes.end(), scope.nodes.begin(), scope.nodes.end());
        open.insert(open.end(), scope.children.begin(), scope.children.end());
    }
    sortUniqueInPlace(nodes);
    return nodes;
}

std::vector<DecisionGroup> groupDecisions(
    const Model& model, const Placement& placement, const std::vector<NodeId>& nodes)
{
    std::vector<DecisionGroup> groups; // by first node
    std::unordered_map<std::string, std::size_t> bySentence; // and state
    std::unordered_map<std::uint64_t, std::size_t> together; // no words needed
    std::map<std::pair<NodeState, CommonReason>, std::size_t> common; // whose words are known
    const auto groupOfWords = [&](NodeId id, NodeState state) {
        std::string sentence = whyText(model, placement, id);
        sentence.push_back(static_cast<char>(state));
        return bySentence.try_emplace(std::move(sentence), groups.size()).first->second;
    };
    for (const NodeId id : nodes) {
        const Decision& decision = placement.decisions[id.index];
        std::size_t group = groups.size();
        if (isToldByFirst(decision)) {
            group = together.try_emplace(togetherKey(decision), group).first->second;
        } else if (const auto reason = commonReason(model, placement, id)) {
            const auto [known, isNew] = common.try_emplace({decision.state, *reason});
            if (isNew)
                known->second = groupOfWords(id, decision.state);
            group = known->second;
        } else {
            group = groupOfWords(id, decision.state);
        }
        if (group == groups.size())
            groups.push_back({decision.state, decision.kind(), {}});
        groups[group].nodes.push_back(id);
    }
    std::vector<std::size_t> order(groups.size()); // groups are large to move
    std::iota(order.begin(), order.end(), std::size_t{});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return groups[a].state != groups[b].state ? groups[a].state < groups[b].state
                                                  : groups[a].nodes.size() > groups[b].nodes.size();
    });
    std::vector<DecisionGroup> sorted;
    sorted.reserve(groups.size());
    for (const std::size_t group : order)
        sorted.push_back(std::move(groups[group]));
    return sorted;
}

std::vector<std::string> neverExecutedBelow(const Scopes& scopes, ScopeId storage)
{
    const std::string& path = scopes.storage.scope(storage).path;
    std::vector<std::string> below;
    for (const std::string& top : scopes.neverExecuted) {
        if (path.starts_with(top + "."))
            return {path};
        if (path.empty() || top == path || top.starts_with(path + "."))
            below.push_back(top);
    }
    return below;
}

std::vector<ScopeId> otherPaths(const Scopes& scopes, ScopeId storage)
{
    const Scope& scope = scopes.storage.scope(storage);
    const ScopeId first = scope.sameAs.valid() ? scope.sameAs : storage;
    std::vector<ScopeId> others;
    if (first != storage)
        others.push_back(first);
    for (std::size_t s = 0; s < scopes.storage.scopes.size(); ++s) {
        if (scopes.storage.scopes[s].sameAs == first && ScopeId(s) != storage)
            others.emplace_back(s);
    }
    return others;
}

} // namespace duo
