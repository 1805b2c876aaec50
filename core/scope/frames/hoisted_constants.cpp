// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/frame_repairs.h"

#include <algorithm>

namespace duo {
namespace {

PathId innermost(const FramedNode& node)
{
    return node.frames.empty() ? ModulePaths::root() : node.frames.back().path;
}

bool isSource(const Node& node)
{
    return node.opType == "Constant" && node.inputs.empty();
}

/// Some node reads it, and none of these says where it runs.
bool isHeld(const Model& model, const Node& node, const std::vector<FramedNode>& nodes)
{
    if (node.outputs.size() != 1 || !node.outputs[0].valid())
        return true;
    const auto& uses = model.value(node.outputs[0]).uses;
    return !uses.empty() && std::ranges::none_of(uses, [&](const Use& use) {
        const FramedNode& reader = nodes[use.node.index];
        return reader.isScoped && reader.from <= Provenance::Name;
    });
}

} // namespace

void releaseHoistedConstants(const Model& model, std::vector<FramedNode>& nodes)
{
    PathId next; // where the next node of the list runs that is no constant
    for (std::size_t n = nodes.size(); n-- > 0;) {
        const Node& node = model.nodes[n];
        if (!isSource(node)) {
            next = nodes[n].isScoped ? innermost(nodes[n]) : PathId{};
            continue;
        }
        const bool isInPlace = nodes[n].isScoped && next.valid() && innermost(nodes[n]) == next;
        if (nodes[n].isScoped && nodes[n].from == Provenance::Name && !isInPlace && !isHeld(model, node, nodes))
            nodes[n] = FramedNode{};
    }
}

} // namespace duo
