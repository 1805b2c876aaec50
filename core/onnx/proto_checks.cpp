// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/proto_checks.h"

#include "core/onnx/malformed.h"
#include "core/onnx/proto_values.h"
#include "core/support/utf8.h"

#include <string>
#include <string_view>

namespace duo {
namespace {

using NodeList = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using NameList = google::protobuf::RepeatedPtrField<std::string>;

constexpr std::size_t kShownBytes = 40;
constexpr std::string_view kOwnDomains = "duoscope."; // taps, swaps (core/engine): trusted to be as we made them

/// What names stand in: "" for the main graph, "body 'then_branch' of node 'x'", "function 'f'".
struct Place {
    std::string text;
};

/// @param what called only for a bad name: "node 3 (Relu)", "an input"
template <typename What> Status checkText(std::string_view name, const What& what, const Place& place)
{
    if (name.size() > kMostNameBytes)
        return Error{ErrorCode::Unsupported,
            asUtf8(what()) + " has a name of " + std::to_string(name.size()) + " bytes: '"
                + asUtf8(name.substr(0, kShownBytes)) + "...'",
            place.text, "give it one of at most " + std::to_string(kMostNameBytes)};
    if (isUtf8(name))
        return success();
    return malformed(asUtf8(what()) + " has a name that is no UTF-8: '" + asUtf8(name) + "'", place.text);
}

template <typename What> Status checkName(std::string_view name, const What& what, const Place& place)
{
    if (name.empty())
        return malformed(what() + " has no name", place.text);
    return checkText(name, what, place);
}

class NameChecks
{
public:
    Status checkGraph(const onnx::GraphProto& graph, const Place& place)
    {
        DUO_CHECK(checkPorts(graph.input(), "input ", place));
        DUO_CHECK(checkPorts(graph.output(), "output ", place));
        for (const onnx::TensorProto& tensor : graph.initializer())
            DUO_CHECK(checkName(
                tensor.name(), [] { return std::string("an initializer"); }, place));
        for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer())
            DUO_CHECK(checkName(
                tensor.values().name(), [] { return std::string("a sparse initializer"); }, place));
        return checkNodes(graph.node(), place);
    }

    Status checkFunction(const onnx::FunctionProto& function)
    {
        for (const std::string* name : {&function.name(), &function.domain(), &function.overload()})
            DUO_CHECK(checkText(*name, [] { return std::string("a function"); }, {}));
        const Place place{"function '" + function.name() + "'"};
        for (const std::string& name : function.input())
            DUO_CHECK(checkName(
                name, [] { return std::string("an input"); }, place));
        for (const std::string& name : function.output())
            DUO_CHECK(checkName(
                name, [] { return std::string("an output"); }, place));
        return checkNodes(function.node(), place);
    }

private:
    template <typename Ports> Status checkPorts(const Ports& ports, const char* kind, const Place& place)
    {
        for (int i = 0; i < ports.size(); ++i)
            DUO_CHECK(checkName(
                ports[i].name(), [&] { return kind + std::to_string(i) + " of the graph"; }, place));
        return success();
    }

    Status checkNodes(const NodeList& nodes, const Place& place)
    {
        for (int i = 0; i < nodes.size(); ++i)
            DUO_CHECK(checkNode(nodes[i], static_cast<std::size_t>(i), place));
        return success();
    }

    Status checkNode(const onnx::NodeProto& node, std::size_t index, const Place& place)
    {
        for (const std::string* name : {&node.name(), &node.op_type(), &node.domain(), &node.overload()})
            DUO_CHECK(checkText(
                *name, [&] { return "node " + std::to_string(index); }, place));
        const auto label = [&] { return nodeLabel(node, index); };
        if (node.op_type().empty())
            return malformed(label() + " has no operator type", place.text);
        if (node.domain().starts_with(kOwnDomains))
            return Error{ErrorCode::Unsupported,
                label() + " is of domain '" + node.domain() + "', which this program keeps for itself", place.text,
                "take the node out of the model"};
        for (const std::string& name : node.input())
            DUO_CHECK(checkText(
                name, [&] { return "an input of " + label(); }, place));
        for (const std::string& name : node.output())
            DUO_CHECK(checkText(
                name, [&] { return "an output of " + label(); }, place));
        for (const onnx::AttributeProto& attribute : node.attribute())
            DUO_CHECK(checkAttribute(attribute, label, place));
        return success();
    }

    template <typename Label>
    Status checkAttribute(const onnx::AttributeProto& attribute, const Label& node, const Place& place)
    {
        const auto label = [&] { return "an attribute of " + node(); };
        DUO_CHECK(checkName(attribute.name(), label, place));
        DUO_CHECK(checkText(attribute.ref_attr_name(), label, place));
        if (!attribute.has_g() && attribute.graphs().empty())
            return success();
        const Place body{"body '" + attribute.name() + "' of " + node()};
        if (attribute.has_g())
            DUO_CHECK(checkGraph(attribute.g(), body));
        for (const onnx::GraphProto& graph : attribute.graphs())
            DUO_CHECK(checkGraph(graph, body));
        return success();
    }
};

} // namespace

Status checkNames(const onnx::ModelProto& model)
{
    NameChecks checks;
    for (const auto& import : model.opset_import())
        DUO_CHECK(checkText(import.domain(), [] { return std::string("an opset"); }, {}));
    DUO_CHECK(checks.checkGraph(model.graph(), {}));
    for (const onnx::FunctionProto& function : model.functions())
        DUO_CHECK(checks.checkFunction(function));
    return success();
}

} // namespace duo
