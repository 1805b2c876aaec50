// SPDX-License-Identifier: Apache-2.0
#include "core/scope/reasons/unregistered_nodes.h"

#include "core/scope/keys/key_names.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

/// Operators that a module's parameters go into at port 1, and that hardly anybody uses with other constants.
bool isOfModule(const Node& node)
{
    static constexpr std::array<std::string_view, 6> kTypes{"Conv", "ConvTranspose", "Gemm", "LSTM", "GRU", "RNN"};
    return std::find(kTypes.begin(), kTypes.end(), node.opType) != kTypes.end();
}

bool hasKeylessWeight(const Model& model, const Node& node)
{
    if (node.inputs.size() < 2 || !node.inputs[1].valid())
        return false;
    const Tensor* weight = model.constant(node.inputs[1]);
    if (weight == nullptr || !isFloating(weight->type) || weight->dims.size() < 2)
        return false;
    const Value& value = model.value(node.inputs[1]);
    return value.initializer.valid() ? isLiftedTensor(value.name) : isOfModule(node);
}

} // namespace

std::vector<bool> findUnregisteredNodes(const Model& model, const ScopeFacts& facts)
{
    std::vector<bool> found(model.nodes.size(), false);
    for (std::size_t n = 0; n < found.size(); ++n) {
        const FramedNode& framed = facts.frames[n];
        if (!framed.isScoped)
            continue;
        found[n]
            = framed.isPastForward || (facts.parameters.reads[n].empty() && hasKeylessWeight(model, model.nodes[n]));
    }
    return found;
}

} // namespace duo
