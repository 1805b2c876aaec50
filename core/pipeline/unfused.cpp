// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/unfused.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

KeptFloat whyOf(const NodeRun& run, const std::string& engine)
{
    return RanInFloat{engine, run.fallback.value_or(Fallback::Unknown)};
}

std::size_t productsInFloat(const PlanRun& plan)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        plan.runs, [](const NodeRun& run) { return run.as == PlannedAs::Product && run.runs != RunsAs::Int8; }));
}

} // namespace

PlannedAs plannedAs(const Node& node, const Decision& decision, std::optional<Fallback> fallback)
{
    const bool isCarried = decision.kind() == ReasonKind::Movement || decision.kind() == ReasonKind::Weights
        || decision.kind() == ReasonKind::Table || fallback == Fallback::WideCodes;
    if (isCarried)
        return PlannedAs::Carried;
    return hasInt8Product(node) ? PlannedAs::Product : PlannedAs::Other;
}

Unfused unfusedNodes(const Snapshot& planned, const std::vector<NodeRun>& runs, const std::string& engine)
{
    Unfused unfused;
    for (const NodeRun& run : runs) {
        const NodeId id = planned.model->findNode(run.node);
        if (run.runs == RunsAs::Int8 || !id.valid())
            continue;
        if (run.as == PlannedAs::Product)
            unfused.products.emplace(id, whyOf(run, engine));
        else if (run.as == PlannedAs::Other && run.runs == RunsAs::Float)
            unfused.others.emplace(id, whyOf(run, engine));
    }
    return unfused;
}

bool isBetterRun(const PlanRun& before, const PlanRun& now)
{
    std::unordered_map<std::string_view, bool> isInt8; // of what is planned now
    for (const NodeRun& run : now.runs)
        isInt8.emplace(run.node, run.runs == RunsAs::Int8);
    const bool losesNone = std::ranges::all_of(before.runs, [&](const NodeRun& run) {
        if (run.runs != RunsAs::Int8 || run.as == PlannedAs::Carried)
            return true;
        const auto found = isInt8.find(run.node);
        return found == isInt8.end() ? run.as == PlannedAs::Other : found->second;
    });
    return losesNone && (productsInFloat(now) < productsInFloat(before) || now.quantizers < before.quantizers);
}

} // namespace duo
