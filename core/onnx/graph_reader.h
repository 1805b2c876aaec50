// SPDX-License-Identifier: Apache-2.0
// GraphProto -> nodes, values and regions of a draft model; calls of local functions are expanded.
#pragma once

#include "core/model/node_note.h"
#include "core/onnx/attribute_reader.h"
#include "core/onnx/frame.h"
#include "core/onnx/schema_check.h"
#include "core/support/job.h"
#include "core/support/result.h"
#include "core/transform/raise_opset.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace duo {

/// What the nodes of a model may take, with those that calls of its functions stand for.
class ExpansionBudget
{
    using Clock = std::chrono::steady_clock;

public:
    static constexpr std::int64_t kMaxNodes = 500'000; // some 6 s and 600 MB until there are scopes
    static constexpr std::int64_t kMaxBytes = std::int64_t{1} << 29U;
    static constexpr int kMaxNesting = 64; // bodies and calls inside each other
    static constexpr std::chrono::seconds kMaxTime{60}; // of the clock; as many nodes as there may be take some 2

    explicit ExpansionBudget(Clock::duration mostTime = kMaxTime)
        : m_end(Clock::now() + mostTime)
    {
    }

    static Error tooManyNodes()
    {
        return {ErrorCode::Unsupported, "the model has more than 500000 nodes with all function calls expanded", {},
            "split it, or call its functions less often"};
    }

    /// One more node; `bytes` of it are not in the file a second time (copied by a call, or written before its name).
    /// @return Unsupported when the model has become too large, or has taken too long
    Status takeNode(std::int64_t bytes)
    {
        if (++m_nodes > kMaxNodes)
            return tooManyNodes();
        constexpr std::int64_t kNodesALook = 256;
        if (m_nodes % kNodesALook == 0 && Clock::now() > m_end)
            return Error{ErrorCode::Unsupported, "the model takes more than 60 s to expand its function calls", {},
                "split it, or call its functions less often"};
        return takeBytes(bytes);
    }

    Status takeBytes(std::int64_t bytes)
    {
        m_bytes += bytes;
        if (m_bytes > kMaxBytes)
            return Error{ErrorCode::Unsupported, "the model grows by more than 512 MB when function calls are expanded",
                {}, "split it, or call its functions less often"};
        return success();
    }

private:
    Clock::time_point m_end;
    std::int64_t m_nodes = 0;
    std::int64_t m_bytes = 0;
};

class GraphReader
{
public:
    /// All must outlive the reader; the names in the draft are copies.
    /// @param draft what the file says of itself is there
    GraphReader(Model& draft, const FunctionTable& functions, TensorReader& tensors, const JobContext& job)
        : m_draft(draft)
        , m_opset(writtenOpset(draft))
        , m_functions(functions)
        , m_tensors(tensors)
        , m_job(job)
    {
    }

    /// Fills the draft; it still has to be sealed. O(nodes after expansion).
    /// @return MalformedModel naming the node or value at fault; Unsupported beyond ExpansionBudget; Cancelled
    Status readMain(const onnx::GraphProto& graph);

    /// Nodes that are not as ONNX has them, at most a note for each.
    std::vector<NodeNote> takeNotes() { return std::move(m_notes); }

private:
    using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
    using ValueInfoList = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

    Status readGraph(const onnx::GraphProto& graph, NameFrame& frame);
    Status readInitializers(const onnx::GraphProto& graph, NameFrame& frame);
    Status readInputs(const onnx::GraphProto& graph, NameFrame& frame);
    Status readOutputs(const onnx::GraphProto& graph, NameFrame& frame);
    void readTypes(const ValueInfoList& infos, const NameFrame& frame);

    Status readNodes(const NodeList& nodes, NameFrame& frame);
    Result<std::vector<ValueId>> defineOutputs(const NodeList& nodes, NameFrame& frame);
    Status readNode(
        const onnx::NodeProto& proto, std::uint32_t index, std::span<const ValueId> outputs, NameFrame& frame);
    Status readInputPorts(const onnx::NodeProto& proto, Node& node, const NameFrame& frame);
    Result<std::vector<GivenAttribute>> readAttributes(const onnx::NodeProto& proto, NodeId id, const NameFrame& frame);
    Status checkSchema(NodeId id, std::span<const GivenAttribute> given, const NameFrame& frame);
    Status readBodies(
        const std::string& attribute, const ResolvedAttribute& graphs, NodeId owner, const NameFrame& around);
    Status readBody(const onnx::GraphProto& graph, const std::string& attribute, NodeId owner, const NameFrame& around,
        const NameFrame& names);

    Status expandCall(
        const onnx::FunctionProto& function, const onnx::NodeProto& proto, NodeId id, const NameFrame& caller);
    Status bindFormals(const onnx::FunctionProto& function, NodeId id, NameFrame& frame);
    Status closeCall(const onnx::FunctionProto& function, NodeId id, NameFrame& frame);

    Result<NameFrame> nestedFrame(NodeId owner, const std::string& attribute, const NameFrame& around);
    Result<ValueId> define(const std::string& name, NameFrame& frame);
    Status charge(const onnx::NodeProto& proto, const NameFrame& frame);

    Model& m_draft;
    std::int64_t m_opset; // of ai.onnx, outside functions; 0: not known
    const FunctionTable& m_functions;
    TensorReader& m_tensors;
    const JobContext& m_job;
    ExpansionBudget m_budget;
    std::vector<NodeNote> m_notes;
};

} // namespace duo
