// SPDX-License-Identifier: Apache-2.0
// WorkSequence: the nodes of a graph that do work on data, in an order that follows from their wiring alone.
#pragma once

#include "core/model/model.h"
#include "core/scope/structure/work_label.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace duo {

/// A read of a value that is no constant.
struct WorkRead {
    static constexpr std::uint32_t kOutside = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t producer = kOutside; // place in the sequence; kOutside: an input of the graph, or of one around it
    std::uint32_t value = 0; // below WorkSequence::values
};

struct WorkNode {
    static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();
    NodeId id;
    std::uint32_t firstRead = 0; // into WorkSequence::reads
    std::uint32_t lastUse = 0; // place of its last reader; kEnd: it is an output, or nothing reads it
    WorkLabel kind;
};

/// One graph: the main one or a control-flow body, with the calls of functions in it.
struct WorkSequence {
    RegionId region;
    std::vector<WorkNode> nodes; // producers before readers; a block with one entry and one exit stands together
    std::vector<WorkRead> reads; // by node, in port order
    std::uint32_t values = 0; // that are read, numbered by their first reader

    [[nodiscard]] std::span<const WorkRead> readsOf(std::size_t at) const
    {
        const std::size_t first = nodes[at].firstRead;
        const std::size_t end = at + 1 < nodes.size() ? nodes[at + 1].firstRead : reads.size();
        return std::span(reads).subspan(first, end - first);
    }
};

/// One sequence for each graph that has work in it, the main graph first. Left out are constants, what is computed from
/// them or from shapes alone, and calls of functions (their bodies do the work). The order is depth first from the
/// outputs, the shallow inputs of a node first. O(nodes log nodes + uses * nesting depth).
std::vector<WorkSequence> workSequences(const Model& model);

} // namespace duo
