// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/tensorflow_names.h"

#include "core/scope/producers/rewritten_names.h"
#include "core/support/digits.h"
#include "core/support/letters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace duo {
namespace {

constexpr std::size_t kLongestName = 1000;
constexpr std::size_t kMostParts = 64;

/// Scopes that functions of TensorFlow and Keras open around one operation of several nodes. Names that are as well
/// those of Keras layers (`add`, `dropout`, `conv1d`) are not among them: the names of operations tell these.
constexpr std::array<std::string_view, 73> kOperationScopes{"ArgMax", "AvgPool", "AvgPool2D", "BatchMatMul",
    "BatchMatMulV2", "BiasAdd", "BroadcastTo", "Cast", "ConcatV2", "Conv1D", "Conv2D", "Conv3D",
    "DepthwiseConv2dNative", "Einsum", "Elu", "Erf", "Exp", "ExpandDims", "FusedBatchNorm", "FusedBatchNormV2",
    "FusedBatchNormV3", "Gather", "GatherNd", "GatherV2", "Gelu", "LeakyRelu", "LogSoftmax", "MatMul", "Max", "MaxPool",
    "MaxPool2D", "Mean", "Min", "MirrorPad", "OneHot", "Pad", "Prod", "ReadVariableOp", "Relu", "Relu6", "Reshape",
    "Rsqrt", "Selu", "Shape", "Sigmoid", "Softmax", "Softplus", "SquaredDifference", "Squeeze", "Sum", "Tanh",
    "TensorArrayStack", "TensorArrayUnstack", "TensorArrayV2Read", "TensorArrayV2Stack", "TensorArrayV2Write",
    "TensorListFromTensor", "Tensordot", "Tile", "Transpose", "batchnorm", "convolution", "einsum", "embedding_lookup",
    "l2_normalize", "moments", "normalize_moments", "ones", "ones_like", "strided_slice", "sufficient_statistics",
    "zeros", "zeros_like"};

/// Operations in lower case that read variables themselves.
constexpr std::array<std::string_view, 6> kReaders{"add", "concat", "mul", "split", "stack", "unstack"};

/// Calls of functions and of control flow: they open a scope that is no module.
constexpr std::array<std::string_view, 8> kWrappers{"PartitionedCall", "StatefulPartitionedCall", "case", "cond",
    "custom_jvp_call", "custom_vjp_call", "while", "while_loop"};

/// ONNX operator types and the operations of TensorFlow that become one, lower case; a trailing number may follow.
struct Fit {
    std::string_view opType;
    std::string_view operation;
};
constexpr std::array<Fit, 28> kFits{
    {{"Conv", "conv"}, {"Conv", "depthwise"}, {"Conv", "separable_conv"}, {"ConvTranspose", "conv"},
        {"ConvTranspose", "transposed_conv"}, {"Gemm", "matmul"}, {"MatMul", "matmul"}, {"MatMul", "batchmatmul"},
        {"MatMul", "einsum"}, {"MatMul", "tensordot"}, {"MatMul", "dot_general"}, {"Gemm", "einsum"},
        {"Gemm", "tensordot"}, {"Gemm", "biasadd"}, {"Gemm", "dense"}, {"MatMul", "dense"}, {"Gemm", "fully_connected"},
        {"Add", "biasadd"}, {"BatchNormalization", "fusedbatchnorm"}, {"BatchNormalization", "batchnorm"},
        {"Clip", "relu6"}, {"Clip", "clip"}, {"AveragePool", "avg"}, {"GlobalAveragePool", "mean"},
        {"GlobalAveragePool", "variance"}, {"ReduceMean", "mean"}, {"Gather", "embedding"}, {"Conv", "dot_general"}}};

/// "x" of "x:0" in `text`; whether there was such an ending.
bool dropOutputNumber(std::string_view& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || !allDigits(text.substr(colon + 1)))
        return false;
    text = text.substr(0, colon);
    return true;
}

/// "x" of "x__12", also of "x__12__34".
bool dropCounter(std::string_view& text)
{
    bool hadOne = false;
    for (std::size_t at = text.rfind("__"); at != std::string_view::npos && at > 0 && allDigits(text.substr(at + 2));
         at = text.rfind("__")) {
        text = text.substr(0, at);
        hadOne = true;
    }
    return hadOne;
}

/// "gru/while/Less" of "__inference_gru_while_cond_12_frozen_34_gru/while/Less", with or without the first word.
void dropFunctionPrefix(std::string_view& text)
{
    constexpr std::string_view kFrozen = "_frozen_";
    const std::size_t frozen = text.substr(0, text.find('/')).find(kFrozen);
    if (frozen != std::string_view::npos) {
        std::size_t end = frozen + kFrozen.size();
        while (end < text.size() && text[end] >= '0' && text[end] <= '9')
            ++end;
        if (end > frozen + kFrozen.size() && end + 1 < text.size() && text[end] == '_')
            text.remove_prefix(end + 1);
    }
    for (const std::string_view prefix :
        {"cond___", "body___", "ConstantFolding/", "ArithmeticOptimizer/", "import/"}) {
        if (text.size() > prefix.size() && text.starts_with(prefix))
            text.remove_prefix(prefix.size());
    }
}

/// "conv/Relu:0_pooling" of keras2onnx: made for the value "conv/Relu:0", by whichever layer reads that.
bool isNamedAfterValue(std::string_view plain)
{
    const std::size_t colon = plain.find(':');
    if (colon == std::string_view::npos)
        return false;
    const std::size_t end = plain.find_first_not_of("0123456789", colon + 1);
    return end != std::string_view::npos && end > colon + 1 && plain[end] != ';' && plain[end] != '/';
}

/// Frames of JAX's jitted functions: `jax2tf_f_`, `pjit_f_`.
bool isJaxFunction(std::string_view part)
{
    const bool isNamed = part.starts_with("jax2tf_") || part.starts_with("pjit_") || part.starts_with("jit_");
    return isNamed && withoutCount(part).ends_with('_');
}

bool isWrapper(std::string_view part)
{
    return std::ranges::find(kWrappers, withoutCount(part)) != kWrappers.end() || isJaxFunction(part);
}

struct Part {
    std::string_view text;
    std::size_t end = 0; // in the whole name
};

std::vector<Part> partsOf(std::string_view plain)
{
    std::vector<Part> parts;
    std::size_t start = 0;
    while (start <= plain.size()) {
        const std::size_t slash = std::min(plain.find('/', start), plain.size());
        parts.push_back({plain.substr(start, slash - start), slash});
        start = slash + 1;
    }
    return parts;
}

/// @param inner what follows below the scope: no operation holds one of its own kind, so `relu/Relu` is a layer's
bool isOperationScope(std::string_view scope, std::string_view inner)
{
    if (withoutCount(inner) == "ReadVariableOp" && std::ranges::find(kReaders, withoutCount(scope)) != kReaders.end())
        return true;
    return std::ranges::find(kOperationScopes, withoutCount(scope)) != kOperationScopes.end()
        && withoutCount(scope) != withoutCount(inner);
}

} // namespace

std::string_view withoutCount(std::string_view part)
{
    const std::size_t underscore = part.rfind('_');
    if (underscore == std::string_view::npos || underscore == 0 || !allDigits(part.substr(underscore + 1)))
        return part;
    return part.substr(0, underscore);
}

long countOf(std::string_view part)
{
    const std::string_view base = withoutCount(part);
    long count = 0;
    if (base.size() < part.size())
        std::from_chars(part.data() + base.size() + 1, part.data() + part.size(), count);
    return count;
}

CountedName countedName(std::string_view operation)
{
    CountedName result;
    for (std::size_t start = 0; start <= operation.size();) {
        const std::size_t slash = std::min(operation.find('/', start), operation.size());
        const std::string_view part = operation.substr(start, slash - start);
        result.base += result.base.empty() ? "" : "/";
        result.base += withoutCount(part);
        result.counts.push_back(countOf(part));
        start = slash + 1;
    }
    return result;
}

PlainName plainOperationName(std::string_view name)
{
    PlainName plain{rewrittenName(name)};
    (void)dropOutputNumber(plain.text);
    plain.isHelper = dropCounter(plain.text);
    dropFunctionPrefix(plain.text);
    return plain;
}

bool isMadeByConverter(std::string_view name)
{
    if (name.starts_with("Func/") || name.starts_with("arith.constant") || name.starts_with("tfl."))
        return true;
    const PlainName plain = plainOperationName(name);
    if (isNamedAfterValue(plain.text))
        return true;
    if (plain.text.find_first_of("/;") == std::string_view::npos) {
        const std::string_view base = withoutCount(plain.text);
        return plain.isHelper || base == "Identity" || base == "Const" || base == "unknown" || isWrapper(plain.text);
    }
    const std::vector<Part> parts = partsOf(plain.text);
    const bool isOutermost = std::all_of(
        parts.begin(), parts.end() - 1, [](const Part& part) { return part.text.empty() || isWrapper(part.text); });
    const std::string_view last = parts.back().text;
    return isOutermost && (isWrapper(last) || withoutCount(last) == "Const");
}

std::vector<std::string_view> joinedNames(std::string_view plain)
{
    std::vector<std::string_view> names;
    std::size_t start = 0;
    while (start <= plain.size() && names.size() < kMostParts) {
        const std::size_t end = std::min(plain.find(';', start), plain.size());
        const std::string_view name = plain.substr(start, end - start);
        if (!name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(name);
        start = end + 1;
    }
    return names;
}

std::optional<OperationName> takenApart(std::string_view plain, const OperationNames& operations)
{
    if (plain.empty() || plain.size() > kLongestName)
        return std::nullopt;
    std::vector<Part> parts = partsOf(plain);
    const auto isEmpty = [](const Part& part) { return part.text.empty(); };
    if (parts.size() > kMostParts || std::any_of(parts.begin(), parts.end(), isEmpty))
        return std::nullopt;
    Part inner = parts.back();
    parts.pop_back();
    while (!parts.empty()
        && (operations.contains(plain.substr(0, parts.back().end))
            || isOperationScope(parts.back().text, inner.text))) {
        inner = parts.back();
        parts.pop_back();
    }
    OperationName name;
    name.operation = plain.substr(parts.empty() ? 0 : parts.back().end + 1);
    for (const Part& part : parts) {
        if (!isWrapper(part.text))
            name.scopes.push_back(part.text);
    }
    return name;
}

bool fitsOpType(std::string_view operation, std::string_view opType)
{
    if (opType.starts_with("Fused"))
        opType.remove_prefix(5);
    const std::string last = lowered(operation.substr(operation.rfind('/') + 1));
    const std::string first = lowered(operation.substr(0, operation.find('/')));
    if (last.starts_with(lowered(opType)))
        return true;
    return std::ranges::any_of(kFits, [&](const Fit& fit) {
        return fit.opType == opType && (last.starts_with(fit.operation) || first.starts_with(fit.operation));
    });
}

bool isTensorFlowName(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kMarks{"ReadVariableOp", "StatefulPartitionedCall", "jax2tf_", "BiasAdd",
        "FusedBatchNorm", "ConstantFolding/", "const_fold_opt__"};
    return !name.starts_with('/') && std::ranges::any_of(kMarks, [&](std::string_view mark) {
        return name.find(mark) != std::string_view::npos;
    });
}

bool hasOutputNumber(std::string_view name)
{
    return dropOutputNumber(name);
}

} // namespace duo
