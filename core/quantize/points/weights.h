// SPDX-License-Identifier: Apache-2.0
// Weights: which constant a node reads as its weight, along which axis its channels lie, and its int8 codes.
#pragma once

#include "core/model/code_range.h"
#include "core/model/model.h"
#include "core/quantize/points/parameters.h"

#include <optional>

namespace duo {

/// A constant as a node sees it: the initializer itself, or one behind nodes that rearrange it, applied.
struct Weight {
    std::string name; // of the initializer or Constant output it comes from
    ValueId source; // that value
    std::vector<std::int64_t> dims; // as the node reads it
    std::vector<float> values; // row-major, as the node reads it
};

/// The constant value behind an input, looked up through Identity, Transpose, Reshape of known shape, and Cast to
/// float32; invalid if it is not constant.
/// O(length of the chain), no weights read.
ValueId weightSource(const Model& model, NodeId node, std::uint32_t port);

/// The weight at an input, read and rearranged, a batch norm behind its Conv folded in; where the file holds it in
/// codes, what its DequantizeLinear gives. @return MalformedModel for a
/// constant that is not float32 or has no bytes
Result<Weight> readWeight(const Model& model, NodeId node, std::uint32_t port);

/// Axis of the output channels, or nothing where only one scale for the whole tensor is right: Conv 0; ConvTranspose 1
/// with one group; Gemm 1 for input 1 (0 if transB); MatMul 1 for a matrix as input 1 (for a stack of them ONNX Runtime
/// takes one scale); Gather 0. @param likeNncf NNCF's axes, which ONNX Runtime computes in float: the last of
/// any MatMul, 0 of input 0 of Gemm (1 if transA), 1 of a grouped ConvTranspose
std::optional<std::int64_t> weightChannelAxis(
    const Model& model, NodeId node, std::uint32_t port, std::size_t rank, bool likeNncf = false);

/// Whether it reads a constant in float that a kernel on codes would want as codes; biases of products may be either.
bool readsFloatConstant(const Model& model, const Node& node);

/// Axis along which blocks of a weight share a scale: that of what is summed, of a table its last.
std::optional<std::int64_t> weightBlockAxis(const Model& model, NodeId node, std::uint32_t port, std::size_t rank);

/// The one of the two that scales of such a quantizer lie along; nothing: one scale for all.
std::optional<std::int64_t> weightScaleAxis(const Model& model, NodeId node, std::uint32_t port, std::size_t rank,
    const QuantizerConfig& config, bool likeNncf);

/// Whether a node reads it for its weight: it is a constant, or made of one (weightSource()).
bool isReadAsWeight(const Model& model, ValueId value);

/// An input a bias is read at.
struct BiasPort {
    NodeId node;
    std::uint32_t port = 0;
};

/// Where the bias of a weighted node is a float32 vector [C] or row [1, C]: the third input of a Conv, or of a Gemm
/// with alpha and beta 1, or of a norm (Layer or Instance); for a MatMul with a constant, of a matrix or of data of
/// sizes all known or not told, the constant operand of the one Add behind it, with which ONNX Runtime makes it a Gemm
/// (in float if that is float).
std::optional<BiasPort> biasOf(const Model& model, NodeId node);

/// The same for a MatMul of a constant with data of any rank, whose bias the Add behind it adds in float.
std::optional<BiasPort> addedBiasOf(const Model& model, NodeId node);

/// A weight or bias that the file holds in codes.
bool isDequantizedConstant(const Model& model, ValueId value);

/// Whether no int8 kernel adds what a Gemm of beta 1 adds: data, a column, a matrix, or anything beside an alpha other
/// than 1 or a product of data. Not what the file has in codes already.
bool addsBesideCodes(const Model& model, NodeId node);

/// Bias of a Conv or Gemm as it is written, a norm folded in [C]; empty if there is none or it is no constant vector of
/// float32.
std::vector<float> effectiveBias(const Model& model, NodeId node);

/// Largest |w| per channel [dims[axis]], per block along it, or of all [1]. O(elements).
std::vector<float> maxAbsByChannel(const Weight& weight, std::optional<std::int64_t> axis, std::int64_t block = 0);

/// Smallest and largest element of each of them; NaN where one is. O(elements).
std::vector<Range> rangesByScale(const Weight& weight, std::optional<std::int64_t> axis, std::int64_t block);

/// Smallest and largest element. O(elements).
Range rangeOf(const Weight& weight);

/// The codes weights get: of signed types all but the lowest, where these are many.
CodeRange weightCodes(ElementType type);

/// clamp(round_half_even(w / scale) + zeroPoint): int8 codes in [-127, 127], uint8 codes in [0, 255]; int16 and
/// uint16 likewise, two little-endian bytes each; of 4 and 2 bits all codes, several in a byte, the first in its low
/// bits. O(elements).
std::vector<std::byte> quantizedCodes(const Weight& weight, const QuantizationParameters& parameters);

} // namespace duo
