// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/clamps.h"

#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/transform/fold_batch_norm.h"

namespace duo {
namespace {

/// The Relu or Clip that alone reads a value; invalid where there is none.
NodeId clampOf(const Model& model, ValueId value)
{
    const auto use = onlyUse(model, value);
    if (!use)
        return {};
    const Node& reader = model.node(use->node);
    const bool clamps = has(reader, mark::kClamp) && use->port == 0;
    const bool gives = !reader.outputs.empty() && reader.outputs.front().valid();
    return clamps && gives && reader.region == model.value(value).region ? use->node : NodeId{};
}

} // namespace

NodeId endOfClamps(const Model& model, NodeId node)
{
    if (const auto norm = foldableNorm(model, node))
        node = norm->node;
    const auto resultOf = [&](NodeId id) {
        const auto& outputs = model.node(id).outputs;
        return outputs.empty() ? ValueId() : outputs.front();
    };
    for (NodeId clamp = clampOf(model, resultOf(node)); clamp.valid(); clamp = clampOf(model, resultOf(node)))
        node = clamp;
    return node;
}

ValueId behindClamps(const Model& model, ValueId value)
{
    constexpr int kLongest = 8; // so that many in a row do not cost the square of their number
    for (int i = 0; i < kLongest; ++i) {
        const NodeId clamp = clampOf(model, value);
        if (!clamp.valid())
            break;
        value = model.node(clamp).outputs.front();
    }
    return value;
}

} // namespace duo
