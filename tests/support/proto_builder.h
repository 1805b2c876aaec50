// SPDX-License-Identifier: Apache-2.0
// ProtoBuilder: ONNX files written down in tests, good or bad, a line per part.
#pragma once

#include "core/model/tensor.h"

#include <onnx.pb.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duo::test {

/// A graph, a control-flow body or the main graph, under construction.
class GraphProtoBuilder
{
public:
    explicit GraphProtoBuilder(onnx::GraphProto& graph)
        : m_graph(&graph)
    {
    }
    /// dim -1: symbolic "N".
    GraphProtoBuilder& input(const std::string& name, const std::vector<std::int64_t>& dims = {2});
    GraphProtoBuilder& output(const std::string& name, const std::vector<std::int64_t>& dims = {2});
    /// float32 in raw_data; `values` is repeated as needed.
    GraphProtoBuilder& weight(const std::string& name, const std::vector<std::int64_t>& dims = {2},
        const std::vector<float>& values = {0.5F});
    onnx::NodeProto& node(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs);
    onnx::TensorProto& tensor(const std::string& name, const std::vector<std::int64_t>& dims,
        onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT); // an initializer without data
    /// An initializer in a file.
    onnx::TensorProto& external(const std::string& name, const std::vector<std::int64_t>& dims,
        const std::string& location, const std::string& offset = {}, const std::string& length = {});
    onnx::GraphProto& proto() { return *m_graph; }

private:
    onnx::GraphProto* m_graph;
};

/// Comes before the builder of its graph.
struct OwnedModelProto {
    onnx::ModelProto owned;
};

/// IR 8, opset 17, a graph named "g".
class ProtoBuilder : private OwnedModelProto, public GraphProtoBuilder
{
public:
    ProtoBuilder();
    ProtoBuilder(const ProtoBuilder&) = delete;
    ProtoBuilder& operator=(const ProtoBuilder&) = delete;

    /// A local function of domain "local".
    onnx::FunctionProto& function(
        const std::string& name, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
    onnx::ModelProto& model() { return owned; }
    [[nodiscard]] std::string text() const; // serialized
    [[nodiscard]] SharedBytes bytes() const;
};

void fillNode(onnx::NodeProto& node, const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
/// A node in a function; its domain is "" for operators.
onnx::NodeProto& addNode(onnx::FunctionProto& function, const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
/// A graph attribute: the body of an If, Loop or Scan.
GraphProtoBuilder addBody(onnx::NodeProto& node, const std::string& attribute);
/// y = Loop(x) of so many trips. @return its body, which is to make `next` of `s`; `i`, `go` and `go_on` are there
GraphProtoBuilder addLoop(ProtoBuilder& file, std::int64_t trips);
onnx::AttributeProto& addInt(onnx::NodeProto& node, const std::string& attribute, std::int64_t value);
onnx::AttributeProto& addReference(onnx::NodeProto& node, const std::string& attribute, const std::string& ofCall);

} // namespace duo::test
