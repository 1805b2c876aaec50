// SPDX-License-Identifier: Apache-2.0
// The one matcher: which nodes each rule catches, and which nodes are ignored or targeted in the end.
#pragma once

#include "core/model/model.h"
#include "core/rules/python_pattern.h"
#include "core/rules/rule.h"
#include "core/scope/scope.h"

#include <cstdint>

namespace duo {

/// What a rule may have meant: to be taken over as it stands.
struct Suggestion {
    std::string text; // one sentence
    RuleKind kind = RuleKind::Name;
    std::string value;
    std::vector<std::string> inputs = {}; // of RuleKind::Subgraph
    std::vector<std::string> outputs = {};
    bool operator==(const Suggestion&) const = default;
};

struct RuleHit {
    std::vector<NodeId> nodes; // in node order; empty for disabled rules
    std::string problem; // why it cannot be evaluated ("pattern is not valid at 3: ..."); "" if it can
    std::vector<PatternRemark> remarks; // of a pattern: what other engines read otherwise
    std::vector<Suggestion> suggestions; // only where an enabled rule matches nothing
    Rule rule; // the one evaluated, for messages
    std::size_t gone = 0; // nodes of the file that it caught, and of which transforms left nothing
};

struct RuleHits {
    static constexpr int kNoRule = -1;
    std::vector<RuleHit> hits; // [RuleSet::rules]
    std::vector<int> ignoredBy; // [nodes] index of the first enabled ignore rule that catches it, or kNoRule
    std::vector<bool> targeted; // [nodes] caught by an enabled target rule; all true where there is none
    std::vector<RulePrecision> precisions; // what enabled precision rules want of quantizers, each combination once
    std::vector<std::uint32_t>
        precisionOf; // [nodes] 1 + index of `precisions`, 0 without one; empty without such rules
    [[nodiscard]] bool isCompressible(NodeId node) const // the user wants it compressed
    {
        return ignoredBy[node.index] == kNoRule && targeted[node.index];
    }
};

/// What rules come to that catch these nodes, in the order of the rules. O(caught nodes + nodes)
RuleHits joinedHits(std::vector<RuleHit> hits, std::size_t nodes);

/// Evaluates all rules. Deny wins; without an enabled target rule everything is targeted; precision
/// rules ignore and target nothing. Patterns: Python re.match on
/// node names with PCRE2, match limit set. Never fails as a whole: a bad rule says so in its hit.
/// @param known hits of other rules on the same model and scopes, or null: those of rules that are still there are
/// taken over, so that an edit costs what it changes
RuleHits matchRules(const Model& model, const Scopes& scopes, const RuleSet& rules, const RuleHits* known = nullptr);

/// Rules that name a scope which was only guessed, together with the names of the nodes they catch (Rule::nodes); to be
/// called before rules are kept. Rules that have some keep them.
RuleSet withMeantNodes(const Model& model, const Scopes& scopes, RuleSet rules);

/// Nodes that an enabled ignore rule catches, in node order.
std::vector<NodeId> ignoredNodes(const RuleHits& hits);

/// [nodes] why precision rules let one compute in floats of 32 bits where the model is written in 16: a rule that wants
/// 32, which wins, or none of those that want 16; "": they do not. O(caught nodes + nodes)
std::vector<std::string> keptInFloat32(const RuleHits& hits, std::size_t nodes);

} // namespace duo
