// SPDX-License-Identifier: Apache-2.0
// Finds the NodeProto a node of the model was read from.
#pragma once

#include "core/model/model.h"

#include <onnx.pb.h>

#include <optional>
#include <vector>

namespace duo {

/// For one proto, before its node lists are changed.
class NodeProtos
{
public:
    NodeProtos(const Model& model, onnx::ModelProto& proto)
        : m_model(model)
        , m_graphs(model.regions.size())
    {
        m_graphs.front() = proto.mutable_graph();
    }

    /// Null for a node inside an expanded function: its proto stands for all calls.
    onnx::NodeProto* find(NodeId id);
    /// The main graph, or that of a body. Null inside an expanded function.
    onnx::GraphProto* graphOf(RegionId id);

private:
    const Model& m_model;
    std::vector<std::optional<onnx::GraphProto*>> m_graphs; // [regions] found so far
};

} // namespace duo
