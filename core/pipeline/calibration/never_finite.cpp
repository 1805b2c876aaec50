// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/never_finite.h"

#include "core/model/value_address.h"
#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/calibration/measured_values.h"
#include "core/quantize/notes.h"
#include "core/quantize/operators/extremes.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/clamps.h"
#include "core/report/decision_sentences.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace duo {
namespace {

/// Those whose inputs the point quantizes.
std::vector<NodeId> readersOf(const QuantizationPoint& point)
{
    if (!point.directlyQuantized.empty())
        return point.directlyQuantized;
    return point.node.valid() ? std::vector<NodeId>{point.node} : std::vector<NodeId>{};
}

double percentOf(std::uint64_t part, std::uint64_t whole)
{
    return 100 * static_cast<double>(part) / static_cast<double>(std::max(whole, 1UL));
}

/// Numbers of two sizes with nothing between, the larger ones all of one sign and all alike, and so much larger that
/// the others fall into a few codes: scores and a mask that was added to some of them. None where it is not so.
RangeTrouble maskTrouble(const ValueStatistics& measured)
{
    constexpr int kGap = 5 << logbin::kMantissaBits; // the larger ones are 32 times as large
    constexpr int kSpread = 1 << logbin::kMantissaBits; // and differ by less than a factor of two
    const auto& bins = measured.histogram.bins();
    if (bins.empty() || std::max(std::abs(measured.min), std::abs(measured.max)) < kLeastMask)
        return {};
    const bool isLow = -measured.min > measured.max;
    const int largest = isLow ? -bins.front().bin : bins.back().bin;
    std::uint64_t large = 0;
    int next = 0; // the largest of the others, by magnitude
    std::uint64_t others = 0; // without zeros
    for (const BinCount& bin : bins) {
        const bool isLarge = (isLow ? -bin.bin : bin.bin) > largest - kSpread;
        large += isLarge ? bin.count : 0;
        if (!isLarge) {
            next = std::max(next, std::abs(bin.bin));
            others += bin.bin != 0 ? bin.count : 0;
        }
    }
    if (others == 0 || next > largest - kGap)
        return {};
    return {RangeTrouble::Kind::Masked, percentOf(large, measured.histogram.total()),
        {static_cast<float>(isLow ? measured.min : measured.max)}, static_cast<float>(logbin::lower(next + 1))};
}

/// What keeps a measured value from having a range.
RangeTrouble rangeTrouble(const ValueStatistics& measured, const QuantizationSettings& settings)
{
    using Kind = RangeTrouble::Kind;
    if (measured.elements == 0)
        return {Kind::Empty};
    if (measured.finite() == 0)
        return {Kind::NeverFinite};
    if (measured.infinite > 0)
        return {Kind::Infinite,
            percentOf(static_cast<std::uint64_t>(measured.infinite), static_cast<std::uint64_t>(measured.elements))};
    return targetOf(settings).likeNncf ? RangeTrouble() : maskTrouble(measured);
}

/// The first value of a point that was measured and has no range, or a weight with infinities.
class Troubles
{
public:
    Troubles(const Model& model, const MeasuredValues& measured, const QuantizationSettings& settings)
        : m_model(model)
        , m_measured(measured)
        , m_settings(settings)
    {
    }

    /// Its value is invalid where there is none.
    WithoutRange of(const QuantizationPoint& point)
    {
        if (point.isWeight)
            return ofWeight(point);
        for (const ValueId value : pointValues(m_model, point)) {
            const ValueStatistics* found = m_measured.of(behindClamps(m_model, value));
            const RangeTrouble trouble = found != nullptr ? rangeTrouble(*found, m_settings) : RangeTrouble();
            if (trouble.kind != RangeTrouble::Kind::None)
                return {value, false, trouble};
        }
        return {};
    }

private:
    WithoutRange ofWeight(const QuantizationPoint& point)
    {
        const ValueId source = weightSource(m_model, point.node, point.port.value_or(0));
        if (!source.valid())
            return {};
        const auto [known, isNew] = m_weights.try_emplace(source);
        if (isNew)
            known->second = firstNonFinite(*m_model.constant(source));
        if (!known->second)
            return {};
        return {source, true, {.kind = RangeTrouble::Kind::Holds, .number = {*known->second}}};
    }

    const Model& m_model;
    const MeasuredValues& m_measured;
    const QuantizationSettings& m_settings;
    std::map<ValueId, std::optional<float>> m_weights; // what they hold
};

/// [Model::regions] bodies in which values were measured but none held an element, and all inside them.
std::vector<bool> bodiesNotRun(const Model& model, const Statistics& statistics)
{
    std::vector<bool> isMeasured(model.regions.size(), false);
    std::vector<bool> hasRun(model.regions.size(), false);
    for (const auto& [address, values] : statistics.values) {
        const ValueId id = model.findValue(address);
        if (!id.valid())
            continue;
        isMeasured[model.value(id).region.index] = true;
        hasRun[model.value(id).region.index] = hasRun[model.value(id).region.index] || values.elements > 0;
    }
    std::vector<bool> notRun(model.regions.size(), false);
    for (std::size_t r = 1; r < notRun.size(); ++r) { // a region comes behind the one around it
        const bool isInside = notRun[model.node(model.regions[r].owner).region.index];
        notRun[r] = isInside || (isMeasured[r] && !hasRun[r]);
    }
    return notRun;
}

/// Nodes of bodies that would be quantized, with the reason of their body.
template <typename Why> KeptFloats nodesOfBodies(const Snapshot& snapshot, const std::vector<bool>& bodies)
{
    const Model& model = *snapshot.model;
    KeptFloats nodes;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const RegionId region = model.nodes[n].region;
        const NodeState state = snapshot.placement->decisions[n].state;
        const bool isQuantizable = isCompressed(state) || state == NodeState::Blocked;
        if (bodies[region.index] && isQuantizable)
            nodes.emplace(NodeId(n), Why{region});
    }
    return nodes;
}

Note notRunNote(const Model& model, const KeptFloats& nodes)
{
    std::set<RegionId> bodies;
    for (const auto& [node, reason] : nodes)
        bodies.insert(model.node(node).region);
    const bool isOne = bodies.size() == 1;
    return {"body-not-run",
        "no sample runs " + (isOne ? std::string("a body") : std::to_string(bodies.size()) + " bodies") + ": "
            + std::to_string(nodes.size()) + (nodes.size() == 1 ? " node stays" : " nodes stay")
            + " in float there; samples that run " + (isOne ? "it" : "them") + " would change that",
        model.node(nodes.begin()->first).name};
}

/// Nodes whose data have no quantizer, and whose weights have one all the same.
Snapshot withWeightsOnly(Snapshot snapshot, const QuantizerSetup& setup)
{
    auto placement = std::make_shared<Placement>(*snapshot.placement);
    for (const auto& [id, point] : setup.points) {
        if (!point.isWeight)
            continue;
        for (const NodeId node : readersOf(point)) {
            if (placement->kept->contains(node))
                placement->decisions[node.index] = {NodeState::WeightOnly, {ReasonCode::WeightsOnly}};
        }
    }
    renewNothingQuantized(*snapshot.model, *placement);
    snapshot.placement = std::move(placement);
    return snapshot;
}

/// [Model::regions] bodies that hold points of `placed`, and none of `setup`.
std::vector<bool> bodiesLeftOut(const Model& model, const QuantizerSetup& placed, const QuantizerSetup& setup)
{
    std::vector<bool> bodies(model.regions.size(), false);
    const auto mark = [&](const QuantizerSetup& points, bool as) {
        for (const auto& [id, point] : points.points) {
            for (const NodeId node : readersOf(point))
                bodies[model.node(node).region.index] = as;
            if (point.node.valid())
                bodies[model.node(point.node).region.index] = as;
        }
    };
    mark(placed, true);
    mark(setup, false);
    bodies[0] = false;
    return bodies;
}

} // namespace

Result<FiniteSnapshot> withoutNeverFinite(const Snapshot& snapshot, const Statistics& statistics)
{
    const Model& model = *snapshot.model;
    const MeasuredValues measured(model, statistics);
    Troubles troubles(model, measured, snapshot.recipe.quantization);
    FiniteSnapshot finite;
    const std::vector<bool> notRun = bodiesNotRun(model, statistics);
    KeptFloats reasons = nodesOfBodies<BodyNotRun>(snapshot, notRun);
    if (!reasons.empty()) {
        finite.notes.push_back(notRunNote(model, reasons));
        DUO_TRY(changed, withKeptFloat(snapshot, reasons));
        finite.changed = std::make_shared<const Snapshot>(std::move(changed));
    }
    std::set<std::string> values;
    std::set<PointPlace> stuck; // a quantizer that stays where it is whatever its readers do
    for (bool isNew = true; isNew;) {
        isNew = false;
        const Snapshot& now = finite.changed ? *finite.changed : snapshot;
        for (const auto& [id, point] : now.placement->setup.points) {
            const WithoutRange without = troubles.of(point);
            if (!without.value.valid() || stuck.contains(placeOf(point)))
                continue;
            bool isMoved = false;
            for (const NodeId node : readersOf(point))
                isMoved = reasons.emplace(node, without).second || isMoved;
            if (!isMoved)
                stuck.insert(placeOf(point));
            isNew = isNew || isMoved;
            const std::string name = addressOf(model, without.value);
            if (values.insert(name).second)
                finite.notes.push_back(
                    {"no-range", "it " + rangeTroubleText(without.trouble) + ": what reads it stays in float", name});
        }
        if (!isNew)
            break;
        DUO_TRY(changed, withKeptFloat(snapshot, reasons));
        finite.changed = std::make_shared<const Snapshot>(std::move(changed));
    }
    return finite;
}

Result<std::shared_ptr<const Snapshot>> asLeftOut(const Snapshot& snapshot, const QuantizerSetup& setup)
{
    std::set<PointPlace> kept;
    for (const auto& [id, point] : setup.points)
        kept.insert(placeOf(point));
    KeptFloats reasons;
    if (snapshot.placement) {
        reasons = nodesOfBodies<BodyNotMeasured>(
            snapshot, bodiesLeftOut(*snapshot.model, snapshot.placement->setup, setup));
        for (const auto& [id, point] : snapshot.placement->setup.points) {
            if (point.isWeight || kept.contains(placeOf(point)))
                continue;
            for (const NodeId node : readersOf(point))
                reasons.emplace(node, HadNoRange());
        }
    }
    if (reasons.empty())
        return std::shared_ptr<const Snapshot>();
    DUO_TRY(changed, withKeptFloat(snapshot, reasons));
    return std::make_shared<const Snapshot>(withWeightsOnly(std::move(changed), setup));
}

} // namespace duo
