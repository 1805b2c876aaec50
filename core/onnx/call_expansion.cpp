// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/call_expansion.h"

#include "core/onnx/newer_opset.h"
#include "core/onnx/rename_values.h"
#include "core/onnx/walk_proto.h"

#include <charconv>
#include <string_view>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::string_view kInner = "\x01duoscope.inner."; // no exporter's

std::string innerName(std::size_t index)
{
    return std::string(kInner) + std::to_string(index);
}

/// Attributes of a node that refer to those of the call become what they refer to.
void resolve(onnx::NodeProto& node, const onnx::NodeProto& call, const onnx::FunctionProto& function,
    const FunctionTable& functions)
{
    auto& attributes = *node.mutable_attribute();
    int kept = 0;
    for (int a = 0; a < attributes.size(); ++a) {
        onnx::AttributeProto& attribute = attributes[a];
        if (!attribute.ref_attr_name().empty()) {
            const onnx::AttributeProto* given = functions.defaultOf(function, attribute.ref_attr_name());
            for (const auto& one : call.attribute()) {
                if (one.name() == attribute.ref_attr_name())
                    given = &one;
            }
            if (given == nullptr)
                continue;
            const std::string name = attribute.name();
            attribute = onnx::AttributeProto(*given);
            attribute.set_name(name);
        }
        forEachGraphOf(attribute, [&](onnx::GraphProto& body) {
            for (auto& inner : *body.mutable_node())
                resolve(inner, call, function, functions);
        });
        if (kept != a)
            attributes.SwapElements(kept, a);
        ++kept;
    }
    attributes.DeleteSubrange(kept, attributes.size() - kept);
}

/// Names of nodes and values that the bodies of a node define, with a prefix.
void prefixBodies(onnx::NodeProto& node, const std::string& prefix);

void prefixBody(onnx::GraphProto& graph, const std::string& prefix)
{
    ValueNames names;
    const auto add = [&](const std::string& name) {
        if (!name.empty())
            names.emplace(name, prefix + name);
    };
    for (const auto& input : graph.input())
        add(input.name());
    for (const auto& tensor : graph.initializer())
        add(tensor.name());
    for (const auto& tensor : graph.sparse_initializer())
        add(tensor.values().name());
    for (const auto& node : graph.node()) {
        for (const std::string& output : node.output())
            add(output);
    }
    const auto renamed = [&](std::string& name) {
        if (const auto found = names.find(name); found != names.end())
            name = found->second;
    };
    for (auto& node : *graph.mutable_node()) {
        renameValues(node, names);
        if (!node.name().empty())
            node.set_name(prefix + node.name());
        prefixBodies(node, prefix);
    }
    for (auto& info : *graph.mutable_input())
        renamed(*info.mutable_name());
    for (auto& info : *graph.mutable_output())
        renamed(*info.mutable_name());
    for (auto& info : *graph.mutable_value_info())
        renamed(*info.mutable_name());
    for (auto& tensor : *graph.mutable_initializer())
        renamed(*tensor.mutable_name());
    for (auto& tensor : *graph.mutable_sparse_initializer())
        renamed(*tensor.mutable_values()->mutable_name());
}

void prefixBodies(onnx::NodeProto& node, const std::string& prefix)
{
    forEachBody(node, [&](onnx::GraphProto& body) { prefixBody(body, prefix); });
}

class Expander
{
public:
    Expander(const FunctionTable& functions, const Expansion& how)
        : m_functions(functions)
        , m_how(how)
    {
    }

    void expand(const onnx::NodeProto& call, const onnx::FunctionProto& function)
    {
        const std::string prefix = (call.name().empty() ? function.name() : call.name()) + "/";
        ValueNames names;
        std::unordered_set<std::string_view> inputs;
        for (int i = 0; i < function.input_size(); ++i) {
            names.emplace(function.input(i), i < call.input_size() ? call.input(i) : std::string());
            inputs.insert(function.input(i));
        }
        for (int o = 0; o < function.output_size(); ++o) {
            const std::string given = o < call.output_size() ? call.output(o) : std::string();
            if (inputs.contains(function.output(o)))
                passThrough(names.at(function.output(o)), given, prefix);
            else
                names.emplace(function.output(o), given.empty() ? inner(prefix + function.output(o)) : given);
        }
        for (const auto& node : function.node()) {
            for (const std::string& output : node.output()) {
                if (!output.empty() && !names.contains(output))
                    names.emplace(output, inner(prefix + output));
            }
        }
        for (const auto& original : function.node())
            expandNode(original, call, function, names, prefix);
    }

    ExpandedCall result;

private:
    std::string inner(std::string wish)
    {
        result.wishes.push_back(std::move(wish));
        return innerName(result.wishes.size() - 1);
    }

    void passThrough(const std::string& from, const std::string& to, const std::string& prefix)
    {
        if (from.empty() || to.empty())
            return;
        result.added.push_back(result.nodes.size());
        onnx::NodeProto& node = result.nodes.emplace_back();
        node.set_op_type("Identity");
        node.set_name(prefix + "Identity:" + to);
        node.add_input(from);
        node.add_output(to);
    }

    void expandNode(const onnx::NodeProto& original, const onnx::NodeProto& call, const onnx::FunctionProto& function,
        const ValueNames& names, const std::string& prefix)
    {
        onnx::NodeProto node = original;
        resolve(node, call, function, m_functions);
        if (!m_how.keepsBodies)
            prefixBodies(node, prefix);
        renameValues(node, names);
        const onnx::FunctionProto* inner = m_functions.calledBy(original);
        const bool isExpanded = inner != nullptr && m_how.isWanted(*inner);
        if (!original.name().empty() || isExpanded)
            node.set_name(prefix + (original.name().empty() ? inner->name() : original.name()));
        if (isExpanded)
            expand(node, *inner);
        else
            keep(std::move(node));
    }

    void keep(onnx::NodeProto node)
    {
        if (isAddedByOpset(node))
            result.added.push_back(result.nodes.size());
        result.nodes.push_back(std::move(node));
    }

    const FunctionTable& m_functions;
    const Expansion& m_how;
};

} // namespace

const std::string* ExpandedCall::wishOf(const std::string& name) const
{
    std::size_t index = 0;
    if (!name.starts_with(kInner))
        return nullptr;
    const auto [end, error] = std::from_chars(name.data() + kInner.size(), name.data() + name.size(), index);
    return error == std::errc() && end == name.data() + name.size() && index < wishes.size() ? &wishes[index] : nullptr;
}

ExpandedCall expandCall(const onnx::NodeProto& call, const FunctionTable& functions, const Expansion& how)
{
    Expander expander(functions, how);
    if (const onnx::FunctionProto* function = functions.calledBy(call); function != nullptr)
        expander.expand(call, *function);
    return std::move(expander.result);
}

void nameValues(
    ExpandedCall& call, const std::function<std::string(std::size_t node, int port, const std::string& wish)>& nameOf)
{
    ValueNames names;
    for (std::size_t n = 0; n < call.nodes.size(); ++n) {
        for (int o = 0; o < call.nodes[n].output_size(); ++o) {
            if (const std::string* wish = call.wishOf(call.nodes[n].output(o)))
                names.emplace(call.nodes[n].output(o), nameOf(n, o, *wish));
        }
    }
    for (onnx::NodeProto& node : call.nodes)
        renameValues(node, names);
}

} // namespace duo
