// SPDX-License-Identifier: Apache-2.0
// PropagationState: quantizers on their way up the fused graph, and what each place, edge and vertex is affected by.
#pragma once

#include "core/quantize/operators/fusion.h"
#include "core/quantize/operators/op_graph.h"
#include "core/quantize/propagate/candidates.h"

#include <span>
#include <vector>

namespace duo {

/// Many short lists of numbers in one array, so that thousands of them cost no allocation each.
class NumberLists
{
public:
    /// One of the lists; empty at first. A copy is the same list.
    struct List {
        std::uint32_t first = kNoIndex; // links
        std::uint32_t last = kNoIndex;
        [[nodiscard]] bool empty() const { return first == kNoIndex; }
    };

    void push(List& list, std::uint32_t number)
    {
        const auto link = static_cast<std::uint32_t>(m_links.size());
        m_links.push_back({number, kNoIndex});
        join(list, {link, link});
    }

    /// Behind the others; `tail` is a part of `list` from now on. O(1).
    void join(List& list, List tail)
    {
        if (tail.empty())
            return;
        if (list.empty())
            list = tail;
        else
            m_links[list.last].next = tail.first;
        list.last = tail.last;
    }

    template <typename Visit> void forEach(List list, const Visit& visit) const
    {
        for (std::uint32_t link = list.first; link != kNoIndex; link = m_links[link].next)
            visit(m_links[link].number);
    }

    [[nodiscard]] std::uint32_t front(List list) const
    {
        return m_links[list.first].number;
    } // of one that is not empty

private:
    struct Link {
        std::uint32_t number = 0;
        std::uint32_t next = kNoIndex;
    };
    std::vector<Link> m_links;
};

using QuantizerIndex = std::uint32_t;
using CandidatesIndex = std::uint32_t; // equal lists of candidates have equal ones

/// A spot for a quantizer: at an input port of a vertex, or behind a vertex.
struct Place {
    bool isBehind = false;
    std::uint32_t index = 0; // InputIndex, or VertexIndex if behind
    bool operator==(const Place&) const = default;
};

enum class QuantizerState : std::uint8_t { Active, Finished, Gone };

/// A quantizer that moves against the dataflow.
struct PropagatingQuantizer {
    CandidatesIndex candidates = 0;
    Place place;
    QuantizerState state = QuantizerState::Active;
    int steps = 0; // edges passed
    NumberLists::List sinks; // vertices whose inputs it quantizes; may repeat
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

    CandidatesIndex indexOf(const Candidates& candidates); // O(different lists)
    [[nodiscard]] const Candidates& candidates(CandidatesIndex index) const { return m_candidates[index]; }
    /// The best candidate of a quantizer.
    [[nodiscard]] const QuantizerConfig& config(QuantizerIndex id) const
    {
        return m_candidates[m_quantizers[id].candidates].front();
    }
    template <typename Visit> void forEachSink(QuantizerIndex id, const Visit& visit) const // of VertexIndex
    {
        m_lists.forEach(m_quantizers[id].sinks, visit);
    }

    /// A new quantizer at an input port of a vertex that wants quantized inputs.
    QuantizerIndex start(InputIndex input, CandidatesIndex candidates);
    /// A copy without sinks that will move on its own; affects nothing until it takes the place of another.
    QuantizerIndex copy(QuantizerIndex id);
    /// A quantizer behind `vertex` that takes the place of those at its readers.
    QuantizerIndex startMerged(VertexIndex vertex, CandidatesIndex candidates);

    void moveBehind(QuantizerIndex id, InputIndex input); // from an input up to the producer
    void moveThrough(QuantizerIndex id, InputIndex input); // from behind a vertex to one of its inputs
    void finish(QuantizerIndex id); // stays where it is
    /// Gone, its places and sinks now belong to `survivors` (none: nobody affects them any more).
    void replace(QuantizerIndex id, std::span<const QuantizerIndex> survivors);
    /// As replace, for a quantizer at `input` that meets others above it.
    void mergeUp(QuantizerIndex id, InputIndex input, std::span<const QuantizerIndex> survivors);

    /// The quantizer that stands at a place, or kNoIndex.
    [[nodiscard]] QuantizerIndex holder(const Place& place) const;
    /// Sorted; an answer is valid until the next question.
    [[nodiscard]] std::span<const QuantizerIndex> affectingInput(InputIndex input);
    [[nodiscard]] std::span<const QuantizerIndex> affectingEdge(InputIndex input); // between producer and input port
    [[nodiscard]] std::span<const QuantizerIndex> affectingBehind(VertexIndex vertex);
    [[nodiscard]] std::span<const QuantizerIndex> affectingVertex(VertexIndex vertex);
    /// Those affecting the vertex, one entry for each time one came to affect it.
    [[nodiscard]] std::size_t timesAffected(VertexIndex vertex);

    void unify(QuantizerIndex a, QuantizerIndex b); // one scale for both, and for all unified with them
    [[nodiscard]] std::uint32_t groupOf(QuantizerIndex id); // representative of the group, or kNoIndex

    /// Active quantizers first met going down from behind `vertex`, or from the vertex itself; sorted, valid until it
    /// is asked again.
    [[nodiscard]] std::span<const QuantizerIndex> firstActiveBelow(VertexIndex vertex);

private:
    using List = NumberLists::List;
    struct Survivors { // of a gone quantizer, in m_survivorPool
        std::uint32_t first = 0;
        std::uint32_t count = 0;
    };

    QuantizerIndex add(const PropagatingQuantizer& quantizer);
    [[nodiscard]] bool isGone(QuantizerIndex id) const { return m_quantizers[id].state == QuantizerState::Gone; }
    void shortenInPlace(QuantizerIndex id);
    std::span<const QuantizerIndex> resolve(List list);
    void resolveInto(QuantizerIndex id);
    void setHolder(const Place& place, QuantizerIndex id);

    const FusedGraph& m_graph;
    std::vector<Candidates> m_candidates;
    std::vector<PropagatingQuantizer> m_quantizers;
    std::vector<QuantizerIndex> m_atInput, m_behind; // holders
    NumberLists m_lists; // of the members below, and of sinks
    std::vector<List> m_affectInput, m_affectEdge; // [inputs]
    std::vector<List> m_affectBehind, m_affectVertex; // [vertices]
    std::vector<Survivors> m_survivors; // [quantizers] what took the place of a gone one, shortened on use
    std::vector<QuantizerIndex> m_survivorPool;
    std::vector<std::uint32_t> m_groups; // union-find
    std::vector<std::uint32_t> m_seenAt; // [vertices] round of the last visit by firstActiveBelow
    std::vector<std::uint32_t> m_resolvedAt; // [quantizers] round of the last visit by resolve
    std::uint32_t m_round = 0;
    std::uint32_t m_resolveRound = 0;
    std::vector<QuantizerIndex> m_alive, m_below; // answers
    std::vector<std::uint32_t> m_stack; // of the question being answered
};

} // namespace duo
