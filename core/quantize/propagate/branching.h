// SPDX-License-Identifier: Apache-2.0
// Branching: facts about places with several readers that do not change while quantizers move.
#pragma once

#include "core/quantize/operators/fusion.h"

#include <optional>
#include <vector>

namespace duo {

class Branching
{
public:
    /// `nncfCompatible` keeps NNCF's habit to stop looking for branches above an output at the first operator that
    /// computes, on whichever path that is.
    Branching(const FusedGraph& graph, bool nncfCompatible);

    /// The first vertices below that do more than move data.
    const std::vector<VertexIndex>& firstComputing(VertexIndex vertex);

    /// An output of the model is reached through operators that only move data.
    [[nodiscard]] bool reachesOutput(VertexIndex vertex) const { return m_reachesOutput[vertex]; }

    /// A Concat whose result goes, moved at most, to an operator that wants one scale for all inputs.
    bool unifiesScales(VertexIndex concat);

private:
    void findOutputBranchesAbove(VertexIndex output, bool stopsForGood);

    const FusedGraph& m_graph;
    std::vector<bool> m_reachesOutput;
    std::vector<std::optional<std::vector<VertexIndex>>> m_firstComputing;
    std::vector<std::optional<bool>> m_unifies;
};

} // namespace duo
