// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/unregistered_nodes.h"

#include "core/model/held_tensors.h"
#include "core/model/key_names.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

/// Operators that a module's parameters go into at port 1, and that hardly anybody uses with other constants.
bool isOfModule(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    return facts.product != Product::None && facts.form == ProductForm::Float && facts.biasPort != kNoPort;
}

/// "/blk/Constant_1_output_0": TorchScript's tracer met a tensor that is no attribute of any module.
bool isTracedConstant(std::string_view name)
{
    const std::size_t last = name.rfind('/');
    return last != std::string_view::npos && name.substr(last + 1).starts_with("Constant");
}

bool hasNoKey(const std::vector<ParameterRead>& reads)
{
    return std::ranges::all_of(reads, [](const ParameterRead& read) { return read.key == kNoKey; });
}

bool hasKeylessWeight(const Model& model, const Node& node)
{
    if (node.inputs.size() < 2 || !node.inputs[1].valid())
        return false;
    const TensorId weight = heldTensor(model, node.inputs[1]);
    if (!weight.valid() || !isFloating(model.tensor(weight).type) || model.tensor(weight).dims.size() < 2)
        return false;
    const std::string& name = model.value(node.inputs[1]).name;
    return isLiftedTensor(name) || (isOfModule(node) && isTracedConstant(name));
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
            = framed.isPastForward || (hasNoKey(facts.parameters.reads[n]) && hasKeylessWeight(model, model.nodes[n]));
    }
    return found;
}

} // namespace duo
