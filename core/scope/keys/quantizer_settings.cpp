// SPDX-License-Identifier: Apache-2.0
#include "core/scope/keys/quantizer_settings.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

bool isQuantizedOperator(std::string_view type)
{
    constexpr std::array<std::string_view, 3> kTypes{"QGemm", "ConvInteger", "MatMulInteger"};
    return type.starts_with("QLinear") || std::ranges::find(kTypes, type) != kTypes.end();
}

bool isSetting(const Tensor& tensor, const Node& reader, std::uint32_t port)
{
    if (reader.opType == "QuantizeLinear" || reader.opType == "DequantizeLinear")
        return port > 0;
    if (reader.opType == "DynamicQuantizeMatMul")
        return port == 2 || port == 3;
    if (!isQuantizedOperator(reader.opType))
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
