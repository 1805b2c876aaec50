// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/new_node.h"

namespace duo {
namespace {

using Proto = onnx::AttributeProto;

/// Sets the value and its type; false for what a new node cannot carry.
struct AttributeSetter {
    Proto& proto;

    bool operator()(std::int64_t value) const
    {
        proto.set_i(value);
        return typed(Proto::INT);
    }
    bool operator()(float value) const
    {
        proto.set_f(value);
        return typed(Proto::FLOAT);
    }
    bool operator()(const std::string& value) const
    {
        proto.set_s(value);
        return typed(Proto::STRING);
    }
    bool operator()(const std::vector<std::int64_t>& values) const
    {
        proto.mutable_ints()->Add(values.begin(), values.end());
        return typed(Proto::INTS);
    }
    bool operator()(const std::vector<float>& values) const
    {
        proto.mutable_floats()->Add(values.begin(), values.end());
        return typed(Proto::FLOATS);
    }
    bool operator()(const std::vector<std::string>& values) const
    {
        for (const std::string& value : values)
            proto.add_strings(value);
        return typed(Proto::STRINGS);
    }
    bool operator()(std::monostate) const { return false; }
    bool operator()(TensorId) const { return false; }

    bool typed(Proto::AttributeType type) const
    {
        proto.set_type(type);
        return true;
    }
};

Status addAttribute(onnx::NodeProto& node, const Attribute& attribute)
{
    Proto& target = *node.add_attribute();
    target.set_name(attribute.name);
    if (std::visit(AttributeSetter{target}, attribute.value))
        return success();
    return Error{ErrorCode::Internal, "a node cannot be given attribute '" + attribute.name + "'",
        "node '" + node.name() + "'", "report this"};
}

} // namespace

Status setAttribute(onnx::NodeProto& node, const Attribute& attribute)
{
    auto& list = *node.mutable_attribute();
    for (int i = list.size() - 1; i >= 0; --i) {
        if (list[i].name() == attribute.name)
            list.DeleteSubrange(i, 1);
    }
    if (std::holds_alternative<std::monostate>(attribute.value))
        return success();
    return addAttribute(node, attribute);
}

Result<onnx::NodeProto*> newNodeProto(const NewNode& node, google::protobuf::Arena& arena)
{
    auto* proto = google::protobuf::Arena::CreateMessage<onnx::NodeProto>(&arena);
    for (const std::string& input : node.inputs)
        proto->add_input(input);
    for (const std::string& output : node.outputs)
        proto->add_output(output);
    if (!node.name.empty())
        proto->set_name(node.name);
    proto->set_op_type(node.opType);
    if (!node.domain.empty())
        proto->set_domain(node.domain);
    for (const Attribute& attribute : node.attributes)
        DUO_CHECK(addAttribute(*proto, attribute));
    for (const auto& [key, value] : node.metadata) {
        auto& entry = *proto->add_metadata_props();
        entry.set_key(key);
        entry.set_value(value);
    }
    return proto;
}

} // namespace duo
