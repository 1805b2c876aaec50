// SPDX-License-Identifier: Apache-2.0
#include "core/model/operands.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {
namespace {

using Ports = std::uint32_t;
constexpr std::size_t kMostPorts = 32;
constexpr Ports kNone = 0;
constexpr Ports kAll = ~Ports{0};

template <typename... Port> constexpr Ports at(Port... ports)
{
    return (kNone | ... | (Ports{1} << static_cast<unsigned>(ports)));
}

struct Row {
    std::string_view opType;
    Ports weights = kNone;
    Ports affine = kNone;
    Ports terms = kNone;
    Passing passing = Passing::None;
};

constexpr std::string_view kContrib = "com.microsoft";

/// Operators of ONNX; those that ONNX Runtime puts into the same domain stand here too.
const std::vector<Row>& onnxRows()
{
    static const std::vector<Row> rows{
        {"Conv", at(1, 2)},
        {"ConvTranspose", at(1, 2)},
        {"DeformConv", at(1, 3)},
        {"ConvInteger", at(1)},
        {"QLinearConv", at(3, 8)},
        {"MatMul", at(0, 1)},
        {"MatMulInteger", at(0, 1)},
        {"QLinearMatMul", at(0, 3)},
        {"Gemm", at(1, 2), kNone, at(0)},
        {"Einsum", kAll},
        {"LSTM", at(1, 2, 3, 7), kNone, at(5, 6)},
        {"GRU", at(1, 2, 3), kNone, at(5)},
        {"RNN", at(1, 2, 3), kNone, at(5)},
        {"BatchNormalization", at(1, 2, 3, 4)},
        {"InstanceNormalization", kNone, at(1, 2)},
        {"LayerNormalization", kNone, at(1, 2)},
        {"GroupNormalization", kNone, at(1, 2)},
        {"RMSNormalization", kNone, at(1)},
        {"SimplifiedLayerNormalization", kNone, at(1)},
        {"PRelu", at(1)},
        {"Gather", kNone, kNone, at(0)},
        {"GatherElements", kNone, kNone, at(0)},
        {"GatherND", kNone, kNone, at(0)},
        {"Where", kNone, kNone, at(1, 2)},
        {"ScatterElements", kNone, kNone, at(0, 2)},
        {"ScatterND", kNone, kNone, at(0, 2)},
        {"Sum", kNone, kNone, kAll},
        {"Mean", kNone, kNone, kAll},
        {"Loop", kNone, kNone, kAll & ~at(0, 1)},
        {"Scan", kNone, kNone, kAll},
        {"Identity", kNone, kNone, kNone, Passing::Layout},
        {"Transpose", kNone, kNone, kNone, Passing::Layout},
        {"Cast", kNone, kNone, kNone, Passing::Layout},
        {"CastLike", kNone, kNone, kNone, Passing::Layout},
        {"Reshape", kNone, kNone, kNone, Passing::Layout},
        {"Unsqueeze", kNone, kNone, kNone, Passing::Layout},
        {"Squeeze", kNone, kNone, kNone, Passing::Layout},
        {"Flatten", kNone, kNone, kNone, Passing::Layout},
        {"Expand", kNone, kNone, kNone, Passing::Layout},
        {"Split", kNone, kNone, kNone, Passing::Layout},
        {"Slice", kNone, kNone, kNone, Passing::Layout},
        {"QuantizeLinear", kNone, kNone, kNone, Passing::Layout},
        {"DequantizeLinear", kNone, kNone, kNone, Passing::Layout},
        {"Concat", kNone, kNone, kAll, Passing::Arithmetic},
        {"Add", kNone, kNone, kAll, Passing::Arithmetic},
        {"Sub", kNone, kNone, kAll, Passing::Arithmetic},
        {"Mul", kNone, kNone, kAll, Passing::Arithmetic},
        {"Div", kNone, kNone, kAll, Passing::Arithmetic},
        {"Pow", kNone, kNone, at(0), Passing::Arithmetic},
        {"Neg", kNone, kNone, kNone, Passing::Arithmetic},
        {"Abs", kNone, kNone, kNone, Passing::Arithmetic},
        {"Sqrt", kNone, kNone, kNone, Passing::Arithmetic},
        {"Reciprocal", kNone, kNone, kNone, Passing::Arithmetic},
        {"Exp", kNone, kNone, kNone, Passing::Arithmetic},
        {"Log", kNone, kNone, kNone, Passing::Arithmetic},
        {"Softplus", kNone, kNone, kNone, Passing::Arithmetic},
        {"ReduceSum", kNone, kNone, kNone, Passing::Arithmetic},
        {"ReduceMean", kNone, kNone, kNone, Passing::Arithmetic},
        {"ReduceMax", kNone, kNone, kNone, Passing::Arithmetic},
        {"ReduceL2", kNone, kNone, kNone, Passing::Arithmetic},
        {"LpNormalization", kNone, kNone, kNone, Passing::Arithmetic},
    };
    return rows;
}

const std::vector<Row>& contribRows()
{
    static const std::vector<Row> rows{
        {"FusedConv", at(1, 2), kNone, at(3)},
        {"NhwcConv", at(1, 2)},
        {"NhwcFusedConv", at(1, 2), kNone, at(3)},
        {"QLinearConv", at(3, 8)},
        {"FusedGemm", at(1, 2), kNone, at(0)},
        {"GemmFastGelu", at(1, 2)},
        {"FusedMatMul", at(0, 1)},
        {"FusedMatMulActivation", at(0, 1)},
        {"TransposeMatMul", at(0, 1)},
        {"QGemm", at(3, 6)},
        {"DynamicQuantizeMatMul", at(1, 4)},
        {"MatMulIntegerToFloat", at(1, 6)},
        {"MatMulNBits", at(1, 5)},
        {"MatMulBnb4", at(1)},
        {"MatMulFpQ4", at(1)},
        {"DynamicQuantizeLSTM", at(1, 2, 3)},
        {"Attention", at(1, 2)},
        {"QAttention", at(1, 2)},
        {"MultiHeadAttention", at(3)},
        {"BiasGelu", at(1)},
        {"FastGelu", at(1)},
        {"BiasAdd", at(1)},
        {"BiasSplitGelu", at(1)},
        {"BiasSoftmax", kNone, kNone, at(1)},
        {"LayerNormalization", kNone, at(1, 2)},
        {"SimplifiedLayerNormalization", kNone, at(1)},
        {"SkipLayerNormalization", at(4), at(2, 3)},
        {"SkipSimplifiedLayerNormalization", at(3), at(2)},
        {"SkipGroupNorm", at(4), at(1, 2)},
        {"GroupNorm", kNone, at(1, 2)},
        {"EmbedLayerNormalization", at(2, 3, 4), at(5, 6)},
        {"GatherBlockQuantized", at(0)},
        {"QLinearAdd", kNone, kNone, at(0, 3)},
        {"QLinearMul", kNone, kNone, at(0, 3)},
        {"MoE", at(2, 3, 4, 5, 6, 7)},
        {"QMoE", at(2, 4, 5, 7, 8, 10)},
        {"RotaryEmbedding"},
        {"GroupQueryAttention"},
        {"QuickGelu"},
        {"Gelu"},
    };
    return rows;
}

using Index = std::unordered_map<std::string_view, const Row*>;

Index indexOf(const std::vector<Row>& rows)
{
    Index index;
    for (const Row& row : rows)
        index.emplace(row.opType, &row);
    return index;
}

const Row* rowOf(const Node& node)
{
    static const Index onnx = indexOf(onnxRows());
    static const Index contrib = indexOf(contribRows());
    if (!node.domain.empty() && node.domain != kContrib)
        return nullptr;
    const Index& index = node.domain.empty() ? onnx : contrib;
    const auto found = index.find(node.opType);
    return found == index.end() ? nullptr : found->second;
}

} // namespace

Operand operandOf(const Node& node, std::size_t port)
{
    const Row* row = rowOf(node);
    if (row == nullptr)
        return node.domain.empty() ? Operand::Setting : Operand::Term;
    const std::size_t bit = port < kMostPorts ? port : kMostPorts - 1;
    const auto has = [&](Ports ports) { return ((ports >> bit) & 1U) != 0; };
    if (has(row->weights))
        return Operand::Weight;
    if (has(row->affine))
        return Operand::Affine;
    return has(row->terms) ? Operand::Term : Operand::Setting;
}

Passing passingOf(const Node& node)
{
    const Row* row = rowOf(node);
    return row == nullptr ? Passing::None : row->passing;
}

} // namespace duo
