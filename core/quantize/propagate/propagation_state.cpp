// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/propagation_state.h"

#include "core/support/sorted.h"

#include <algorithm>

namespace duo {
PropagationState::PropagationState(const FusedGraph& graph)
    : m_graph(graph)
    , m_atInput(graph.inputs.size(), kNoIndex)
    , m_behind(graph.vertices.size(), kNoIndex)
    , m_affectInput(graph.inputs.size())
    , m_affectEdge(graph.inputs.size())
    , m_affectBehind(graph.vertices.size())
    , m_affectVertex(graph.vertices.size())
    , m_seenAt(graph.vertices.size(), 0)
{
}

CandidatesIndex PropagationState::indexOf(const Candidates& candidates)
{
    const auto known = std::find(m_candidates.begin(), m_candidates.end(), candidates);
    const auto index = static_cast<CandidatesIndex>(known - m_candidates.begin());
    if (known == m_candidates.end())
        m_candidates.push_back(candidates);
    return index;
}

QuantizerIndex PropagationState::add(const PropagatingQuantizer& quantizer)
{
    const auto id = static_cast<QuantizerIndex>(m_quantizers.size());
    m_quantizers.push_back(quantizer);
    m_survivors.emplace_back();
    m_resolvedAt.push_back(0);
    return id;
}

QuantizerIndex PropagationState::start(InputIndex input, CandidatesIndex candidates)
{
    PropagatingQuantizer quantizer;
    quantizer.candidates = candidates;
    quantizer.place = {false, input};
    m_lists.push(quantizer.sinks, m_graph.inputs[input].to);
    const QuantizerIndex id = add(quantizer);
    m_atInput[input] = id;
    m_lists.push(m_affectInput[input], id);
    m_lists.push(m_affectVertex[m_graph.inputs[input].to], id);
    return id;
}

QuantizerIndex PropagationState::copy(QuantizerIndex id)
{
    PropagatingQuantizer quantizer = m_quantizers[id];
    quantizer.sinks = {}; // replace() hands them over
    return add(quantizer);
}

QuantizerIndex PropagationState::startMerged(VertexIndex vertex, CandidatesIndex candidates)
{
    PropagatingQuantizer quantizer;
    quantizer.candidates = candidates;
    quantizer.place = {true, vertex};
    const QuantizerIndex id = add(quantizer);
    m_behind[vertex] = id;
    m_lists.push(m_affectBehind[vertex], id);
    return id;
}

void PropagationState::moveBehind(QuantizerIndex id, InputIndex input)
{
    const VertexIndex from = m_graph.inputs[input].from;
    setHolder(m_quantizers[id].place, kNoIndex);
    m_lists.push(m_affectEdge[input], id);
    m_lists.push(m_affectBehind[from], id);
    m_quantizers[id].place = {true, from};
    ++m_quantizers[id].steps;
    m_behind[from] = id;
}

void PropagationState::moveThrough(QuantizerIndex id, InputIndex input)
{
    const VertexIndex vertex = m_graph.inputs[input].to;
    if (holder(m_quantizers[id].place) == id)
        setHolder(m_quantizers[id].place, kNoIndex);
    m_lists.push(m_affectVertex[vertex], id);
    m_lists.push(m_affectInput[input], id);
    m_quantizers[id].place = {false, input};
    m_quantizers[id].steps += 2;
    m_atInput[input] = id;
}

void PropagationState::finish(QuantizerIndex id)
{
    m_quantizers[id].state = QuantizerState::Finished;
    setHolder(m_quantizers[id].place, id);
}

void PropagationState::replace(QuantizerIndex id, std::span<const QuantizerIndex> survivors)
{
    PropagatingQuantizer& gone = m_quantizers[id];
    if (holder(gone.place) == id)
        setHolder(gone.place, kNoIndex);
    gone.state = QuantizerState::Gone;
    m_survivors[id] = {static_cast<std::uint32_t>(m_survivorPool.size()), static_cast<std::uint32_t>(survivors.size())};
    m_survivorPool.insert(m_survivorPool.end(), survivors.begin(), survivors.end());
    for (const QuantizerIndex survivor : survivors) {
        List& sinks = m_quantizers[survivor].sinks;
        if (survivors.size() == 1) {
            m_lists.join(sinks, gone.sinks);
        } else {
            List handed;
            m_lists.forEach(gone.sinks, [&](VertexIndex sink) { m_lists.push(handed, sink); });
            m_lists.join(sinks, handed);
        }
        if (gone.group != kNoIndex)
            unify(id, survivor);
    }
    gone.sinks = {};
}

void PropagationState::mergeUp(QuantizerIndex id, InputIndex input, std::span<const QuantizerIndex> survivors)
{
    m_lists.push(m_affectEdge[input], id);
    replace(id, survivors);
}

QuantizerIndex PropagationState::holder(const Place& place) const
{
    return place.isBehind ? m_behind[place.index] : m_atInput[place.index];
}

void PropagationState::setHolder(const Place& place, QuantizerIndex id)
{
    (place.isBehind ? m_behind[place.index] : m_atInput[place.index]) = id;
}

void PropagationState::shortenInPlace(QuantizerIndex id)
{
    // Path halving as in a union-find: what took the place of `id` may itself be gone by now.
    const auto onlyOne = [this](QuantizerIndex of) { return m_survivorPool[m_survivors[of].first]; };
    const auto isPassedOn = [&](QuantizerIndex of) { return m_survivors[of].count == 1 && isGone(onlyOne(of)); };
    while (isPassedOn(id)) {
        const QuantizerIndex next = onlyOne(id);
        m_survivors[id] = m_survivors[next];
        if (isPassedOn(next))
            m_survivors[next] = m_survivors[onlyOne(next)];
    }
}

void PropagationState::resolveInto(QuantizerIndex id)
{
    m_stack.assign(1, id);
    while (!m_stack.empty()) {
        const QuantizerIndex current = m_stack.back();
        m_stack.pop_back();
        if (m_resolvedAt[current] == m_resolveRound)
            continue;
        m_resolvedAt[current] = m_resolveRound;
        if (!isGone(current)) {
            m_alive.push_back(current);
            continue;
        }
        shortenInPlace(current);
        const auto [first, count] = m_survivors[current];
        const auto begin = m_survivorPool.begin() + static_cast<std::ptrdiff_t>(first);
        m_stack.insert(m_stack.end(), begin, begin + static_cast<std::ptrdiff_t>(count));
    }
}

std::span<const QuantizerIndex> PropagationState::resolve(List list)
{
    m_alive.clear();
    ++m_resolveRound;
    m_lists.forEach(list, [this](QuantizerIndex id) { resolveInto(id); });
    std::sort(m_alive.begin(), m_alive.end());
    return m_alive;
}

std::span<const QuantizerIndex> PropagationState::affectingInput(InputIndex input)
{
    return resolve(m_affectInput[input]);
}

std::span<const QuantizerIndex> PropagationState::affectingEdge(InputIndex input)
{
    return resolve(m_affectEdge[input]);
}

std::span<const QuantizerIndex> PropagationState::affectingBehind(VertexIndex vertex)
{
    return resolve(m_affectBehind[vertex]);
}

std::span<const QuantizerIndex> PropagationState::affectingVertex(VertexIndex vertex)
{
    return resolve(m_affectVertex[vertex]);
}

std::size_t PropagationState::timesAffected(VertexIndex vertex)
{
    std::size_t times = 0;
    m_lists.forEach(m_affectVertex[vertex], [&](QuantizerIndex id) {
        m_alive.clear();
        ++m_resolveRound;
        resolveInto(id);
        times += m_alive.size();
    });
    return times;
}

void PropagationState::unify(QuantizerIndex a, QuantizerIndex b)
{
    const auto newGroup = [this] {
        m_groups.push_back(static_cast<std::uint32_t>(m_groups.size()));
        return static_cast<std::uint32_t>(m_groups.size() - 1);
    };
    for (const QuantizerIndex id : {a, b}) {
        if (at(id).group == kNoIndex)
            at(id).group = newGroup();
    }
    const std::uint32_t first = groupOf(a);
    const std::uint32_t second = groupOf(b);
    m_groups[std::max(first, second)] = std::min(first, second);
}

std::uint32_t PropagationState::groupOf(QuantizerIndex id)
{
    std::uint32_t group = at(id).group;
    if (group == kNoIndex)
        return kNoIndex;
    while (m_groups[group] != group) {
        m_groups[group] = m_groups[m_groups[group]];
        group = m_groups[group];
    }
    return group;
}

std::span<const QuantizerIndex> PropagationState::firstActiveBelow(VertexIndex vertex)
{
    ++m_round;
    m_below.clear();
    m_stack.assign(1, vertex);
    const auto meet = [this](QuantizerIndex id) {
        if (isActive(id))
            m_below.push_back(id);
    };
    while (!m_stack.empty()) {
        const VertexIndex current = m_stack.back();
        m_stack.pop_back();
        if (m_seenAt[current] == m_round)
            continue;
        m_seenAt[current] = m_round;
        if (m_behind[current] != kNoIndex) {
            meet(m_behind[current]);
            continue;
        }
        for (const InputIndex input : m_graph.vertices[current].out) {
            if (m_atInput[input] != kNoIndex)
                meet(m_atInput[input]);
            else
                m_stack.push_back(m_graph.inputs[input].to);
        }
    }
    sortUniqueInPlace(m_below);
    return m_below;
}

} // namespace duo
