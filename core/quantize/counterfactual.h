// SPDX-License-Identifier: Apache-2.0
// What would have to change for a node that stays in float to be compressed: about the rules, or about the model.
#pragma once

#include "core/quantize/placement.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace duo {

enum class RuleChange {
    None, // the node is compressed, or stays in float whatever the rules say
    Removal, // of the ignore rules that catch it
    Target, // target rules that catch it and what is around it
    RemovalAndTarget,
    Neighbours, // rules about other nodes keep it in float
};

/// Which decision about a node tells what would change it.
enum class ToldBy { Rules, NoRules };

/// core/report/decision_sentences.h says it in words.
struct Counterfactual {
    RuleChange change = RuleChange::None;
    NodeState state = NodeState::Unsupported; // the one it would then have
    std::vector<std::size_t> rules; // ignore rules that catch it, as indices
    ToldBy toldBy = ToldBy::Rules; // of RuleChange::None: the decision under the rules, or the one without any
};

/// Answers for the nodes of one model under one set of rules. Each set of ignore rules asked about is placed once and
/// kept, 64 at most: beyond them the decision's own answer must do. Nothing passed in may die before.
class Counterfactuals
{
public:
    Counterfactuals(const Model& model, const Scopes& scopes, const PlacementBase& base, const RuleHits& hits,
        const Placement& placement, const Placement& unruled);

    /// O(model) for a set of rules not asked about before.
    Counterfactual of(NodeId node);

private:
    enum class Targets { AsTheyAre, Everything };
    using Left = std::pair<std::vector<std::size_t>, Targets>; // rules left out, and what is targeted then
    std::optional<NodeState> stateWithout(const Left& left, NodeId node);

    const Model& m_model;
    const Scopes& m_scopes;
    const PlacementBase& m_base;
    const RuleHits& m_hits;
    const Placement& m_placement;
    const Placement& m_unruled;
    std::map<Left, std::unique_ptr<const Placement>> m_placed;
};

} // namespace duo
