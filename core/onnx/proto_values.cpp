// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/proto_values.h"

#include "core/onnx/proto_checks.h"
#include "core/support/utf8.h"

namespace duo {

const std::string& normalDomain(const std::string& domain)
{
    static const std::string kEmpty;
    return domain == "ai.onnx" ? kEmpty : domain;
}

ValueType valueTypeOf(const onnx::TypeProto& proto)
{
    ValueType type;
    if (!proto.has_tensor_type())
        return type;
    type.element = static_cast<ElementType>(proto.tensor_type().elem_type());
    if (!proto.tensor_type().has_shape())
        return type;
    auto& shape = type.shape.emplace();
    shape.reserve(static_cast<std::size_t>(proto.tensor_type().shape().dim_size()));
    for (const auto& dim : proto.tensor_type().shape().dim()) {
        if (dim.has_dim_value() && dim.dim_value() >= 0)
            shape.push_back({dim.dim_value(), {}});
        else
            shape.push_back({std::nullopt, dim.dim_param().size() > kMostNameBytes ? "" : asUtf8(dim.dim_param())});
    }
    return type;
}

Metadata metadataOf(const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries)
{
    Metadata metadata;
    metadata.reserve(static_cast<std::size_t>(entries.size()));
    for (const auto& entry : entries)
        metadata.emplace_back(asUtf8(entry.key()), asUtf8(entry.value()));
    return metadata;
}

std::string nodeLabel(const onnx::NodeProto& node, std::size_t index)
{
    if (!node.name().empty())
        return "node '" + node.name() + "'";
    return "node " + std::to_string(index) + " (" + node.op_type() + ")";
}

} // namespace duo
