// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_edges.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace duo {

std::string quantizerBadge(const QuantizationPoint& point)
{
    const QuantizerConfig& config = point.config;
    std::string text = std::to_string(config.numBits);
    if (config.signednessToForce)
        text.insert(0, *config.signednessToForce ? "s" : "u");
    else if (point.isWeight)
        text.insert(0, "s");
    else if (config.mode == QuantizationMode::Asymmetric)
        text.insert(0, "u");
    else
        text += " bit";
    if (config.block > 0)
        return text + " per block of " + std::to_string(config.block);
    return config.perChannel ? text + " per channel" : text;
}

QuantizerBadges::QuantizerBadges(const Model& model, const QuantizerSetup& setup)
    : m_model(&model)
    , m_setup(&setup)
    , m_index(std::in_place, model, setup)
{
}

std::string QuantizerBadges::text(std::optional<PointId> point) const
{
    return point ? quantizerBadge(m_setup->points.at(*point)) : std::string();
}

std::string QuantizerBadges::onRead(Use use) const
{
    return m_index ? text(m_index->at(use.node, use.port)) : std::string();
}

std::string QuantizerBadges::onValue(ValueId value) const
{
    return m_index ? text(m_index->onValue(value)) : std::string();
}

std::string QuantizerBadges::onWeight(NodeId node) const
{
    if (!m_index)
        return {};
    for (std::uint32_t port = 0; port < m_model->node(node).inputs.size(); ++port) {
        const auto point = m_index->at(node, port);
        if (point && m_setup->points.at(*point).isWeight)
            return text(point);
    }
    return {};
}

BodyBorders::BodyBorders(const Model& model)
{
    for (const Region& region : model.regions) {
        if (!region.owner.valid() || model.node(region.owner).isCall)
            continue;
        for (const ValueId value : region.outputs) {
            if (value.valid())
                m_owners.emplace(value, region.owner);
        }
        const Node& owner = model.node(region.owner);
        // Counted from the end: the Scan of opset 8 has one input more in front.
        const std::size_t common = std::min(owner.inputs.size(), region.inputs.size());
        for (std::size_t i = 1; i <= common; ++i) {
            const ValueId given = owner.inputs[owner.inputs.size() - i];
            const ValueId taken = region.inputs[region.inputs.size() - i];
            const bool isCount = owner.opType == "Loop" && i == owner.inputs.size();
            if (given.valid() && taken.valid() && !isCount)
                m_inputs.emplace(given, taken);
        }
    }
}

std::vector<NodeId> BodyBorders::ownersGiving(ValueId result) const
{
    std::vector<NodeId> owners;
    const auto [begin, end] = m_owners.equal_range(result);
    for (auto owner = begin; owner != end; ++owner)
        owners.push_back(owner->second);
    return owners;
}

std::vector<ValueId> BodyBorders::inputsOf(ValueId value) const
{
    std::vector<ValueId> inputs;
    const auto append = [&](ValueId given) {
        const auto [begin, end] = m_inputs.equal_range(given);
        for (auto input = begin; input != end; ++input)
            inputs.push_back(input->second);
    };
    append(value);
    for (std::size_t i = 0; i < inputs.size(); ++i) // an inner body's inputs are other values: this ends
        append(inputs[i]);
    return inputs;
}

namespace {

/// One value on its way to one reading box.
struct Reading {
    std::uint32_t box = 0;
    std::uint32_t from = 0; // the box that makes it, or the bundle around that
    std::string badge;
};

/// A reading of one among too many.
struct HubReading {
    ValueId value;
    Reading reading;
};

/// What an edge's badge is made of.
struct BadgeCount {
    std::string first;
    std::int64_t quantized = 0;
    bool mixed = false;
};

std::string badgeText(const BadgeCount& count, std::int64_t values)
{
    if (count.quantized == 0)
        return {};
    std::string text = count.mixed ? "mixed" : count.first;
    if (count.quantized < values || count.mixed)
        text += " " + std::to_string(count.quantized) + "/" + std::to_string(values);
    return text;
}

class EdgeBuilder
{
public:
    EdgeBuilder(ViewGraph& view, const Model& model, std::span<const NodeId> order, const BoxIndex& boxes,
        const QuantizerBadges& badges)
        : m_view(view)
        , m_model(model)
        , m_order(order)
        , m_boxes(boxes)
        , m_badges(badges)
        , m_bodies(model)
        , m_stubs(view.boxes.size(), BoxIndex::kNoBox)
    {
    }

    void build()
    {
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            if (!m_model.values[v].producer.valid())
                addValue(ValueId(v));
        }
        for (const NodeId node : m_order) {
            for (const ValueId value : m_model.node(node).outputs) {
                if (value.valid())
                    addValue(value);
            }
        }
        addHubs();
        for (std::size_t e = 0; e < m_view.edges.size(); ++e)
            m_view.edges[e].badge = badgeText(m_counts[e], m_view.edges[e].values);
    }

private:
    [[nodiscard]] std::uint32_t sourceOf(ValueId id) const
    {
        const Value& value = m_model.value(id);
        const bool isInside = value.producer.valid() && m_boxes.ofNode[value.producer.index] != BoxIndex::kNoBox;
        return isInside ? m_boxes.ofNode[value.producer.index] : m_boxes.ofInput[id.index];
    }

    /// Distinct boxes that read the value, in their order; a quantized read wins over a plain one.
    std::vector<Reading> readingsOf(ValueId id, std::uint32_t source)
    {
        std::vector<Reading> readings;
        std::unordered_map<std::uint32_t, std::size_t> seen;
        const auto add = [&](std::uint32_t reader, const std::string& badge) {
            if (reader == BoxIndex::kNoBox || reader == source)
                return;
            const std::uint32_t box = endOf(reader, source);
            const auto [entry, isNew] = seen.try_emplace(box, readings.size());
            if (isNew)
                readings.push_back({box, endOf(source, reader), badge});
            else if (readings[entry->second].badge.empty())
                readings[entry->second].badge = badge;
        };
        const std::vector<ValueId> inBodies = m_bodies.inputsOf(id);
        const std::vector<NodeId> through = ownersLedThrough(inBodies);
        const auto addReads = [&](ValueId name) {
            for (const Use& use : m_model.value(name).uses) {
                const std::string badge = m_badges.onRead(use);
                if (!badge.empty() || std::ranges::find(through, use.node) == through.end())
                    add(m_boxes.ofNode[use.node.index], badge);
            }
        };
        addReads(id);
        std::ranges::for_each(inBodies, addReads);
        for (const NodeId owner : m_bodies.ownersGiving(id))
            add(m_boxes.ofNode[owner.index], {});
        add(m_boxes.ofOutput[id.index], m_badges.onValue(id));
        std::ranges::sort(readings, {}, &Reading::box);
        return readings;
    }

    /// Owners of bodies in which a box reads the value: what leads there needs no line past the body.
    [[nodiscard]] std::vector<NodeId> ownersLedThrough(const std::vector<ValueId>& inBodies) const
    {
        std::vector<NodeId> owners;
        for (const ValueId name : inBodies) {
            const bool isRead = std::ranges::any_of(m_model.value(name).uses,
                [this](const Use& use) { return m_boxes.ofNode[use.node.index] != BoxIndex::kNoBox; });
            if (isRead)
                owners.push_back(m_model.region(m_model.value(name).region).owner);
        }
        return owners;
    }

    /// Where an edge to another box ends: what is in a bundle reads and makes what all in it do.
    [[nodiscard]] std::uint32_t endOf(std::uint32_t box, std::uint32_t other) const
    {
        const std::uint32_t bundle = m_boxes.bundle[box];
        return bundle == BoxIndex::kNoBox || bundle == m_boxes.bundle[other] ? box : bundle;
    }

    void addValue(ValueId value)
    {
        const std::uint32_t source = sourceOf(value);
        if (source == BoxIndex::kNoBox)
            return;
        const std::vector<Reading> readings = readingsOf(value, source);
        const std::vector<bool> isHub = hubReadings(source, readings);
        for (std::size_t i = 0; i < readings.size(); ++i) {
            if (isHub[i])
                m_hubReadings.push_back({value, readings[i]});
            else
                addEdge(value, readings[i].from, readings[i]);
        }
    }

    /// Stubs, but for the line that keeps the main path whole where all that a box reads are hubs (the layers of a
    /// DenseNet): from what was made last of it, and from each hub to the first such box alone.
    void addHubs()
    {
        std::vector<bool> isLedTo(m_stubs.size(), false);
        for (const ViewEdge& edge : m_view.edges)
            isLedTo[edge.to] = true;
        std::unordered_map<std::uint32_t, ValueId> last; // by the box that reads
        for (const HubReading& hub : m_hubReadings) {
            if (!isLedTo[hub.reading.box])
                last[hub.reading.box] = hub.value;
        }
        std::unordered_set<ValueId> hasLine;
        for (const HubReading& hub : m_hubReadings) {
            const auto led = last.find(hub.reading.box);
            if (led != last.end() && led->second == hub.value && hasLine.insert(hub.value).second)
                addEdge(hub.value, hub.reading.from, hub.reading);
            else
                addStub(hub.value, hub.reading);
        }
    }

    /// Which readings stand, themselves or through an open scope around them, among more than kMostReaders in one
    /// place.
    [[nodiscard]] std::vector<bool> hubReadings(std::uint32_t source, const std::vector<Reading>& readings) const
    {
        std::vector<bool> isHub(readings.size(), false);
        if (readings.size() <= kMostReaders)
            return isHub;
        std::unordered_set<std::int64_t> aroundSource;
        for (std::int64_t box = parentOf(source);; box = parentOf(box)) {
            aroundSource.insert(box);
            if (box < 0)
                break;
        }
        std::unordered_set<std::int64_t> counted;
        std::unordered_map<std::int64_t, std::size_t> readersIn; // [open box, -1: top]
        for (const Reading& reading : readings) {
            for (std::int64_t box = reading.box; counted.insert(box).second; box = parentOf(box)) {
                ++readersIn[parentOf(box)];
                if (aroundSource.contains(parentOf(box)))
                    break;
            }
        }
        for (std::size_t i = 0; i < readings.size(); ++i) {
            std::int64_t box = readings[i].box;
            do {
                box = parentOf(box);
                isHub[i] = isHub[i] || readersIn[box] > kMostReaders;
            } while (!aroundSource.contains(box));
        }
        return isHub;
    }

    [[nodiscard]] std::int64_t parentOf(std::int64_t box) const
    {
        return m_view.boxes[static_cast<std::size_t>(box)].parent;
    }

    /// One stub per reading box, however many hubs it reads.
    void addStub(ValueId value, const Reading& reading)
    {
        std::uint32_t& stub = m_stubs[reading.box];
        if (stub == BoxIndex::kNoBox) {
            stub = static_cast<std::uint32_t>(m_view.boxes.size());
            ViewBox box;
            box.kind = ViewBox::Kind::Stub;
            box.value = value;
            box.title = m_model.value(value).name;
            box.parent = m_view.boxes[reading.box].parent;
            box.total = 0;
            m_view.boxes.push_back(std::move(box));
        } else {
            ViewBox& box = m_view.boxes[stub];
            box.moreValues.push_back(value);
            box.title = m_model.value(box.value).name + " +" + std::to_string(box.moreValues.size());
        }
        addEdge(value, stub, reading);
    }

    void addEdge(ValueId value, std::uint32_t from, const Reading& reading)
    {
        const std::uint64_t key = (std::uint64_t{from} << 32U) | reading.box;
        const auto [entry, isNew] = m_edges.try_emplace(key, m_view.edges.size());
        if (isNew) {
            m_view.edges.push_back({from, reading.box, {}, 0, value});
            m_counts.emplace_back();
        }
        ++m_view.edges[entry->second].values;
        if (reading.badge.empty())
            return;
        BadgeCount& count = m_counts[entry->second];
        count.mixed = count.mixed || (count.quantized > 0 && count.first != reading.badge);
        count.first = reading.badge;
        ++count.quantized;
    }

    ViewGraph& m_view;
    const Model& m_model;
    std::span<const NodeId> m_order;
    const BoxIndex& m_boxes;
    const QuantizerBadges& m_badges;
    BodyBorders m_bodies;
    std::vector<HubReading> m_hubReadings; // in the order of values and of boxes
    std::vector<std::uint32_t> m_stubs; // [boxes before stubs]
    std::unordered_map<std::uint64_t, std::size_t> m_edges; // from and to -> edge
    std::vector<BadgeCount> m_counts; // [edges]
};

} // namespace

void addEdgesInPlace(ViewGraph& view, const Model& model, std::span<const NodeId> order, const BoxIndex& boxes,
    const QuantizerBadges& badges)
{
    EdgeBuilder(view, model, order, boxes, badges).build();
}

} // namespace duo
