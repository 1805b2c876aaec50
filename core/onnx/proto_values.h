// SPDX-License-Identifier: Apache-2.0
// Small messages of onnx.proto as values of the model.
#pragma once

#include "core/model/model.h"

#include <onnx.pb.h>

#include <string>

namespace duo {

/// "ai.onnx" and "" are one domain; "" stands for both.
const std::string& normalDomain(const std::string& domain);

/// Tensor types with their shape (a negative size is an unknown one, and so is a symbol beyond
/// kMostNameBytes); sequences, maps and the like stay Undefined.
ValueType valueTypeOf(const onnx::TypeProto& proto);

Metadata metadataOf(const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries);

/// "node 'x'", or "node 3 (Conv)" for one without a name: for errors.
std::string nodeLabel(const onnx::NodeProto& node, std::size_t index);

} // namespace duo
