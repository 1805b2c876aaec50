// SPDX-License-Identifier: Apache-2.0
// DraftSetup: quantization points while they are still added, merged and dropped; numbered at the end.
#pragma once

#include "core/quantize/propagate/propagation_state.h"
#include "core/quantize/propagate/weight_points.h"

#include <map>
#include <optional>
#include <vector>

namespace duo {

using DraftIndex = std::uint32_t;

struct DraftPoint {
    NodeId node; // invalid for a model input
    ValueId input; // the model input, else invalid
    std::optional<std::uint32_t> port; // absent: output
    bool isWeight = false;
    QuantizerConfig config;
    std::vector<NodeId> sinks; // operators whose inputs it quantizes; may repeat
    bool isNeeded = false; // also without a sink: an int8 kernel in front of it writes through it
    bool isGone = false;
};

class DraftSetup
{
public:
    /// `expected`: points to keep room for.
    DraftSetup(const Model& model, const OpGraph& graph, std::size_t expected);

    DraftIndex add(DraftPoint point); // the place must be free
    DraftPoint& at(DraftIndex index) { return m_points[index]; }
    [[nodiscard]] const DraftPoint& at(DraftIndex index) const { return m_points[index]; }
    [[nodiscard]] std::size_t count() const { return m_points.size(); }
    void remove(DraftIndex index);
    void moveWeight(DraftIndex index, NodeId reader, std::uint32_t port); // to another reader of the same weight

    [[nodiscard]] DraftIndex outputPoint(NodeId node) const { return m_output[node.index]; } // kNoIndex if none
    [[nodiscard]] DraftIndex modelInputPoint(ValueId input) const; // kNoIndex if none
    [[nodiscard]] DraftIndex inputPoint(NodeId node, std::uint32_t port) const; // activation; kNoIndex if none
    [[nodiscard]] DraftIndex weightPoint(NodeId node, std::uint32_t port) const;
    /// The activation point whose values an operator reads at a port: its own, or that of the producer in its graph.
    [[nodiscard]] DraftIndex readPoint(NodeId node, std::uint32_t port) const;

    [[nodiscard]] const PortTable& ports() const { return m_ports; }
    /// False for a node of a body and one of a graph around it.
    [[nodiscard]] bool areInOneGraph(NodeId a, NodeId b) const
    {
        return m_model.regions.size() == 1 || m_model.node(a).region == m_model.node(b).region;
    }

    void unify(DraftIndex a, DraftIndex b);
    DraftIndex unifiedRoot(DraftIndex index); // the same for all points of one scale

    /// Removes points nobody needs, numbers the others in node order and builds all groups. The end of the draft: its
    /// points lose their sinks. O(nodes + inputs).
    [[nodiscard]] QuantizerSetup finish();

private:
    [[nodiscard]] DraftIndex* placeOf(const DraftPoint& point);
    [[nodiscard]] DraftIndex numberedAt(const std::vector<DraftIndex>& places, NodeId node, std::uint32_t port) const;
    [[nodiscard]] std::vector<DraftIndex> inNodeOrder() const;
    void addUnifiedGroupsInPlace(QuantizerSetup& setup, const std::vector<DraftIndex>& order);

    const Model& m_model;
    const PortTable& m_ports;
    std::vector<DraftPoint> m_points;
    std::vector<DraftIndex> m_output; // [nodes]
    std::vector<DraftIndex> m_input, m_weight; // [input ports of all nodes]
    std::map<ValueId, DraftIndex> m_modelInput;
    std::vector<DraftIndex> m_unified; // union-find
};

/// Points for all quantizers that came to rest, and for the weights. Nothing is placed behind a DequantizeLinear, for
/// that part is quantized already, unless `likeNncf`.
DraftSetup draftSetup(
    const Model& model, const OpGraph& graph, PropagationState& state, std::vector<WeightDraft> weights, bool likeNncf);

} // namespace duo
