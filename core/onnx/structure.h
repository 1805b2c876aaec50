// SPDX-License-Identifier: Apache-2.0
// The structure of a model file as bytes, a third of what it takes parsed: any part of it is parsed when it is asked
// for.
#pragma once

#include <onnx.pb.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

class Structure
{
public:
    /// @param skeleton a ModelProto that parses, see payloads.h. O(its bytes)
    explicit Structure(std::string skeleton);

    /// All of it. O(structure).
    void parse(onnx::ModelProto& whole) const;
    /// All but the nodes of the main graph, parsed at the first call and kept. Threads may call it at once.
    [[nodiscard]] const onnx::ModelProto& besidesNodes() const;
    [[nodiscard]] std::size_t nodeCount() const { return m_nodes.size(); } // of the main graph
    /// @param index below nodeCount(). O(the node).
    void parseNode(std::size_t index, onnx::NodeProto& node) const;

private:
    struct Range {
        std::uint32_t begin = 0; // in m_bytes
        std::uint32_t size = 0;
    };
    [[nodiscard]] std::string withoutNodes() const;

    std::string m_bytes;
    std::vector<Range> m_nodes;
    mutable std::once_flag m_once;
    mutable std::unique_ptr<const onnx::ModelProto> m_besidesNodes;
};

/// Parses a message of a model as deep as splitPayloads() lets through. @return false if it is damaged
bool parseProto(std::string_view bytes, google::protobuf::MessageLite& message);

} // namespace duo
