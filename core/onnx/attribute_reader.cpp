// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/attribute_reader.h"

namespace duo {
namespace {

using Proto = onnx::AttributeProto;

template <typename Target, typename Repeated> std::vector<Target> listOf(const Repeated& entries)
{
    return {entries.begin(), entries.end()};
}

} // namespace

Result<ResolvedAttribute> resolveAttribute(
    const Proto& attribute, const NameFrame& frame, const FunctionTable& functions)
{
    ResolvedAttribute resolved{&attribute, &frame};
    while (!resolved.proto->ref_attr_name().empty()) {
        const CallSite* call = resolved.frame->call;
        if (call == nullptr)
            return Error{ErrorCode::MalformedModel,
                "attribute '" + attribute.name() + "' refers to '" + resolved.proto->ref_attr_name()
                    + "', but stands in no function",
                {}, "export the model again"};
        const auto given = call->attributes.find(resolved.proto->ref_attr_name());
        if (given == call->attributes.end()) {
            const Proto* fallback = functions.defaultOf(call->function, resolved.proto->ref_attr_name());
            return ResolvedAttribute{fallback, resolved.frame};
        }
        resolved = {given->second, &call->caller};
    }
    return resolved;
}

Proto::AttributeType attributeType(const Proto& proto)
{
    if (proto.type() != Proto::UNDEFINED)
        return proto.type();
    return proto.has_f()           ? Proto::FLOAT
        : proto.has_i()            ? Proto::INT
        : proto.has_s()            ? Proto::STRING
        : proto.has_t()            ? Proto::TENSOR
        : proto.has_g()            ? Proto::GRAPH
        : proto.floats_size() > 0  ? Proto::FLOATS
        : proto.ints_size() > 0    ? Proto::INTS
        : proto.strings_size() > 0 ? Proto::STRINGS
        : proto.graphs_size() > 0  ? Proto::GRAPHS
                                   : Proto::UNDEFINED;
}

Result<Attribute> readAttribute(
    const std::string& name, const Proto& proto, TensorReader& tensors, const onnx::NodeProto& node)
{
    Attribute attribute{name, {}};
    switch (attributeType(proto)) {
    case Proto::FLOAT:
        attribute.value = proto.f();
        break;
    case Proto::INT:
        attribute.value = std::int64_t{proto.i()};
        break;
    case Proto::STRING:
        attribute.value = proto.s();
        break;
    case Proto::FLOATS:
        attribute.value = listOf<float>(proto.floats());
        break;
    case Proto::INTS:
        attribute.value = listOf<std::int64_t>(proto.ints());
        break;
    case Proto::STRINGS:
        attribute.value = listOf<std::string>(proto.strings());
        break;
    case Proto::TENSOR: {
        DUO_TRY(id, tensors.read(proto.t(), "attribute '" + name + "' of node '" + node.name() + "'"));
        attribute.value = id;
        break;
    }
    default:
        break;
    }
    return attribute;
}

std::int64_t attributeBytes(const Proto& proto)
{
    std::size_t bytes = sizeof(Attribute) + proto.name().size() + proto.s().size();
    bytes += static_cast<std::size_t>(proto.ints_size()) * sizeof(std::int64_t);
    bytes += static_cast<std::size_t>(proto.floats_size()) * sizeof(float);
    for (const auto& text : proto.strings())
        bytes += sizeof(std::string) + text.size();
    return static_cast<std::int64_t>(bytes);
}

} // namespace duo
