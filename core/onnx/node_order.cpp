// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/node_order.h"

#include "core/onnx/walk_proto.h"

#include <queue>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

void readsOfBody(const onnx::GraphProto& graph, const std::function<void(const std::string&)>& take)
{
    for (const auto& node : graph.node())
        forEachRead(node, take);
    for (const auto& output : graph.output())
        take(output.name());
}

} // namespace

void forEachRead(const onnx::NodeProto& node, const std::function<void(const std::string&)>& take)
{
    for (const std::string& input : node.input())
        take(input);
    forEachBody(node, [&](const onnx::GraphProto& body) { readsOfBody(body, take); });
}

std::optional<std::vector<std::size_t>> topologicalBy(
    std::span<const onnx::NodeProto* const> nodes, std::span<const std::size_t> ranks)
{
    std::unordered_map<std::string_view, std::size_t> producers;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        for (const std::string& output : nodes[n]->output()) {
            if (!output.empty())
                producers.emplace(output, n);
        }
    }
    std::vector<std::vector<std::size_t>> readers(nodes.size());
    std::vector<std::size_t> awaited(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        forEachRead(*nodes[n], [&](const std::string& name) {
            const auto producer = producers.find(name);
            if (producer == producers.end())
                return;
            readers[producer->second].push_back(n);
            ++awaited[n];
        });
    }
    using Ready = std::pair<std::size_t, std::size_t>; // rank, node
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (awaited[n] == 0)
            ready.emplace(ranks[n], n);
    }
    std::vector<std::size_t> order;
    order.reserve(nodes.size());
    while (!ready.empty()) {
        const std::size_t node = ready.top().second;
        ready.pop();
        order.push_back(node);
        for (const std::size_t reader : readers[node]) {
            if (--awaited[reader] == 0)
                ready.emplace(ranks[reader], reader);
        }
    }
    return order.size() == nodes.size() ? std::optional(std::move(order)) : std::nullopt;
}

} // namespace duo
