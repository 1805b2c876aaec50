// SPDX-License-Identifier: Apache-2.0
#include "core/graph/compressed_graph.h"

#include "core/model/model.h"
#include "core/model/value_address.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/quantizer_setup.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <unordered_map>
#include <vector>

namespace duo {
namespace {

/// Nodes of the main graph and inputs of the model, numbered as NNCF numbers them.
class Vertices
{
public:
    explicit Vertices(const Model& model)
        : m_model(model)
        , m_ofNode(model.nodes.size(), kNone)
        , m_ofInput(model.values.size(), kNone)
    {
        for (const NodeId id : model.order)
            m_ofNode[id.index] = m_count++;
        for (const ValueId input : model.mainGraph().inputs) {
            if (input.valid())
                m_ofInput[input.index] = m_count++;
        }
    }

    /// [vertices] place in the order
    [[nodiscard]] std::vector<std::uint32_t> sorted() const
    {
        std::vector<std::vector<std::uint32_t>> next(m_count);
        std::vector<std::uint32_t> missing(m_count, 0);
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            const std::uint32_t from = sourceOf(ValueId(v));
            for (const Use& use : m_model.values[v].uses) {
                const std::uint32_t to = m_ofNode[use.node.index];
                if (from == kNone || to == kNone)
                    continue;
                next[from].push_back(to);
                ++missing[to];
            }
        }
        std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
        for (std::uint32_t vertex = 0; vertex < m_count; ++vertex) {
            if (missing[vertex] == 0)
                ready.push(vertex);
        }
        std::vector<std::uint32_t> place(m_count, 0);
        for (std::uint32_t i = 0; !ready.empty(); ++i) {
            const std::uint32_t vertex = ready.top();
            ready.pop();
            place[vertex] = i;
            for (const std::uint32_t to : next[vertex]) {
                if (--missing[to] == 0)
                    ready.push(to);
            }
        }
        return place;
    }

    [[nodiscard]] std::uint32_t of(const QuantizationPoint& point) const
    {
        const std::uint32_t vertex = point.input.valid() ? m_ofInput[point.input.index] : m_ofNode[point.node.index];
        return vertex == kNone ? 0 : vertex;
    }

private:
    [[nodiscard]] std::uint32_t sourceOf(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        return producer.valid() ? m_ofNode[producer.index] : m_ofInput[value.index];
    }

    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    const Model& m_model;
    std::uint32_t m_count = 0;
    std::vector<std::uint32_t> m_ofNode; // [nodes]
    std::vector<std::uint32_t> m_ofInput; // [values]
};

/// All points of a setup: those of unified groups first, then the others by their target node in topological order; of
/// nodes that are ready the one of the smaller number in the file, inputs of the model counted after all nodes.
/// O(n log n).
std::vector<PointId> insertionOrder(const Model& model, const QuantizerSetup& setup)
{
    std::vector<PointId> order;
    std::set<PointId> unified;
    for (const auto& [group, members] : setup.unifiedScaleGroups) {
        for (const PointId id : members) {
            const auto point = setup.points.find(id);
            if (point != setup.points.end() && !point->second.isWeight && unified.insert(id).second)
                order.push_back(id);
        }
    }
    const auto grouped = static_cast<std::ptrdiff_t>(order.size());
    for (const auto& [id, point] : setup.points) {
        if (!unified.contains(id))
            order.push_back(id);
    }
    const Vertices vertices(model);
    const auto place = vertices.sorted();
    const auto placeOf = [&](PointId id) { return place.empty() ? 0 : place[vertices.of(setup.points.at(id))]; };
    std::stable_sort(
        order.begin() + grouped, order.end(), [&](PointId a, PointId b) { return placeOf(a) < placeOf(b); });
    return order;
}

constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

/// One pair to insert.
struct Quantizer {
    PointId point = 0;
    ValueId value;
    int number = 0; // of the quantizers of the value, from 1
    std::uint32_t before = kNoNode; // place in the order of the first node that reads the value, quantized there or not
    std::vector<Use> readers;
    std::uint32_t dequantizer = kNoNode; // node, once it stands
};

class Builder
{
public:
    Builder(const Model& model, const QuantizerSetup& setup)
        : m_model(model)
        , m_setup(setup)
        , m_ofNode(model.nodes.size(), kNoNode)
    {
    }

    CompressedGraph build()
    {
        findQuantizers();
        addNodes();
        addInputs();
        addEdges();
        addOutputs();
        orderEdges();
        return std::move(m_result);
    }

private:
    void findQuantizers()
    {
        std::vector<std::uint32_t> position(m_model.nodes.size(), kNoNode);
        for (std::uint32_t i = 0; i < m_model.order.size(); ++i)
            position[m_model.order[i].index] = i;
        std::unordered_map<ValueId, int> onValue;
        for (const PointId id : insertionOrder(m_model, m_setup)) {
            const QuantizationPoint& point = m_setup.points.at(id);
            for (const ValueId value : pointValues(m_model, point)) {
                Quantizer quantizer{id, value, 0, kNoNode, readersOf(point, value)};
                if (quantizer.readers.empty())
                    continue;
                quantizer.number = ++onValue[value];
                for (const Use& use : m_model.value(value).uses)
                    quantizer.before = std::min(quantizer.before, position[use.node.index]);
                m_quantizers.push_back(std::move(quantizer));
            }
        }
        std::ranges::stable_sort(m_quantizers, {}, &Quantizer::before);
    }

    /// A point on an input port counts for all ports of its node that read the value, one elsewhere for all readers.
    [[nodiscard]] std::vector<Use> readersOf(const QuantizationPoint& point, ValueId value) const
    {
        if (!point.isWeight && (!point.port || point.input.valid()))
            return m_model.value(value).uses;
        std::set<NodeId> nodes{point.node};
        if (point.isWeight)
            nodes.insert(point.directlyQuantized.begin(), point.directlyQuantized.end());
        std::vector<Use> readers;
        for (const Use& use : m_model.value(value).uses) {
            if (nodes.contains(use.node))
                readers.push_back(use);
        }
        return readers;
    }

    std::uint32_t addNode(CompressedNode node)
    {
        m_result.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(m_result.nodes.size() - 1);
    }

    void addNodes()
    {
        const Region& main = m_model.mainGraph();
        m_result.nodes.reserve(
            m_model.order.size() + 2 * m_quantizers.size() + main.inputs.size() + main.outputs.size());
        auto quantizer = m_quantizers.begin();
        for (std::uint32_t i = 0; i < m_model.order.size(); ++i) {
            for (; quantizer != m_quantizers.end() && quantizer->before == i; ++quantizer)
                addPair(*quantizer);
            const NodeId id = m_model.order[i];
            const Node& node = m_model.node(id);
            const bool produces = std::any_of(node.outputs.begin(), node.outputs.end(),
                [&](ValueId value) { return value.valid() && m_model.value(value).producer == id; });
            if (!node.isCall || produces)
                m_ofNode[id.index] = addNode({node.name, node.opType, id, std::nullopt});
        }
    }

    void addPair(Quantizer& quantizer)
    {
        const std::string suffix = "_" + addressOf(m_model, quantizer.value) + "_" + std::to_string(quantizer.number);
        const std::uint32_t first = addNode({"QuantizeLinear" + suffix, "QuantizeLinear", {}, quantizer.point});
        quantizer.dequantizer = addNode({"DequantizeLinear" + suffix, "DequantizeLinear", {}, quantizer.point});
        m_result.edges.push_back({first, quantizer.dequantizer, true, quantizer.value});
        for (const Use& use : quantizer.readers)
            m_reads.push_back({use.node, use.port, quantizer.dequantizer});
    }

    void addInputs()
    {
        int number = 0;
        for (const ValueId value : m_model.mainGraph().inputs) {
            if (value.valid())
                m_ofInput[value]
                    = addNode({"nncf_model_input_" + std::to_string(number++), "nncf_model_input", {}, {}});
        }
    }

    [[nodiscard]] std::uint32_t sourceOf(ValueId value) const
    {
        const NodeId producer = m_model.value(value).producer;
        if (producer.valid())
            return m_ofNode[producer.index];
        const auto input = m_ofInput.find(value);
        return input == m_ofInput.end() ? kNoNode : input->second;
    }

    void addEdge(std::uint32_t from, std::uint32_t to, ValueId value)
    {
        if (from == kNoNode || to == kNoNode)
            return;
        m_result.edges.push_back({from, to, m_model.value(value).type.element != ElementType::Float32, value});
    }

    void addEdges()
    {
        std::ranges::stable_sort(m_reads, {}, &Read::at);
        for (const Quantizer& quantizer : m_quantizers)
            addEdge(sourceOf(quantizer.value), quantizer.dequantizer - 1, quantizer.value);
        for (std::size_t v = 0; v < m_model.values.size(); ++v) {
            for (const Use& use : m_model.values[v].uses) {
                const auto read = std::ranges::lower_bound(m_reads, std::pair(use.node, use.port), {}, &Read::at);
                const bool isQuantized = read != m_reads.end() && read->at() == std::pair(use.node, use.port);
                addEdge(isQuantized ? read->dequantizer : sourceOf(ValueId(v)), m_ofNode[use.node.index], ValueId(v));
            }
        }
    }

    void addOutputs()
    {
        int number = 0;
        for (const ValueId value : m_model.mainGraph().outputs) {
            if (!value.valid())
                continue;
            const std::uint32_t node
                = addNode({"nncf_model_output_" + std::to_string(number++), "nncf_model_output", {}, {}});
            addEdge(sourceOf(value), node, value);
        }
    }

    /// By from, then to; of several of one pair the first that was added.
    void orderEdges()
    {
        std::vector<CompressedEdge>& edges = m_result.edges;
        const auto ends = [](const CompressedEdge& edge) { return std::pair(edge.from, edge.to); };
        std::ranges::stable_sort(edges, {}, ends);
        const auto repeated = std::ranges::unique(edges, {}, ends);
        edges.erase(repeated.begin(), repeated.end());
    }

    /// An input of a node that reads what a quantizer gives.
    struct Read {
        NodeId node;
        std::uint32_t port = 0;
        std::uint32_t dequantizer = kNoNode;
        [[nodiscard]] std::pair<NodeId, std::uint32_t> at() const { return {node, port}; }
    };

    const Model& m_model;
    const QuantizerSetup& m_setup;
    std::vector<Quantizer> m_quantizers; // by the place they stand before, then in the order of insertion
    std::vector<std::uint32_t> m_ofNode; // [Model::nodes]
    std::unordered_map<ValueId, std::uint32_t> m_ofInput;
    std::vector<Read> m_reads; // of several of one input the first counts
    CompressedGraph m_result;
};

} // namespace

CompressedGraph compressedGraph(const Model& model, const QuantizerSetup& setup)
{
    return Builder(model, setup).build();
}

} // namespace duo
