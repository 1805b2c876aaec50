// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/decide/notes.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

std::string nodeCount(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " node" : " nodes");
}

std::string inputCount(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " input" : " inputs");
}

/// Nodes that could be quantized but read values of another floating type, by type.
std::map<ElementType, std::vector<NodeId>> otherFloatNodes(const Model& model, const OpGraph& graph)
{
    std::map<ElementType, std::vector<NodeId>> nodes;
    for (const Op& op : graph.ops) {
        if (op.kind != OpKind::Node || op.traits.trait != Trait::InputsQuantizable || op.in.empty())
            continue;
        const ElementType type = model.value(graph.edges[op.in.front()].value).type.element;
        if (isFloating(type) && type != ElementType::Float32)
            nodes[type].push_back(op.node);
    }
    return nodes;
}

} // namespace

std::vector<Note> placementNotes(const Model& model, const OpGraph& graph)
{
    std::vector<Note> notes;
    if (model.opset() < 13)
        notes.push_back({"per-tensor-only",
            "opset " + std::to_string(model.opset())
                + " quantizes per tensor only; convert the model to opset 13 or newer for scales per channel",
            {}});
    for (const auto& [type, nodes] : otherFloatNodes(model, graph)) {
        const std::string name(elementTypeName(type));
        notes.push_back({name + "-stays-float",
            name + " values stay float: " + nodeCount(nodes.size()) + " not quantized; export the model in float32",
            model.node(nodes.front()).name});
    }
    const auto isQuantizer = [](const Node& node) {
        return node.opType == "QuantizeLinear" || node.opType == "DequantizeLinear"
            || node.opType == "DynamicQuantizeLinear" || node.opType.starts_with("QLinear");
    };
    const auto first = std::find_if(model.nodes.begin(), model.nodes.end(), isQuantizer);
    if (first != model.nodes.end()) {
        const auto count = std::count_if(model.nodes.begin(), model.nodes.end(), isQuantizer);
        notes.push_back({"already-quantized",
            "parts of the model are quantized already (" + nodeCount(static_cast<std::size_t>(count))
                + "); they stay as they are",
            first->name});
    }
    return notes;
}

std::optional<Note> precisionNote(const Model& model, const RuleHits& hits, const std::vector<ReadBits>& bits)
{
    const auto isCaught = [](std::uint32_t of) { return of != 0; };
    const auto caught = std::count_if(hits.precisionOf.begin(), hits.precisionOf.end(), isCaught);
    if (caught == 0)
        return std::nullopt;
    const auto countOf
        = [&](auto test) { return static_cast<std::size_t>(std::count_if(bits.begin(), bits.end(), test)); };
    const std::size_t again = countOf([](const ReadBits& at) { return at.given != 0 && at.given != at.read; });
    const std::size_t apart = countOf([](const ReadBits& at) { return at.isApart; });
    std::string text = "rules want another precision of " + nodeCount(static_cast<std::size_t>(caught));
    if (again != 0)
        text += "; given in other bits and quantized again: " + inputCount(again);
    if (apart != 0)
        text += "; quantized from float in bits of their own: " + inputCount(apart);
    const auto first = std::find_if(hits.precisionOf.begin(), hits.precisionOf.end(), isCaught);
    const auto node = static_cast<std::size_t>(first - hits.precisionOf.begin());
    return Note{"other-precision", text, model.nodes[node].name};
}

} // namespace duo
