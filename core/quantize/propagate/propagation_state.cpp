// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/propagate/propagation_state.h"

#include <algorithm>

namespace duo {
namespace {

void sortUniqueInPlace(std::vector<std::uint32_t>& list)
{
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

} // namespace

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

QuantizerIndex PropagationState::start(InputIndex input, const Candidates& candidates)
{
    const auto id = static_cast<QuantizerIndex>(m_quantizers.size());
    PropagatingQuantizer quantizer;
    quantizer.candidates = candidates;
    quantizer.place = {false, input};
    quantizer.sinks = {m_graph.inputs[input].to};
    m_quantizers.push_back(std::move(quantizer));
    m_survivors.emplace_back();
    m_atInput[input] = id;
    m_affectInput[input].push_back(id);
    m_affectVertex[m_graph.inputs[input].to].push_back(id);
    return id;
}

QuantizerIndex PropagationState::copy(QuantizerIndex id)
{
    const auto made = static_cast<QuantizerIndex>(m_quantizers.size());
    m_quantizers.push_back(PropagatingQuantizer(m_quantizers[id]));
    m_quantizers.back().sinks.clear(); // replace() hands them over
    m_survivors.emplace_back();
    return made;
}

QuantizerIndex PropagationState::startMerged(VertexIndex vertex, const Candidates& candidates)
{
    const auto id = static_cast<QuantizerIndex>(m_quantizers.size());
    PropagatingQuantizer quantizer;
    quantizer.candidates = candidates;
    quantizer.place = {true, vertex};
    m_quantizers.push_back(std::move(quantizer));
    m_survivors.emplace_back();
    m_behind[vertex] = id;
    m_affectBehind[vertex].push_back(id);
    return id;
}

void PropagationState::moveBehind(QuantizerIndex id, InputIndex input)
{
    const VertexIndex from = m_graph.inputs[input].from;
    setHolder(m_quantizers[id].place, kNoIndex);
    m_affectEdge[input].push_back(id);
    m_affectBehind[from].push_back(id);
    m_quantizers[id].place = {true, from};
    ++m_quantizers[id].steps;
    m_behind[from] = id;
}

void PropagationState::moveThrough(QuantizerIndex id, InputIndex input)
{
    const VertexIndex vertex = m_graph.inputs[input].to;
    if (holder(m_quantizers[id].place) == id)
        setHolder(m_quantizers[id].place, kNoIndex);
    m_affectVertex[vertex].push_back(id);
    m_affectInput[input].push_back(id);
    m_quantizers[id].place = {false, input};
    m_quantizers[id].steps += 2;
    m_atInput[input] = id;
}

void PropagationState::finish(QuantizerIndex id)
{
    m_quantizers[id].state = QuantizerState::Finished;
    setHolder(m_quantizers[id].place, id);
}

void PropagationState::replace(QuantizerIndex id, std::vector<QuantizerIndex> survivors)
{
    PropagatingQuantizer& gone = m_quantizers[id];
    if (holder(gone.place) == id)
        setHolder(gone.place, kNoIndex);
    gone.state = QuantizerState::Gone;
    for (const QuantizerIndex survivor : survivors) {
        auto& sinks = m_quantizers[survivor].sinks;
        if (survivors.size() == 1 && sinks.size() < gone.sinks.size())
            sinks.swap(gone.sinks);
        sinks.insert(sinks.end(), gone.sinks.begin(), gone.sinks.end());
        if (gone.group != kNoIndex)
            unify(id, survivor);
    }
    gone.sinks.clear();
    m_survivors[id] = std::move(survivors);
}

void PropagationState::mergeUp(QuantizerIndex id, InputIndex input, std::vector<QuantizerIndex> survivors)
{
    m_affectEdge[input].push_back(id);
    replace(id, std::move(survivors));
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
    List& list = m_survivors[id];
    while (list.size() == 1 && at(list.front()).state == QuantizerState::Gone) {
        const QuantizerIndex next = list.front();
        list = m_survivors[next];
        if (list.size() == 1 && at(list.front()).state == QuantizerState::Gone)
            m_survivors[next] = m_survivors[list.front()];
    }
}

PropagationState::List PropagationState::resolve(const List& list)
{
    List alive;
    List open = list;
    while (!open.empty()) {
        List next;
        for (const QuantizerIndex id : open) {
            if (at(id).state != QuantizerState::Gone) {
                alive.push_back(id);
                continue;
            }
            shortenInPlace(id);
            next.insert(next.end(), m_survivors[id].begin(), m_survivors[id].end());
        }
        sortUniqueInPlace(next);
        open = std::move(next);
    }
    sortUniqueInPlace(alive);
    return alive;
}

std::vector<QuantizerIndex> PropagationState::affectingInput(InputIndex input)
{
    return resolve(m_affectInput[input]);
}

std::vector<QuantizerIndex> PropagationState::affectingEdge(InputIndex input)
{
    return resolve(m_affectEdge[input]);
}

std::vector<QuantizerIndex> PropagationState::affectingBehind(VertexIndex vertex)
{
    return resolve(m_affectBehind[vertex]);
}

std::vector<QuantizerIndex> PropagationState::affectingVertex(VertexIndex vertex)
{
    return resolve(m_affectVertex[vertex]);
}

std::size_t PropagationState::timesAffected(VertexIndex vertex)
{
    std::size_t times = 0;
    for (const QuantizerIndex id : m_affectVertex[vertex])
        times += resolve({id}).size();
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

std::vector<QuantizerIndex> PropagationState::firstBelow(VertexIndex vertex)
{
    ++m_round;
    List found;
    std::vector<VertexIndex> stack{vertex};
    while (!stack.empty()) {
        const VertexIndex current = stack.back();
        stack.pop_back();
        if (m_seenAt[current] == m_round)
            continue;
        m_seenAt[current] = m_round;
        if (m_behind[current] != kNoIndex) {
            found.push_back(m_behind[current]);
            continue;
        }
        for (const InputIndex input : m_graph.vertices[current].out) {
            if (m_atInput[input] != kNoIndex)
                found.push_back(m_atInput[input]);
            else
                stack.push_back(m_graph.inputs[input].to);
        }
    }
    sortUniqueInPlace(found);
    return found;
}

} // namespace duo
