// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/rule_owners.h"

#include <algorithm>

namespace duo {
namespace {

std::size_t at(int rule)
{
    return static_cast<std::size_t>(rule);
}

} // namespace

RuleOwners::RuleOwners(const RuleHits& hits, std::size_t nodes)
    : m_hits(hits)
{
    for (std::size_t rule = 0; rule < hits.hits.size(); ++rule) {
        if (!hits.hits[rule].nodes.empty())
            m_broadest.push_back(static_cast<int>(rule));
    }
    std::stable_sort(m_broadest.begin(), m_broadest.end(),
        [&](int a, int b) { return hits.hits[at(a)].nodes.size() > hits.hits[at(b)].nodes.size(); });
    for (auto& owner : m_owner)
        owner.assign(nodes, RuleHits::kNoRule);
    for (const int rule : m_broadest) {
        auto& owner = m_owner[static_cast<std::size_t>(hits.hits[at(rule)].rule.action)];
        for (const NodeId node : hits.hits[at(rule)].nodes) {
            if (owner[node.index] == RuleHits::kNoRule)
                owner[node.index] = rule;
        }
    }
}

int RuleOwners::ownerOf(int rule, NodeId node) const
{
    return m_owner[static_cast<std::size_t>(m_hits.hits[at(rule)].rule.action)][node.index];
}

bool RuleOwners::catches(int rule, NodeId node) const
{
    const auto& nodes = m_hits.hits[at(rule)].nodes;
    return std::binary_search(nodes.begin(), nodes.end(), node);
}

int RuleOwners::shadowOf(std::size_t rule) const
{
    const RuleHit& hit = m_hits.hits[rule];
    if (hit.nodes.empty())
        return RuleHits::kNoRule;
    for (const int other : m_broadest) { // up to the rule itself: those after it are narrower or stand behind it
        if (at(other) == rule)
            return RuleHits::kNoRule;
        const RuleHit& broader = m_hits.hits[at(other)];
        const bool isSameKind = broader.rule.action == hit.rule.action && broader.rule.precision == hit.rule.precision;
        if (isSameKind && catches(other, hit.nodes.front())
            && std::includes(broader.nodes.begin(), broader.nodes.end(), hit.nodes.begin(), hit.nodes.end()))
            return other;
    }
    return RuleHits::kNoRule;
}

} // namespace duo
