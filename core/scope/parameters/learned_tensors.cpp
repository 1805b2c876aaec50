// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/learned_tensors.h"

#include "core/content/telling.h"
#include "core/model/held_tensors.h"
#include "core/model/key_names.h"
#include "core/model/op_facts.h"
#include "core/scope/facts/sources.h"
#include "core/scope/parameters/key_list.h"
#include "core/scope/parameters/tensor_uses.h"
#include "core/scope/producers/producer_names.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace duo {
namespace {

bool isSetting(const Tensor& tensor, const Node& reader, std::uint32_t port)
{
    if (isQuantizer(reader))
        return port > 0;
    if (!worksOnCodes(reader) || operandOf(reader, port) == Operand::Weight)
        return false;
    return isFloating(tensor.type) || (elementBits(tensor.type) <= 16 && tensor.dims.size() < 2);
}

/// [Model::tensors] whether every reader takes the tensor as a scale or a zero point. Among what quantized operators
/// read, weights are integers of rank 2 or more, biases have 32 bits, all else are settings. O(values + uses).
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

constexpr std::int64_t kFewElements = 4; // the factors and steps of a program
constexpr int kSmallBits = 8; // integers that weights are kept in

bool areAll(std::span<const float> values, float wanted)
{
    return std::ranges::all_of(values, [&](float value) { return value == wanted; });
}

/// Masks, grids and steps repeat themselves or are whole numbers; what was learned does not.
bool isVaried(const Tensor& tensor)
{
    if (tensor.elements() >= kFewestTelling)
        return isTelling(tensor);
    std::vector<float> values = toFloats(tensor);
    if (values.empty() || std::ranges::all_of(values, [](float value) { return std::trunc(value) == value; }))
        return false;
    std::ranges::sort(values);
    const auto distinct = std::ranges::distance(values.begin(), std::ranges::unique(values).begin());
    return distinct > static_cast<std::ptrdiff_t>(values.size()) / 2;
}

/// The scale and shift that exporters give to a normalization without any.
bool isFiller(const Tensor& tensor)
{
    constexpr std::int64_t kMostChannels = 65536;
    if (tensor.elements() > kMostChannels)
        return false;
    const std::vector<float> values = toFloats(tensor);
    return !values.empty() && (areAll(values, 1.0F) || areAll(values, 0.0F));
}

bool isReadDequantized(const Model& model, ValueId value)
{
    return value.valid() && std::ranges::any_of(model.value(value).uses, [&](const Use& use) {
        return use.port == 0 && model.node(use.node).opType == "DequantizeLinear";
    });
}

bool isLearnedByUse(const Model& model, const HeldTensor& held, Operand use, bool isComplete)
{
    const Tensor& tensor = model.tensor(held.tensor);
    const bool isNumber = elementBits(tensor.type) > 0 && tensor.type != ElementType::Bool;
    if (!isNumber || tensor.dims.empty() || tensor.elements() == 0)
        return false;
    if (use == Operand::Weight)
        return true;
    if (isComplete || use == Operand::Setting)
        return false;
    if (!isFloating(tensor.type))
        return tensor.elements() > kFewElements
            && (isReadDequantized(model, held.value)
                || (elementBits(tensor.type) <= kSmallBits && tensor.dims.size() > 1));
    if (use == Operand::Affine)
        return !isFiller(tensor);
    return tensor.elements() > kFewElements && isVaried(tensor);
}

} // namespace

std::vector<bool> learnedTensors(const Model& model, std::span<const HeldTensor> held, const LearnedBy& by)
{
    const std::vector<bool> isSetting = quantizerSettings(model, held);
    const std::vector<Operand> uses = tensorUses(model, held);
    std::vector<bool> isLearned(model.tensors.size(), false);
    for (const HeldTensor& entry : held) {
        if (isLearned[entry.tensor.index] || isSetting[entry.tensor.index])
            continue;
        const Tensor& tensor = model.tensor(entry.tensor);
        const NameSays name = by.names(entry.name);
        const bool isBare = keyOwner(entry.name).empty();
        const bool isOneNumber = tensor.elements() == 1;
        const bool isLimit = isOneNumber && isBare && uses[entry.tensor.index] == Operand::Setting; // of all Clips, say
        const bool isAttribute = isLimit || (!isFloating(tensor.type) && (isOneNumber || isBare));
        isLearned[entry.tensor.index] = name == NameSays::Recorded || (name == NameSays::Parameter && !isAttribute)
            || isLearnedByUse(model, entry, uses[entry.tensor.index], by.isComplete && name != NameSays::Perhaps);
    }
    return isLearned;
}

ParameterTotals totalsOf(const Model& model, const std::vector<bool>& isLearned)
{
    ParameterTotals totals;
    for (std::size_t t = 0; t < model.tensors.size(); ++t) {
        if (!isLearned[t])
            continue;
        totals.parameters += model.tensors[t].elements();
        totals.bytes += storedBytes(model.tensors[t]);
    }
    return totals;
}

ParameterTotals parameterTotals(const Model& model)
{
    ModulePaths paths;
    Parameters parameters;
    listKeys(model, {}, ProducerNames(model), paths, parameters);
    return totalsOf(model, parameters.isLearned);
}

} // namespace duo
