// SPDX-License-Identifier: Apache-2.0
// Which names are state_dict keys, and what they say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

/// Longer names and module paths are refused: real ones have below 150 bytes, and a scope text repeats them.
inline constexpr std::size_t kLongestKeyName = 400;

/// Who wrote the names of a file.
enum class Naming {
    PyTorch, // children of modules may have any name without a dot: "by.x/y", "convs.3x3:a"
    Unknown, // names with separators of other frameworks ("model/dense/kernel:0") are taken for no keys
};

/// Whether an initializer's name can be a state_dict key: atoms joined by dots, none of the names exporters give
/// (`onnx::MatMul_12`, `val_3`, `12`, `/blk/Constant_output_0`), at most kLongestKeyName bytes.
bool isKeyName(std::string_view name, Naming naming);

/// Names that PyTorch's exporters give to tensors they transposed, folded or repacked: `onnx::Conv_20`.
bool isRenamedTensor(std::string_view name);

/// torch.export's name for a tensor that no attribute leads to: "blk.lifted_tensor_0".
bool isLiftedTensor(std::string_view name);

/// "layer1.0" of "layer1.0.weight"; "" for a parameter of the root.
std::string_view keyOwner(std::string_view key);
/// "weight" of "layer1.0.weight".
std::string_view keyLeaf(std::string_view key);

/// Of these two: "layer1.0.weight"; the leaf alone for a parameter of the root.
std::string keyName(std::string_view owner, std::string_view leaf);
/// Whether dots part nothing somewhere: ".a", "a..b", "a.".
bool hasEmptyAtom(std::string_view dotted);

/// "head" of "head_Q4", "head_DQ_Q4" and "head_matmul_Q4", as ONNX Runtime calls the codes of 2, 4 or 8 bits that it
/// makes in blocks, and their node; other names as they are.
std::string_view nameBeforeBlocks(std::string_view name);

/// "/fc/Gemm" of "/fc/Gemm_quant", "/fc/MatMul" of "/fc/MatMul_Q4" and of "/fc/MatMul_compressed_matmul": the node that
/// ONNX Runtime's quantizers and NNCF's named theirs after; other names as they are.
std::string_view nodeBeforeQuantizer(std::string_view name);

/// What a tool named its tensor after: "fc.weight" of a quantizer's "fc.weight_quantized" and of ONNX Runtime's
/// "ConvBnFusion_W_fc.weight" and "ConvAddFusion_Add_B_fc.weight"; other names as they are. A piece of `name`.
std::string_view nameBeforeTools(std::string_view name);

} // namespace duo
