// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/fusion_plan.h"

#include "core/model/op_facts.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/weights.h"
#include "core/transform/fold_batch_norm.h"

#include <algorithm>

namespace duo {
namespace {

using namespace role;

PatternNode reading(OpRoles roles, std::vector<int> reads)
{
    return {PatternNode::Kind::Roles, roles, std::move(reads), false};
}

/// x * (erf(x / sqrt(2)) + 1) * 0.5 in the orders that exporters and optimizers write.
std::vector<FusionPattern> gelusOfErf()
{
    const PatternNode x{PatternNode::Kind::Outside, kNone, {}, false};
    const PatternNode scaled = reading(kDiv | kMul, {0});
    const PatternNode erf = reading(kErf, {1});
    const PatternNode shifted = reading(kAdd, {2});
    return {{"gelu", {x, scaled, erf, shifted, reading(kMul, {3, 0}), reading(kMul | kDiv, {4})}},
        {"gelu", {x, scaled, erf, shifted, reading(kMul | kDiv, {3}), reading(kMul, {4, 0})}},
        {"gelu", {x, scaled, erf, shifted, reading(kMul | kDiv, {0}), reading(kMul, {3, 4})}},
        {"gelu", {x, scaled, erf, reading(kMul | kDiv, {2}), reading(kAdd, {3}), reading(kMul, {4, 0})}}};
}

/// The node that is computed together with a weighted one: the addition of its bias, or a batch norm folded into it.
NodeId partOf(const Model& model, NodeId node)
{
    if (const auto bias = addedBiasOf(model, node))
        return bias->node;
    const auto norm = foldableNorm(model, node);
    return norm ? norm->node : NodeId{};
}

void addWeightedPairs(FusionPlan& plan, const Model& model, const OpGraph& graph)
{
    const std::size_t biased = plan.fusing.size();
    plan.fusing.push_back({"product and bias", {reading(kPlainMatMul, {}), reading(kAdd, {0})}});
    plan.fusing.push_back({"convolution and batch norm", {reading(kLinear, {}), reading(kBatchNorm, {0})}});
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        if (graph.ops[op].kind != OpKind::Node || !graph.isInference(op))
            continue;
        const NodeId node = graph.ops[op].node;
        if (const NodeId part = partOf(model, node); part.valid())
            plan.matches.push_back({isProduct(model.node(node), Product::Convolution) ? biased + 1 : biased,
                {op, graph.opOfNode[part.index]}});
    }
}

} // namespace

FusionPlan fusionPlan(const Model& model, const OpGraph& graph, const Target& target)
{
    FusionPlan plan;
    if (!target.quantizesEveryTensor) {
        plan.fusing = fusedPatterns(target);
        plan.ignored = ignoredPatterns(target);
        plan.matches = findMatches(graph, plan.fusing, true);
        return plan;
    }
    plan.fusing = gelusOfErf();
    plan.matches = findMatches(graph, plan.fusing, true);
    addWeightedPairs(plan, model, graph);
    return plan;
}

PatternNames::PatternNames(const FusionPlan& plan)
{
    std::vector<std::string> names;
    std::unordered_map<std::string_view, std::uint16_t> known;
    for (const auto* patterns : {&plan.fusing, &plan.ignored}) {
        for (const FusionPattern& pattern : *patterns) {
            const auto [found, isNew] = known.try_emplace(pattern.name, static_cast<std::uint16_t>(names.size()));
            if (isNew)
                names.push_back(pattern.name);
            m_indices.emplace(&pattern, found->second);
        }
    }
    m_names = std::make_shared<const std::vector<std::string>>(std::move(names));
}

} // namespace duo
