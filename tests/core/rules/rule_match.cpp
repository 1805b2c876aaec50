// SPDX-License-Identifier: Apache-2.0
#include "tests/core/rules/rule_match.h"

#include "core/onnx/reader.h"

#include <cstdio>
#include <cstdlib>

namespace duo::test {

Rule ignoreRule(RuleKind kind, const std::string& value)
{
    Rule rule;
    rule.kind = kind;
    rule.value = value;
    return rule;
}

Rule targetRule(RuleKind kind, const std::string& value)
{
    Rule rule = ignoreRule(kind, value);
    rule.action = RuleAction::Target;
    return rule;
}

RuleMatch::RuleMatch(std::shared_ptr<const Model> of, std::vector<Rule> rules)
    : model(std::move(of))
    , scopes(findScopes(*model))
    , hits(matchRules(*model, scopes, RuleSet{std::move(rules), true}))
{
}

RuleMatch RuleMatch::ofCase(const std::string& name, std::vector<Rule> rules)
{
    auto read = readModel(std::string(DUO_TEST_DATA) + "/cases/" + name + ".onnx");
    if (read)
        return {*read, std::move(rules)};
    std::fprintf(stderr, "test model: %s\n", read.error().line().c_str());
    std::abort();
}

std::vector<std::string> RuleMatch::nodes(std::size_t rule) const
{
    std::vector<std::string> names;
    for (const NodeId node : hits.hits[rule].nodes)
        names.push_back(model->node(node).name);
    return names;
}

std::vector<std::string> RuleMatch::compressible() const
{
    std::vector<std::string> names;
    for (std::size_t n = 0; n < model->nodes.size(); ++n) {
        if (hits.isCompressible(NodeId(n)))
            names.push_back(model->nodes[n].name);
    }
    return names;
}

std::vector<std::string> RuleMatch::suggestions(std::size_t rule) const
{
    std::vector<std::string> texts;
    for (const Suggestion& suggestion : hits.hits[rule].suggestions)
        texts.push_back(std::string(ruleKindText(suggestion.kind)) + " " + suggestion.value + ": " + suggestion.text);
    return texts;
}

} // namespace duo::test
