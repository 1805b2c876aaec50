// SPDX-License-Identifier: Apache-2.0
// The dataflow among the nodes of the main graph, each with all that its bodies and calls do.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

struct MainFlow {
    explicit MainFlow(const Model& model); // O(nodes + reads)

    std::vector<NodeId> nodes; // of the main graph, topological, stable by file order
    std::vector<std::uint32_t> placeOf; // [Model::nodes] -> nodes: the one itself or the one it is inside
    std::vector<std::vector<ValueId>> captured; // [nodes] values of the main graph that bodies read; without repeats
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

} // namespace duo
