// SPDX-License-Identifier: Apache-2.0
// Rules: the ignored and target scope, as values (resources/docs/rules.md, "Rules").
#pragma once

#include "core/rules/precision.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class RuleAction { Ignore, Target, Precision };
enum class RuleKind { Name, Pattern, Type, Subgraph, ExecutionScope, StorageScope, Class };

std::string_view ruleActionText(RuleAction action); // "ignore"
std::string_view ruleKindText(RuleKind kind); // "execution-scope"
std::optional<RuleAction> ruleActionFromText(std::string_view text);
std::optional<RuleKind> ruleKindFromText(std::string_view text);

struct Rule {
    RuleAction action = RuleAction::Ignore;
    RuleKind kind = RuleKind::Name;
    std::string value; // unused for Subgraph
    std::vector<std::string> inputs; // Subgraph only: node names
    std::vector<std::string> outputs;
    RulePrecision precision; // of RuleAction::Precision
    bool enabled = true;
    std::string comment;
    std::string origin; // who made it: user, suggestion, preset, imported; "" if not said
    std::string scope; // the execution scope it was made from, for exports that name nodes otherwise; "" if not said
    std::vector<std::string> nodes; // ExecutionScope, StorageScope: names of the nodes it meant, where the file does
                                    // not tell its scopes: they hold where the scope is not told
    std::string unknownKeys; // JSON object text of keys we do not know, kept on saving; "" if none
    bool operator==(const Rule&) const = default;
};

struct RuleSet {
    std::vector<Rule> rules;
    bool validate = true; // an enabled rule that matches nothing is a finding that stops writing
    bool operator==(const RuleSet&) const = default;
};

/// One line for people: `ignore execution-scope layer1/0`, `precision type Conv: activations 16 bits`, `ignore
/// execution-scope (the whole model)`.
std::string ruleText(const Rule& rule);

} // namespace duo
