// SPDX-License-Identifier: Apache-2.0
// Rule effects: which of the nodes a rule catches have another outcome because of it, and why the others have not.
#pragma once

#include "core/quantize/placement.h"
#include "core/rules/match.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace duo {

enum class RuleVerdict { Works, NoEffect, Shadowed, MatchesNothing, Invalid, Disabled };

std::string_view ruleVerdictText(RuleVerdict verdict); // "no-effect"

/// Why a rule has no effect on a node.
enum class Idle : std::uint8_t {
    None, // it has an effect
    NoPlacement, // the model cannot be quantized
    Ignored, // by `rule`, and ignoring wins
    FloatAnyway, // by the decision about `node` without rules
    NotTargeted,
    Owned, // by `rule`, which ignores or targets it already
    InOpenGroup, // of `node` (invalid: of several nodes), which no rule ignores
    Compressed, // by the decision about `node`
    Decided, // by `node` of its group (or several)
    InFloatGroup, // of `node` (or several)
    InFloat, // by the decision about `node`
    SamePrecision, // what a precision rule wants is so without it
    NoHalfForm, // it computes in floats of 32 bits whatever a precision rule says of these
};

struct IdleCause {
    Idle kind = Idle::None;
    int rule = RuleHits::kNoRule;
    NodeId node = {};
    bool operator==(const IdleCause&) const = default;
};

/// Nodes a rule catches without any effect, for one cause.
struct IdleNodes {
    IdleCause cause;
    std::vector<NodeId> nodes; // in node order
};

struct RuleEffect {
    RuleVerdict verdict = RuleVerdict::Works;
    std::vector<NodeId> effective; // in node order
    std::vector<IdleNodes> idle; // most nodes first, then first nodes; with `effective` all nodes of the hit
    int shadowedBy = RuleHits::kNoRule; // a rule of the same action that catches all of them as well
    std::vector<Suggestion> suggestions; // of the hit, and what would have an effect instead
};

/// One entry per rule. An ignore rule has an effect on a node that would be compressed without rules and is not now; a
/// target rule on one that is compressed and would not be if no target rule caught it; a precision rule on one that is
/// quantized otherwise than without rules, or could compute in 16 bits where it says in how many. Where several rules
/// would do, the one that catches most nodes counts, of equal ones the first. core/report/match_report.h says it in
/// words.
/// @param placement with the rules, @param unruled without any; null where the model cannot be quantized
/// O(nodes + caught nodes), and for shadows the caught nodes of rules that share one.
std::vector<RuleEffect> ruleEffects(
    const Model& model, const RuleHits& hits, const Placement* placement, const Placement* unruled);

} // namespace duo
