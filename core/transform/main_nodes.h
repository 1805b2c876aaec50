// SPDX-License-Identifier: Apache-2.0
// MainNodes: nodes of the main graph, each with the bodies and calls in it taken as one.
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <span>
#include <vector>

namespace duo {

/// The model must outlive it.
class MainNodes
{
public:
    explicit MainNodes(const Model& model); // O(regions)

    /// The node of the main graph in which this one stands, or itself. O(depth)
    [[nodiscard]] NodeId around(NodeId node) const;
    /// It, and behind it all that stands in it. `node` is of the main graph.
    [[nodiscard]] std::span<const Node> within(NodeId node) const;
    /// Values of the main graph that it or anything in it reads or hands on and does not compute, each once.
    /// O(their number)
    [[nodiscard]] std::vector<ValueId> reads(NodeId node) const;

private:
    const Model& m_model;
    std::vector<std::vector<RegionId>> m_owned; // [nodes]; empty where no node has a region
};

} // namespace duo
