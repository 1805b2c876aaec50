// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/decision_terms.h"

namespace duo {

std::string_view DecisionTerms::precisionAt(NodeId node) const
{
    const std::uint32_t of = precisionOf.empty() ? 0 : precisionOf[node.index];
    return of == 0 ? std::string_view() : std::string_view(precisions[of - 1]);
}

int DecisionTerms::ruleAt(NodeId node) const
{
    return node.index < ignoredBy.size() ? ignoredBy[node.index] : RuleHits::kNoRule;
}

DecisionTerms termsOf(const RuleHits& hits)
{
    DecisionTerms terms;
    terms.ignoredBy = hits.ignoredBy;
    terms.targeted = hits.targeted;
    terms.precisionOf = hits.precisionOf;
    for (const RulePrecision& precision : hits.precisions)
        terms.precisions.push_back(precisionText(precision));
    for (const RuleHit& hit : hits.hits)
        terms.rules.push_back(ruleText(hit.rule));
    return terms;
}

} // namespace duo
