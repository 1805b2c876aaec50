// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/counterfactual.h"
#include "core/quantize/points/compressed.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kMostPlacements = 64;

std::vector<std::size_t> rulesIgnoring(const RuleHits& hits, NodeId node)
{
    std::vector<std::size_t> rules;
    for (std::size_t r = 0; r < hits.hits.size(); ++r) {
        const RuleHit& hit = hits.hits[r];
        if (hit.rule.action == RuleAction::Ignore && std::binary_search(hit.nodes.begin(), hit.nodes.end(), node))
            rules.push_back(r);
    }
    return rules;
}

} // namespace

Counterfactuals::Counterfactuals(const Model& model, const Scopes& scopes, const PlacementBase& base,
    const RuleHits& hits, const Placement& placement, const Placement& unruled)
    : m_model(model)
    , m_scopes(scopes)
    , m_base(base)
    , m_hits(hits)
    , m_placement(placement)
    , m_unruled(unruled)
{
}

std::optional<NodeState> Counterfactuals::stateWithout(const Left& left, NodeId node)
{
    auto known = m_placed.find(left);
    if (known == m_placed.end()) {
        if (m_placed.size() == kMostPlacements)
            return std::nullopt;
        RuleSet rest;
        for (const RuleHit& hit : m_hits.hits)
            rest.rules.push_back(hit.rule);
        for (const std::size_t rule : left.first)
            rest.rules[rule].enabled = false;
        RuleHits hits = matchRules(m_model, m_scopes, rest, &m_hits);
        if (left.second == Targets::Everything)
            hits.targeted.assign(hits.targeted.size(), true);
        auto placement = placeQuantizers(m_model, m_base, hits);
        if (!placement)
            return std::nullopt;
        known = m_placed.emplace(left, std::make_unique<const Placement>(std::move(*placement))).first;
    }
    return known->second->decisions[node.index].state;
}

Counterfactual Counterfactuals::of(NodeId node)
{
    const Decision& decision = m_placement.decisions[node.index];
    if (isCompressed(decision.state))
        return {RuleChange::None, decision.state, {}, ToldBy::Rules};
    const Decision& unruled = m_unruled.decisions[node.index];
    std::vector<std::size_t> rules = rulesIgnoring(m_hits, node);
    if (!isCompressed(unruled.state))
        return {RuleChange::None, unruled.state, std::move(rules), ToldBy::NoRules};
    if (m_placement.kept) { // by what had to stay in float after all, whatever the rules say
        const auto planned = stateWithout({{}, Targets::AsTheyAre}, node);
        if (!planned || isCompressed(*planned))
            return {RuleChange::None, decision.state, std::move(rules), ToldBy::Rules};
    }
    if (!rules.empty()) {
        const auto state = stateWithout({rules, Targets::AsTheyAre}, node);
        if (!state)
            return {RuleChange::None, unruled.state, std::move(rules), ToldBy::Rules};
        if (isCompressed(*state))
            return {RuleChange::Removal, *state, std::move(rules)};
    }
    if (!m_hits.targeted[node.index]) {
        const auto state = stateWithout({rules, Targets::Everything}, node);
        if (!state)
            return {RuleChange::None, unruled.state, std::move(rules), ToldBy::Rules};
        const RuleChange change = rules.empty() ? RuleChange::Target : RuleChange::RemovalAndTarget;
        if (isCompressed(*state))
            return {change, *state, std::move(rules)};
    }
    return {RuleChange::Neighbours, unruled.state, std::move(rules)};
}

} // namespace duo
