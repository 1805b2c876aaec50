// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/chosen_numbers.h"

#include "core/analysis/signal_error.h"

#include <cmath>
#include <string_view>
#include <vector>

namespace duo {
namespace {

/// Its outputs from here on are places it chose; nothing: it chooses none.
std::optional<std::size_t> firstChosenOutput(const Node& node)
{
    if (!node.domain.empty())
        return std::nullopt;
    if (node.opType == "ArgMax" || node.opType == "ArgMin" || node.opType == "NonMaxSuppression")
        return 0;
    return node.opType == "TopK" ? std::optional<std::size_t>(1) : std::nullopt;
}

/// The type is not told of every value: then it is that of computed numbers.
bool mayBeFloats(const Model& model, const Node& node)
{
    if (node.inputs.empty() || !node.inputs.front().valid())
        return false;
    const auto type = model.value(node.inputs.front()).type.element;
    return type == ElementType::Undefined || isFloating(type);
}

} // namespace

bool isChosen(const Model& model, ValueId output)
{
    std::vector<bool> isSeen(model.values.size(), false);
    std::vector<ValueId> open;
    const auto see = [&](ValueId value) {
        if (!value.valid() || isSeen[value.index])
            return;
        isSeen[value.index] = true;
        open.push_back(value);
    };
    see(output);
    while (!open.empty()) {
        const Value& value = model.value(open.back());
        open.pop_back();
        if (!value.producer.valid())
            continue;
        const Node& node = model.node(value.producer);
        const auto chosen = firstChosenOutput(node);
        if (chosen && value.producerPort >= *chosen && mayBeFloats(model, node))
            return true;
        for (const ValueId input : node.inputs)
            see(input);
    }
    return false;
}

std::optional<Predictions> chosenNumbersOf(const TensorView& a, const TensorView& b)
{
    constexpr double kSame = 0.1;
    if (!isFloating(a.type) || a.dims != b.dims)
        return std::nullopt;
    const std::vector<double> ofA = toDoubles(a);
    const std::vector<double> ofB = toDoubles(b);
    if (ofA.size() != ofB.size() || (ofA.empty() && !a.bytes.empty()))
        return std::nullopt;
    Predictions numbers;
    numbers.kind = AnswerKind::ChosenNumber;
    numbers.areKnown = true;
    numbers.all = static_cast<std::int64_t>(ofA.size());
    for (std::size_t i = 0; i < ofA.size(); ++i)
        numbers.agreeing += ofA[i] == ofB[i] || std::abs(ofA[i] - ofB[i]) <= kSame * std::abs(ofA[i]) ? 1 : 0;
    return numbers;
}

} // namespace duo
