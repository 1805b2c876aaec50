// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/node_protos.h"

#include <charconv>

namespace duo {
namespace {

/// The graph of attribute "body", or of "graphs.2" for the third of a list.
onnx::GraphProto* bodyOf(onnx::NodeProto& owner, const std::string& attribute)
{
    const std::size_t dot = attribute.rfind('.');
    for (auto& proto : *owner.mutable_attribute()) {
        if (proto.name() == attribute && proto.has_g())
            return proto.mutable_g();
        if (dot == std::string::npos || proto.name() != std::string_view(attribute).substr(0, dot))
            continue;
        int index = -1;
        std::from_chars(attribute.data() + dot + 1, attribute.data() + attribute.size(), index);
        if (index >= 0 && index < proto.graphs_size())
            return proto.mutable_graphs(index);
    }
    return nullptr;
}

} // namespace

onnx::GraphProto* NodeProtos::graphOf(RegionId id)
{
    auto& known = m_graphs[id.index];
    if (known)
        return *known;
    const Region& region = m_model.region(id);
    onnx::NodeProto* owner = region.attribute.empty() ? nullptr : find(region.owner);
    known = owner == nullptr ? nullptr : bodyOf(*owner, region.attribute);
    return *known;
}

onnx::NodeProto* NodeProtos::find(NodeId id)
{
    const Node& node = m_model.node(id);
    onnx::GraphProto* graph = graphOf(node.region);
    const auto index = static_cast<int>(node.origin.index);
    return graph != nullptr && index < graph->node_size() ? graph->mutable_node(index) : nullptr;
}

} // namespace duo
