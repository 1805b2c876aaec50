// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/graph_builder.h"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
constexpr std::array<std::string_view, 4> kLoops{"while_loop", "scan", "map_impl", "associative_scan"};
constexpr std::array<std::string_view, 5> kPassAll{
    "cond", "wrap_with_set_grad_enabled", "wrap_with_autocast", "invoke_subgraph", "wrap"};

template <std::size_t N> bool holds(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> allValues(const std::vector<ExportArgument>& arguments)
{
    std::vector<std::string> values;
    for (const ExportArgument& argument : arguments)
        values.insert(values.end(), argument.values.begin(), argument.values.end());
    return values;
}

/// What comes behind the bodies.
std::vector<std::string> operandsOf(const ExportNode& node)
{
    std::vector<std::string> operands;
    bool isBehind = false;
    for (const ExportArgument& argument : node.inputs) {
        if (argument.graph != nullptr)
            isBehind = true;
        else if (isBehind)
            operands.insert(operands.end(), argument.values.begin(), argument.values.end());
    }
    return operands;
}

/// Which operands of a higher-order operator the inputs of its body stand for.
/// Pairs of an input of the body and the operand it is in every run. Bodies see only their inputs: `cond` and wrappers
/// pass all operands on; loops (`while_loop`, `scan`, `map_impl`, `associative_scan`) pass those of the last list on,
/// the others change from run to run. Nothing for other operators, and where the numbers do not fit.
std::vector<std::pair<std::string, std::string>> constantOperands(const ExportNode& node, const ExportGraph& body)
{
    if (!node.target.starts_with(kHigherOrder) || node.inputs.empty())
        return {};
    const std::string_view name = std::string_view(node.target).substr(kHigherOrder.size());
    const std::vector<std::string> formals = allValues(body.inputs);
    const std::vector<std::string> operands = operandsOf(node);
    std::size_t constant = 0; // the last so many operands
    if (holds(kPassAll, name) && formals.size() == operands.size())
        constant = operands.size();
    else if (holds(kLoops, name) && node.inputs.back().isList && formals.size() >= node.inputs.back().values.size())
        constant = node.inputs.back().values.size();
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 1; i <= constant; ++i)
        pairs.emplace_back(formals[formals.size() - i], operands[operands.size() - i]);
    return pairs;
}

constexpr int kMaxDepth = 32;

struct Operator {
    std::string domain;
    std::string type;
};

/// "torch.ops.aten.conv2d.default" -> "torch.ops", "aten.conv2d.default"; "_operator.mul" -> "_operator", "mul".
Operator operatorOf(const std::string& target)
{
    constexpr std::string_view kOps = "torch.ops.";
    if (target.starts_with(kOps))
        return {std::string(kTorchDomain), target.substr(kOps.size())};
    const std::size_t dot = target.rfind('.');
    if (dot == std::string::npos || dot == 0)
        return {"python", target.empty() ? "unknown" : target};
    return {target.substr(0, dot), target.substr(dot + 1)};
}

/// Before schema 8.8 nodes bear no names; a node with one result is called like the result.
std::string nameOf(const ExportNode& node)
{
    const bool hasOneResult
        = node.outputs.size() == 1 && !node.outputs.front().isList && node.outputs.front().values.size() == 1;
    return node.name.empty() && hasOneResult ? node.outputs.front().values.front() : node.name;
}

std::unordered_set<std::string> operandsReadInBodies(const ExportNode& node)
{
    std::unordered_set<std::string> operands;
    for (const ExportArgument& argument : node.inputs) {
        if (argument.graph == nullptr)
            continue;
        for (auto& pair : constantOperands(node, *argument.graph))
            operands.insert(std::move(pair.second));
    }
    return operands;
}

void addAttributes(const ExportNode& exported, Node& node)
{
    for (std::size_t i = 0; i < exported.inputs.size(); ++i) {
        const ExportArgument& argument = exported.inputs[i];
        if (std::holds_alternative<std::monostate>(argument.constant))
            continue;
        node.attributes.push_back(
            {argument.name.empty() ? "arg" + std::to_string(i) : argument.name, argument.constant});
    }
}

} // namespace

Status GraphBuilder::addMain(const ExportGraph& graph, const NamedValues& placed)
{
    m_draft.regions.emplace_back();
    DUO_CHECK(addGraph(graph, RegionId(0), placed, 0));
    Region& main = m_draft.regions.front();
    for (const ValueId input : main.inputs)
        m_draft.values[input.index].isInput = true;
    for (const ValueId output : main.outputs)
        m_draft.values[output.index].isOutput = true;
    return success();
}

ValueId GraphBuilder::addValue(const std::string& name, const ExportGraph& graph, RegionId region)
{
    Value value;
    value.name = name;
    value.region = region;
    if (const auto type = graph.types.find(name); type != graph.types.end())
        value.type = type->second;
    m_draft.values.push_back(std::move(value));
    return ValueId(m_draft.values.size() - 1);
}

Result<std::vector<ValueId>> GraphBuilder::defineOutputs(
    const ExportGraph& graph, const ExportNode& node, RegionId region, NamedValues& names)
{
    std::vector<ValueId> outputs;
    for (const ExportArgument& argument : node.outputs) {
        for (const std::string& name : argument.values) {
            outputs.push_back(name.empty() ? ValueId{} : addValue(name, graph, region));
            if (!name.empty() && !names.emplace(name, outputs.back()).second)
                return Error{ErrorCode::MalformedModel, "a value is defined twice", "'" + name + "'",
                    "export the program again"};
        }
    }
    return outputs;
}

ValueId GraphBuilder::find(const std::string& name, const NamedValues& names, const ExportNode& reader)
{
    if (name.empty())
        return {};
    const auto found = names.find(name);
    if (found != names.end())
        return found->second;
    if (!m_hasUndefined)
        m_draft.notes.push_back({"undefined-value",
            "the value '" + name + "' is read and nothing defines it; such reads were left out", reader.target});
    m_hasUndefined = true;
    return {};
}

Status GraphBuilder::addGraph(const ExportGraph& graph, RegionId region, NamedValues names, int depth)
{
    if (depth > kMaxDepth)
        return Error{ErrorCode::Unsupported, "bodies are nested too deeply", {},
            "at most " + std::to_string(kMaxDepth) + " levels are read"};
    std::vector<ValueId> inputs;
    for (const ExportArgument& argument : graph.inputs) {
        for (const std::string& name : argument.values) {
            if (name.empty() || names.contains(name))
                continue;
            inputs.push_back(addValue(name, graph, region));
            names.emplace(name, inputs.back());
        }
    }
    m_draft.regions[region.index].inputs = std::move(inputs);
    std::vector<std::vector<ValueId>> outputs;
    for (const ExportNode& node : graph.nodes) {
        DUO_TRY(defined, defineOutputs(graph, node, region, names));
        outputs.push_back(std::move(defined));
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        DUO_CHECK(addNode(graph.nodes[i], region, i, std::move(outputs[i]), names, depth));
    for (const ExportArgument& argument : graph.outputs) {
        for (const std::string& name : argument.values) {
            const auto found = names.find(name);
            if (found != names.end())
                m_draft.regions[region.index].outputs.push_back(found->second);
        }
    }
    return success();
}

Status GraphBuilder::addNode(const ExportNode& exported, RegionId region, std::size_t index,
    std::vector<ValueId> outputs, const NamedValues& names, int depth)
{
    const NodeId id(m_draft.nodes.size());
    Node node;
    Operator called = operatorOf(exported.target);
    node.opType = std::move(called.type);
    node.domain = std::move(called.domain);
    node.localName = nameOf(exported);
    node.metadata = exported.metadata;
    node.region = region;
    node.origin.index = static_cast<std::uint32_t>(index);
    node.outputs = std::move(outputs);
    const std::unordered_set<std::string> passed = operandsReadInBodies(exported);
    bool isBehindBodies = false;
    for (const ExportArgument& argument : exported.inputs) {
        isBehindBodies = isBehindBodies || argument.graph != nullptr;
        for (const std::string& name : argument.values) {
            if (!isBehindBodies || !passed.contains(name))
                node.inputs.push_back(find(name, names, exported));
        }
    }
    addAttributes(exported, node);
    m_draft.nodes.push_back(std::move(node));
    m_draft.regions[region.index].nodes.push_back(id);
    return addBodies(exported, id, names, depth);
}

Status GraphBuilder::addBodies(const ExportNode& exported, NodeId owner, const NamedValues& names, int depth)
{
    for (const ExportArgument& argument : exported.inputs) {
        if (argument.graph == nullptr)
            continue;
        NamedValues passed;
        for (const auto& [formal, operand] : constantOperands(exported, *argument.graph)) {
            const auto found = names.find(operand);
            if (found != names.end())
                passed.emplace(formal, found->second);
        }
        const RegionId region(m_draft.regions.size());
        Region body;
        body.owner = owner;
        body.attribute = argument.graphName.empty() ? "graph" : argument.graphName;
        m_draft.regions.push_back(std::move(body));
        DUO_CHECK(addGraph(*argument.graph, region, std::move(passed), depth + 1));
    }
    return success();
}

} // namespace duo
