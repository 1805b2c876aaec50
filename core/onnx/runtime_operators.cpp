// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/runtime_operators.h"

#include "core/onnx/op_schema.h"
#include "core/onnx/schema_check.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

/// What get_all_operator_schema() of the Python package onnxruntime 1.32.0 names, by name. A function that is called
/// like one which another version has not is left in the file, where that version finds it.
constexpr std::array<std::string_view, 150> kMicrosoft{"Attention", "AttnLSTM", "BeamSearch", "BiasAdd", "BiasDropout",
    "BiasGelu", "BiasSoftmax", "BiasSplitGelu", "BifurcationDetector", "BitmaskBiasDropout", "BitmaskDropout",
    "BranchwiseRMSNorm", "CDist", "CausalConvWithState", "ComplexMul", "ComplexMulConj", "ConvStateReplay",
    "ConvTransposeWithDynamicPads", "CropAndResize", "DecoderAttention", "DecoderMaskedMultiHeadAttention",
    "DecoderMaskedSelfAttention", "DequantizeBFP", "DequantizeLinear", "DequantizeWithOrder", "DynamicQuantizeLSTM",
    "DynamicQuantizeMatMul", "DynamicSparseAttention", "DynamicTimeWarping", "EPContext", "EmbedLayerNormalization",
    "EngramGate", "ExpandDims", "FastGelu", "FusedConv", "FusedGemm", "FusedMatMul", "FusedMatMulActivation",
    "GatedAdd", "GatedDeltaNet", "GatedDeltaNetStateReplay", "GatedRMSNorm", "GatedRelativePositionBias",
    "GatherBlockQuantized", "GatherND", "GatherPacked", "Gelu", "GemmFastGelu", "GemmFloat8", "GemmaRotaryEmbedding",
    "GreedySearch", "GridSample", "GroupNorm", "GroupQueryAttention", "HyperConnectionLowRankMix",
    "HyperConnectionPostMix", "HyperConnectionPreMix", "Inverse", "Irfft", "IsAllFinite", "LinearAttention",
    "LinearAttentionGate", "LongformerAttention", "MRotaryEmbedding", "Mamba2Verify", "MatMulBlockQuantizedFp4Weight",
    "MatMulBlockQuantizedFp8Weight", "MatMulBnb4", "MatMulFpQ4", "MatMulInteger16", "MatMulIntegerToFloat",
    "MatMulNBits", "MatMulNBitsMlp", "MatMulNBitsQLoRA", "MatMulNBitsQkv", "MatMulPacked", "MaxpoolWithMask", "MoE",
    "MoEGroupRouter", "MoEPacked", "MulInteger", "MultiHeadAttention", "MurmurHash3", "NGramHashMapping",
    "NGramRepeatBlock", "NhwcConv", "NhwcFusedConv", "NhwcMaxPool", "PackedAttention", "PackedMultiHeadAttention",
    "PackedSparseAttentionIndexer", "PackedSparseAttentionIndexerMerge", "Pad", "PagedAttention", "QAttention",
    "QEmbedLayerNormalization", "QGemm", "QLinearAdd", "QLinearAveragePool", "QLinearConcat", "QLinearConv",
    "QLinearGlobalAveragePool", "QLinearLeakyRelu", "QLinearMul", "QLinearReduceMean", "QLinearSigmoid",
    "QLinearSoftmax", "QLinearWhere", "QMoE", "QOrderedAttention", "QOrderedGelu", "QOrderedLayerNormalization",
    "QOrderedLongformerAttention", "QOrderedMatMul", "QuantizeBFP", "QuantizeLinear", "QuantizeWithOrder", "QuickGelu",
    "RMSNormRotary", "Range", "ReduceSumInteger", "RelativePositionBias", "RemovePadding", "RestorePadding", "Rfft",
    "RotaryEmbedding", "RouterGateUpProj", "SampleOp", "Sampling", "ScaledSiLU", "SkipGroupNorm",
    "SkipLayerNormalization", "SkipSimplifiedLayerNormalization", "Snpe", "SparseAttention", "SparseAttentionIndexer",
    "SparsePagedAttention", "SparseToDenseMatMul", "SpeculativePrefixCommit", "SwiGLU", "Tokenizer", "TorchEmbedding",
    "TransposeMatMul", "Trilu", "UnfoldTensor", "Unique", "VarlenCausalConvWithState", "VarlenNGramHashMapping",
    "WhisperBeamSearch", "WordConvEmbedding"};
constexpr std::array<std::string_view, 19> kMachineLearning{"ArrayFeatureExtractor", "Binarizer", "CastMap",
    "CategoryMapper", "DictVectorizer", "FeatureVectorizer", "Imputer", "LabelEncoder", "LinearClassifier",
    "LinearRegressor", "Normalizer", "OneHotEncoder", "SVMClassifier", "SVMRegressor", "Scaler", "TreeEnsemble",
    "TreeEnsembleClassifier", "TreeEnsembleRegressor", "ZipMap"};

} // namespace

bool runtimeHas(std::string_view domain, std::string_view opType, std::int64_t opset)
{
    if (domain.empty())
        return isOperator(opType, opset);
    if (domain == "com.microsoft")
        return std::ranges::binary_search(kMicrosoft, opType);
    return domain == "ai.onnx.ml" && std::ranges::binary_search(kMachineLearning, opType);
}

} // namespace duo
