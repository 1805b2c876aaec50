// SPDX-License-Identifier: Apache-2.0
// Rule owners: where several rules of one action catch a node, the one that counts, and the rules it makes needless.
#pragma once

#include "core/rules/match.h"

#include <array>
#include <vector>

namespace duo {

class RuleOwners
{
public:
    RuleOwners(const RuleHits& hits, std::size_t nodes);

    /// Of the rules with this rule's action that catch the node: the one with most nodes, of equal ones the first.
    [[nodiscard]] int ownerOf(int rule, NodeId node) const;
    /// A rule of the same action that catches every node of this one and more, or as many and stands before it.
    /// RuleHits::kNoRule if there is none.
    [[nodiscard]] int shadowOf(std::size_t rule) const;

private:
    [[nodiscard]] bool catches(int rule, NodeId node) const; // O(log caught nodes)

    const RuleHits& m_hits;
    std::vector<int> m_broadest; // rules that catch anything, most nodes first
    std::array<std::vector<int>, 3> m_owner; // [action][nodes]
};

} // namespace duo
