// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/continue_setup.h"

#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/pipeline/calibration/never_finite.h"
#include "core/pipeline/left_by_rule.h"
#include "core/pipeline/merged_setup.h"
#include "core/pipeline/setup_agreement.h"
#include "core/quantize/points/point_groups.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/setup_parameters.h"
#include "core/support/file.h"
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

void remove(const std::set<PointId>& lost, QuantizerSetup& setup)
{
    std::map<PointId, QuantizationPoint> points;
    for (auto& [id, point] : setup.points) {
        if (!lost.contains(id))
            points.emplace(id, std::move(point));
    }
    setup.points = FlatMap<PointId, QuantizationPoint>(std::move(points));
    setup.unifiedScaleGroups = remainingGroups(setup.unifiedScaleGroups, setup.points);
    setup.sharedInputGroups = remainingGroups(setup.sharedInputGroups, setup.points);
}

/// Where what was taken stands: its model, placed by the recipe wanted, but for what stays in float as it did then.
struct Ground {
    Snapshot plain; // without that
    Snapshot placed;
    KeptFloats kept;
};

class Continuation
{
public:
    Continuation(const Compression& taken, Ground ground, MergedSetup merged)
        : m_taken(taken)
        , m_ground(std::move(ground))
        , m_model(*m_ground.placed.model)
        , m_merged(std::move(merged))
        , m_compression(taken)
    {
        m_compression.keptFloat = m_ground.kept;
        std::set<NodeId> served; // by the weights that were taken
        for (const auto& [id, point] : taken.setup.points) {
            if (point.isWeight)
                addReaders(point, served);
        }
        for (const auto& [id, point] : m_merged.setup.points) {
            if (!point.isWeight)
                continue;
            std::set<NodeId> readers;
            addReaders(point, readers);
            for (const NodeId reader : readers) {
                const bool isKept = !m_merged.made.contains(id) && served.contains(reader);
                (isKept ? m_asBefore : m_anew).insert(reader);
            }
        }
    }

    /// Parameters of what is made anew, of weights from the weights, of data from what was measured; and its biases.
    /// @return nodes that have to stay in float besides, for want of a range; none: it is done
    Result<KeptFloats> makeFrom(const CalibrationSource& source, int threads, const JobContext& job)
    {
        const bool hasData = source.dataset != nullptr || source.known.file;
        if (isMadeOfData(m_merged) || (hasData && !toCorrect().empty())) {
            DUO_TRY(fresh, measured(source, hasData, threads, job));
            if (const KeptFloats more = keptBesides(fresh); !more.empty())
                return more;
            takeMade(fresh);
            DUO_CHECK(correctBiases(&fresh, threads, job));
            return KeptFloats();
        }
        DUO_TRY(parameters,
            withWeightParameters(
                m_model, m_merged.setup, std::move(m_merged.parameters), m_ground.placed.settings, threads, job));
        m_merged.parameters = std::move(parameters);
        DUO_CHECK(correctBiases(nullptr, threads, job));
        return KeptFloats();
    }

    Result<ContinuedSetup> finish(Resumed taken, Snapshot underWanted)
    {
        m_compression.setup = std::move(m_merged.setup);
        m_compression.parameters = std::move(m_merged.parameters);
        DUO_CHECK(placeKept());
        const bool isChanged = !m_merged.made.empty() || !m_merged.gone.empty();
        m_compression.isContinued = isChanged && !isOfAnotherTool(m_compression.engine);
        m_compression.corrections = correctionsMade(m_model, m_compression.floatChanges, m_compression.biasShifts);
        ContinuedSetup continued;
        for (const PointId id : m_merged.made)
            continued.made.push_back(pointText(m_model, m_compression.setup.points.at(id)));
        continued.kept = m_compression.setup.points.size() - continued.made.size();
        continued.gone = std::move(m_merged.gone);
        continued.resumed = std::move(taken);
        continued.resumed.snapshot = std::move(underWanted);
        continued.resumed.compression = std::move(m_compression);
        return continued;
    }

private:
    static void addReaders(const QuantizationPoint& point, std::set<NodeId>& readers)
    {
        readers.insert(point.node);
        readers.insert(point.directlyQuantized.begin(), point.directlyQuantized.end());
    }

    /// A run of its own under the recipe wanted, with the same nodes in float.
    Result<Compression> measured(const CalibrationSource& source, bool hasData, int threads, const JobContext& job)
    {
        auto fresh = calibrateFrom(m_ground.plain, source, threads, job);
        if (!fresh)
            return hasData ? fresh.error() : lackOfData(m_model, m_merged, fresh.error());
        if (m_ground.kept.empty())
            return std::move(fresh->compression);
        return withNodesInFloat(m_ground.plain, fresh->compression, m_ground.kept, source.dataset, threads, job);
    }

    [[nodiscard]] KeptFloats keptBesides(const Compression& fresh) const
    {
        KeptFloats more = fresh.keptFloat;
        std::erase_if(more, [this](const auto& node) {
            return m_ground.kept.contains(node.first) || isLeftByRule(m_ground.plain, node.first);
        });
        return more;
    }

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
            m_merged.gone.push_back(pointText(m_model, point));
        }
        remove(lost, m_merged.setup);
        std::erase_if(m_merged.made, [&](PointId id) { return lost.contains(id); });
        m_compression.notes = fresh.notes;
        m_compression.samples = fresh.samples;
        m_compression.isMeasured = fresh.isMeasured;
        m_compression.firstNanSample = fresh.firstNanSample;
        if (m_compression.engine != fresh.engine)
            m_compression.engine += (m_compression.engine.empty() ? "" : "; ") + fresh.engine;
        m_compression.data.clear(); // of two measurements
        m_compression.rangesDigest.clear();
    }

    /// Nodes whose weights are made anew, or that read one in codes for the first time, with a bias.
    [[nodiscard]] std::vector<NodeId> toCorrect() const
    {
        std::vector<NodeId> nodes;
        if (!correctsBiases(m_ground.placed.settings))
            return nodes;
        std::ranges::copy_if(correctableNodes(m_model, m_merged.setup), std::back_inserter(nodes),
            [this](NodeId node) { return m_anew.contains(node); });
        return nodes;
    }

    /// Shifts that make up for weights which stay are kept; the others are made, from means that were measured then or
    /// now. @param fresh null: nothing was measured now
    Status correctBiases(const Compression* fresh, int threads, const JobContext& job)
    {
        BiasShifts shifts;
        InputMeans means;
        const auto take = [&](const auto& from, auto& to, const std::set<NodeId>& nodes) {
            for (const auto& [node, numbers] : from) {
                if (nodes.contains(node))
                    to.emplace(node, numbers);
            }
        };
        take(m_taken.biasShifts, shifts, m_asBefore);
        take(m_taken.inputMeans, means, m_asBefore);
        const QuantizationSettings& settings = m_ground.placed.settings;
        if (correctsBiasesFast(settings)) {
            InputMeans ofNew;
            if (fresh != nullptr)
                take(fresh->inputMeans, ofNew, m_anew);
            take(m_taken.inputMeans, ofNew, m_anew);
            DUO_TRY(correction,
                fastBiasCorrection(
                    m_model, m_merged.setup, m_merged.parameters, ofNew, biasThreshold(settings), threads, job));
            shifts.merge(correction.shifts);
            std::erase_if(ofNew, [&](const auto& mean) { return !shifts.contains(mean.first); });
            means.merge(ofNew);
        } else if (fresh != nullptr) {
            take(fresh->biasShifts, shifts, m_anew);
        }
        if (fresh == nullptr)
            noteUncorrected(shifts);
        if (!correctsBiasesFast(settings) && !shifts.empty() && !(m_merged.made.empty() && m_merged.gone.empty()))
            m_compression.notes.push_back({"corrected-before",
                "biases that stay were corrected behind other quantizers than there are now: quantizing anew corrects "
                "them in turn",
                {}});
        m_compression.biasShifts = std::move(shifts);
        m_compression.inputMeans = std::move(means);
        return success();
    }

    void noteUncorrected(const BiasShifts& shifts)
    {
        std::vector<std::string> names;
        for (const NodeId node : toCorrect()) {
            if (!shifts.contains(node) && !m_taken.inputMeans.contains(node))
                names.push_back(m_model.node(node).name);
        }
        if (!names.empty())
            m_compression.notes.push_back({"not-corrected",
                counted(names.size(), "bias is", "biases are")
                    + " not corrected for weights in codes that are new: that needs calibration data",
                names.front()});
    }

    /// What was kept in float is so still, unless rules say more about it.
    Status placeKept()
    {
        const bool isChanged = !m_compression.floatChanges.empty();
        m_compression.changed = isChanged ? std::make_shared<const Snapshot>(m_ground.plain) : nullptr;
        if (!m_compression.keptFloat.empty()) {
            DUO_TRY(kept, withKeptFloat(m_ground.plain, m_compression.keptFloat));
            m_compression.changed = std::make_shared<const Snapshot>(std::move(kept));
        }
        DUO_TRY(left, asLeftOut(m_compression.changed ? *m_compression.changed : m_ground.plain, m_compression.setup));
        if (left)
            m_compression.changed = std::move(left);
        return success();
    }

    const Compression& m_taken;
    Ground m_ground;
    const Model& m_model;
    MergedSetup m_merged;
    Compression m_compression;
    std::set<NodeId> m_asBefore; // read a weight in codes that stays, as they did
    std::set<NodeId> m_anew; // read one that is made, or that they did not read in codes
};

RulePrecision precisionOf(const Snapshot& snapshot, NodeId node)
{
    const auto& of = snapshot.hits->precisionOf;
    const std::uint32_t at = of.empty() ? 0 : of[node.index];
    return at == 0 ? RulePrecision() : snapshot.hits->precisions[at - 1];
}

/// @param kept what stayed in float; what rules leave in float by now does so for them, and what they ask for in
/// another precision than under `then` does not. @param then null: as they were
Result<Ground> groundOf(
    const Snapshot& there, Recipe recipe, KeptFloats kept, const Snapshot* then, const JobContext& job)
{
    Ground ground;
    DUO_TRY(plain, withRecipe(there, std::move(recipe), job));
    DUO_CHECK(plain.checkPlaced());
    std::erase_if(kept, [&](const auto& entry) {
        const bool isAsked = then != nullptr && precisionOf(plain, entry.first) != RulePrecision()
            && precisionOf(plain, entry.first) != precisionOf(*then, entry.first);
        return isAsked || isLeftByRule(plain, entry.first);
    });
    ground.placed = plain;
    if (!kept.empty()) {
        DUO_TRY(placed, withKeptFloat(plain, kept));
        ground.placed = std::move(placed);
    }
    ground.plain = std::move(plain);
    ground.kept = std::move(kept);
    return ground;
}

/// What stays in float in a snapshot, whatever the rules.
KeptFloats keptIn(const Snapshot& placed)
{
    return placed.placement && placed.placement->kept ? *placed.placement->kept : KeptFloats();
}

/// @param before where what was taken stood @param kept what stays in float; more may have to, and all is merged again
Result<ContinuedSetup> continuedOn(const Resumed& taken, const Snapshot& wanted, const Ground& before, KeptFloats kept,
    const CalibrationSource& source, int threads, const JobContext& job)
{
    const Snapshot& there = placedBy(taken.compression, taken.snapshot);
    while (true) {
        DUO_TRY(now, groundOf(there, recipeThere(wanted.recipe, wanted.settings, taken), kept, &before.plain, job));
        MergedSetup merged = mergedSetup(before.placed, now.placed, taken.compression);
        Continuation continuation(taken.compression, std::move(now), std::move(merged));
        DUO_TRY(more, continuation.makeFrom(source, threads, job));
        if (more.empty())
            return continuation.finish(taken, wanted);
        kept.merge(more);
    }
}

} // namespace

Result<ContinuedSetup> continueSetup(
    const Resumed& taken, const Snapshot& wanted, const CalibrationSource& source, int threads, const JobContext& job)
{
    if (wanted.model != taken.snapshot.model)
        return Error{ErrorCode::Usage, "the recipe simplifies the model otherwise than the quantizers were taken for",
            {}, "leave `transforms` of the recipe as they were, or quantize anew"};
    DUO_CHECK(wanted.checkPlaced());
    const Snapshot& there = placedBy(taken.compression, taken.snapshot);
    const KeptFloats kept = keptIn(there);
    const Recipe then = recipeThere(taken.snapshot.recipe, taken.snapshot.settings, taken);
    DUO_TRY(before, groundOf(there, then, kept, nullptr, job));
    CalibrationSource own = source;
    if (!taken.compression.floatChanges.empty())
        own.known = {}; // of the model without these changes
    return ifFilesWhole(continuedOn(taken, wanted, before, kept, own, threads, job));
}

Result<std::optional<Compression>> continuedWithout(const Snapshot& snapshot, const Compression& continued,
    const KeptFloats& out, const Dataset* dataset, int threads, const JobContext& job)
{
    Resumed taken;
    taken.snapshot = snapshot;
    taken.compression = continued;
    const Snapshot& there = placedBy(continued, snapshot);
    const Recipe recipe = recipeThere(snapshot.recipe, snapshot.settings, taken);
    KeptFloats kept = keptIn(there);
    DUO_TRY(before, groundOf(there, recipe, kept, nullptr, job));
    kept.insert(out.begin(), out.end());
    DUO_TRY(now, groundOf(there, recipe, kept, nullptr, job));
    if (dataset == nullptr && isMadeOfData(mergedSetup(before.placed, now.placed, continued)))
        return std::optional<Compression>();
    DUO_TRY(made, continuedOn(taken, snapshot, before, kept, {.dataset = dataset}, threads, job));
    return std::optional(std::move(made.resumed.compression));
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
