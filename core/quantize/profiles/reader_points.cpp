// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/reader_points.h"

#include <utility>

namespace duo {

DraftIndex needOutputPoint(DraftSetup& draft, NodeId node, const QuantizerConfig& config)
{
    DraftIndex output = draft.outputPoint(node);
    if (output == kNoIndex)
        output = draft.add({node, {}, std::nullopt, false, config, {}, false, false});
    draft.at(output).isNeeded = true;
    for (const Use& use : draft.ports().uses(draft.ports().result(node))) {
        const DraftIndex own = draft.areInOneGraph(node, use.node) ? draft.inputPoint(use.node, use.port) : kNoIndex;
        if (own == kNoIndex || draft.at(own).config != draft.at(output).config)
            continue;
        auto& sinks = draft.at(own).sinks;
        auto& all = draft.at(output).sinks;
        if (all.empty())
            all = std::move(sinks);
        else
            all.insert(all.end(), sinks.begin(), sinks.end());
        draft.unify(output, own);
        draft.remove(own);
    }
    return output;
}

void dropReader(DraftSetup& draft, NodeId node, std::uint32_t port)
{
    const DraftIndex point = draft.readPoint(node, port);
    if (point == kNoIndex || std::erase(draft.at(point).sinks, node) == 0)
        return;
    if (draft.at(point).sinks.empty() && !draft.at(point).isNeeded)
        draft.remove(point);
}

} // namespace duo
