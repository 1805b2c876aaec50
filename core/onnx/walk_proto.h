// SPDX-License-Identifier: Apache-2.0
// Walks over what the messages of a file hold inside one another: bodies, nodes, tensors.
#pragma once

#include <onnx.pb.h>

#include <functional>
#include <type_traits>

namespace duo {

/// The graphs that an attribute holds.
template <typename Attribute, typename Visit> void forEachGraphOf(Attribute& attribute, const Visit& visit)
{
    if constexpr (std::is_const_v<Attribute>) {
        if (attribute.has_g())
            visit(attribute.g());
        for (const auto& graph : attribute.graphs())
            visit(graph);
    } else {
        if (attribute.has_g())
            visit(*attribute.mutable_g());
        for (auto& graph : *attribute.mutable_graphs())
            visit(graph);
    }
}

/// The bodies of a node, not those inside them.
template <typename Node, typename Visit> void forEachBody(Node& node, const Visit& visit)
{
    if constexpr (std::is_const_v<Node>) {
        for (const auto& attribute : node.attribute())
            forEachGraphOf(attribute, visit);
    } else {
        for (auto& attribute : *node.mutable_attribute())
            forEachGraphOf(attribute, visit);
    }
}

/// Every node of a list, and those of the bodies in it behind the one they belong to.
template <typename List, typename Visit> void forEachNode(List& nodes, const Visit& visit)
{
    for (auto& node : nodes) {
        visit(node);
        forEachBody(node, [&](auto& body) {
            if constexpr (std::is_const_v<std::remove_reference_t<decltype(body)>>)
                forEachNode(body.node(), visit);
            else
                forEachNode(*body.mutable_node(), visit);
        });
    }
}

using TensorVisitor = std::function<void(onnx::TensorProto&)>;

/// Tensors of attributes and bodies, sparse ones too, in file order. Recursion is as deep as the bodies of the file,
/// which splitPayloads bounds.
void forEachTensor(onnx::NodeProto& node, const TensorVisitor& visit);
/// The same of graph, functions and training information.
void forEachTensor(onnx::ModelProto& model, const TensorVisitor& visit);

} // namespace duo
