// SPDX-License-Identifier: Apache-2.0
// AttributeProto -> Attribute, with references to attributes of the surrounding call resolved.
#pragma once

#include "core/onnx/frame.h"
#include "core/onnx/function_table.h"
#include "core/onnx/tensor_reader.h"

namespace duo {

/// An attribute and the frame it is written in (graphs in it read names of that frame).
struct ResolvedAttribute {
    const onnx::AttributeProto* proto = nullptr; // null: the call gives none and there is no default
    const NameFrame* frame = nullptr;
};

/// @return MalformedModel for a reference outside a function
Result<ResolvedAttribute> resolveAttribute(
    const onnx::AttributeProto& attribute, const NameFrame& frame, const FunctionTable& functions);

/// Its type, also where a file before IR 3 does not name it.
onnx::AttributeProto::AttributeType attributeType(const onnx::AttributeProto& proto);

/// Graphs and whatever else the model has no place for give std::monostate.
/// @param name what the node calls it. @return errors of TensorReader
Result<Attribute> readAttribute(
    const std::string& name, const onnx::AttributeProto& proto, TensorReader& tensors, const onnx::NodeProto& node);

/// Bytes that a copy of the attribute takes, roughly.
std::int64_t attributeBytes(const onnx::AttributeProto& proto);

} // namespace duo
