// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/operators/constant_path.h"

#include "core/model/op_facts.h"

namespace duo {

ConstantPath constantBehind(const Model& model, ValueId value)
{
    ConstantPath path;
    while (value.valid()) {
        if (model.constant(value) != nullptr) {
            path.value = value;
            return path;
        }
        const NodeId producer = model.value(value).producer;
        if (!producer.valid())
            return path;
        const Node& node = model.node(producer);
        const bool converts = isQuantizer(node);
        const bool moves = node.opType == "Identity" || node.opType == "Transpose" || node.opType == "Reshape";
        if (!(converts || moves) || node.inputs.empty())
            return path;
        path.isQuantized = path.isQuantized || converts;
        value = node.inputs[0];
    }
    return path;
}

} // namespace duo
