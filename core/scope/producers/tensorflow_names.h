// SPDX-License-Identifier: Apache-2.0
// Operation names of TensorFlow graphs as tf2onnx hands them on: "model/block1/conv/Conv2D__12" runs in model, block1,
// conv.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace duo {

/// Plain names of all operations a file speaks of; views into the model.
using OperationNames = std::unordered_set<std::string_view>;

struct OperationName {
    std::vector<std::string_view> scopes; // calls of layers, outermost first
    std::string_view operation; // what is left: "Tensordot/MatMul"
};

/// A name without what converters add to it: the number of the output (":0"), a counter ("__12"), the prefixes of
/// Grappler and of functions ("ConstantFolding/", "cond___", "__inference_f_12_frozen_34_").
struct PlainName {
    std::string_view text;
    bool isHelper = false; // it had a counter: the converter made the node (or tensor) for the operation of that name
};
PlainName plainOperationName(std::string_view name);

/// Names that tell of nothing in the program: "Relu__38", "const_fold_opt__7", "Identity_1", "Func/…/input/_7:0",
/// "arith.constant3", "jax2tf_f_/Const_2:0", "conv/Relu:0_pooling".
bool isMadeByConverter(std::string_view name);

/// The names that TensorFlow Lite joins with ';' for an operation made of several, without repeats.
std::vector<std::string_view> joinedNames(std::string_view plain);

/// Scopes and operation of a plain name without ';'. Trailing scopes that are one operation of several nodes
/// (`Tensordot/MatMul`, `moments/mean`, `BiasAdd/ReadVariableOp`; any scope that is an operation's name itself) belong
/// to the operation; calls of functions and of control flow (`StatefulPartitionedCall`, `while`, `pjit_f_`) are no
/// scopes. Nothing for names with empty parts, of more than 64 parts, or longer than 1,000 bytes.
std::optional<OperationName> takenApart(std::string_view plain, const OperationNames& operations);

/// "Conv2D" of "Conv2D_1": TensorFlow numbers names that were taken. Whole where there is no such number.
std::string_view withoutCount(std::string_view part);
/// The number that TensorFlow gave, 0 for none.
long countOf(std::string_view part);

/// "Tensordot/MatMul" and {1, 0} of "Tensordot_1/MatMul".
struct CountedName {
    std::string base;
    std::vector<long> counts;
};
CountedName countedName(std::string_view operation);

/// Whether an operation of that name becomes a node of that type: Conv2D a Conv, BiasAdd an Add.
bool fitsOpType(std::string_view operation, std::string_view opType);

/// Names only TensorFlow gives.
bool isTensorFlowName(std::string_view name);
/// ":0" of TensorFlow's tensors.
bool hasOutputNumber(std::string_view name);

} // namespace duo
