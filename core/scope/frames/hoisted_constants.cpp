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
        const bool isRead = node.outputs.size() == 1 && node.outputs[0].valid()
            && std::ranges::any_of(model.value(node.outputs[0]).uses, [&](const Use& use) {
                   return nodes[use.node.index].isScoped && nodes[use.node.index].from <= Provenance::Name;
               });
        if (nodes[n].isScoped && nodes[n].from == Provenance::Name && !isInPlace && isRead)
            nodes[n] = FramedNode{};
    }
}

} // namespace duo
