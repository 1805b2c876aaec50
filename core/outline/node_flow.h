// SPDX-License-Identifier: Apache-2.0
// The dataflow among the nodes of the main graph and of control-flow bodies; a call of a function counts as one node.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

struct NodeFlow {
    explicit NodeFlow(const Model& model); // O((nodes + reads) * depth of bodies)

    std::vector<NodeId>
        nodes; // but for those inside calls; topological, an owner before its bodies, stable by file order
    std::vector<std::uint32_t> placeOf; // [Model::nodes] -> nodes: the one itself, or the call it is inside
    std::vector<std::vector<ValueId>> captured; // [nodes] values from outside that bodies read; without repeats
    std::vector<std::optional<std::uint32_t>> makerOf; // [Model::values] -> nodes; nothing for what no node makes

    /// Calls `take` with each value that a node reads, ports first; a value may come several times.
    template <typename Take> void eachRead(const Model& model, std::uint32_t place, const Take& take) const
    {
        for (const ValueId input : model.node(nodes[place]).inputs) {
            if (input.valid())
                take(input);
        }
        for (const ValueId value : captured[place])
            take(value);
    }
};

/// Whether a node of this region sees what is defined in that one: it is the same, or around it. O(depth)
bool isVisible(const Model& model, RegionId definedIn, RegionId from);

} // namespace duo
