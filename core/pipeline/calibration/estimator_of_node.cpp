// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/estimator_of_node.h"

#include "core/pipeline/calibration/ranges.h"

#include <algorithm>

namespace duo {

Result<EstimatorOfNode> EstimatorOfNode::of(const Snapshot& snapshot)
{
    const QuantizationSettings& settings = snapshot.recipe.quantization;
    EstimatorOfNode all;
    const RangeEstimatorParameters general = activationsEstimator(settings);
    all.m_estimators.push_back(general);
    all.m_ofNode.assign(snapshot.model->nodes.size(), 0);
    RuleSet rules;
    for (const EstimatorRule& rule : settings.rangeEstimatorRules) {
        rules.rules.push_back(rule.rule);
        all.m_estimators.push_back(withDefaults(rule.activations, general));
    }
    for (const RangeEstimatorParameters& estimator : all.m_estimators) {
        if (const auto problem = rangeEstimatorProblem(estimator); !problem.empty())
            return Error{
                ErrorCode::InvalidRule, "this range estimator cannot be computed", "recipe", std::string(problem)};
    }
    if (rules.rules.empty())
        return all;
    const RuleHits hits = matchRules(*snapshot.model, *snapshot.scopes, rules);
    for (std::size_t i = 0; i < hits.hits.size(); ++i) {
        if (!hits.hits[i].problem.empty())
            return Error{ErrorCode::InvalidRule, hits.hits[i].problem, ruleText(rules.rules[i]),
                "correct range_estimator_rules"};
        if (hits.hits[i].nodes.empty())
            all.m_notes.push_back(
                {"unused-estimator", "this estimator rule catches no node", ruleText(rules.rules[i])});
        for (const NodeId node : hits.hits[i].nodes)
            all.m_ofNode[node.index] = i + 1;
    }
    return all;
}

std::size_t EstimatorOfNode::indexAt(const QuantizationPoint& point) const
{
    std::size_t best = point.node.valid() ? m_ofNode[point.node.index] : 0;
    for (const NodeId node : point.directlyQuantized)
        best = std::max(best, m_ofNode[node.index]);
    return best;
}

const RangeEstimatorParameters& EstimatorOfNode::at(const QuantizationPoint& point) const
{
    return m_estimators[indexAt(point)];
}

std::optional<std::size_t> EstimatorOfNode::ruleAt(const QuantizationPoint& point) const
{
    const std::size_t index = indexAt(point);
    return index == 0 ? std::nullopt : std::optional(index - 1);
}

std::string_view rangeEstimatorSetOf(const RangeEstimatorParameters& complete)
{
    std::string_view rest = rangeEstimatorSetNames();
    while (!rest.empty()) {
        const std::size_t end = rest.find(", ");
        const std::string_view name = rest.substr(0, end);
        if (rangeEstimatorSet(name) == complete)
            return name;
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return {};
}

} // namespace duo
