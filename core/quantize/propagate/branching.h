// SPDX-License-Identifier: Apache-2.0
// Branching: facts about places with several readers that do not change while quantizers move.
#pragma once

#include "core/quantize/operators/fusion.h"

#include <optional>
#include <span>
#include <vector>

namespace duo {

class Branching
{
public:
    /// `likeNncf` keeps NNCF's habit to stop looking for branches above an output at the first operator that
    /// computes, on whichever path that is.
    Branching(const FusedGraph& graph, bool likeNncf);

    /// The first vertices below that do more than move data, sorted. Valid until another vertex is asked for.
    std::span<const VertexIndex> firstComputing(VertexIndex vertex);

    /// An output of the model is reached through operators that only move data.
    [[nodiscard]] bool reachesOutput(VertexIndex vertex) const { return m_reachesOutput[vertex]; }

    /// A Concat whose result goes, moved at most, to an operator that wants one scale for all inputs.
    bool unifiesScales(VertexIndex concat);

private:
    void findOutputBranchesAbove(VertexIndex output, bool stopsForGood);

    const FusedGraph& m_graph;
    std::vector<bool> m_reachesOutput;
    struct Found { // in m_found
        std::uint32_t first = kNoIndex; // not looked for yet
        std::uint32_t count = 0;
    };
    std::vector<Found> m_firstComputing; // [vertices]
    std::vector<VertexIndex> m_found;
    std::vector<std::uint32_t> m_seenAt; // [vertices] round of the last visit
    std::uint32_t m_round = 0;
    std::vector<VertexIndex> m_stack;
    std::vector<std::optional<bool>> m_unifies;
};

} // namespace duo
