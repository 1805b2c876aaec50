// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/place/clamps.h"

#include "core/quantize/points/batch_norm.h"

namespace duo {

NodeId endOfClamps(const Model& model, NodeId node)
{
    if (const auto norm = foldableNorm(model, node))
        node = norm->node;
    for (;;) {
        const auto& outputs = model.node(node).outputs;
        const ValueId value = outputs.empty() ? ValueId() : outputs.front();
        if (!value.valid() || model.value(value).isOutput || model.value(value).uses.size() != 1)
            return node;
        const Use& use = model.value(value).uses.front();
        const Node& reader = model.node(use.node);
        const bool clamps = (reader.opType == "Relu" || reader.opType == "Clip") && use.port == 0;
        if (!clamps || reader.region.index != 0)
            return node;
        node = use.node;
    }
}

} // namespace duo
