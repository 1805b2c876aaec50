// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/read_bits.h"

#include <algorithm>

namespace duo {
namespace {

bool hasOtherThanEightBits(const QuantizerSetup& setup)
{
    return std::any_of(setup.points.begin(), setup.points.end(),
        [](const auto& entry) { return !entry.second.isWeight && entry.second.config.numBits != 8; });
}

/// Bits by value and by port, as the points say.
struct PointBits {
    std::vector<std::uint8_t> behind; // [values]
    std::vector<std::uint8_t> own; // [input ports]
};

PointBits pointBits(const Model& model, const PortTable& ports, const QuantizerSetup& setup)
{
    PointBits bits{std::vector<std::uint8_t>(model.values.size(), 0), std::vector<std::uint8_t>(ports.count(), 0)};
    for (const auto& [id, point] : setup.points) {
        const auto width = static_cast<std::uint8_t>(point.config.numBits);
        if (point.isWeight)
            continue;
        if (point.input.valid())
            bits.behind[point.input.index] = width;
        else if (!point.port) {
            for (const ValueId value : ports.outputs(point.node)) {
                if (value.valid())
                    bits.behind[value.index] = width;
            }
        } else if (*point.port < ports.count(point.node)) {
            bits.own[ports.first(point.node) + *point.port] = width;
        }
    }
    return bits;
}

/// Behind operators that only move data there is what they read.
void moveBitsInPlace(PointBits& bits, const Model& model, const OpGraph& graph)
{
    for (const NodeId id : model.order) {
        if (!movesData(graph, id))
            continue;
        std::uint8_t read = 0;
        for (std::uint32_t port = 0; port < graph.ports.count(id); ++port) {
            const std::uint32_t at = graph.ports.first(id) + port;
            const ValueId value = graph.ports.value(at);
            if (value.valid())
                read = std::max(read, bits.own[at] == 0 ? bits.behind[value.index] : bits.own[at]);
        }
        for (const ValueId value : graph.ports.outputs(id)) {
            if (value.valid() && bits.behind[value.index] == 0)
                bits.behind[value.index] = read;
        }
    }
}

} // namespace

bool movesData(const OpGraph& graph, NodeId node)
{
    const Op& op = graph.ops[graph.opOfNode[node.index]];
    return graph.isOperator(node) && (op.traits.trait == Trait::Agnostic || op.traits.trait == Trait::Concat);
}

bool merelyMoves(const OpGraph& graph, NodeId node)
{
    const Op& op = graph.ops[graph.opOfNode[node.index]];
    return graph.isOperator(node) && op.traits.trait == Trait::Agnostic && graph.ports.outputs(node).size() == 1;
}

std::vector<ReadBits> readBits(const Model& model, const OpGraph& graph, const QuantizerSetup& setup)
{
    if (!hasOtherThanEightBits(setup))
        return {};
    const PortTable& ports = graph.ports;
    PointBits bits = pointBits(model, ports, setup);
    moveBitsInPlace(bits, model, graph);
    constexpr std::uint8_t kSeveral = 255;
    std::vector<std::uint8_t> widths(model.values.size(), 0); // of the readers' own quantizers
    for (std::uint32_t port = 0; port < ports.count(); ++port) {
        const ValueId value = ports.value(port);
        if (!value.valid() || bits.own[port] == 0)
            continue;
        std::uint8_t& width = widths[value.index];
        width = width == 0 || width == bits.own[port] ? bits.own[port] : kSeveral;
    }
    std::vector<ReadBits> read(ports.count());
    for (std::uint32_t port = 0; port < ports.count(); ++port) {
        const ValueId value = ports.value(port);
        if (!value.valid())
            continue;
        const std::uint8_t behind = bits.behind[value.index];
        read[port].read = bits.own[port] == 0 ? behind : bits.own[port];
        read[port].given = bits.own[port] == 0 ? std::uint8_t{0} : behind;
        read[port].isApart = bits.own[port] != 0 && behind == 0 && widths[value.index] == kSeveral;
    }
    return read;
}

bool readsMoreThanEightBits(const std::vector<ReadBits>& bits, const PortTable& ports, NodeId node)
{
    for (std::uint32_t port = 0; !bits.empty() && port < ports.count(node); ++port) {
        if (bits[ports.first(node) + port].read > 8)
            return true;
    }
    return false;
}

std::map<NodeId, std::vector<OtherBits>> otherBits(
    const Model& model, const std::vector<ReadBits>& bits, const PortTable& ports)
{
    std::map<NodeId, std::vector<OtherBits>> found;
    for (std::size_t n = 0; !bits.empty() && n < model.nodes.size(); ++n) {
        const NodeId node(n);
        for (std::uint32_t port = 0; port < ports.count(node); ++port) {
            const ReadBits& at = bits[ports.first(node) + port];
            if ((at.given != 0 && at.given != at.read) || at.isApart)
                found[node].push_back({port, at.read, at.given});
        }
    }
    return found;
}

} // namespace duo
