// SPDX-License-Identifier: Apache-2.0
// PointIndex: which values and ports the points of a setup quantize.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace duo {

/// The value an activation point quantizes (its first where the node has several outputs); for a weight point the value
/// on the node's port. Invalid if the port does not exist.
ValueId pointValue(const Model& model, const QuantizationPoint& point);

/// All values of an activation point: one for an input, otherwise every output that may be float32; of several those
/// that somebody reads.
std::vector<ValueId> pointValues(const Model& model, const QuantizationPoint& point);

/// "node 'x'" or "input 'x'": where a point is, for messages.
std::string pointText(const Model& model, const QuantizationPoint& point);

/// Node, model input, port, and whether it is of a weight: no two points of a setup have the same.
using PointPlace = std::tuple<NodeId, ValueId, std::optional<std::uint32_t>, bool>;
PointPlace placeOf(const QuantizationPoint& point);

/// Whether a node of a body reads a value of a graph around it: no runtime fuses it with a quantizer there.
bool crossesBorder(const Model& model, NodeId reader, ValueId value);

class PointIndex
{
public:
    PointIndex(const Model& model, const QuantizerSetup& setup);

    /// The quantizer a node sees on an input: its own on that port, else one on the producer's output in the same
    /// graph.
    [[nodiscard]] std::optional<PointId> at(NodeId node, std::uint32_t port) const;
    /// The quantizer on a producer's output, read by everybody.
    [[nodiscard]] std::optional<PointId> onValue(ValueId value) const;
    /// The same, else the first one that a reader has on its input.
    [[nodiscard]] std::optional<PointId> onValueOrRead(ValueId value) const;

private:
    void put(NodeId node, std::uint32_t port, PointId id);

    static constexpr PointId kNone = 0xFFFFFFFFU;
    const Model& m_model;
    std::vector<PointId> m_onValue; // [values]
    std::vector<std::uint32_t> m_firstPort; // [nodes + 1]
    std::vector<PointId> m_onPort; // [input ports of all nodes]
};

} // namespace duo
