// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/graph_reader.h"

#include "core/model/constant_conditions.h"
#include "core/onnx/function_table.h"
#include "core/onnx/malformed.h"
#include "core/onnx/proto_values.h"
#include "core/onnx/walk_proto.h"

#include <algorithm>

namespace duo {

namespace {

class Counter
{
public:
    Counter(const FunctionTable& functions, std::int64_t limit)
        : m_functions(functions)
        , m_limit(limit)
    {
    }

    template <typename NodeList> std::int64_t count(const NodeList& nodes, int nesting)
    {
        std::int64_t total = 0;
        for (const auto& node : nodes) {
            total = capped(total + 1);
            if (const auto* function = m_functions.calledBy(node); function != nullptr)
                total = capped(total + countCall(*function, nesting));
            else
                total = capped(total + countBodies(node, nesting));
        }
        return total;
    }

private:
    [[nodiscard]] std::int64_t capped(std::int64_t nodes) const { return std::min(nodes, m_limit + 1); }

    std::int64_t countBodies(const onnx::NodeProto& node, int nesting)
    {
        std::int64_t total = 0;
        forEachBody(
            node, [&](const onnx::GraphProto& body) { total = capped(total + count(body.node(), nesting + 1)); });
        return total;
    }

    std::int64_t countCall(const onnx::FunctionProto& function, int nesting)
    {
        // Zero while it is being counted: a recursive call.
        const auto [known, isNew] = m_counts.try_emplace(&function, 0);
        if (!isNew || nesting > ExpansionBudget::kMaxNesting)
            return known->second;
        const std::int64_t nodes = count(function.node(), nesting + 1);
        m_counts[&function] = nodes;
        return nodes;
    }

    const FunctionTable& m_functions;
    std::int64_t m_limit;
    std::unordered_map<const onnx::FunctionProto*, std::int64_t> m_counts;
};

/// Nodes of the graph, of its bodies and of every call, at most `limit` + 1. Graphs that a call hands to its function
/// are not counted, and recursion ends the count: GraphReader refuses what this misses. O(nodes of the file).
std::int64_t expandedNodes(const onnx::GraphProto& graph, const FunctionTable& functions, std::int64_t limit)
{
    return Counter(functions, limit).count(graph.node(), 0);
}

constexpr std::uint32_t kNodesPerStopCheck = 1024;

std::string functionLabel(const NameFrame& frame)
{
    return frame.call == nullptr ? std::string{} : "function '" + frame.call->function.name() + "'";
}

std::vector<Dim> knownShape(const Tensor& tensor)
{
    std::vector<Dim> shape;
    for (const std::int64_t dim : tensor.dims)
        shape.push_back({dim, {}});
    return shape;
}

} // namespace

Status GraphReader::readMain(const onnx::GraphProto& graph)
{
    if (expandedNodes(graph, m_functions, ExpansionBudget::kMaxNodes) > ExpansionBudget::kMaxNodes)
        return ExpansionBudget::tooManyNodes();
    NameFrame frame;
    frame.region = RegionId(0);
    m_draft.regions.emplace_back();
    const auto nodes = static_cast<std::size_t>(graph.node_size());
    const auto others
        = static_cast<std::size_t>(graph.input_size()) + static_cast<std::size_t>(graph.initializer_size());
    m_draft.nodes.reserve(nodes);
    m_draft.values.reserve(nodes + others);
    frame.values.reserve(nodes + others);
    return readGraph(graph, frame);
}

Status GraphReader::readGraph(const onnx::GraphProto& graph, NameFrame& frame)
{
    DUO_CHECK(readInitializers(graph, frame));
    DUO_CHECK(readInputs(graph, frame));
    DUO_CHECK(readNodes(graph.node(), frame));
    DUO_CHECK(readOutputs(graph, frame));
    readTypes(graph.value_info(), frame);
    return success();
}

Status GraphReader::readInitializers(const onnx::GraphProto& graph, NameFrame& frame)
{
    for (const auto& proto : graph.initializer()) {
        DUO_TRY(tensor, m_tensors.read(proto, "an initializer without a name"));
        if (proto.name().empty())
            return malformed("an initializer has no name");
        DUO_TRY(id, define(proto.name(), frame));
        Value& value = m_draft.values[id.index];
        value.initializer = tensor;
        value.type = {m_draft.tensor(tensor).type, knownShape(m_draft.tensor(tensor))};
        if (frame.region == RegionId(0))
            m_draft.initializers.push_back(tensor);
    }
    for (const auto& proto : graph.sparse_initializer()) {
        DUO_TRY(id, define(proto.values().name(), frame));
        m_draft.values[id.index].type.element = static_cast<ElementType>(proto.values().data_type());
    }
    return success();
}

Status GraphReader::readInputs(const onnx::GraphProto& graph, NameFrame& frame)
{
    for (const auto& info : graph.input()) {
        const auto known = frame.values.find(info.name());
        if (known != frame.values.end() && m_draft.value(known->second).initializer.valid()) {
            Value& value = m_draft.values[known->second.index]; // IR < 4 must list all of them
            constexpr std::int64_t kFirstFree = 4;
            if (m_draft.irVersion >= kFirstFree || frame.region != RegionId(0)
                || m_draft.tensor(value.initializer).elements() == 1)
                value.metadata.emplace_back(kOverridable, "");
            continue;
        }
        DUO_TRY(id, define(info.name(), frame));
        m_draft.values[id.index].isInput = frame.region == RegionId(0);
        m_draft.regions[frame.region.index].inputs.push_back(id);
    }
    readTypes(graph.input(), frame);
    return success();
}

Status GraphReader::readOutputs(const onnx::GraphProto& graph, NameFrame& frame)
{
    for (const auto& info : graph.output()) {
        const auto id = frame.find(info.name());
        if (!id)
            return malformed("graph output '" + info.name() + "' is produced by nothing", functionLabel(frame));
        m_draft.regions[frame.region.index].outputs.push_back(*id);
        if (id->valid() && frame.region == RegionId(0))
            m_draft.values[id->index].isOutput = true;
    }
    readTypes(graph.output(), frame);
    return success();
}

void GraphReader::readTypes(const ValueInfoList& infos, const NameFrame& frame)
{
    for (const auto& info : infos) {
        const auto found = frame.values.find(info.name());
        if (found == frame.values.end() || !found->second.valid())
            continue;
        Value& value = m_draft.values[found->second.index];
        if (info.has_type() && value.type.element == ElementType::Undefined && !value.type.shape)
            value.type = valueTypeOf(info.type());
        if (std::ranges::all_of(value.metadata, [](const auto& entry) { return entry.first == kOverridable; }))
            std::ranges::move(metadataOf(info.metadata_props()), std::back_inserter(value.metadata));
    }
}

Result<ValueId> GraphReader::define(const std::string& name, NameFrame& frame)
{
    ValueId id(m_draft.values.size());
    const auto bound = frame.callOutputs.find(name);
    const bool isBound = bound != frame.callOutputs.end() && bound->second.valid();
    if (isBound)
        id = bound->second;
    if (!frame.values.emplace(name, id).second)
        return malformed("value '" + name + "' is defined twice", functionLabel(frame));
    if (bound != frame.callOutputs.end())
        frame.callOutputs.erase(bound);
    if (isBound)
        return id;
    Value& value = m_draft.values.emplace_back();
    value.name = name;
    value.region = frame.region;
    return id;
}

Status GraphReader::readNodes(const NodeList& nodes, NameFrame& frame)
{
    DUO_TRY(outputs, defineOutputs(nodes, frame));
    m_draft.regions[frame.region.index].nodes.reserve(static_cast<std::size_t>(nodes.size()));
    std::span<const ValueId> rest(outputs);
    for (int i = 0; i < nodes.size(); ++i) {
        const auto count = static_cast<std::size_t>(nodes[i].output_size());
        DUO_CHECK(readNode(nodes[i], static_cast<std::uint32_t>(i), rest.first(count), frame));
        rest = rest.subspan(count);
    }
    return success();
}

/// Before any input is read: a file may list nodes in any order.
Result<std::vector<ValueId>> GraphReader::defineOutputs(const NodeList& nodes, NameFrame& frame)
{
    std::vector<ValueId> outputs;
    outputs.reserve(static_cast<std::size_t>(nodes.size()));
    for (const auto& node : nodes) {
        DUO_CHECK(charge(node, frame));
        for (const auto& name : node.output()) {
            if (name.empty()) {
                outputs.emplace_back();
                continue;
            }
            DUO_TRY(id, define(name, frame));
            outputs.push_back(id);
        }
    }
    return outputs;
}

Status GraphReader::charge(const onnx::NodeProto& proto, const NameFrame& frame)
{
    constexpr std::int64_t kNameCopies = 4; // the node's own, two indices, a note
    std::int64_t bytes = frame.namePrefix * kNameCopies;
    if (frame.isCopy) {
        constexpr std::int64_t kPerEntry = 32;
        bytes += kPerEntry * (proto.input_size() + proto.output_size() + proto.metadata_props_size());
        bytes += static_cast<std::int64_t>(proto.name().size() + proto.op_type().size() + proto.domain().size());
        for (const auto& name : proto.output())
            bytes += static_cast<std::int64_t>(name.size());
        for (const auto& entry : proto.metadata_props())
            bytes += static_cast<std::int64_t>(entry.key().size() + entry.value().size());
        for (const auto& attribute : proto.attribute())
            bytes += attributeBytes(attribute);
    }
    return m_budget.takeNode(bytes);
}

Status GraphReader::readNode(
    const onnx::NodeProto& proto, std::uint32_t index, std::span<const ValueId> outputs, NameFrame& frame)
{
    if (index % kNodesPerStopCheck == 0 && m_job.stopped())
        return cancelledError();
    const NodeId id(m_draft.nodes.size());
    {
        Node& node = m_draft.nodes.emplace_back();
        node.localName = proto.name();
        node.opType = proto.op_type();
        node.domain = normalDomain(proto.domain());
        node.outputs.assign(outputs.begin(), outputs.end());
        node.metadata = metadataOf(proto.metadata_props());
        node.region = frame.region;
        node.origin.index = index;
        DUO_CHECK(readInputPorts(proto, node, frame));
    }
    m_draft.regions[frame.region.index].nodes.push_back(id);
    DUO_TRY(given, readAttributes(proto, id, frame));
    if (const auto* function = m_functions.calledBy(proto))
        return expandCall(*function, proto, id, frame);
    return checkSchema(id, given, frame);
}

Status GraphReader::checkSchema(NodeId id, std::span<const GivenAttribute> given, const NameFrame& frame)
{
    const Node& node = m_draft.node(id);
    DUO_CHECK(checkProduct(node));
    DUO_CHECK(checkConstant(node, given));
    if (auto fault = unlikeSchema(node, frame.call != nullptr ? frame.call->opset : m_opset, given))
        m_notes.push_back({id, kNotInSchema, *std::move(fault)});
    return success();
}

Status GraphReader::readInputPorts(const onnx::NodeProto& proto, Node& node, const NameFrame& frame)
{
    node.inputs.reserve(static_cast<std::size_t>(proto.input_size()));
    for (const auto& name : proto.input()) {
        const auto id = name.empty() ? std::optional(ValueId{}) : frame.find(name);
        if (!id)
            return malformed(nodeLabel(proto, node.origin.index) + " reads '" + name + "', which nothing defines",
                functionLabel(frame));
        node.inputs.push_back(*id);
    }
    return success();
}

Result<std::vector<GivenAttribute>> GraphReader::readAttributes(
    const onnx::NodeProto& proto, NodeId id, const NameFrame& frame)
{
    std::vector<GivenAttribute> given;
    given.reserve(static_cast<std::size_t>(proto.attribute_size()));
    m_draft.nodes[id.index].attributes.reserve(static_cast<std::size_t>(proto.attribute_size()));
    for (const auto& attribute : proto.attribute()) {
        DUO_TRY(resolved, resolveAttribute(attribute, frame, m_functions));
        if (resolved.proto == nullptr)
            continue;
        const auto type = attributeType(*resolved.proto);
        given.push_back({attribute.name(), type});
        if (type == onnx::AttributeProto::GRAPH || type == onnx::AttributeProto::GRAPHS) {
            if (m_functions.calledBy(proto) == nullptr) // a call only hands its graphs on
                DUO_CHECK(readBodies(attribute.name(), resolved, id, frame));
            continue;
        }
        DUO_TRY(read, readAttribute(attribute.name(), *resolved.proto, m_tensors, proto));
        m_draft.nodes[id.index].attributes.push_back(std::move(read));
    }
    return given;
}

Status GraphReader::readBodies(
    const std::string& attribute, const ResolvedAttribute& graphs, NodeId owner, const NameFrame& around)
{
    if (attributeType(*graphs.proto) == onnx::AttributeProto::GRAPH)
        return readBody(graphs.proto->g(), attribute, owner, around, *graphs.frame);
    for (int i = 0; i < graphs.proto->graphs_size(); ++i) {
        const std::string name = attribute + "." + std::to_string(i);
        DUO_CHECK(readBody(graphs.proto->graphs(i), name, owner, around, *graphs.frame));
    }
    return success();
}

/// @param around the frame of the owner; @param names the frame whose names the body reads: the same, except for a
/// graph that a call hands to its function
Status GraphReader::readBody(const onnx::GraphProto& graph, const std::string& attribute, NodeId owner,
    const NameFrame& around, const NameFrame& names)
{
    DUO_TRY(frame, nestedFrame(owner, attribute, around));
    frame.outer = &names;
    frame.call = names.call;
    frame.isCopy = around.isCopy || names.isCopy;
    return readGraph(graph, frame);
}

Result<NameFrame> GraphReader::nestedFrame(NodeId owner, const std::string& attribute, const NameFrame& around)
{
    const Node& node = m_draft.node(owner);
    if (around.nesting >= ExpansionBudget::kMaxNesting)
        return Error{ErrorCode::Unsupported,
            "bodies and function calls are nested more than " + std::to_string(ExpansionBudget::kMaxNesting) + " deep",
            node.localName.empty() ? "a node (" + node.opType + ") without a name" : "node '" + node.localName + "'",
            "inline some of them"};
    NameFrame frame;
    frame.region = RegionId(m_draft.regions.size());
    frame.nesting = around.nesting + 1;
    const std::size_t separators = 4;
    const std::size_t nameBytes = std::max(node.localName.size(), node.opType.size());
    frame.namePrefix = around.namePrefix + static_cast<std::int64_t>(nameBytes + attribute.size() + separators);
    Region& region = m_draft.regions.emplace_back();
    region.owner = owner;
    region.attribute = attribute;
    return frame;
}

Status GraphReader::expandCall(
    const onnx::FunctionProto& function, const onnx::NodeProto& proto, NodeId id, const NameFrame& caller)
{
    m_draft.nodes[id.index].isCall = true;
    for (const CallSite* call = caller.call; call != nullptr; call = call->outer) {
        if (&call->function == &function)
            return malformed("function '" + function.name() + "' calls itself", nodeLabel(proto, 0));
    }
    CallSite site{function, {}, caller, caller.call, importedOpset(function, m_opset)};
    for (const auto& attribute : proto.attribute())
        site.attributes.emplace(attribute.name(), &attribute);
    DUO_TRY(frame, nestedFrame(id, {}, caller));
    frame.call = &site;
    frame.isCopy = true;
    DUO_CHECK(bindFormals(function, id, frame));
    DUO_CHECK(readNodes(function.node(), frame));
    readTypes(function.value_info(), frame);
    return closeCall(function, id, frame);
}

/// Formal inputs become the caller's values; formal outputs wait for the node that produces them.
Status GraphReader::bindFormals(const onnx::FunctionProto& function, NodeId id, NameFrame& frame)
{
    const Node& node = m_draft.node(id);
    const auto inputs = static_cast<std::size_t>(function.input_size());
    const auto outputs = static_cast<std::size_t>(function.output_size());
    if (node.inputs.size() > inputs || node.outputs.size() > outputs)
        return malformed("a call gives function '" + function.name() + "' more inputs or outputs than it has",
            "node '" + node.localName + "'");
    constexpr std::int64_t kPerFormal = 64;
    const auto formals = static_cast<std::int64_t>(inputs + outputs) + function.value_info_size();
    DUO_CHECK(m_budget.takeBytes(kPerFormal * formals));
    Region& region = m_draft.regions[frame.region.index];
    for (std::size_t i = 0; i < inputs; ++i) {
        const ValueId given = i < node.inputs.size() ? node.inputs[i] : ValueId{};
        const auto& name = function.input(static_cast<int>(i));
        if (!frame.values.emplace(name, given).second)
            return malformed("input '" + name + "' is named twice", functionLabel(frame));
        region.inputs.push_back(given);
    }
    for (std::size_t o = 0; o < outputs; ++o) {
        const ValueId given = o < node.outputs.size() ? node.outputs[o] : ValueId{};
        const auto& name = function.output(static_cast<int>(o));
        if (!frame.callOutputs.emplace(name, given).second)
            return malformed("output '" + name + "' is named twice", functionLabel(frame));
    }
    return success();
}

/// An output that is also an input is passed straight through: the call itself produces the caller's value.
Status GraphReader::closeCall(const onnx::FunctionProto& function, NodeId id, NameFrame& frame)
{
    const Node& node = m_draft.node(id);
    for (int o = 0; o < function.output_size(); ++o) {
        const auto inside = frame.values.find(function.output(o));
        if (inside == frame.values.end())
            return malformed("output '" + function.output(o) + "' is produced by nothing", functionLabel(frame));
        const auto port = static_cast<std::size_t>(o);
        const bool isUsed = port < node.outputs.size() && node.outputs[port].valid();
        m_draft.regions[frame.region.index].outputs.push_back(isUsed ? node.outputs[port] : inside->second);
    }
    return success();
}

} // namespace duo
