// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/merged_setup.h"

#include "core/pipeline/left_by_rule.h"
#include "core/pipeline/setup_agreement.h"
#include "core/quantize/points/point_index.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using Points = FlatMap<PointId, QuantizationPoint>;

/// Points of a setup by where they stand, and by their value.
class PointsByPlace
{
public:
    PointsByPlace(const Model& model, const QuantizerSetup& setup)
        : m_model(model)
        , m_points(setup.points)
    {
        for (const auto& [id, point] : m_points) {
            m_byPlace.emplace(placeOf(point), id);
            m_byValue.emplace(std::pair(pointValue(model, point), graphOf(point)), id);
        }
    }

    /// At the same place, else on the same value in the same graph; of a weight only one that served a same reader.
    [[nodiscard]] std::optional<PointId> like(const QuantizationPoint& point) const
    {
        if (const auto same = m_byPlace.find(placeOf(point)); same != m_byPlace.end())
            return same->second;
        const auto moved = m_byValue.find(std::pair(pointValue(m_model, point), graphOf(point)));
        if (moved == m_byValue.end())
            return std::nullopt;
        const auto& readers = m_points.at(moved->second).directlyQuantized;
        const auto isServed = [&](NodeId reader) { return std::ranges::find(readers, reader) != readers.end(); };
        const bool isLike = !point.isWeight || std::ranges::any_of(point.directlyQuantized, isServed);
        return isLike ? std::optional(moved->second) : std::nullopt;
    }

    [[nodiscard]] bool standsAt(const PointPlace& place) const { return m_byPlace.contains(place); }
    [[nodiscard]] const QuantizationPoint& at(PointId id) const { return m_points.at(id); }

private:
    /// Bodies quantize what they read of the graph around them on their own.
    [[nodiscard]] RegionId graphOf(const QuantizationPoint& point) const
    {
        return point.node.valid() ? m_model.node(point.node).region : RegionId(0);
    }

    const Model& m_model;
    const Points& m_points;
    std::map<PointPlace, PointId> m_byPlace;
    std::map<std::pair<ValueId, RegionId>, PointId> m_byValue; // the first
};

class Merger
{
public:
    Merger(const Snapshot& before, const Snapshot& now, const Compression& taken)
        : m_model(*now.model)
        , m_before(before)
        , m_now(now)
        , m_taken(taken)
        , m_placedBefore(m_model, before.placement->setup)
        , m_takenPoints(m_model, taken.setup)
    {
        const Points& points = now.placement->setup.points;
        m_nextId = points.empty() ? 0 : std::prev(points.end())->first + 1;
    }

    MergedSetup merge()
    {
        for (const auto& [id, point] : m_now.placement->setup.points)
            follow(id, point);
        for (const auto& [id, point] : m_taken.setup.points) {
            if (!m_nowOf.contains(id))
                keepBeside(id, point);
        }
        m_merged.setup.points = Points(std::move(m_points));
        const QuantizerSetup& placed = m_now.placement->setup;
        m_merged.setup.unifiedScaleGroups = groupsOf(placed.unifiedScaleGroups, m_taken.setup.unifiedScaleGroups,
            [this](const std::vector<PointId>& members) { return isOneScale(members); });
        m_merged.setup.sharedInputGroups = groupsOf(placed.sharedInputGroups, m_taken.setup.sharedInputGroups,
            [](const std::vector<PointId>& members) { return !members.empty(); });
        return std::move(m_merged);
    }

private:
    /// A quantizer of the recipe there is now.
    void follow(PointId id, const QuantizationPoint& point)
    {
        const auto was = m_placedBefore.like(point);
        const bool isUnchanged = was && m_placedBefore.at(*was).config == point.config;
        const auto stood = m_takenPoints.like(point);
        const bool isOther = stood && isAskedFor(point) && m_takenPoints.at(*stood).config != point.config;
        if (stood && (isUnchanged || !was) && !isOther)
            return keep(id, point, *stood);
        if (isUnchanged) // it was left out
            return;
        put(id, point);
        m_merged.made.insert(id);
        if (stood)
            m_nowOf[*stood].push_back(id);
    }

    /// For a node that stayed in float then, and that rules quantize by now.
    [[nodiscard]] bool isAskedFor(const QuantizationPoint& point) const
    {
        const auto isAsked = [this](NodeId node) { return isKeptFloat(m_before, node) && !isKeptFloat(m_now, node); };
        return std::ranges::any_of(point.directlyQuantized, isAsked);
    }

    void put(PointId id, QuantizationPoint point)
    {
        m_places.insert(placeOf(point));
        m_points.emplace(id, std::move(point));
    }

    void keep(PointId id, QuantizationPoint point, PointId stood)
    {
        point.config = m_takenPoints.at(stood).config;
        put(id, std::move(point));
        m_merged.parameters.emplace(id, m_taken.parameters.at(stood));
        m_nowOf[stood].push_back(id);
    }

    /// Where no recipe puts one; but not where rules took it out.
    void keepBeside(PointId id, const QuantizationPoint& point)
    {
        if (m_places.contains(placeOf(point)))
            return;
        std::vector<Use> readers = readersOf(point);
        const auto left = std::ranges::partition(readers, [this](const Use& use) { return !isNewlyLeft(use.node); });
        if (m_placedBefore.standsAt(placeOf(point)) || (left.size() == readers.size() && !readers.empty())) {
            m_merged.gone.push_back(pointText(m_model, point));
            return;
        }
        if (left.empty())
            return keep(m_nextId++, point, id);
        for (const Use& use : std::span(readers.begin(), left.begin())) {
            QuantizationPoint inFront{.node = use.node, .port = use.port, .directlyQuantized = {use.node}};
            if (!m_places.contains(placeOf(inFront)))
                keep(m_nextId++, std::move(inFront), id);
        }
    }

    [[nodiscard]] bool isNewlyLeft(NodeId node) const
    {
        return isLeftByRule(m_now, node) && !isLeftByRule(m_before, node);
    }

    /// Who reads what a point gives.
    [[nodiscard]] std::vector<Use> readersOf(const QuantizationPoint& point) const
    {
        if (point.port)
            return {{point.node, *point.port}};
        std::vector<Use> readers;
        for (const ValueId value : pointValues(m_model, point)) {
            const auto& uses = m_model.value(value).uses;
            readers.insert(readers.end(), uses.begin(), uses.end());
        }
        return readers;
    }

    [[nodiscard]] std::vector<PointId> present(const std::vector<PointId>& members) const
    {
        std::vector<PointId> there;
        std::ranges::copy_if(
            members, std::back_inserter(there), [this](PointId id) { return m_merged.setup.points.contains(id); });
        return there;
    }

    /// Where those of a group that was taken stand now.
    [[nodiscard]] std::vector<PointId> nowOf(const std::vector<PointId>& members) const
    {
        std::vector<PointId> there;
        for (const PointId member : members) {
            if (const auto now = m_nowOf.find(member); now != m_nowOf.end())
                there.insert(there.end(), now->second.begin(), now->second.end());
        }
        return there;
    }

    /// Those of the recipe there is now, then those that were taken, of what the recipe does not place or where another
    /// tool made them; each quantizer is in one.
    template <typename IsGroup>
    PointGroups groupsOf(const PointGroups& placed, const PointGroups& taken, const IsGroup& isGroup)
    {
        std::map<std::uint32_t, std::vector<PointId>> groups;
        std::set<PointId> grouped;
        const auto add = [&](std::vector<PointId> members) {
            std::erase_if(members, [&](PointId id) { return grouped.contains(id); });
            if (!isGroup(members))
                return;
            grouped.insert(members.begin(), members.end());
            groups.emplace(static_cast<std::uint32_t>(groups.size()), std::move(members));
        };
        for (const auto& [group, members] : placed)
            add(present(members));
        const bool isForeign = isOfAnotherTool(m_taken.engine);
        const auto isBeside = [this](PointId id) { return !m_now.placement->setup.points.contains(id); };
        for (const auto& [group, members] : taken) {
            if (const auto there = nowOf(members); isForeign || std::ranges::any_of(there, isBeside))
                add(there);
        }
        return PointGroups(std::move(groups));
    }

    /// With one that is made all are; of those that stay, those that were one are.
    bool isOneScale(const std::vector<PointId>& members)
    {
        if (members.size() < 2)
            return false;
        const bool isMade = std::ranges::any_of(members, [this](PointId id) { return m_merged.made.contains(id); });
        const auto isLikeFirst
            = [&](PointId id) { return m_merged.parameters.at(id) == m_merged.parameters.at(members.front()); };
        if (!isMade)
            return std::ranges::all_of(members, isLikeFirst);
        for (const PointId id : members) {
            m_merged.made.insert(id);
            m_merged.parameters.erase(id);
        }
        return true;
    }

    const Model& m_model;
    const Snapshot& m_before;
    const Snapshot& m_now;
    const Compression& m_taken;
    PointsByPlace m_placedBefore;
    PointsByPlace m_takenPoints;
    PointId m_nextId = 0; // of those beside the recipe
    std::map<PointId, QuantizationPoint> m_points;
    std::set<PointPlace> m_places; // of them
    std::map<PointId, std::vector<PointId>> m_nowOf; // those that were taken
    MergedSetup m_merged;
};

} // namespace

MergedSetup mergedSetup(const Snapshot& before, const Snapshot& now, const Compression& taken)
{
    return Merger(before, now, taken).merge();
}

} // namespace duo
