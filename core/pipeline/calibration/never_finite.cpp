// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/never_finite.h"

#include "core/pipeline/calibration/measured_values.h"
#include "core/quantize/place/clamps.h"
#include "core/quantize/points/point_index.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace duo {
namespace {

/// Those whose inputs the point quantizes.
std::vector<NodeId> readersOf(const QuantizationPoint& point)
{
    if (!point.directlyQuantized.empty())
        return point.directlyQuantized;
    return point.node.valid() ? std::vector<NodeId>{point.node} : std::vector<NodeId>{};
}

/// The first value of a point that was measured and has no range; invalid if there is none.
ValueId valueWithoutRange(const Model& model, const QuantizationPoint& point, const MeasuredValues& measured)
{
    if (point.isWeight)
        return {};
    for (const ValueId value : pointValues(model, point)) {
        const ValueStatistics* found = measured.of(behindClamps(model, value));
        if (found != nullptr && found->finite() == 0)
            return value;
    }
    return {};
}

/// What stays in float is still there, so that its other readers' quantizers are placed as if it were ignored.
Recipe withIgnored(Recipe recipe, const Model& model, const std::map<NodeId, std::string>& reasons)
{
    for (const auto& [node, reason] : reasons) {
        Rule rule;
        rule.value = model.node(node).name;
        recipe.rules.rules.push_back(std::move(rule));
    }
    return recipe;
}

using PlaceOfPoint = std::tuple<std::uint32_t, std::uint32_t, std::int64_t>;

PlaceOfPoint placeOf(const QuantizationPoint& point)
{
    return {point.node.index, point.input.index, point.port ? static_cast<std::int64_t>(*point.port) : -1};
}

} // namespace

Result<Snapshot> withFloatNodes(const Snapshot& snapshot, const std::map<NodeId, std::string>& reasons)
{
    DUO_TRY(next, withRecipe(snapshot, withIgnored(snapshot.recipe, *snapshot.model, reasons)));
    if (!next.placement)
        return next.refusal.value_or(Error{ErrorCode::Internal, "there is no placement", {}, {}});
    auto placement = std::make_shared<Placement>(*next.placement);
    for (const auto& [node, reason] : reasons)
        placement->decisions[node.index]
            = {NodeState::Preset, reason, ReasonKind::Type, "it would be quantized with data that give it a range"};
    next.placement = std::move(placement);
    next.recipe = snapshot.recipe;
    return next;
}

Result<FiniteSnapshot> withoutNeverFinite(const Snapshot& snapshot, const Statistics& statistics)
{
    const Model& model = *snapshot.model;
    const MeasuredValues measured(model, statistics);
    FiniteSnapshot finite;
    std::map<NodeId, std::string> reasons;
    std::set<std::string> values;
    std::set<PlaceOfPoint> stuck; // a quantizer that stays where it is whatever its readers do
    for (bool isNew = true; isNew;) {
        isNew = false;
        const Snapshot& now = finite.changed ? *finite.changed : snapshot;
        for (const auto& [id, point] : now.placement->setup.points) {
            const ValueId value = valueWithoutRange(model, point, measured);
            if (!value.valid() || stuck.contains(placeOf(point)))
                continue;
            const std::string& name = model.value(value).name;
            const ValueStatistics* found = measured.of(behindClamps(model, value));
            const std::string reason = "value '" + name + "' "
                + (found->elements == 0 ? "is empty in every sample" : "holds no finite number in any sample");
            bool isMoved = false;
            for (const NodeId node : readersOf(point))
                isMoved = reasons.emplace(node, reason + ", so that it has no range").second || isMoved;
            if (!isMoved)
                stuck.insert(placeOf(point));
            isNew = isNew || isMoved;
            if (values.insert(name).second)
                finite.notes.push_back({"never-finite", reason + ": what reads it stays in float", name});
        }
        if (!isNew)
            break;
        DUO_TRY(changed, withFloatNodes(snapshot, reasons));
        finite.changed = std::make_shared<const Snapshot>(std::move(changed));
    }
    return finite;
}

Result<std::shared_ptr<const Snapshot>> asLeftOut(const Snapshot& snapshot, const QuantizerSetup& setup)
{
    std::set<PlaceOfPoint> kept;
    for (const auto& [id, point] : setup.points)
        kept.insert(placeOf(point));
    std::map<NodeId, std::string> reasons;
    if (snapshot.placement) {
        for (const auto& [id, point] : snapshot.placement->setup.points) {
            if (point.isWeight || kept.contains(placeOf(point)))
                continue;
            for (const NodeId node : readersOf(point))
                reasons.emplace(node, "it had no range when the compression state was made");
        }
    }
    if (reasons.empty())
        return std::shared_ptr<const Snapshot>();
    DUO_TRY(changed, withFloatNodes(snapshot, reasons));
    return std::make_shared<const Snapshot>(std::move(changed));
}

} // namespace duo
