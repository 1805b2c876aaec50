// SPDX-License-Identifier: Apache-2.0
// CompressedGraph: the nodes of a model with the quantizers of a setup in place, in order, as NNCF would write it.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// A node of the model, half of a quantizer, or an input or output of the model.
struct CompressedNode {
    std::string name; // "/conv/Conv", "QuantizeLinear_<value>_<n>", "nncf_model_input_0"
    std::string_view opType; // "Conv" as the model has it, "QuantizeLinear", "nncf_model_input"
    NodeId original; // a node of the model
    std::optional<PointId> point; // a quantizer
};

struct CompressedEdge {
    std::uint32_t from = 0; // nodes
    std::uint32_t to = 0;
    bool isInteger = false; // whatever is not float32, as NNCF counts it
    ValueId value; // of the model, whose shape it has
    bool operator==(const CompressedEdge&) const = default;
};

struct CompressedGraph {
    std::vector<CompressedNode> nodes; // topological; inputs and outputs of the model at the end
    std::vector<CompressedEdge> edges; // one per pair of nodes, ordered by from, then to
};

/// The graph of a model that outlives it: every node but calls of functions whose nodes stand there themselves; a
/// QuantizeLinear and DequantizeLinear pair per quantizer right before the first node that reads its value. O(nodes +
/// uses, with a logarithm).
CompressedGraph compressedGraph(const Model& model, const QuantizerSetup& setup);

} // namespace duo
