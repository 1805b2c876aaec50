// SPDX-License-Identifier: Apache-2.0
// ReadBits: in how many bits operators read activations, where these are not eight for all.
#pragma once

#include "core/model/model.h"
#include "core/quantize/operators/op_graph.h"
#include "core/quantize/points/decision_terms.h"
#include "core/quantize/points/quantizer_setup.h"

#include <cstdint>
#include <map>
#include <vector>

namespace duo {

/// What an operator reads on an input, and how that comes about where others read otherwise.
struct ReadBits {
    std::uint8_t read = 0; // bits; 0: float
    std::uint8_t given = 0; // bits of the quantizer behind the producer, if the input has one of its own behind that
    bool isApart = false; // quantized from float for some readers, in other bits for others
    bool operator==(const ReadBits&) const = default;
};

/// [input ports of all nodes]; empty where all activations have eight bits. What moves codes hands them on. O(points +
/// ports).
std::vector<ReadBits> readBits(const Model& model, const OpGraph& graph, const QuantizerSetup& setup);

/// Whether an operator only moves data, so that codes stay what they are.
bool movesData(const OpGraph& graph, NodeId node);
bool merelyMoves(const OpGraph& graph, NodeId node); // from one value to one other

bool readsMoreThanEightBits(const std::vector<ReadBits>& bits, const PortTable& ports, NodeId node);

/// Inputs that are quantized again in other bits than given in, or in other bits than for others.
/// O(ports), nothing where all have eight bits.
std::map<NodeId, std::vector<OtherBits>> otherBits(
    const Model& model, const std::vector<ReadBits>& bits, const PortTable& ports);

} // namespace duo
