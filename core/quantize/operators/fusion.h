// SPDX-License-Identifier: Apache-2.0
// FusedGraph: the inference graph with every matched pattern as one vertex, and a place for a quantizer at each input
// and behind each vertex.
#pragma once

#include "core/quantize/operators/pattern_match.h"

#include <memory>
#include <span>
#include <vector>

namespace duo {

using VertexIndex = std::uint32_t;
using InputIndex = std::uint32_t; // of FusedGraph::inputs

/// An input port of a vertex that reads another vertex.
struct FusedInput {
    VertexIndex from = 0;
    VertexIndex to = 0;
    EdgeIndex edge = 0; // of OpGraph::edges
    std::uint32_t port = 0; // of the first operator of `to`
    bool isInteger = false; // not float32
};

/// One operator, or the operators of a match. Only the first one's name, traits and weights count.
struct Vertex {
    std::span<const OpIndex> ops; // topological
    const FusionPattern* pattern = nullptr; // null for a single operator
    OpTraits traits; // of the first operator
    bool isOutput = false; // an output of the model, or of a body
    bool hasIntegerOutput = false; // a reader reads integers, or it is what a body is given: no quantizer stands behind
    std::span<const InputIndex> in; // in port order
    std::span<const InputIndex> out;
    [[nodiscard]] OpIndex primary() const { return ops.front(); }
    [[nodiscard]] OpIndex last() const { return ops.back(); }
};

/// A copy costs as much as an array: what differs from copy to copy are the traits of vertices.
struct FusedGraph {
    std::vector<Vertex> vertices; // topological
    std::vector<FusedInput> inputs;
    std::vector<VertexIndex> vertexOfOp; // [ops]; kNoIndex outside the inference graph
    std::shared_ptr<const std::vector<std::uint32_t>> lists; // what the spans of all vertices point into
};

/// Reads of a match by its first operator and of its last one's result remain; places inside vanish.
/// `patterns` must outlive the result. O(operators + edges).
FusedGraph fuse(const OpGraph& graph, const std::vector<FusionPattern>& patterns, const std::vector<Match>& matches);

} // namespace duo
