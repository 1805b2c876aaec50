// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/quantizer_settings.h"

#include "core/model/op_facts.h"

#include <algorithm>

namespace duo {
namespace {

bool isQuantizedOperator(const Node& node)
{
    const ProductForm form = opFacts(node).form;
    return form == ProductForm::Integer || form == ProductForm::Codes || node.opType.starts_with("QLinear");
}

bool isSetting(const Tensor& tensor, const Node& reader, std::uint32_t port)
{
    if (reader.opType == "QuantizeLinear" || reader.opType == "DequantizeLinear")
        return port > 0;
    if (reader.opType == "DynamicQuantizeMatMul")
        return port == 2 || port == 3;
    if (!isQuantizedOperator(reader))
        return false;
    return isFloating(tensor.type) || (elementBits(tensor.type) <= 16 && tensor.dims.size() < 2);
}

} // namespace

std::vector<bool> quantizerSettings(const Model& model, std::span<const HeldTensor> held)
{
    std::vector<bool> isSettingOf(model.tensors.size(), false);
    for (const HeldTensor& entry : held) {
        if (!entry.value.valid() || model.value(entry.value).uses.empty())
            continue;
        const Tensor& tensor = model.tensor(entry.tensor);
        isSettingOf[entry.tensor.index] = std::ranges::all_of(model.value(entry.value).uses,
            [&](const Use& use) { return isSetting(tensor, model.node(use.node), use.port); });
    }
    return isSettingOf;
}

} // namespace duo
