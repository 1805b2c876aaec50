// SPDX-License-Identifier: Apache-2.0
// DecisionTerms: what decisions name that is not in the model: rules, what they want, and patterns of operators.
#pragma once

#include "core/rules/match.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// An input that is read in other bits than it is given in, or than others read it in.
struct OtherBits {
    std::uint32_t port = 0;
    std::uint8_t read = 0;
    std::uint8_t given = 0; // 0: float, of which others are given other bits
    bool operator==(const OtherBits&) const = default;
};

struct DecisionTerms {
    std::vector<std::string> rules; // [RuleHits::hits] text
    std::vector<int> ignoredBy; // [nodes] as RuleHits
    std::vector<bool> targeted; // [nodes] as RuleHits
    std::vector<std::string> precisions; // texts of what precision rules want
    std::vector<std::uint32_t> precisionOf; // [nodes] as RuleHits
    std::map<NodeId, std::vector<OtherBits>> otherBits; // in order of ports
    std::shared_ptr<const std::vector<std::string>> patterns; // names
    std::string_view profile = {};

    [[nodiscard]] std::string_view precisionAt(NodeId node) const; // "" where no rule wants any
    [[nodiscard]] int ruleAt(NodeId node) const; // that ignores it, or RuleHits::kNoRule
};

/// Those of rules. The rest is left to who places.
DecisionTerms termsOf(const RuleHits& hits);

} // namespace duo
