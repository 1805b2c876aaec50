// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/continue_setup.h"

#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/merged_setup.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <utility>

namespace duo {
namespace {

/// A recipe for the model that the taken setup is of: what changed the float model does so no more, and its new nodes
/// keep their rules. @param settings with what the model tells
Recipe recipeThere(const Recipe& recipe, const QuantizationSettings& settings, const Resumed& taken)
{
    Recipe there = recipe;
    there.quantization = settings;
    CorrectionSettings& corrections = there.quantization.corrections;
    corrections.smoothQuantMatMul = -1;
    corrections.smoothQuantConvolution = -1;
    corrections.crossLayerEqualization = false;
    if (taken.compression.floatChanges.empty())
        return there;
    const auto& rules = placedBy(taken.compression, taken.snapshot).recipe.rules.rules;
    const std::size_t users = taken.snapshot.recipe.rules.rules.size();
    there.rules.rules.insert(there.rules.rules.end(), rules.begin() + static_cast<std::ptrdiff_t>(users), rules.end());
    return there;
}

bool isMadeOfData(const MergedSetup& merged)
{
    return std::ranges::any_of(merged.made, [&](PointId id) { return !merged.setup.points.at(id).isWeight; });
}

/// Where the only quantizers are whose ranges nobody knows.
Error lackOfData(const Model& model, const MergedSetup& merged, const Error& why)
{
    std::vector<std::string> places;
    for (const PointId id : merged.made) {
        if (const QuantizationPoint& point = merged.setup.points.at(id); !point.isWeight)
            places.push_back(pointText(model, point));
    }
    constexpr std::size_t kShown = 3;
    return {why.code,
        "the ranges of " + counted(places.size(), "quantizer", "quantizers")
            + " that the recipe makes anew are not known: " + firstOf(places, kShown),
        why.where, why.whatToDo};
}

std::vector<PointId> without(const std::vector<PointId>& members, const std::set<PointId>& lost)
{
    std::vector<PointId> rest;
    std::ranges::copy_if(members, std::back_inserter(rest), [&](PointId id) { return !lost.contains(id); });
    return rest;
}

void remove(const std::set<PointId>& lost, QuantizerSetup& setup)
{
    std::map<PointId, QuantizationPoint> points;
    for (auto& [id, point] : setup.points) {
        if (!lost.contains(id))
            points.emplace(id, std::move(point));
    }
    setup.points = FlatMap<PointId, QuantizationPoint>(std::move(points));
    for (PointGroups* groups : {&setup.unifiedScaleGroups, &setup.sharedInputGroups}) {
        std::map<std::uint32_t, std::vector<PointId>> kept;
        for (const auto& [group, members] : *groups) {
            if (auto rest = without(members, lost); !rest.empty())
                kept.emplace(group, std::move(rest));
        }
        *groups = PointGroups(std::move(kept));
    }
}

class Continuation
{
public:
    Continuation(const Resumed& taken, Snapshot now, MergedSetup merged)
        : m_taken(taken.compression)
        , m_now(std::move(now))
        , m_merged(std::move(merged))
        , m_compression(taken.compression)
    {
    }

    /// Parameters of what is made anew: of weights from the weights, of data from what was measured.
    Status makeFrom(const CalibrationSource& source, int threads, const JobContext& job)
    {
        if (!isMadeOfData(m_merged)) {
            DUO_TRY(parameters,
                withWeightParameters(
                    *m_now.model, m_merged.setup, std::move(m_merged.parameters), m_now.settings, threads, job));
            m_merged.parameters = std::move(parameters);
            return success();
        }
        auto fresh = calibrateFrom(m_now, source, threads, job);
        if (!fresh)
            return source.dataset == nullptr && !source.known.file ? lackOfData(*m_now.model, m_merged, fresh.error())
                                                                   : fresh.error();
        takeMade(fresh->compression);
        return success();
    }

    Result<ContinuedSetup> finish(Resumed taken, Snapshot underWanted)
    {
        takeShifts();
        m_compression.setup = std::move(m_merged.setup);
        m_compression.parameters = std::move(m_merged.parameters);
        DUO_CHECK(placeKept());
        m_compression.corrections = correctionsMade(*m_now.model, m_compression.floatChanges, m_compression.biasShifts);
        ContinuedSetup continued;
        for (const PointId id : m_merged.made)
            continued.made.push_back(pointText(*m_now.model, m_compression.setup.points.at(id)));
        continued.kept = m_compression.setup.points.size() - continued.made.size();
        continued.gone = std::move(m_merged.gone);
        continued.resumed = std::move(taken);
        continued.resumed.snapshot = std::move(underWanted);
        continued.resumed.compression = std::move(m_compression);
        return continued;
    }

private:
    void takeMade(const Compression& fresh)
    {
        std::map<PointPlace, PointId> places;
        for (const auto& [id, point] : fresh.setup.points)
            places.emplace(placeOf(point), id);
        std::set<PointId> lost;
        for (const PointId id : m_merged.made) {
            const QuantizationPoint& point = m_merged.setup.points.at(id);
            if (const auto found = places.find(placeOf(point)); found != places.end()) {
                m_merged.parameters.emplace(id, fresh.parameters.at(found->second));
                continue;
            }
            lost.insert(id);
            m_merged.gone.push_back(pointText(*m_now.model, point));
        }
        remove(lost, m_merged.setup);
        std::erase_if(m_merged.made, [&](PointId id) { return lost.contains(id); });
        m_compression.keptFloat.insert(fresh.keptFloat.begin(), fresh.keptFloat.end());
        m_compression.notes = fresh.notes;
        m_compression.samples = fresh.samples;
        m_compression.isMeasured = fresh.isMeasured;
        m_compression.firstNanSample = fresh.firstNanSample;
        if (m_compression.engine != fresh.engine)
            m_compression.engine += (m_compression.engine.empty() ? "" : "; ") + fresh.engine;
        m_compression.data.clear(); // of two measurements
        m_compression.rangesDigest.clear();
        takeShiftsOf(fresh, weighted(true));
    }

    /// Whose weights have a quantizer.
    [[nodiscard]] std::set<NodeId> weighted(bool areMade) const
    {
        std::set<NodeId> nodes;
        for (const auto& [id, point] : m_merged.setup.points) {
            if (!point.isWeight || m_merged.made.contains(id) != areMade)
                continue;
            nodes.insert(point.node);
            nodes.insert(point.directlyQuantized.begin(), point.directlyQuantized.end());
        }
        return nodes;
    }

    void takeShiftsOf(const Compression& compression, const std::set<NodeId>& nodes)
    {
        for (const auto& [node, shift] : compression.biasShifts) {
            if (nodes.contains(node))
                m_shifts.emplace(node, shift);
        }
        for (const auto& [node, means] : compression.inputMeans) {
            if (nodes.contains(node))
                m_means.emplace(node, means);
        }
    }

    /// Biases make up for their weights' codes.
    void takeShifts()
    {
        takeShiftsOf(m_taken, weighted(false));
        m_compression.biasShifts = std::move(m_shifts);
        m_compression.inputMeans = std::move(m_means);
    }

    /// What was kept in float is so still, unless rules say more about it.
    Status placeKept()
    {
        std::erase_if(m_compression.keptFloat, [this](const auto& kept) {
            const NodeState state = m_now.placement->decisions[kept.first.index].state;
            return !isCompressed(state) && state != NodeState::Blocked;
        });
        m_compression.changed = m_compression.floatChanges.empty() ? nullptr : std::make_shared<const Snapshot>(m_now);
        if (!m_compression.keptFloat.empty()) {
            DUO_TRY(kept, withKeptFloat(m_now, m_compression.keptFloat));
            m_compression.changed = std::make_shared<const Snapshot>(std::move(kept));
        }
        DUO_TRY(left, asLeftOut(m_compression.changed ? *m_compression.changed : m_now, m_compression.setup));
        if (left)
            m_compression.changed = std::move(left);
        return success();
    }

    const Compression& m_taken;
    Snapshot m_now;
    MergedSetup m_merged;
    Compression m_compression;
    BiasShifts m_shifts;
    InputMeans m_means;
};

} // namespace

Result<ContinuedSetup> continueSetup(
    const Resumed& taken, const Recipe& wanted, const CalibrationSource& source, int threads, const JobContext& job)
{
    DUO_TRY(underWanted, withRecipe(taken.snapshot, wanted, job));
    if (underWanted.model != taken.snapshot.model)
        return Error{ErrorCode::Usage, "the recipe simplifies the model otherwise than the quantizers were taken for",
            {}, "leave `transforms` of the recipe as they were, or quantize anew"};
    DUO_CHECK(underWanted.checkPlaced());
    const Snapshot& there = placedBy(taken.compression, taken.snapshot);
    DUO_TRY(before, withRecipe(there, recipeThere(taken.snapshot.recipe, taken.snapshot.settings, taken), job));
    DUO_TRY(now, withRecipe(there, recipeThere(underWanted.recipe, underWanted.settings, taken), job));
    DUO_CHECK(now.checkPlaced());
    MergedSetup merged = mergedSetup(before, now, taken.compression);
    CalibrationSource own = source;
    if (!taken.compression.floatChanges.empty())
        own.known = {}; // of the model without these changes
    Continuation continuation(taken, std::move(now), std::move(merged));
    DUO_CHECK(continuation.makeFrom(own, threads, job));
    return continuation.finish(taken, std::move(underWanted));
}

std::string continuedText(const ContinuedSetup& continued)
{
    const auto clause = [](std::size_t count, const char* one, const char* many) {
        return count == 0 ? std::string() : ", " + std::to_string(count) + (count == 1 ? one : many);
    };
    return counted(continued.kept, "quantizer stays as it was", "quantizers stay as they were")
        + clause(continued.made.size(), " is made anew", " are made anew")
        + clause(continued.gone.size(), " is gone", " are gone");
}

} // namespace duo
