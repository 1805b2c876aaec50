// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/decision_trace.h"

#include "core/quantize/points/point_index.h"

#include <map>
#include <string_view>

namespace duo {
namespace {

class PlaceMarker
{
public:
    PlaceMarker(const Model& model, const OpGraph& graph, bool joinsInFloat)
        : m_joinsInFloat(joinsInFloat)
        , m_model(model)
        , m_graph(graph)
        , m_ports(graph.ports)
        , m_isQuantized(model.values.size(), false)
        , m_isMoved(model.values.size(), false)
        , m_isReader(model.nodes.size(), false)
    {
        m_places.inputs.assign(m_ports.count(), QuantizedPlaces::None);
        m_places.results.assign(model.nodes.size(), 0);
    }

    void mark(const QuantizationPoint& point)
    {
        for (const NodeId reader : point.directlyQuantized)
            m_isReader[reader.index] = m_isReader[reader.index] || !point.isWeight;
        if (point.isWeight)
            markWeight(point);
        else if (point.input.valid())
            m_isQuantized[point.input.index] = true;
        else if (point.port)
            markPort(point.node, *point.port, QuantizedPlaces::Activation);
        else
            for (const ValueId value : m_ports.outputs(point.node))
                markValue(value);
    }

    QuantizedPlaces take()
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            const NodeId id(n);
            for (std::uint32_t port = m_ports.first(id); port < m_ports.first(id) + m_ports.count(id); ++port) {
                auto& kind = m_places.inputs[port];
                const bool isRead = kind == QuantizedPlaces::None && isQuantized(m_ports.value(port));
                if (isRead && !crossesBorder(m_model, id, m_ports.value(port)))
                    kind = QuantizedPlaces::Activation;
            }
        }
        for (std::size_t n = 0; n < m_places.results.size(); ++n)
            m_places.results[n] = isQuantized(m_ports.result(NodeId(n))) ? 1 : 0;
        markMoved();
        return std::move(m_places);
    }

private:
    void markWeight(const QuantizationPoint& point)
    {
        const std::uint32_t at = point.port.value_or(0);
        markPort(point.node, at, QuantizedPlaces::Weight);
        if (at >= m_ports.count(point.node))
            return;
        const ValueId read = m_ports.inputs(point.node)[at];
        for (const NodeId reader : point.directlyQuantized) {
            const auto inputs = m_ports.inputs(reader);
            for (std::uint32_t port = 0; port < inputs.size(); ++port) {
                if (inputs[port] == read)
                    markPort(reader, port, QuantizedPlaces::Weight);
            }
        }
    }

    /// The first point at a port counts.
    void markPort(NodeId node, std::uint32_t port, QuantizedPlaces::Kind kind)
    {
        if (port < m_ports.count(node) && m_places.inputs[m_ports.first(node) + port] == QuantizedPlaces::None)
            m_places.inputs[m_ports.first(node) + port] = kind;
    }

    /// What reads a quantizer's codes behind operators that only move them, or moves them on.
    void markMoved()
    {
        for (const NodeId id : m_model.order) {
            const bool moves = movesData(m_graph, id) && handsCodesOn(m_graph, m_places, id, m_joinsInFloat);
            bool isMoved = false;
            for (std::uint32_t port = m_ports.first(id); port < m_ports.first(id) + m_ports.count(id); ++port) {
                auto& kind = m_places.inputs[port];
                const bool isCode = m_ports.value(port).valid() && m_isMoved[m_ports.value(port).index]
                    && !crossesBorder(m_model, id, m_ports.value(port));
                if (kind == QuantizedPlaces::None && isCode && (m_isReader[id.index] || moves))
                    kind = QuantizedPlaces::Activation;
                isMoved = isMoved || kind == QuantizedPlaces::Activation;
            }
            if (!isMoved || !moves)
                continue;
            for (const ValueId value : m_ports.outputs(id)) {
                if (value.valid())
                    m_isMoved[value.index] = true;
            }
        }
    }

    void markValue(ValueId value)
    {
        if (value.valid())
            m_isQuantized[value.index] = true;
    }

    [[nodiscard]] bool isQuantized(ValueId value) const { return value.valid() && m_isQuantized[value.index]; }

    bool m_joinsInFloat;
    const Model& m_model;
    const OpGraph& m_graph;
    const PortTable& m_ports;
    std::vector<bool> m_isQuantized; // [values] by a quantizer behind it
    std::vector<bool> m_isMoved; // [values] given by what moves quantized data
    std::vector<bool> m_isReader; // [nodes] of an activation quantizer, as the setup says
    QuantizedPlaces m_places;
};

/// [rules] the first one that decisions cannot tell from it, or -2 where `of` has none; numbers of `in`.
std::vector<int> sameRules(const DecisionTerms& of, const DecisionTerms& in)
{
    std::map<std::string_view, int> first;
    for (std::size_t r = 0; r < in.rules.size(); ++r)
        first.try_emplace(in.rules[r], static_cast<int>(r));
    std::vector<int> same;
    for (const std::string& text : of.rules) {
        const auto found = first.find(text);
        same.push_back(found == first.end() ? -2 : found->second);
    }
    return same;
}

class Comparison
{
public:
    Comparison(const DecisionTrace& before, const DecisionTrace& now, const OpGraph& graph, const FusedGraph& fused)
        : m_before(before)
        , m_now(now)
        , m_graph(graph)
        , m_fused(fused)
        , m_isChanged(fused.vertices.size(), false)
    {
    }

    DecisionChanges run()
    {
        for (VertexIndex v = 0; v < m_isChanged.size(); ++v) {
            if (m_before.causes[v] != m_now.causes[v])
                change(v);
        }
        compareRules();
        for (std::size_t n = 0; n < m_now.places.results.size(); ++n) {
            const NodeId node(n);
            if (m_before.places.results[n] != m_now.places.results[n]
                || m_before.floatReasons[n] != m_now.floatReasons[n] || hasOtherInputs(node)
                || m_before.terms->precisionAt(node) != m_now.terms->precisionAt(node))
                change(node);
        }
        return std::move(m_changes);
    }

private:
    void compareRules()
    {
        const DecisionTerms& old = *m_before.terms;
        const DecisionTerms& terms = *m_now.terms;
        const auto before = sameRules(old, terms);
        const auto now = sameRules(terms, terms);
        const auto ruleOf = [](const std::vector<int>& same, int rule) {
            return rule == RuleHits::kNoRule ? rule : same[static_cast<std::size_t>(rule)];
        };
        for (std::size_t n = 0; n < terms.ignoredBy.size(); ++n) {
            if (ruleOf(before, old.ignoredBy[n]) != ruleOf(now, terms.ignoredBy[n])
                || old.targeted[n] != terms.targeted[n])
                change(NodeId(n));
        }
    }

    [[nodiscard]] bool hasOtherInputs(NodeId node) const
    {
        const std::uint32_t first = m_graph.ports.first(node);
        for (std::uint32_t port = first; port < first + m_graph.ports.count(node); ++port) {
            if (m_before.places.inputs[port] != m_now.places.inputs[port]
                || bitsAt(m_before, port) != bitsAt(m_now, port))
                return true;
        }
        return false;
    }

    static ReadBits bitsAt(const DecisionTrace& trace, std::uint32_t port)
    {
        return trace.places.bits.empty() ? ReadBits{} : trace.places.bits[port];
    }

    void change(NodeId node)
    {
        const VertexIndex v = m_fused.vertexOfOp[m_graph.opOfNode[node.index]];
        if (v == kNoIndex)
            m_changes.nodes.push_back(node);
        else
            change(v);
    }

    void change(VertexIndex v)
    {
        if (!m_isChanged[v])
            m_changes.vertices.push_back(v);
        m_isChanged[v] = true;
    }

    const DecisionTrace& m_before;
    const DecisionTrace& m_now;
    const OpGraph& m_graph;
    const FusedGraph& m_fused;
    std::vector<bool> m_isChanged; // [vertices]
    DecisionChanges m_changes;
};

} // namespace

QuantizedPlaces quantizedPlaces(
    const Model& model, const OpGraph& graph, const QuantizerSetup& setup, bool joinsInFloat)
{
    PlaceMarker marker(model, graph, joinsInFloat);
    for (const auto& [id, point] : setup.points)
        marker.mark(point);
    QuantizedPlaces places = marker.take();
    places.bits = readBits(model, graph, setup);
    return places;
}

bool handsCodesOn(const OpGraph& graph, const QuantizedPlaces& places, NodeId mover, bool joinsInFloat)
{
    return !joinsInFloat || merelyMoves(graph, mover) || places.results[mover.index] != 0;
}

DecisionChanges changesBetween(
    const DecisionTrace& before, const DecisionTrace& now, const OpGraph& graph, const FusedGraph& fused)
{
    return Comparison(before, now, graph, fused).run();
}

} // namespace duo
