// SPDX-License-Identifier: Apache-2.0
#include "tests/support/proto_builder.h"

#include <cstring>

namespace duo::test {
namespace {

void fillInfo(onnx::ValueInfoProto& info, const std::string& name, const std::vector<std::int64_t>& dims)
{
    info.set_name(name);
    auto& type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    auto& shape = *type.mutable_shape();
    for (const std::int64_t dim : dims) {
        if (dim < 0)
            shape.add_dim()->set_dim_param("N");
        else
            shape.add_dim()->set_dim_value(dim);
    }
}

} // namespace

GraphProtoBuilder& GraphProtoBuilder::input(const std::string& name, const std::vector<std::int64_t>& dims)
{
    fillInfo(*m_graph->add_input(), name, dims);
    return *this;
}

GraphProtoBuilder& GraphProtoBuilder::output(const std::string& name, const std::vector<std::int64_t>& dims)
{
    fillInfo(*m_graph->add_output(), name, dims);
    return *this;
}

onnx::TensorProto& GraphProtoBuilder::tensor(
    const std::string& name, const std::vector<std::int64_t>& dims, onnx::TensorProto::DataType type)
{
    onnx::TensorProto& tensor = *m_graph->add_initializer();
    tensor.set_name(name);
    tensor.set_data_type(type);
    tensor.mutable_dims()->Add(dims.begin(), dims.end());
    return tensor;
}

GraphProtoBuilder& GraphProtoBuilder::weight(
    const std::string& name, const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    const auto count = static_cast<std::size_t>(elementCount(dims).value_or(0));
    std::string raw(count * sizeof(float), '\0');
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(raw.data() + i * sizeof(float), &values[i % values.size()], sizeof(float));
    tensor(name, dims).set_raw_data(raw);
    return *this;
}

onnx::TensorProto& GraphProtoBuilder::external(const std::string& name, const std::vector<std::int64_t>& dims,
    const std::string& location, const std::string& offset, const std::string& length)
{
    onnx::TensorProto& proto = tensor(name, dims);
    proto.set_data_location(onnx::TensorProto::EXTERNAL);
    const auto add = [&](const char* key, const std::string& value) {
        if (value.empty())
            return;
        auto& entry = *proto.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    };
    add("location", location);
    add("offset", offset);
    add("length", length);
    return proto;
}

onnx::NodeProto& GraphProtoBuilder::node(const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    onnx::NodeProto& node = *m_graph->add_node();
    fillNode(node, opType, name, inputs, outputs);
    return node;
}

ProtoBuilder::ProtoBuilder()
    : GraphProtoBuilder(*owned.mutable_graph())
{
    owned.set_ir_version(8);
    owned.add_opset_import()->set_version(17);
    owned.mutable_graph()->set_name("g");
}

onnx::FunctionProto& ProtoBuilder::function(
    const std::string& name, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    onnx::FunctionProto& function = *owned.add_functions();
    function.set_name(name);
    function.set_domain("local");
    for (const auto& input : inputs)
        function.add_input(input);
    for (const auto& output : outputs)
        function.add_output(output);
    return function;
}

std::string ProtoBuilder::text() const
{
    return owned.SerializeAsString();
}

SharedBytes ProtoBuilder::bytes() const
{
    auto owner = std::make_shared<const std::string>(text());
    return {owner, std::as_bytes(std::span(owner->data(), owner->size()))};
}

void fillNode(onnx::NodeProto& node, const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    node.set_op_type(opType);
    if (!name.empty())
        node.set_name(name);
    for (const auto& input : inputs)
        node.add_input(input);
    for (const auto& output : outputs)
        node.add_output(output);
}

onnx::NodeProto& addNode(onnx::FunctionProto& function, const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs)
{
    onnx::NodeProto& node = *function.add_node();
    fillNode(node, opType, name, inputs, outputs);
    return node;
}

GraphProtoBuilder addBody(onnx::NodeProto& node, const std::string& attribute)
{
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute);
    proto.set_type(onnx::AttributeProto::GRAPH);
    proto.mutable_g()->set_name(attribute); // the engine wants one
    return GraphProtoBuilder(*proto.mutable_g());
}

GraphProtoBuilder addLoop(ProtoBuilder& file, std::int64_t trips)
{
    file.tensor("trips", {}, onnx::TensorProto::INT64).add_int64_data(trips);
    auto body = addBody(file.node("Loop", "loop", {"trips", "", "x"}, {"y"}), "body");
    body.input("i").input("go").input("s").output("go_on").output("next");
    for (auto* info : {body.proto().mutable_input(0), body.proto().mutable_input(1), body.proto().mutable_output(0)}) {
        info->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
        info->mutable_type()->mutable_tensor_type()->mutable_shape()->clear_dim();
    }
    body.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    body.node("Identity", "keep", {"go"}, {"go_on"});
    return body;
}

onnx::AttributeProto& addInt(onnx::NodeProto& node, const std::string& attribute, std::int64_t value)
{
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute);
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_i(value);
    return proto;
}

onnx::AttributeProto& addReference(onnx::NodeProto& node, const std::string& attribute, const std::string& ofCall)
{
    onnx::AttributeProto& proto = *node.add_attribute();
    proto.set_name(attribute);
    proto.set_type(onnx::AttributeProto::INT);
    proto.set_ref_attr_name(ofCall);
    return proto;
}

} // namespace duo::test
