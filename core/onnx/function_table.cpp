// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/function_table.h"

#include "core/onnx/proto_values.h"
#include "core/onnx/runtime_operators.h"

namespace duo {
namespace {

std::string identity(const std::string& domain, const std::string& name, const std::string& overload)
{
    const char separator = '\0'; // may stand in no name, so that no two identities meet
    return normalDomain(domain) + separator + name + separator + overload;
}

} // namespace

Result<FunctionTable> FunctionTable::of(const onnx::ModelProto& proto)
{
    FunctionTable table;
    const std::int64_t opset = importedOpset(proto);
    for (const auto& function : proto.functions()) {
        const auto key = identity(function.domain(), function.name(), function.overload());
        if (!table.m_functions.emplace(key, &function).second)
            return Error{ErrorCode::MalformedModel, "function '" + function.name() + "' is defined twice",
                "domain '" + function.domain() + "'", "export the model again"};
        if (runtimeHas(normalDomain(function.domain()), function.name(), opset)) {
            table.m_hidden.push_back(&function);
            continue;
        }
        Defaults& defaults = table.m_defaults[&function];
        for (const auto& attribute : function.attribute_proto()) {
            if (attribute.ref_attr_name().empty())
                defaults.emplace(attribute.name(), &attribute);
        }
    }
    return table;
}

const onnx::FunctionProto* FunctionTable::calledBy(const onnx::NodeProto& node) const
{
    if (m_defaults.empty())
        return nullptr;
    const auto found = m_functions.find(identity(node.domain(), node.op_type(), node.overload()));
    return found != m_functions.end() && m_defaults.contains(found->second) ? found->second : nullptr;
}

const onnx::AttributeProto* FunctionTable::defaultOf(
    const onnx::FunctionProto& function, std::string_view attribute) const
{
    const auto defaults = m_defaults.find(&function);
    if (defaults == m_defaults.end())
        return nullptr;
    const auto found = defaults->second.find(attribute);
    return found == defaults->second.end() ? nullptr : found->second;
}

} // namespace duo
