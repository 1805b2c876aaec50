// SPDX-License-Identifier: Apache-2.0
// Held tensors: what a file keeps as an initializer, of the main graph or a body, or in a Constant node. Which of these
// it is makes no difference to what the tensor is.
#pragma once

#include "core/model/model.h"

#include <string_view>
#include <vector>

namespace duo {

/// A Constant node: it computes nothing, it is where a tensor stands.
bool isConstantNode(const Node& node);

/// The tensor that gives a value its content; invalid if none does.
TensorId heldTensor(const Model& model, ValueId value);

/// Bytes that its elements take, also where the data are not there; 0 for strings.
std::int64_t storedBytes(const Tensor& tensor);

/// Whether this node is one of the aliases that TorchScript's exporter puts at the head of the graph: an Identity that
/// gives an initializer the name of another parameter with equal values ("layers.1.norm.bias"), or is called
/// `Identity_<n>` as long as nobody renamed it.
bool isIdentityAlias(const Model& model, const Node& node);

/// A value looked up through Identity nodes only: the same for two inputs that read the same tensor.
ValueId behindIdentities(const Model& model, ValueId value);

/// The elements of a constant float32 vector, maybe behind Identity nodes; empty for every other value.
std::vector<float> floatVector(const Model& model, ValueId value);

/// A tensor under the name by which nodes read it.
struct HeldTensor {
    TensorId tensor;
    ValueId value; // invalid: no node can read it
    std::string_view name;
};

/// Initializers of the main graph in file order, then all else. A tensor in a function stands here once per call.
/// O(values).
std::vector<HeldTensor> heldTensors(const Model& model);

} // namespace duo
