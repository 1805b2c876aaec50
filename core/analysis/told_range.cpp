// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/told_range.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

struct Width {
    std::string_view opType;
    double width;
};

constexpr std::array kWidths{
    Width{"Sigmoid", 1}, Width{"HardSigmoid", 1}, Width{"Softmax", 1}, Width{"Tanh", 2}, Width{"Softsign", 2}};

} // namespace

std::optional<double> toldWidth(const Model& model, ValueId value)
{
    constexpr int kMostMoves = 8;
    for (int moves = 0; moves < kMostMoves && value.valid() && model.value(value).producer.valid(); ++moves) {
        const Node& node = model.node(model.value(value).producer);
        const auto found = std::ranges::find(kWidths, node.opType, &Width::opType);
        if (node.domain.empty() && found != kWidths.end())
            return found->width;
        if (!has(node, mark::kKeepsElements) || node.inputs.empty())
            return std::nullopt;
        value = node.inputs.front();
    }
    return std::nullopt;
}

} // namespace duo
