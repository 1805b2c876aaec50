// SPDX-License-Identifier: Apache-2.0
#include "core/model/held_tensors.h"

#include "core/model/key_names.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"

#include <variant>

namespace duo {
namespace {

/// A tensor of the file, or one that a quantizer keeps as integers.
bool isStored(const Model& model, ValueId id)
{
    const Value& value = model.value(id);
    if (heldTensor(model, id).valid() || !value.producer.valid())
        return heldTensor(model, id).valid();
    const auto& inputs = model.node(value.producer).inputs;
    return isDequantized(model, id) && !inputs.empty() && heldTensor(model, inputs[0]).valid();
}

} // namespace

bool isConstantNode(const Node& node)
{
    return node.opType == "Constant" && node.inputs.empty() && node.domain.empty();
}

TensorId heldTensor(const Model& model, ValueId value)
{
    if (!value.valid())
        return {};
    const Value& held = model.value(value);
    if (held.initializer.valid() || !held.producer.valid() || !isConstantNode(model.node(held.producer)))
        return held.initializer;
    const Attribute* attribute = model.node(held.producer).attribute("value");
    const TensorId* tensor = attribute != nullptr ? std::get_if<TensorId>(&attribute->value) : nullptr;
    return tensor != nullptr ? *tensor : TensorId{};
}

std::int64_t storedBytes(const Tensor& tensor)
{
    return packedBytes(tensor.type, tensor.elements()).value_or(0);
}

bool isIdentityAlias(const Model& model, const Node& node)
{
    if (node.opType != "Identity" || node.inputs.size() != 1 || node.outputs.size() != 1 || !node.inputs[0].valid()
        || !node.outputs[0].valid())
        return false;
    const std::string& given = model.value(node.outputs[0]).name;
    const bool isParameter = isKeyName(given, Naming::Unknown) && !keyOwner(given).empty();
    if (!isParameter && !node.localName.starts_with("Identity_"))
        return false;
    const bool isResult = model.value(node.outputs[0]).isOutput && !isBodyOutput(model, node.outputs[0]);
    return isStored(model, node.inputs[0]) && !isResult;
}

ValueId behindIdentities(const Model& model, ValueId value)
{
    while (model.value(value).producer.valid()) {
        const Node& producer = model.node(model.value(value).producer);
        if (producer.opType != "Identity" || producer.inputs.empty() || !producer.inputs[0].valid())
            break;
        value = producer.inputs[0];
    }
    return value;
}

std::vector<float> floatVector(const Model& model, ValueId value)
{
    const Tensor* tensor = model.constant(behindIdentities(model, value));
    if (tensor == nullptr || tensor->type != ElementType::Float32 || tensor->dims.size() != 1)
        return {};
    return toFloats(*tensor);
}

std::vector<HeldTensor> heldTensors(const Model& model)
{
    std::vector<std::vector<ValueId>> valuesOf(model.tensors.size());
    std::vector<ValueId> inOrder;
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        if (const TensorId tensor = heldTensor(model, ValueId(v)); tensor.valid()) {
            valuesOf[tensor.index].emplace_back(v);
            inOrder.emplace_back(v);
        }
    }
    const bool isNamedByValue = !model.format->namesTensors;
    const auto entry = [&](TensorId tensor, ValueId value) {
        const bool hasValueName = isNamedByValue && value.valid();
        return HeldTensor{tensor, value, hasValueName ? model.value(value).name : model.tensor(tensor).name};
    };
    std::vector<HeldTensor> held;
    std::vector<bool> isListed(model.tensors.size(), false);
    for (const TensorId tensor : model.initializers) {
        isListed[tensor.index] = true;
        if (valuesOf[tensor.index].empty())
            held.push_back(entry(tensor, {}));
        for (const ValueId value : valuesOf[tensor.index])
            held.push_back(entry(tensor, value));
    }
    for (const ValueId value : inOrder) {
        if (const TensorId tensor = heldTensor(model, value); !isListed[tensor.index])
            held.push_back(entry(tensor, value));
    }
    return held;
}

} // namespace duo
