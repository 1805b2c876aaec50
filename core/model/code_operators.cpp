// SPDX-License-Identifier: Apache-2.0
#include "core/model/code_operators.h"

#include "core/model/node_inputs.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::uint32_t kNone = 255;
constexpr std::string_view kMicrosoft = "com.microsoft";

/// Source: Operators.md of ONNX, ContribOperators.md of ONNX Runtime 1.32.
struct Row {
    std::string_view opType;
    std::string_view domain;
    std::string_view floatType;
    std::uint32_t first = 0; // port of the first codes; their scale and zero point stand behind them
    std::uint32_t codes = 1; // how many of these threes; 0: as many as there are
    std::uint32_t resultScale = kNone;
    std::uint32_t bias = kNone;
    std::uint32_t plain = kNone;
    std::int64_t weightAxis = -1;
};

constexpr std::array kRows{
    Row{"QLinearConv", "", "Conv", 0, 2, 6, 8, kNone, 0},
    Row{"QLinearMatMul", "", "MatMul", 0, 2, 6},
    Row{"QGemm", kMicrosoft, "Gemm", 0, 2, 7, 6},
    Row{"QLinearAdd", kMicrosoft, "Add", 0, 2, 6},
    Row{"QLinearMul", kMicrosoft, "Mul", 0, 2, 6},
    Row{"QLinearLeakyRelu", kMicrosoft, "LeakyRelu", 0, 1, 3},
    Row{"QLinearSigmoid", kMicrosoft, "Sigmoid", 0, 1, 3},
    Row{"QLinearSoftmax", kMicrosoft, "Softmax", 0, 1, 3},
    Row{"QLinearAveragePool", kMicrosoft, "AveragePool", 0, 1, 3},
    Row{"QLinearGlobalAveragePool", kMicrosoft, "GlobalAveragePool", 0, 1, 3},
    Row{"QLinearConcat", kMicrosoft, "Concat", 2, 0, 0},
    Row{"QLinearWhere", kMicrosoft, "Where", 1, 2, 7, kNone, 0},
};

/// Weights of operators whose data is quantized anew in every run.
struct DynamicRow {
    std::string_view opType;
    std::uint32_t weight = 1;
    std::optional<std::uint32_t> scale; // nothing: another node scales the product
    std::uint32_t zeroPoint = 0;
    std::int64_t axis = -1;
};

constexpr std::array kDynamicRows{
    DynamicRow{"ConvInteger", 1, std::nullopt, 3, 0},
    DynamicRow{"MatMulInteger", 1, std::nullopt, 3, -1},
    DynamicRow{"DynamicQuantizeMatMul", 1, 2, 3, -1},
    DynamicRow{"MatMulIntegerToFloat", 1, 3, 5, -1},
};

const Row* rowOf(const Node& node)
{
    const auto found = std::ranges::find_if(
        kRows, [&](const Row& row) { return row.opType == node.opType && row.domain == node.domain; });
    return found == kRows.end() ? nullptr : &*found;
}

bool hasFloatForm(const Node& node)
{
    constexpr std::int64_t kSoftmaxOfOneAxis = 13;
    if (node.intAttribute("channels_last", 0) != 0)
        return false;
    return node.opType != "QLinearSoftmax" || node.intAttribute("opset", 0) >= kSoftmaxOfOneAxis;
}

std::int64_t weightAxisOf(const Row& row, const Node& node)
{
    const bool isTransposed = row.floatType == "Gemm" && node.intAttribute("transB", 0) != 0;
    return isTransposed ? 0 : row.weightAxis;
}

} // namespace

std::optional<CodeOperator> codeOperator(const Node& node)
{
    const Row* row = rowOf(node);
    if (row == nullptr || !hasFloatForm(node) || node.outputs.empty() || !node.outputs[0].valid())
        return std::nullopt;
    CodeOperator found{row->floatType};
    const std::size_t behind = node.inputs.size() > row->first ? node.inputs.size() - row->first : 0;
    const std::size_t threes = row->codes > 0 ? row->codes : behind / 3;
    for (std::size_t i = 0; i < threes; ++i) {
        const auto port = static_cast<std::uint32_t>(row->first + 3 * i);
        if (!inputAt(node, port).valid() || !inputAt(node, port + 1).valid())
            return std::nullopt;
        found.inputs.push_back({port, port + 1, port + 2});
    }
    if (inputAt(node, row->resultScale).valid())
        found.resultScale = row->resultScale;
    if (row->plain != kNone)
        found.plain = row->plain;
    if (inputAt(node, row->bias).valid())
        found.bias = row->bias;
    return found;
}

std::optional<CodeFacts> codeFactsAt(const Node& node, std::uint32_t port)
{
    if (!node.domain.empty() && node.domain != kMicrosoft)
        return std::nullopt;
    if (node.opType == "DequantizeLinear")
        return port == 0 ? std::optional(CodeFacts{1, 2, 1, std::nullopt}) : std::nullopt;
    const auto dynamic = std::ranges::find_if(
        kDynamicRows, [&](const DynamicRow& row) { return row.opType == node.opType && row.weight == port; });
    if (dynamic != kDynamicRows.end())
        return CodeFacts{dynamic->scale, dynamic->zeroPoint, dynamic->axis, std::nullopt};
    const Row* row = rowOf(node);
    if (row == nullptr || port < row->first)
        return std::nullopt;
    const std::int64_t axis = weightAxisOf(*row, node);
    const std::uint32_t weightScale = row->first + 4;
    if (port == row->bias)
        return CodeFacts{weightScale, std::nullopt, -1, row->first + 1};
    const std::uint32_t behind = port - row->first;
    if (behind % 3 != 0 || (row->codes > 0 && behind / 3 >= row->codes))
        return std::nullopt;
    return CodeFacts{port + 1, port + 2, axis, std::nullopt};
}

bool movesCodes(const Node& node)
{
    const Int8Kernel kernel = opFacts(node).int8;
    return kernel == Int8Kernel::Moves || kernel == Int8Kernel::MovesNearest;
}

} // namespace duo
