// SPDX-License-Identifier: Apache-2.0
#include "tests/core/pipeline/edit/random_edits.h"

#include <utility>

namespace duo::test {
namespace {

void toggleInPlace(Rule& rule)
{
    rule.enabled = !rule.enabled;
}

} // namespace

RandomEdits::RandomEdits(const Model& model, unsigned seed)
    : m_model(model)
    , m_random(seed)
{
}

void RandomEdits::changeInPlace(RuleSet& set)
{
    auto& rules = set.rules;
    const auto at = [&](std::size_t index) { return rules.begin() + static_cast<std::ptrdiff_t>(index); };
    switch (rules.size() < 2 ? 0 : below(8)) {
    case 4:
        rules.erase(at(below(rules.size())));
        break;
    case 5:
        std::swap(rules[below(rules.size())], rules[below(rules.size())]);
        break;
    case 6:
        toggleInPlace(rules[below(rules.size())]);
        break;
    case 7:
        rules[below(rules.size())] = anyRule();
        break;
    default:
        rules.insert(at(below(rules.size() + 1)), anyRule());
    }
}

std::size_t RandomEdits::below(std::size_t bound)
{
    return m_random() % bound; // not std::uniform_int_distribution: the same everywhere
}

const Node& RandomEdits::anyNode()
{
    return m_model.nodes[below(m_model.nodes.size())];
}

std::string RandomEdits::anyScope()
{
    std::string scope = anyNode().name;
    const std::size_t end = scope.find_first_of("/.", below(scope.size()) + 1);
    scope = scope.substr(0, end);
    return scope.starts_with('/') ? scope.substr(1) : scope;
}

RulePrecision RandomEdits::anyPrecision()
{
    RulePrecision precision;
    if (below(2) == 0)
        precision.activations.numBits = below(2) == 0 ? 8 : 16;
    if (below(3) == 0)
        precision.activations.mode = QuantizationMode::Symmetric;
    if (below(3) == 0)
        precision.weights.perChannel = below(2) == 0;
    if (precision == RulePrecision{} || below(4) == 0)
        precision.weights.numBits = 16;
    return precision;
}

Rule RandomEdits::anyRule()
{
    Rule rule;
    rule.action = below(5) == 0 ? RuleAction::Target : below(3) == 0 ? RuleAction::Precision : RuleAction::Ignore;
    if (rule.action == RuleAction::Precision)
        rule.precision = anyPrecision();
    switch (below(6)) {
    case 0:
        rule.kind = RuleKind::Pattern;
        rule.value = ".*" + anyNode().opType.substr(0, 3) + "|" + anyNode().opType;
        break;
    case 1:
        rule.kind = RuleKind::Type;
        rule.value = anyNode().opType;
        break;
    case 2:
        rule.kind = RuleKind::Subgraph;
        rule.inputs = {anyNode().name};
        rule.outputs = {anyNode().name};
        break;
    case 3:
        rule.kind = RuleKind::ExecutionScope;
        rule.value = anyScope();
        break;
    case 4:
        rule.kind = RuleKind::StorageScope;
        rule.value = anyScope();
        break;
    default:
        rule.kind = RuleKind::Name;
        rule.value = anyNode().name;
    }
    return rule;
}

} // namespace duo::test
