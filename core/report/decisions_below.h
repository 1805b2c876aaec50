// SPDX-License-Identifier: Apache-2.0
// What a scope holds below itself, and what is decided about it.
#pragma once

#include "core/quantize/placement.h"
#include "core/report/decision_sentences.h"
#include "core/scope/scope.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {

/// Nodes of a scope and of all scopes below it, in node order, each once.
std::vector<NodeId> nodesBelow(const ScopeTree& tree, ScopeId top);

/// Nodes of one state for one reason: whyText() says it of each of them in the same words.
struct DecisionGroup {
    NodeState state = NodeState::Unsupported;
    ReasonKind kind = ReasonKind::Operator;
    std::vector<NodeId> nodes;
};
/// The decisions about `nodes`, by state, the reason with most nodes first.
std::vector<DecisionGroup> groupDecisions(
    const Model& model, const Placement& placement, const std::vector<NodeId>& nodes);

/// The same in steps: of many nodes it takes a while.
class DecisionGrouping
{
public:
    /// Both must live as long.
    DecisionGrouping(const Model& model, const Placement& placement)
        : m_model(&model)
        , m_placement(&placement)
    {
    }

    void add(NodeId node);
    [[nodiscard]] std::vector<DecisionGroup> groups() &&;

private:
    [[nodiscard]] std::size_t groupOf(NodeId node);
    [[nodiscard]] std::size_t groupOfWords(NodeId node);

    const Model* m_model;
    const Placement* m_placement;
    std::vector<DecisionGroup> m_groups; // by first node
    std::unordered_map<std::string, std::size_t> m_bySentence; // and state
    std::unordered_map<std::uint64_t, std::size_t> m_together; // no words needed
    std::map<std::pair<NodeState, CommonReason>, std::size_t> m_common; // whose words are known
};

/// Paths of modules at or below a storage scope that never run, topmost only, in definition order.
std::vector<std::string> neverExecutedBelow(const Scopes& scopes, ScopeId storage);

/// Storage scopes of the same module as `storage`, besides itself; its first path first.
std::vector<ScopeId> otherPaths(const Scopes& scopes, ScopeId storage);

} // namespace duo
