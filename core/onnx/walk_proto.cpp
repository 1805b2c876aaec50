// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/walk_proto.h"

namespace duo {
namespace {

void walkGraph(onnx::GraphProto& graph, const TensorVisitor& visit);

void walkSparse(onnx::SparseTensorProto& sparse, const TensorVisitor& visit)
{
    if (sparse.has_values())
        visit(*sparse.mutable_values());
    if (sparse.has_indices())
        visit(*sparse.mutable_indices());
}

void walkAttribute(onnx::AttributeProto& attribute, const TensorVisitor& visit)
{
    if (attribute.has_t())
        visit(*attribute.mutable_t());
    for (auto& tensor : *attribute.mutable_tensors())
        visit(tensor);
    forEachGraphOf(attribute, [&](onnx::GraphProto& graph) { walkGraph(graph, visit); });
    if (attribute.has_sparse_tensor())
        walkSparse(*attribute.mutable_sparse_tensor(), visit);
    for (auto& sparse : *attribute.mutable_sparse_tensors())
        walkSparse(sparse, visit);
}

void walkGraph(onnx::GraphProto& graph, const TensorVisitor& visit)
{
    for (auto& node : *graph.mutable_node())
        forEachTensor(node, visit);
    for (auto& tensor : *graph.mutable_initializer())
        visit(tensor);
    for (auto& sparse : *graph.mutable_sparse_initializer())
        walkSparse(sparse, visit);
}

} // namespace

void forEachTensor(onnx::NodeProto& node, const TensorVisitor& visit)
{
    for (auto& attribute : *node.mutable_attribute())
        walkAttribute(attribute, visit);
}

void forEachTensor(onnx::ModelProto& model, const TensorVisitor& visit)
{
    if (model.has_graph())
        walkGraph(*model.mutable_graph(), visit);
    for (auto& training : *model.mutable_training_info()) {
        if (training.has_initialization())
            walkGraph(*training.mutable_initialization(), visit);
        if (training.has_algorithm())
            walkGraph(*training.mutable_algorithm(), visit);
    }
    for (auto& function : *model.mutable_functions()) {
        for (auto& attribute : *function.mutable_attribute_proto())
            walkAttribute(attribute, visit);
        for (auto& node : *function.mutable_node())
            forEachTensor(node, visit);
    }
}

} // namespace duo
