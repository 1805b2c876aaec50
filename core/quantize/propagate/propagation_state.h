// SPDX-License-Identifier: Apache-2.0
// PropagationState: quantizers on their way up the fused graph, and what each place, edge and vertex is affected by.
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/propagate/candidates.h"

#include <optional>
#include <vector>

namespace duo {

using QuantizerIndex = std::uint32_t;

/// A spot for a quantizer: at an input port of a vertex, or behind a vertex.
struct Place {
    bool isBehind = false;
    std::uint32_t index = 0; // InputIndex, or VertexIndex if behind
    bool operator==(const Place&) const = default;
};

enum class QuantizerState : std::uint8_t { Active, Finished, Gone };

/// A quantizer that moves against the dataflow.
struct PropagatingQuantizer {
    Candidates candidates;
    Place place;
    QuantizerState state = QuantizerState::Active;
    int steps = 0; // edges passed
    std::vector<VertexIndex> sinks; // vertices whose inputs it quantizes; may repeat
    std::uint32_t group = kNoIndex; // of unified scales
    VertexIndex waitingAt = kNoIndex; // at a branch behind this vertex
    VertexIndex embedding = kNoIndex; // whose weights come out where it stopped
};

class PropagationState
{
public:
    explicit PropagationState(const FusedGraph& graph);

    [[nodiscard]] const FusedGraph& graph() const { return m_graph; }
    [[nodiscard]] std::size_t count() const { return m_quantizers.size(); }
    [[nodiscard]] const PropagatingQuantizer& at(QuantizerIndex id) const { return m_quantizers[id]; }
    PropagatingQuantizer& at(QuantizerIndex id) { return m_quantizers[id]; }
    [[nodiscard]] bool isActive(QuantizerIndex id) const { return m_quantizers[id].state == QuantizerState::Active; }

    /// A new quantizer at an input port of a vertex that wants quantized inputs.
    QuantizerIndex start(InputIndex input, const Candidates& candidates);
    /// A copy without sinks that will move on its own; affects nothing until it takes the place of another.
    QuantizerIndex copy(QuantizerIndex id);
    /// A quantizer behind `vertex` that takes the place of those at its readers.
    QuantizerIndex startMerged(VertexIndex vertex, const Candidates& candidates);

    void moveBehind(QuantizerIndex id, InputIndex input); // from an input up to the producer
    void moveThrough(QuantizerIndex id, InputIndex input); // from behind a vertex to one of its inputs
    void finish(QuantizerIndex id); // stays where it is
    /// Gone, its places and sinks now belong to `survivors` (none: nobody affects them any more).
    void replace(QuantizerIndex id, std::vector<QuantizerIndex> survivors);
    /// As replace, for a quantizer at `input` that meets others above it.
    void mergeUp(QuantizerIndex id, InputIndex input, std::vector<QuantizerIndex> survivors);

    /// The quantizer that stands at a place, or kNoIndex.
    [[nodiscard]] QuantizerIndex holder(const Place& place) const;
    [[nodiscard]] std::vector<QuantizerIndex> affectingInput(InputIndex input);
    [[nodiscard]] std::vector<QuantizerIndex> affectingEdge(InputIndex input); // between producer and input port
    [[nodiscard]] std::vector<QuantizerIndex> affectingBehind(VertexIndex vertex);
    [[nodiscard]] std::vector<QuantizerIndex> affectingVertex(VertexIndex vertex);
    /// Those affecting the vertex, one entry for each time one came to affect it.
    [[nodiscard]] std::size_t timesAffected(VertexIndex vertex);

    void unify(QuantizerIndex a, QuantizerIndex b); // one scale for both, and for all unified with them
    [[nodiscard]] std::uint32_t groupOf(QuantizerIndex id); // representative of the group, or kNoIndex

    /// Quantizers first met going down from behind `vertex`, or from the vertex itself.
    [[nodiscard]] std::vector<QuantizerIndex> firstBelow(VertexIndex vertex);

private:
    using List = std::vector<QuantizerIndex>;
    void shortenInPlace(QuantizerIndex id);
    List resolve(const List& list);
    void setHolder(const Place& place, QuantizerIndex id);

    const FusedGraph& m_graph;
    std::vector<PropagatingQuantizer> m_quantizers;
    std::vector<QuantizerIndex> m_atInput, m_behind; // holders
    std::vector<List> m_affectInput, m_affectEdge; // [inputs]
    std::vector<List> m_affectBehind, m_affectVertex; // [vertices]
    std::vector<List> m_survivors; // [quantizers] what took the place of a gone one, shortened on use
    std::vector<std::uint32_t> m_groups; // union-find
    std::vector<std::uint32_t> m_seenAt; // [vertices] round of the last visit by firstBelow
    std::uint32_t m_round = 0;
};

} // namespace duo
