// SPDX-License-Identifier: Apache-2.0
#include "core/model/typed_like_input.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

// What the schemas say of the Python packages onnx 1.23.2 (all versions of an operator) and onnxruntime 1.32.0: all
// outputs are of the type that the first input is of. By name.
constexpr std::array<std::string_view, 133> kOnnx{"Abs", "Acos", "Acosh", "Add", "AffineGrid", "Asin", "Asinh", "Atan",
    "Atanh", "AveragePool", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "CausalConvWithState",
    "Ceil", "Celu", "CenterCropPad", "Clip", "Col2Im", "Compress", "Concat", "Conv", "ConvTranspose", "Cos", "Cosh",
    "CumProd", "CumSum", "DFT", "DeformConv", "DepthToSpace", "Det", "Div", "Einsum", "Elu", "Erf", "Exp", "Expand",
    "Flatten", "Floor", "GRU", "Gather", "GatherElements", "GatherND", "Gelu", "Gemm", "GlobalAveragePool",
    "GlobalLpPool", "GlobalMaxPool", "GridSample", "GroupNormalization", "HardSigmoid", "HardSwish", "Hardmax",
    "Identity", "InstanceNormalization", "LRN", "LSTM", "LeakyRelu", "Log", "LogSoftmax", "LpNormalization", "LpPool",
    "MatMul", "Max", "MaxRoiPool", "MaxUnpool", "Mean", "MeanVarianceNormalization", "Min", "Mish", "Mod", "Mul", "Neg",
    "NegativeLogLikelihoodLoss", "PRelu", "Pad", "Pow", "RNN", "Range", "Reciprocal", "ReduceL1", "ReduceL2",
    "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
    "ReduceSumSquare", "Relu", "Reshape", "Resize", "ReverseSequence", "RoiAlign", "RotaryEmbedding", "Round", "STFT",
    "Scatter", "ScatterElements", "ScatterND", "Selu", "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Slice", "Softmax",
    "SoftmaxCrossEntropyLoss", "Softplus", "Softsign", "SpaceToDepth", "Split", "Sqrt", "Squeeze", "StringConcat",
    "StringNormalizer", "Sub", "Sum", "SwiGLU", "Swish", "Tan", "Tanh", "TensorScatter", "ThresholdedRelu", "Tile",
    "Transpose", "Trilu", "Unsqueeze", "Upsample"};
constexpr std::array<std::string_view, 96> kMicrosoft{"AttnLSTM", "BiasAdd", "BiasGelu", "BiasSoftmax", "BiasSplitGelu",
    "BifurcationDetector", "BranchwiseRMSNorm", "CDist", "CausalConvWithState", "ComplexMul", "ComplexMulConj",
    "ConvStateReplay", "ConvTransposeWithDynamicPads", "CropAndResize", "DecoderAttention",
    "DecoderMaskedSelfAttention", "DynamicQuantizeLSTM", "DynamicQuantizeMatMul", "EPContext", "EngramGate",
    "ExpandDims", "FastGelu", "FusedConv", "FusedGemm", "FusedMatMul", "FusedMatMulActivation", "GatedAdd",
    "GatedDeltaNetStateReplay", "GatedRMSNorm", "GatedRelativePositionBias", "GatherND", "Gelu", "GemmFastGelu",
    "GreedySearch", "GroupNorm", "HyperConnectionLowRankMix", "HyperConnectionPostMix", "HyperConnectionPreMix",
    "Inverse", "Irfft", "LinearAttentionGate", "LongformerAttention", "MRotaryEmbedding",
    "MatMulBlockQuantizedFp4Weight", "MatMulBlockQuantizedFp8Weight", "MatMulBnb4", "MatMulFpQ4", "MatMulNBits",
    "MatMulNBitsMlp", "MatMulNBitsQLoRA", "MatMulNBitsQkv", "MatMulPacked", "MaxpoolWithMask", "MoE", "MoEPacked",
    "NGramHashMapping", "NhwcConv", "NhwcFusedConv", "NhwcMaxPool", "PackedAttention", "PackedMultiHeadAttention",
    "PackedSparseAttentionIndexerMerge", "Pad", "QLinearAdd", "QLinearAveragePool", "QLinearGlobalAveragePool",
    "QLinearLeakyRelu", "QLinearMul", "QLinearReduceMean", "QLinearSigmoid", "QLinearSoftmax", "QMoE",
    "QOrderedAttention", "QOrderedGelu", "QOrderedLayerNormalization", "QOrderedLongformerAttention", "QOrderedMatMul",
    "QuickGelu", "Range", "RelativePositionBias", "RestorePadding", "Rfft", "RotaryEmbedding", "RouterGateUpProj",
    "SampleOp", "ScaledSiLU", "SkipGroupNorm", "Snpe", "SparseAttention", "SwiGLU", "Tokenizer", "TorchEmbedding",
    "TransposeMatMul", "Trilu", "UnfoldTensor", "VarlenCausalConvWithState"};

// The first output is.
constexpr std::array<std::string_view, 1> kFirstOfOnnx{"LinearAttention"};
constexpr std::array<std::string_view, 12> kFirstOfMicrosoft{"DecoderMaskedMultiHeadAttention", "GatedDeltaNet",
    "GroupQueryAttention", "LinearAttention", "Mamba2Verify", "MoEGroupRouter", "MultiHeadAttention", "PagedAttention",
    "RemovePadding", "Sampling", "SparsePagedAttention", "VarlenNGramHashMapping"};

} // namespace

bool isTypedLikeInput(const Node& node, std::size_t output)
{
    const auto isIn = [&](const auto& names) { return std::ranges::binary_search(names, node.opType); };
    if (node.domain == "com.microsoft")
        return isIn(kMicrosoft) || (output == 0 && isIn(kFirstOfMicrosoft));
    return node.domain.empty() && (isIn(kOnnx) || (output == 0 && isIn(kFirstOfOnnx)));
}

} // namespace duo
