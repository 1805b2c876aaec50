// SPDX-License-Identifier: Apache-2.0
#include "core/model/op_facts.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

namespace duo {
namespace {

using Ports = std::uint32_t;
using K = Int8Kernel;
using namespace mark;
constexpr std::size_t kMostPorts = 32;
constexpr Ports kAll = ~Ports{0};

template <typename... Port> constexpr Ports at(Port... ports)
{
    return (Ports{0} | ... | (Ports{1} << static_cast<unsigned>(ports)));
}

/// A product with a weight and perhaps a bias.
constexpr OpFacts product(std::string_view opType, Product kind, ProductForm form, std::uint8_t weight,
    std::uint8_t bias = kNoPort, Int8Kernel int8 = K::NotKnown)
{
    OpFacts facts{opType, at(weight) | (bias == kNoPort ? Ports{0} : at(bias))};
    facts.product = kind;
    facts.form = form;
    facts.weightPort = weight;
    facts.biasPort = bias;
    facts.biased = bias == kNoPort || form != ProductForm::Float ? std::string_view() : opType;
    facts.int8 = int8;
    return facts;
}

/// Either side of it may be the weight; what it adds may be data.
constexpr OpFacts matrixProduct(
    std::string_view opType, ProductForm form, std::uint8_t first, std::uint8_t second, Int8Kernel int8 = K::NotKnown)
{
    OpFacts facts = product(opType, Product::Matrix, form, second, kNoPort, int8);
    facts.weights = at(first, second);
    return facts;
}

constexpr OpFacts plainProduct()
{
    OpFacts facts = matrixProduct("MatMul", ProductForm::Float, 0, 1, K::Product);
    facts.biased = "Gemm";
    return facts;
}

/// Of any number of operands; a product where its equation says so.
constexpr OpFacts einsum()
{
    OpFacts facts = matrixProduct("Einsum", ProductForm::Float, 0, 1, K::None);
    facts.weights = kAll;
    return facts;
}

constexpr OpFacts with(OpFacts facts, Ports terms)
{
    facts.terms = terms;
    return facts;
}

constexpr OpFacts recurrent(std::string_view opType, Ports weights, Ports states)
{
    OpFacts facts = product(opType, Product::Recurrent, ProductForm::Float, 1, 3);
    facts.weights = weights;
    facts.terms = states;
    return facts;
}

constexpr OpFacts norm(
    std::string_view opType, Norm kind, Ports affine, std::uint8_t bias = kNoPort, Int8Kernel int8 = K::NotKnown)
{
    OpFacts facts{.opType = opType, .affine = affine};
    facts.norm = kind;
    facts.biasPort = bias;
    facts.int8 = int8;
    return facts;
}

/// With what stood before it inside.
constexpr OpFacts joinedNorm(std::string_view opType, Norm kind, Ports weights, Ports affine)
{
    return {.opType = opType, .weights = weights, .affine = affine, .form = ProductForm::Fused, .norm = kind};
}

constexpr OpFacts terms(std::string_view opType, Ports terms, Int8Kernel int8 = K::NotKnown, OpMarks marks = kNone)
{
    return {.opType = opType, .terms = terms, .int8 = int8, .marks = marks};
}

/// Gives its first input in another form.
constexpr OpFacts layout(std::string_view opType, OpMarks marks, Int8Kernel int8 = K::NotKnown)
{
    return {.opType = opType, .moved = at(0), .passing = Passing::Layout, .int8 = int8, .marks = marks};
}

/// Gives codes, or what they stand for.
constexpr OpFacts quantizer(std::string_view opType)
{
    return {.opType = opType, .passing = Passing::Layout, .marks = kConverts};
}

constexpr OpFacts moving(OpFacts facts, Ports moved)
{
    facts.moved = moved;
    return facts;
}

constexpr OpFacts arithmetic(std::string_view opType, Ports terms, Int8Kernel int8 = K::NotKnown, OpMarks marks = kNone)
{
    return {.opType = opType, .terms = terms, .passing = Passing::Arithmetic, .int8 = int8, .marks = marks};
}

/// Neither weights nor terms.
constexpr OpFacts plain(std::string_view opType, Int8Kernel int8 = K::NotKnown, OpMarks marks = kNone)
{
    return {.opType = opType, .int8 = int8, .marks = marks};
}

constexpr std::string_view kContrib = "com.microsoft";

/// Operators of ONNX; those that ONNX Runtime puts into the same domain stand here too.
constexpr std::array kOnnxRows{
    // Products
    product("Conv", Product::Convolution, ProductForm::Float, 1, 2, K::Product),
    product("ConvTranspose", Product::TransposedConvolution, ProductForm::Float, 1, 2, K::None),
    product("ConvInteger", Product::Convolution, ProductForm::Integer, 1),
    product("QLinearConv", Product::Convolution, ProductForm::Codes, 3, 8),
    plainProduct(),
    matrixProduct("MatMulInteger", ProductForm::Integer, 0, 1),
    matrixProduct("QLinearMatMul", ProductForm::Codes, 0, 3),
    with(product("Gemm", Product::Matrix, ProductForm::Float, 1, 2, K::Product), at(0)),
    einsum(),
    recurrent("LSTM", at(1, 2, 3, 7), at(5, 6)),
    recurrent("GRU", at(1, 2, 3), at(5)),
    recurrent("RNN", at(1, 2, 3), at(5)),
    // Other weights
    OpFacts{"DeformConv", at(1, 3)},
    OpFacts{.opType = "PRelu", .weights = at(1), .int8 = K::None},
    OpFacts{.opType = "BatchNormalization", .weights = at(1, 2, 3, 4), .norm = Norm::Batch, .int8 = K::None},
    norm("InstanceNormalization", Norm::Instance, at(1, 2), 2, K::None),
    norm("LayerNormalization", Norm::Layer, at(1, 2), 2, K::None),
    norm("GroupNormalization", Norm::Group, at(1, 2)),
    norm("RMSNormalization", Norm::Layer, at(1)),
    norm("SimplifiedLayerNormalization", Norm::Layer, at(1)),
    // Terms
    moving(terms("Gather", at(0), K::Moves, kTable), at(0)),
    moving(terms("GatherElements", at(0)), at(0)),
    moving(terms("GatherND", at(0)), at(0)),
    moving(terms("Where", at(1, 2), K::Own), at(1, 2)),
    moving(terms("ScatterElements", at(0, 2)), at(0, 2)),
    moving(terms("ScatterND", at(0, 2)), at(0, 2)),
    terms("Sum", kAll, K::NotKnown, kCommutes),
    terms("Mean", kAll, K::NotKnown, kCommutes),
    terms("Loop", kAll & ~at(0, 1)),
    terms("Scan", kAll),
    // What hands on its first input
    layout("Identity", kKeepsElements | kKeepsFactors | kDropped),
    layout("Transpose", kKeepsElements | kQuantizersCross, K::Moves),
    layout("Cast", kConverts),
    layout("CastLike", kConverts),
    layout("Reshape", kKeepsElements | kReshapes | kQuantizersCross, K::Moves),
    layout("Unsqueeze", kKeepsElements | kReshapes | kQuantizersCross, K::Moves),
    layout("Squeeze", kKeepsElements | kReshapes | kQuantizersCross, K::Moves),
    layout("Flatten", kKeepsElements | kReshapes, K::Moves),
    layout("Expand", kNone),
    layout("Split", kNone, K::Moves),
    layout("Slice", kQuantizersCross, K::Moves),
    quantizer("QuantizeLinear"),
    quantizer("DequantizeLinear"),
    // Arithmetic
    moving(arithmetic("Concat", kAll, K::Own), kAll),
    arithmetic("Add", kAll, K::Own, kCommutes),
    arithmetic("Sub", kAll, K::None),
    arithmetic("Mul", kAll, K::Own, kCommutes),
    arithmetic("Div", kAll, K::None),
    arithmetic("Pow", at(0), K::None),
    arithmetic("Neg", 0),
    arithmetic("Abs", 0, K::None),
    arithmetic("Sqrt", 0, K::None),
    arithmetic("Reciprocal", 0),
    arithmetic("Exp", 0, K::None),
    arithmetic("Log", 0, K::None),
    OpFacts{.opType = "Softplus", .passing = Passing::Arithmetic, .marks = kIntoGemm},
    arithmetic("ReduceSum", 0, K::None),
    arithmetic("ReduceMean", 0, K::None),
    arithmetic("ReduceMax", 0),
    arithmetic("ReduceL2", 0),
    arithmetic("LpNormalization", 0),
    // Activations
    plain("Clip", K::None, kClamp),
    plain("Elu", K::None, kIntoGemm),
    plain("Erf", K::None),
    plain("Gelu", K::None),
    plain("HardSigmoid", K::None, kIntoGemm),
    plain("HardSwish", K::None),
    plain("LeakyRelu", K::Own, kIntoGemm | kKeepsFactors),
    plain("Relu", K::None, kIntoGemm | kClamp | kKeepsFactors),
    plain("Selu", K::NotKnown, kIntoGemm),
    plain("Sigmoid", K::Own, kIntoGemm),
    plain("Softmax", K::Own),
    plain("Softsign", K::NotKnown, kIntoGemm),
    plain("Tanh", K::None, kIntoGemm),
    plain("ThresholdedRelu", K::NotKnown, kIntoGemm),
    // Pooling, what moves elements, and others
    plain("And", K::NotKnown, kCommutes),
    plain("Attention", K::NotKnown, kAttention),
    plain("AveragePool", K::Own, kPools | kKeepsFactors),
    moving(plain("DepthToSpace", K::Moves), at(0)),
    moving(plain("Dropout", K::NotKnown, kDropped), at(0)),
    plain("Equal", K::NotKnown, kCommutes),
    plain("GlobalAveragePool", K::Own, kKeepsFactors),
    plain("GlobalMaxPool", K::NotKnown, kKeepsFactors),
    plain("LpPool", K::NotKnown, kPools | kKeepsFactors),
    plain("Max", K::None, kCommutes),
    plain("MaxPool", K::Moves, kPools | kKeepsFactors | kQuantizersCross),
    plain("Min", K::None, kCommutes),
    plain("Or", K::NotKnown, kCommutes),
    moving(plain("Pad", K::None), at(0, 2)),
    plain("Resize", K::MovesNearest),
    moving(plain("SpaceToDepth"), at(0)),
    moving(plain("Tile"), at(0)),
    moving(plain("Trilu"), at(0)),
    plain("Xor", K::NotKnown, kCommutes),
};

constexpr std::array kContribRows{
    with(product("FusedConv", Product::Convolution, ProductForm::Fused, 1, 2), at(3)),
    with(product("FusedGemm", Product::Matrix, ProductForm::Fused, 1, 2), at(0)),
    matrixProduct("FusedMatMul", ProductForm::Fused, 0, 1),
    product("QLinearConv", Product::Convolution, ProductForm::Codes, 3, 8),
    product("QGemm", Product::Matrix, ProductForm::Codes, 3, 6),
    product("MatMulNBits", Product::Matrix, ProductForm::Packed, 1, 5),
    OpFacts{"NhwcConv", at(1, 2)},
    OpFacts{.opType = "NhwcFusedConv", .weights = at(1, 2), .terms = at(3)},
    OpFacts{"GemmFastGelu", at(1, 2)},
    OpFacts{"FusedMatMulActivation", at(0, 1)},
    OpFacts{"TransposeMatMul", at(0, 1)},
    OpFacts{.opType = "DynamicQuantizeMatMul", .weights = at(1, 4), .marks = kOnCodes},
    OpFacts{.opType = "MatMulIntegerToFloat", .weights = at(1, 6), .marks = kOnCodes},
    OpFacts{"MatMulBnb4", at(1)},
    OpFacts{"MatMulFpQ4", at(1)},
    OpFacts{.opType = "DynamicQuantizeLSTM", .weights = at(1, 2, 3, 7), .marks = kOnCodes},
    OpFacts{.opType = "Attention", .weights = at(1, 2), .marks = kAttention},
    OpFacts{.opType = "DecoderMaskedMultiHeadAttention", .weights = at(10), .marks = kAttention},
    OpFacts{.opType = "MultiHeadAttention", .weights = at(3), .marks = kAttention},
    OpFacts{.opType = "PackedAttention", .weights = at(1, 2), .marks = kAttention},
    OpFacts{.opType = "PackedMultiHeadAttention", .weights = at(3), .marks = kAttention},
    OpFacts{.opType = "QAttention", .weights = at(1, 2), .marks = kAttention | kOnCodes},
    OpFacts{"BiasGelu", at(1)},
    OpFacts{"FastGelu", at(1)},
    OpFacts{"BiasAdd", at(1)},
    OpFacts{"BiasSplitGelu", at(1)},
    terms("BiasSoftmax", at(1)),
    norm("LayerNormalization", Norm::Layer, at(1, 2)),
    norm("SimplifiedLayerNormalization", Norm::Layer, at(1)),
    joinedNorm("SkipLayerNormalization", Norm::Layer, at(4), at(2, 3)),
    joinedNorm("SkipSimplifiedLayerNormalization", Norm::Layer, at(3), at(2)),
    joinedNorm("SkipGroupNorm", Norm::Group, at(4), at(1, 2)),
    norm("GroupNorm", Norm::Group, at(1, 2)),
    joinedNorm("EmbedLayerNormalization", Norm::Embedding, at(2, 3, 4), at(5, 6)),
    OpFacts{"GatherBlockQuantized", at(0)},
    terms("QLinearAdd", at(0, 3)),
    terms("QLinearMul", at(0, 3)),
    quantizer("QuantizeLinear"),
    quantizer("DequantizeLinear"),
    OpFacts{"MoE", at(2, 3, 4, 5, 6, 7)},
    OpFacts{"QMoE", at(2, 4, 5, 7, 8, 10)},
    plain("RotaryEmbedding"),
    plain("GroupQueryAttention", K::NotKnown, kAttention),
    plain("QuickGelu"),
    plain("Gelu"),
};

/// What ONNX Runtime makes of operators for values in blocks of channels. Weights stand there in an order of their own,
/// so that they are no module's.
constexpr OpFacts blockedConvolution()
{
    OpFacts facts = product("Conv", Product::Convolution, ProductForm::Fused, 1, 2);
    facts.weights = 0;
    facts.terms = kAll;
    return facts;
}
constexpr std::array kBlockedRows{blockedConvolution()};
constexpr std::string_view kBlocked = "com.microsoft.nchwc";

/// Operators of ONNX Runtime that read and give codes begin so, more of them than the table has.
constexpr std::string_view kInCodes = "QLinear";

using Index = std::unordered_map<std::string_view, const OpFacts*>;

Index indexOf(std::span<const OpFacts> rows)
{
    Index index;
    for (const OpFacts& row : rows)
        index.emplace(row.opType, &row);
    return index;
}

const OpFacts* findRow(std::string_view opType, std::string_view domain)
{
    static const Index onnx = indexOf(kOnnxRows);
    static const Index contrib = indexOf(kContribRows);
    static const Index blocked = indexOf(kBlockedRows);
    if (!domain.empty() && domain != kContrib && domain != kBlocked)
        return nullptr;
    const Index& index = domain.empty() ? onnx : domain == kContrib ? contrib : blocked;
    const auto found = index.find(opType);
    return found == index.end() ? nullptr : found->second;
}

bool isAmong(Ports ports, std::size_t port)
{
    return ((ports >> std::min(port, kMostPorts - 1)) & 1U) != 0;
}

bool isSet(const Node& node, std::string_view attribute)
{
    return node.intAttribute(attribute, 0) != 0;
}

constexpr char kEllipsis = '.';

/// "ab,bc->ac" of an Einsum of two operands, with one letter per axis and one for all axes of an ellipsis.
struct Equation {
    std::array<std::string, 2> terms;
    std::string output;

    [[nodiscard]] bool isSummed(char axis) const { return output.find(axis) == std::string::npos; }
    [[nodiscard]] bool isIn(std::size_t term, char axis) const { return terms[term].find(axis) != std::string::npos; }
};

bool namesAxesOnce(std::string_view term)
{
    return std::ranges::all_of(term, [&](char axis) { return std::ranges::count(term, axis) == 1; });
}

/// What is left where an equation names no output: the axes of one operand alone, in alphabetical order (ONNX).
std::string impliedOutput(const Equation& equation)
{
    std::string output;
    for (const char axis : equation.terms[0] + equation.terms[1]) {
        if (axis == kEllipsis ? output.find(axis) == std::string::npos
                              : equation.isIn(0, axis) != equation.isIn(1, axis))
            output += axis;
    }
    std::ranges::sort(output); // the ellipsis is less than any letter
    return output;
}

std::optional<Equation> equationOf(const Node& node)
{
    const Attribute* attribute = node.attribute("equation");
    const auto* given = attribute != nullptr ? std::get_if<std::string>(&attribute->value) : nullptr;
    if (given == nullptr || node.inputs.size() > 2)
        return std::nullopt;
    std::string text = *given;
    std::erase(text, ' ');
    for (std::size_t at = text.find("..."); at != std::string::npos; at = text.find("..."))
        text.replace(at, 3, 1, kEllipsis);
    const std::size_t arrow = text.find("->");
    const std::string operands = text.substr(0, arrow);
    const std::size_t comma = operands.find(',');
    if (comma == std::string::npos || operands.find(',', comma + 1) != std::string::npos)
        return std::nullopt;
    Equation equation{{operands.substr(0, comma), operands.substr(comma + 1)}, {}};
    equation.output = arrow == std::string::npos ? impliedOutput(equation) : text.substr(arrow + 2);
    return equation;
}

/// An equation that multiplies matrices, or stacks of them: axes of both operands are summed over, all others are kept.
std::optional<Equation> productEquation(const Node& node)
{
    auto equation = equationOf(node);
    if (!equation || !namesAxesOnce(equation->terms[0]) || !namesAxesOnce(equation->terms[1])
        || !namesAxesOnce(equation->output))
        return std::nullopt;
    bool sums = false;
    for (const char axis : equation->terms[0] + equation->terms[1]) {
        const bool isOfBoth = equation->isIn(0, axis) && equation->isIn(1, axis);
        if (equation->isSummed(axis) && (!isOfBoth || axis == kEllipsis))
            return std::nullopt;
        sums = sums || equation->isSummed(axis);
    }
    return sums ? equation : std::nullopt;
}

/// The place of the only axis that `takes` accepts.
template <typename Takes> std::optional<std::size_t> onlyAxis(std::string_view term, const Takes& takes)
{
    const auto found = std::ranges::find_if(term, takes);
    if (found == term.end() || std::find_if(found + 1, term.end(), takes) != term.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - term.begin());
}

/// Counted from the end, unless an ellipsis stands there.
std::optional<std::int64_t> axisOfData(std::string_view term, std::optional<std::size_t> axis)
{
    if (!axis)
        return std::nullopt;
    const bool isCountedBack = term.find(kEllipsis, *axis) == std::string_view::npos;
    return static_cast<std::int64_t>(*axis) - (isCountedBack ? static_cast<std::int64_t>(term.size()) : 0);
}

std::optional<WeightLayout> equationLayout(const Node& node, std::uint32_t port, std::size_t rank)
{
    const auto equation = productEquation(node);
    if (!equation || port > 1 || equation->terms[port].size() != rank || equation->isIn(port, kEllipsis))
        return std::nullopt;
    const std::string& term = equation->terms[port];
    return WeightLayout{onlyAxis(term, [&](char axis) { return !equation->isIn(1 - port, axis); }),
        onlyAxis(term, [&](char axis) { return equation->isSummed(axis); })};
}

bool hasEquation(const Node& node)
{
    return node.opType == "Einsum";
}

/// An Einsum need not be a product.
bool isOfKind(const Node& node, const OpFacts& facts)
{
    return facts.form == ProductForm::Float && (!hasEquation(node) || productEquation(node));
}

/// A matrix is multiplied from the left or the right; only Gemm transposes it.
std::optional<WeightLayout> matrixLayout(const Node& node, std::uint32_t port, std::size_t rank)
{
    if (rank == 0 || port > 1 || (node.opType == "Gemm" && rank != 2))
        return std::nullopt;
    if (rank == 1)
        return WeightLayout{std::nullopt, 0};
    const bool isTransposed = node.opType == "Gemm" && isSet(node, port == 0 ? "transA" : "transB");
    const bool outputsLast = (port == 1) != isTransposed;
    return WeightLayout{rank - (outputsLast ? 1 : 2), rank - (outputsLast ? 2 : 1)};
}

} // namespace

const OpFacts& opFacts(std::string_view opType, std::string_view domain)
{
    static const OpFacts nothing;
    const OpFacts* row = findRow(opType, domain);
    return row == nullptr ? nothing : *row;
}

const OpFacts& opFacts(const Node& node)
{
    return opFacts(node.opType, node.domain);
}

std::span<const OpFacts> onnxOpFacts()
{
    return kOnnxRows;
}

std::span<const OpFacts> runtimeOpFacts()
{
    return kContribRows;
}

bool has(const Node& node, OpMarks anyOf)
{
    return (opFacts(node).marks & anyOf) != 0;
}

Operand operandOf(const Node& node, std::size_t port)
{
    const OpFacts* row = findRow(node.opType, node.domain);
    if (row == nullptr)
        return node.domain.empty() ? Operand::Setting : Operand::Term;
    if (isAmong(row->weights, port))
        return Operand::Weight;
    if (isAmong(row->affine, port))
        return Operand::Affine;
    return isAmong(row->terms, port) ? Operand::Term : Operand::Setting;
}

Passing passingOf(const Node& node)
{
    return opFacts(node).passing;
}

bool movesElements(const Node& node, std::size_t port)
{
    return isAmong(opFacts(node).moved, port);
}

bool isNorm(const Node& node)
{
    return opFacts(node).norm != Norm::None;
}

bool isRecurrent(const Node& node)
{
    return opFacts(node).product == Product::Recurrent;
}

bool worksOnCodes(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    return facts.form == ProductForm::Integer || facts.form == ProductForm::Codes || (facts.marks & kOnCodes) != 0
        || node.opType.starts_with(kInCodes);
}

bool givesCodes(const Node& node)
{
    constexpr std::size_t kScaleOfResult = 7; // of QGemm, which gives numbers without it
    return node.opType.starts_with(kInCodes)
        || (node.opType == "QGemm" && node.inputs.size() > kScaleOfResult && node.inputs[kScaleOfResult].valid());
}

bool isFloatProduct(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    return facts.product != Product::None && facts.product != Product::Recurrent && isOfKind(node, facts);
}

bool isProduct(const Node& node, Product product)
{
    const OpFacts& facts = opFacts(node);
    return facts.product == product && isOfKind(node, facts);
}

bool isConvolution(const Node& node)
{
    return isProduct(node, Product::Convolution) || isProduct(node, Product::TransposedConvolution);
}

std::string_view biasedForm(const Node& node)
{
    return isFloatProduct(node) ? opFacts(node).biased : std::string_view();
}

bool hasBodies(const Node& node)
{
    return node.domain.empty() && (node.opType == "If" || node.opType == "Loop" || node.opType == "Scan");
}

bool isQuantizer(const Node& node)
{
    return (node.domain.empty() || node.domain == kContrib) // another domain may mean anything by them
        && isOneOf(node.opType, {"QuantizeLinear", "DequantizeLinear"});
}

bool isDequantized(const Model& model, ValueId value)
{
    const NodeId producer = value.valid() ? model.value(value).producer : NodeId{};
    return producer.valid() && isQuantizer(model.node(producer)) && model.node(producer).opType == "DequantizeLinear";
}

bool hasGemmFactors(const Node& node)
{
    return node.opType == "Gemm" && (node.floatAttribute("alpha", 1) != 1 || node.floatAttribute("beta", 1) != 1);
}

bool hasScaledBias(const Node& node)
{
    return node.opType == "Gemm" && node.floatAttribute("beta", 1) != 1 && node.inputs.size() > 2
        && node.inputs[2].valid();
}

bool hasInt8Product(const Node& node)
{
    return opFacts(node).int8 == Int8Kernel::Product;
}

std::vector<std::uint32_t> weightPorts(const Node& node)
{
    if (isConvolution(node))
        return {1};
    return isProduct(node, Product::Matrix) ? std::vector<std::uint32_t>{0, 1} : std::vector<std::uint32_t>{};
}

std::optional<WeightLayout> weightLayout(const Node& node, std::uint32_t port, std::size_t rank)
{
    if (!isFloatProduct(node))
        return std::nullopt;
    if (isProduct(node, Product::Matrix))
        return hasEquation(node) ? equationLayout(node, port, rank) : matrixLayout(node, port, rank);
    return port == 1 ? convolutionLayout(node, rank) : std::nullopt;
}

std::optional<WeightLayout> convolutionLayout(const Node& node, std::size_t rank)
{
    const Product kind = opFacts(node).product;
    if ((kind != Product::Convolution && kind != Product::TransposedConvolution) || rank < 2)
        return std::nullopt;
    const bool isTransposed = kind == Product::TransposedConvolution;
    return WeightLayout{isTransposed ? 1U : 0U, isTransposed ? 0U : 1U, node.intAttribute("group", 1)};
}

std::optional<std::int64_t> inputChannelAxis(const Node& node)
{
    if (!isFloatProduct(node))
        return std::nullopt;
    if (isConvolution(node))
        return 1;
    if (const auto equation = hasEquation(node) ? productEquation(node) : std::nullopt)
        return axisOfData(
            equation->terms[0], onlyAxis(equation->terms[0], [&](char axis) { return equation->isSummed(axis); }));
    return node.opType == "Gemm" && isSet(node, "transA") ? -2 : -1;
}

std::optional<std::int64_t> outputChannelAxis(const Node& node)
{
    if (!isFloatProduct(node))
        return std::nullopt;
    if (const auto equation = hasEquation(node) ? productEquation(node) : std::nullopt)
        return axisOfData(
            equation->output, onlyAxis(equation->output, [&](char axis) { return !equation->isIn(0, axis); }));
    return isConvolution(node) ? 1 : -1;
}

} // namespace duo
