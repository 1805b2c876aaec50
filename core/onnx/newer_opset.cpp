// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/newer_opset.h"

#include "core/onnx/call_record.h"
#include "core/onnx/op_schema.h"
#include "core/onnx/proto_values.h"
#include "core/onnx/walk_proto.h"
#include "core/transform/older_form.h"
#include "core/transform/operator_table.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::int64_t kTable = 13; // OperatorRow tells what nodes mean in it
constexpr const char* kAddedKey = "duoscope.added";

/// One node on its way.
class NewerNode
{
public:
    NewerNode(onnx::NodeProto& node, NodeList& added)
        : m_node(node)
        , m_added(added)
    {
    }

    [[nodiscard]] onnx::NodeProto& node() const { return m_node; }

    /// Null where it is not there. Refused where the call of the function says it, or leaves it out.
    onnx::AttributeProto* attribute(std::string_view name)
    {
        for (auto& attribute : *m_node.mutable_attribute()) {
            if (attribute.name() != name)
                continue;
            if (!attribute.ref_attr_name().empty())
                refuse("attribute '" + attribute.name() + "' is given by the call");
            return &attribute;
        }
        return nullptr;
    }

    void drop(std::string_view name)
    {
        auto& attributes = *m_node.mutable_attribute();
        for (int a = attributes.size() - 1; a >= 0; --a) {
            if (attributes[a].name() == name)
                attributes.DeleteSubrange(a, 1);
        }
    }

    onnx::AttributeProto& add(const char* name, onnx::AttributeProto::AttributeType type)
    {
        auto& attribute = *m_node.add_attribute();
        attribute.set_name(name);
        attribute.set_type(type);
        return attribute;
    }

    /// A Constant in front of the node; what it gives.
    std::string ints(const std::string& what, const google::protobuf::RepeatedField<std::int64_t>& values)
    {
        const std::string name = m_node.output(0) + ":" + what;
        onnx::NodeProto& constant = *m_added.Add();
        constant.set_op_type("Constant");
        constant.set_name(m_node.name().empty() ? std::string() : m_node.name() + "_" + what);
        constant.add_output(name);
        auto& attribute = *constant.add_attribute();
        attribute.set_name("value_ints");
        attribute.set_type(onnx::AttributeProto::INTS);
        *attribute.mutable_ints() = values;
        auto& mark = *constant.add_metadata_props();
        mark.set_key(kAddedKey);
        mark.set_value("1");
        return name;
    }

    void refuse(std::string why)
    {
        if (!m_refusal)
            m_refusal = std::move(why);
    }
    [[nodiscard]] const std::optional<std::string>& refusal() const { return m_refusal; }

private:
    onnx::NodeProto& m_node;
    NodeList& m_added;
    std::optional<std::string> m_refusal;
};

void axesBecomeInput(NewerNode& node)
{
    const auto* axes = node.attribute("axes");
    if (axes == nullptr || node.refusal())
        return;
    const auto values = axes->ints();
    if (node.node().input_size() != 1 || node.node().output_size() != 1)
        return node.refuse("it takes or gives more than one value");
    node.drop("axes");
    if (!values.empty())
        node.node().add_input(node.ints("axes", values));
}

void partsAreCounted(NewerNode& node)
{
    if (node.node().input_size() > 1 && !node.node().input(1).empty())
        return;
    node.add("num_outputs", onnx::AttributeProto::INT).set_i(node.node().output_size());
}

void pixelsAreWhole(NewerNode& node)
{
    if (node.attribute("coordinate_transformation_mode") == nullptr)
        node.add("coordinate_transformation_mode", onnx::AttributeProto::STRING).set_s("output_half_pixel");
}

void modesLoseTheirBi(NewerNode& node)
{
    auto* mode = node.attribute("mode");
    if (mode != nullptr && (mode->s() == "bilinear" || mode->s() == "bicubic"))
        mode->set_s(mode->s().substr(2));
}

void giveOneOutput(NewerNode& node)
{
    const auto& outputs = node.node().output();
    if (std::any_of(outputs.begin() + std::min(1, outputs.size()), outputs.end(),
            [](const std::string& name) { return !name.empty(); }))
        node.refuse("it gives what training wants");
}

/// What an opset made of older nodes. What it only added, as OlderForm knows it, is not here.
struct ChangedRow {
    std::string_view opType;
    std::int64_t opset;
    void (*write)(NewerNode&) = nullptr; // null: there is no way
};

constexpr auto kRows = std::to_array<ChangedRow>({
    {"BatchNormalization", 14, giveOneOutput},
    {"DFT", 20},
    {"GridSample", 20, modesLoseTheirBi},
    {"GroupNormalization", 21},
    {"Range", 27},
    {"ReduceL1", 18, axesBecomeInput},
    {"ReduceL2", 18, axesBecomeInput},
    {"ReduceLogSum", 18, axesBecomeInput},
    {"ReduceLogSumExp", 18, axesBecomeInput},
    {"ReduceMax", 18, axesBecomeInput},
    {"ReduceMean", 18, axesBecomeInput},
    {"ReduceMin", 18, axesBecomeInput},
    {"ReduceProd", 18, axesBecomeInput},
    {"ReduceSumSquare", 18, axesBecomeInput},
    {"RoiAlign", 16, pixelsAreWhole},
    {"Split", 18, partsAreCounted},
});
static_assert(std::ranges::is_sorted(kRows, {}, &ChangedRow::opType));

std::string noForm(std::int64_t from, std::int64_t to)
{
    return "its form of opset " + std::to_string(from) + " has no conversion to " + std::to_string(to);
}

std::optional<std::string> writeNode(NewerNode node, std::int64_t from, std::int64_t to)
{
    const std::string& type = node.node().op_type();
    const OperatorRow* row = operatorRow(type);
    if (row == nullptr && !isNewerOperator(type))
        return "it is no operator that is known";
    if (from < kTable && (row == nullptr || from < row->asIs))
        return noForm(from, to);
    for (const ChangedRow& change : std::ranges::equal_range(kRows, type, {}, &ChangedRow::opType)) {
        if (change.opset <= from || change.opset > to)
            continue;
        if (change.write == nullptr)
            return noForm(from, to);
        change.write(node);
    }
    return node.refusal();
}

std::optional<NotNewer> writeList(NodeList& nodes, std::int64_t from, std::int64_t to)
{
    NodeList written;
    written.Reserve(nodes.size());
    for (auto& node : nodes) {
        std::optional<NotNewer> refused;
        forEachBody(node, [&](onnx::GraphProto& body) {
            if (!refused)
                refused = writeList(*body.mutable_node(), from, to);
        });
        if (refused)
            return refused;
        if (normalDomain(node.domain()).empty()) {
            if (auto why = writeNode({node, written}, from, to))
                return NotNewer{node.op_type() + (node.name().empty() ? "" : " '" + node.name() + "'"), *why};
        }
        *written.Add() = node;
    }
    nodes.Swap(&written);
    return std::nullopt;
}

} // namespace

bool isAddedByOpset(const onnx::NodeProto& node)
{
    return metadataText(node, kAddedKey) != nullptr;
}

void forgetAdded(NodeList& nodes)
{
    forEachNode(nodes, [](onnx::NodeProto& node) {
        if (isAddedByOpset(node))
            node.clear_metadata_props();
    });
}

std::optional<NotNewer> writeNewer(NodeList& nodes, std::int64_t from, std::int64_t to)
{
    if (from == to)
        return std::nullopt;
    if (to > kNewestOpset)
        return NotNewer{"opset " + std::to_string(to), "what it changed is not known"};
    NodeList written = nodes;
    auto refused = writeList(written, from, to);
    if (!refused)
        nodes.Swap(&written);
    return refused;
}

} // namespace duo
