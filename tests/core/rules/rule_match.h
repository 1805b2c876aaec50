// SPDX-License-Identifier: Apache-2.0
// RuleMatch: one rule, or several, matched against a test model.
#pragma once

#include "core/rules/match.h"

#include <memory>
#include <string>
#include <vector>

namespace duo::test {

Rule ignoreRule(RuleKind kind, const std::string& value);
Rule targetRule(RuleKind kind, const std::string& value);

class RuleMatch
{
public:
    RuleMatch(std::shared_ptr<const Model> model, std::vector<Rule> rules);
    static RuleMatch ofCase(const std::string& name, std::vector<Rule> rules); // tests/data/cases/<name>.onnx

    [[nodiscard]] std::vector<std::string> nodes(std::size_t rule = 0) const;
    [[nodiscard]] std::vector<std::string> compressible() const;
    [[nodiscard]] std::vector<std::string> suggestions(std::size_t rule = 0) const; // "kind value: text"
    [[nodiscard]] const std::string& problem(std::size_t rule = 0) const { return hits.hits[rule].problem; }

    std::shared_ptr<const Model> model;
    Scopes scopes;
    RuleHits hits;
};

} // namespace duo::test
