// SPDX-License-Identifier: Apache-2.0
// The numbers that constant codes of a file stand for.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace duo {

/// Floats with a shape.
struct Numbers {
    std::vector<std::int64_t> dims;
    std::vector<float> values;
};

/// Of the constant at a port of DequantizeLinear or of an operator on codes.
/// @param weightScale of an operator that leaves it to other nodes ([1] or one per channel of its axis), else null
/// @return nothing where the node does not say, or scales do not fit. O(elements)
std::optional<Numbers> numbersAt(
    const Model& model, const Node& node, std::uint32_t port, const Tensor* weightScale = nullptr);

/// Of constant codes that reach a DequantizeLinear through another node, by one scale for all. O(elements)
std::optional<Numbers> tableNumbers(const Model& model, const Node& dequantizer, ValueId table);

/// Scales and zero points of a MatMulNBits as DequantizeLinear takes those of its weight [K, N]: [blocks of K, N].
/// Source of the layout: ContribOperators.md of ONNX Runtime 1.32.
struct PackedBlocks {
    std::vector<std::int64_t> dims;
    std::vector<float> scales;
    std::vector<float> zeros; // as many; no whole numbers where the file has floats
};
/// @return nothing for an order of its own (g_idx), and where sizes do not agree. O(blocks)
std::optional<PackedBlocks> packedBlocks(const Model& model, const Node& node);

/// Of its weight, [K, N] as a MatMul takes it. @return nothing likewise
std::optional<Numbers> packedNumbers(const Model& model, const Node& node);

/// Ports of DynamicQuantizeLSTM: the weights [directions, in, 4 * hidden] in codes, their scales and zero points
/// ([directions], or one per gate and direction).
struct LstmWeight {
    std::uint32_t codes = 0;
    std::uint32_t scale = 0;
    std::uint32_t zeroPoint = 0;
};
inline constexpr LstmWeight kLstmWeights[] = {{1, 8, 9}, {2, 10, 11}};

/// Of one of them, [directions, 4 * hidden, in] as LSTM takes it. Source of the layout: ContribOperators.md of ONNX
/// Runtime 1.32. @return nothing where sizes do not agree
std::optional<Numbers> lstmNumbers(const Model& model, const Node& node, const LstmWeight& weight);

} // namespace duo
