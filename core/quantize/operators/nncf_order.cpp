// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/nncf_order.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <tuple>

namespace duo {
namespace {

/// [ops] rank of the operator's number as text. Numbers: nodes in file order, inputs, outputs.
std::vector<std::uint32_t> textRanks(const OpGraph& graph)
{
    std::vector<OpIndex> byNumber(graph.ops.size());
    std::iota(byNumber.begin(), byNumber.end(), OpIndex{0});
    const auto key = [&graph](OpIndex op) {
        const OpKind kind = graph.ops[op].kind;
        const int group = kind == OpKind::Node ? 0 : kind == OpKind::Input ? 1 : 2;
        return std::tuple(group, kind == OpKind::Node ? graph.ops[op].node.index : 0U, op);
    };
    std::sort(byNumber.begin(), byNumber.end(), [&](OpIndex a, OpIndex b) { return key(a) < key(b); });
    std::vector<std::pair<std::string, OpIndex>> texts;
    for (std::size_t number = 0; number < byNumber.size(); ++number)
        texts.emplace_back(std::to_string(number), byNumber[number]);
    std::sort(texts.begin(), texts.end());
    std::vector<std::uint32_t> ranks(graph.ops.size());
    for (std::size_t rank = 0; rank < texts.size(); ++rank)
        ranks[texts[rank].second] = static_cast<std::uint32_t>(rank);
    return ranks;
}

enum Stage : std::uint32_t { kOperator, kBehind, kAtInput };

/// Something NNCF's graph holds: stage, text of the port, rank of the operator, and what it is here.
using Spot = std::tuple<Stage, std::string, std::uint32_t, std::uint32_t>;

template <typename T> using SmallestFirst = std::priority_queue<T, std::vector<T>, std::greater<>>;

} // namespace

std::vector<OpIndex> nncfOperatorOrder(const OpGraph& graph)
{
    const auto ranks = textRanks(graph);
    std::vector<std::size_t> open(graph.ops.size());
    SmallestFirst<std::pair<std::uint32_t, OpIndex>> ready;
    for (OpIndex op = 0; op < graph.ops.size(); ++op) {
        open[op] = graph.ops[op].in.size();
        if (graph.isInference(op) && open[op] == 0)
            ready.emplace(ranks[op], op);
    }
    std::vector<OpIndex> order;
    while (!ready.empty()) {
        const OpIndex op = ready.top().second;
        ready.pop();
        order.push_back(op);
        for (const EdgeIndex e : graph.ops[op].out) {
            const OpIndex to = graph.edges[e].to;
            if (--open[to] == 0)
                ready.emplace(ranks[to], to);
        }
    }
    return order;
}

std::vector<VertexIndex> nncfVertexOrder(const OpGraph& graph, const FusedGraph& fused)
{
    const auto ranks = textRanks(graph);
    std::vector<std::size_t> open(fused.vertices.size());
    SmallestFirst<Spot> ready;
    const auto pushOperator
        = [&](VertexIndex v) { ready.emplace(kOperator, "", ranks[fused.vertices[v].primary()], v); };
    for (VertexIndex v = 0; v < fused.vertices.size(); ++v) {
        open[v] = fused.vertices[v].in.size();
        if (open[v] == 0)
            pushOperator(v);
    }
    std::vector<VertexIndex> order;
    while (!ready.empty()) {
        const auto [stage, port, rank, index] = ready.top();
        ready.pop();
        switch (stage) {
        case kOperator:
            order.push_back(index);
            ready.emplace(kBehind, "", ranks[fused.vertices[index].last()], index);
            break;
        case kBehind:
            for (const InputIndex input : fused.vertices[index].out)
                ready.emplace(kAtInput, std::to_string(fused.inputs[input].port),
                    ranks[fused.vertices[fused.inputs[input].to].primary()], input);
            break;
        case kAtInput:
            if (--open[fused.inputs[index].to] == 0)
                pushOperator(fused.inputs[index].to);
            break;
        }
    }
    return order;
}

} // namespace duo
