// SPDX-License-Identifier: Apache-2.0
// OpFacts: what operators are, whoever asks, as one table: what they make of their inputs, how they multiply data with
// weights and where the channels of these lie, and what ONNX Runtime's CPU provider computes in int8.
#pragma once

#include "core/model/model.h"
#include "core/support/one_of.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace duo {

/// Whether a node is one of these operators of ONNX's own domain.
inline bool isAnyOf(const Node& node, std::span<const std::string_view> opTypes)
{
    return node.domain.empty() && isOneOf(node.opType, opTypes);
}
inline bool isAnyOf(const Node& node, std::initializer_list<std::string_view> opTypes)
{
    return node.domain.empty() && isOneOf(node.opType, opTypes);
}

/// What an input is to its operator, as far as it tells whether a constant there was learned; weakest first.
enum class Operand : std::uint8_t {
    Setting, // shapes, axes, indices, limits, scales of a quantizer
    Term, // one side of arithmetic, a table, a part that is joined on, a state: learned or not
    Affine, // scale or shift of a normalization: exporters fill it in where the module has none
    Weight, // kernel, matrix, bias, statistics
};

/// Whether an operator's result is one of its inputs in another form.
enum class Passing : std::uint8_t {
    None,
    Layout, // its first input with another shape, order or type
    Arithmetic, // made of all its inputs; if these are constants, a constant that stands for them
};

/// How an operator multiplies data with a weight, and so where the channels of both lie.
enum class Product : std::uint8_t {
    None,
    Convolution, // weight [out, in / groups, window]
    TransposedConvolution, // weight [in, out / groups, window]
    Matrix,
    Recurrent, // weights of several gates in one tensor
};

/// What a product works with, and whose operator it is.
enum class ProductForm : std::uint8_t {
    Float, // ONNX's
    Fused, // ONNX Runtime's, with what stood around it inside
    Integer, // codes without scales: other nodes scale the sums
    Codes, // codes with scales among its inputs
    Packed, // ONNX Runtime's, a weight in blocks of few bits
};

inline constexpr std::string_view kMeasuredRuntime = "1.32"; // version of ONNX Runtime that kernels were seen of

/// What ONNX Runtime's CPU provider makes of an operator between DequantizeLinear and QuantizeLinear.
enum class Int8Kernel : std::uint8_t {
    NotKnown, // taken for none
    None, // seen to run in float
    Product, // QLinearConv, QLinearMatMul, QGemm
    Own, // com.microsoft.QLinear and its name; Where and Concat likewise
    Moves, // runs on the codes as they are, if these mean the same on both sides
    MovesNearest, // the same with mode nearest only
};

/// Over what a normalization takes its statistics.
enum class Norm : std::uint8_t {
    None,
    Batch, // those of training, per channel
    Instance, // each channel of a sample
    Group, // groups of channels of a sample
    Layer, // the last axes
    Embedding, // as Layer, of what it looks up in tables
};

/// What else is true of an operator; any number of them.
using OpMarks = std::uint32_t;
namespace mark {
inline constexpr OpMarks kNone = 0;
inline constexpr OpMarks kTable = 1U << 0; // its first input is looked up in, by rows
inline constexpr OpMarks kKeepsElements = 1U << 1; // gives the elements of its first input, in some order
inline constexpr OpMarks kReshapes = 1U << 2; // gives them in the order they had
inline constexpr OpMarks kConverts = 1U << 3; // gives them in another type
inline constexpr OpMarks kKeepsFactors = 1U << 4; // f(s x) = s f(x) for s > 0, channel by channel
inline constexpr OpMarks kPools = 1U << 5; // makes one element of each window of its first input
inline constexpr OpMarks kAttention = 1U << 6; // a whole attention: products, Softmax, mask
inline constexpr OpMarks kOnCodes = 1U << 7; // computes with codes, though it is no product of them: worksOnCodes
inline constexpr OpMarks kIntoGemm = 1U << 8; // ONNX Runtime makes one float FusedGemm of a Gemm and this behind it
inline constexpr OpMarks kClamp = 1U << 9; // ONNX Runtime drops it before a quantizer whose codes end where it does
inline constexpr OpMarks kDropped = 1U << 10; // ONNX Runtime drops it anywhere
inline constexpr OpMarks kQuantizersCross = 1U << 11; // ONNX Runtime moves quantizers across it (QDQPropagation)
inline constexpr OpMarks kCommutes = 1U << 12; // its inputs may change places
} // namespace mark

inline constexpr std::uint8_t kNoPort = 255;

struct OpFacts {
    std::string_view opType;
    std::uint32_t weights = 0; // bits of ports, the last for all that follow
    std::uint32_t affine = 0;
    std::uint32_t terms = 0;
    std::uint32_t moved = 0; // elements of these are what it gives: all or some, once or more, in any type
    Passing passing = Passing::None;
    Product product = Product::None;
    ProductForm form = ProductForm::Float;
    std::uint8_t weightPort = kNoPort; // of a product; a matrix may stand at either side
    std::uint8_t biasPort = kNoPort; // of a product, and of a norm
    std::string_view biased = {}; // the operator that multiplies likewise and has a port for a bias; "": there is none
    Norm norm = Norm::None;
    Int8Kernel int8 = Int8Kernel::NotKnown;
    OpMarks marks = mark::kNone;
};

/// What is known of an operator; nothing but its name where the table does not have it.
const OpFacts& opFacts(const Node& node);
const OpFacts& opFacts(std::string_view opType, std::string_view domain = {}); // of ONNX unless it says otherwise
std::span<const OpFacts> onnxOpFacts(); // the rows of ONNX's own operators
std::span<const OpFacts> runtimeOpFacts(); // of those of com.microsoft

bool has(const Node& node, OpMarks anyOf);

/// Inputs of operators that are not in the table: settings for operators of ONNX, terms for those of anybody else.
Operand operandOf(const Node& node, std::size_t port);

Passing passingOf(const Node& node);

/// Whether elements read at the port are among those that the node gives.
bool movesElements(const Node& node, std::size_t port);

bool isNorm(const Node& node); // ONNX's own, or ONNX Runtime's
bool isRecurrent(const Node& node); // LSTM, GRU, RNN

/// Whether it computes with codes of int8, scales for them among its inputs or applied behind it. Quantizers do not.
bool worksOnCodes(const Node& node);
bool givesCodes(const Node& node); // of such a node, whether its result is in codes again

/// Whether it is one of ONNX's own products of floats: the table's, but for recurrent ones.
bool isFloatProduct(const Node& node);
bool hasBodies(const Node& node); // If, Loop, Scan
bool isQuantizer(const Node& node); // QuantizeLinear or DequantizeLinear, of ONNX or of com.microsoft
bool isDequantized(const Model& model, ValueId value); // a DequantizeLinear gives it
bool isProduct(const Node& node, Product product); // the same, of one kind
bool isConvolution(const Node& node); // transposed or not
/// The operator type that a float product becomes where it is given a bias at its third input: its own, or Gemm of a
/// MatMul; "" where there is none.
std::string_view biasedForm(const Node& node);
/// A Gemm that multiplies its product or what it adds (C) by other than 1.
bool hasGemmFactors(const Node& node);
/// Of these, one whose factor changes what it adds.
bool hasScaledBias(const Node& node);
bool hasInt8Product(const Node& node); // in ONNX Runtime's CPU provider (Conv, Gemm, MatMul)

/// Inputs of a float product where its weight may stand: 1 of convolutions, either one of a product of matrices.
std::vector<std::uint32_t> weightPorts(const Node& node);

/// Axes of a weight, as its node reads it, along which the channels of the node's data and result lie.
struct WeightLayout {
    std::optional<std::size_t> output; // of a group; nothing where they lie along several axes, or it is a vector
    std::optional<std::size_t> input; // of a group; likewise
    std::int64_t groups = 1;
};

/// Of a float product; nothing for other nodes, for a port no weight stands at, and for a rank its operator cannot
/// take.
std::optional<WeightLayout> weightLayout(const Node& node, std::uint32_t port, std::size_t rank);

/// The same for convolutions in whatever numbers; nothing for other nodes.
std::optional<WeightLayout> convolutionLayout(const Node& node, std::size_t rank);

/// Axis of the channels that the weight of a float product sums over, in the data at its first input; negative ones
/// count from the end. Nothing for other nodes, and where they lie along several axes.
std::optional<std::int64_t> inputChannelAxis(const Node& node);
/// The same of the channels that the weight gives, in the result.
std::optional<std::int64_t> outputChannelAxis(const Node& node);

} // namespace duo
