// SPDX-License-Identifier: Apache-2.0
// Small messages of onnx.proto as values of the model.
#pragma once

#include "core/model/model.h"

#include <onnx.pb.h>

#include <string>

namespace duo {

/// "ai.onnx" and "" are one domain; "" stands for both.
const std::string& normalDomain(const std::string& domain);

/// The opset of ai.onnx that a model or function imports: of several the last, as the engine takes it.
/// @param otherwise where it imports none
template <typename Message> std::int64_t importedOpset(const Message& message, std::int64_t otherwise = 0)
{
    std::int64_t opset = 0;
    for (const auto& import : message.opset_import()) {
        if (normalDomain(import.domain()).empty())
            opset = import.version();
    }
    return opset > 0 ? opset : otherwise;
}

/// Tensor types with their shape (a negative size is an unknown one, and so is a symbol beyond
/// kMostNameBytes); sequences, maps and the like stay Undefined.
ValueType valueTypeOf(const onnx::TypeProto& proto);

Metadata metadataOf(const google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries);

/// "node 'x'", or "node 3 (Conv)" for one without a name: for errors.
std::string nodeLabel(const onnx::NodeProto& node, std::size_t index);

} // namespace duo
