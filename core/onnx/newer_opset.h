// SPDX-License-Identifier: Apache-2.0
// Nodes of a file as they are written in a newer opset of ai.onnx.
#pragma once

#include <onnx.pb.h>

#include <cstdint>
#include <optional>
#include <string>

namespace duo {

using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Whether such a conversion added the node, in front of the one it serves. It says so until forgetAdded().
bool isAddedByOpset(const onnx::NodeProto& node);
/// In a list and its bodies.
void forgetAdded(NodeList& nodes);

/// A node that has no form in the opset that is wanted.
struct NotNewer {
    std::string node; // its operator and name
    std::string why;
};

/// Writes a list, and what bodies it holds, of opset `from` in opset `to`, which is no older; nodes of other domains
/// stay. All or none. Names of added values begin with that of the node's first output. O(nodes).
std::optional<NotNewer> writeNewer(NodeList& nodes, std::int64_t from, std::int64_t to);

} // namespace duo
