// SPDX-License-Identifier: Apache-2.0
#include "core/report/model_explorer.h"

#include "core/quantize/points/compressed.h"
#include "core/report/inspect_report.h"
#include "core/support/disjoint_sets.h"
#include "core/support/json.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCompressedColour = "#bfe3c6";
constexpr const char* kIgnoredColour = "#f3d0b5";
constexpr const char* kFloatColour = "#e3e6ea";

const char* colourOf(NodeState state)
{
    if (isCompressed(state))
        return kCompressedColour;
    return isIgnored(state) ? kIgnoredColour : kFloatColour;
}

/// Model Explorer splits at "/" and knows no escape: one inside a name is written as "."; and its letters lack the "×"
/// of guessed scopes.
std::string namespaceOf(std::string_view execution)
{
    std::string text;
    for (std::size_t i = 0; i < execution.size(); ++i) {
        const bool isEscaped = execution[i] == '\\' && i + 1 < execution.size();
        if (isEscaped)
            ++i;
        text += isEscaped && execution[i] == '/' ? '.' : execution[i];
    }
    constexpr std::string_view kTimes = "×";
    for (std::size_t at = text.find(kTimes); at != std::string::npos; at = text.find(kTimes))
        text.replace(at, kTimes.size(), "x");
    return text;
}

Json pair(std::string_view key, std::string_view value)
{
    return {{"key", key}, {"value", value}};
}

std::string quantizerText(const QuantizationPoint& point)
{
    return std::to_string(point.config.numBits) + " bits, "
        + (point.config.mode == QuantizationMode::Symmetric ? "symmetric" : "asymmetric")
        + (point.config.perChannel ? ", per channel" : "");
}

class ExplorerGraph
{
public:
    ExplorerGraph(const Model& model, const Scopes& scopes, const Placement& placement)
        : m_model(model)
        , m_scopes(scopes)
        , m_placement(placement)
    {
        for (const Node& node : model.nodes)
            m_taken.insert(node.name);
        for (const auto& [id, point] : placement.setup.points) {
            if (point.input.valid())
                m_ofInput.emplace(point.input.index, quantizerText(point));
            else if (point.port)
                m_ofRead.emplace(std::pair(point.node.index, *point.port), quantizerText(point));
            else
                m_ofOutput.emplace(point.node.index, quantizerText(point));
        }
    }

    std::string text(std::string_view label)
    {
        Json nodes = Json::array();
        for (std::uint32_t v = 0; v < m_model.values.size(); ++v) {
            if (m_model.values[v].isInput)
                nodes.push_back(input(v));
        }
        for (std::uint32_t n = 0; n < m_model.nodes.size(); ++n)
            nodes.push_back(node(n));
        return jsonText({{"label", label}, {"graphs", Json::array({{{"id", "main"}, {"nodes", std::move(nodes)}}})}}, 1)
            + "\n";
    }

private:
    Json input(std::uint32_t value)
    {
        std::string id = m_model.values[value].name;
        while (!m_taken.insert(id).second)
            id += ":input";
        m_inputs.emplace(value, id);
        const auto quantizer = m_ofInput.find(value);
        return {{"id", id}, {"label", "input"}, {"namespace", ""}, {"attrs", Json::array()},
            {"incomingEdges", Json::array()},
            {"outputsMetadata",
                Json::array({port(0, value, quantizer == m_ofInput.end() ? std::string() : quantizer->second)})}};
    }

    Json node(std::uint32_t index) const
    {
        const Node& node = m_model.nodes[index];
        const NodeScope* scope = index < m_scopes.nodes.size() ? &m_scopes.nodes[index] : nullptr;
        Json json{{"id", node.name}, {"label", node.opType},
            {"namespace", scope != nullptr ? namespaceOf(scope->execution) : ""}, {"attrs", attributes(index, scope)},
            {"incomingEdges", edges(node)}, {"inputsMetadata", reads(index)}, {"outputsMetadata", results(index)}};
        if (index < m_placement.decisions.size()) {
            const char* colour = colourOf(m_placement.decisions[index].state);
            addMember(json, "style", {{"backgroundColor", colour}});
        }
        return json;
    }

    Json attributes(std::uint32_t index, const NodeScope* scope) const
    {
        Json json = Json::array();
        if (index < m_placement.decisions.size())
            json.push_back(pair("state", nodeStateText(m_placement.decisions[index].state)));
        if (scope == nullptr)
            return json;
        for (const std::string& owner : scope->storage)
            json.push_back(pair("storage scope", owner));
        for (const Reason reason : scope->reasons)
            json.push_back(pair("reason", reasonText(reason)));
        return json;
    }

    Json edges(const Node& node) const
    {
        Json json = Json::array();
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!node.inputs[i].valid())
                continue;
            const Value& value = m_model.value(node.inputs[i]);
            const auto input = m_inputs.find(node.inputs[i].index);
            if (value.producer.valid() || input != m_inputs.end())
                json.push_back(
                    {{"sourceNodeId", value.producer.valid() ? m_model.node(value.producer).name : input->second},
                        {"sourceNodeOutputId", std::to_string(value.producer.valid() ? value.producerPort : 0)},
                        {"targetNodeInputId", std::to_string(i)}});
        }
        return json;
    }

    Json reads(std::uint32_t index) const
    {
        Json json = Json::array();
        const auto& inputs = m_model.nodes[index].inputs;
        for (std::uint32_t i = 0; i < inputs.size(); ++i) {
            const auto quantizer = m_ofRead.find(std::pair(index, i));
            if (inputs[i].valid())
                json.push_back(
                    port(i, inputs[i].index, quantizer == m_ofRead.end() ? std::string() : quantizer->second));
        }
        return json;
    }

    Json results(std::uint32_t index) const
    {
        Json json = Json::array();
        const auto& outputs = m_model.nodes[index].outputs;
        const auto quantizer = m_ofOutput.find(index);
        for (std::uint32_t i = 0; i < outputs.size(); ++i) {
            if (outputs[i].valid())
                json.push_back(port(
                    i, outputs[i].index, i > 0 || quantizer == m_ofOutput.end() ? std::string() : quantizer->second));
        }
        return json;
    }

    Json port(std::uint32_t index, std::uint32_t value, const std::string& quantizer) const
    {
        const std::string& name = m_model.values[value].name;
        Json attributes = Json::array({pair("__tensor_tag", name), pair("type", typeText(m_model.values[value].type)),
            pair("tensor_name", name)}); // by which node data find their node
        if (!quantizer.empty())
            attributes.push_back(pair("quantizer", quantizer));
        return {{"id", std::to_string(index)}, {"attrs", std::move(attributes)}};
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const Placement& m_placement;
    std::set<std::string> m_taken; // ids
    std::map<std::uint32_t, std::string> m_inputs; // value to id
    std::map<std::uint32_t, std::string> m_ofInput; // quantizers, by value
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_ofRead; // by node and port
    std::map<std::uint32_t, std::string> m_ofOutput; // by node
};

/// Groups of nodes of two models, joined where one became a part of the other.
class LinkedNodes
{
public:
    LinkedNodes(const Model& file, const Model& model)
        : m_file(file)
        , m_model(model)
        , m_linked(file.nodes.size() + model.nodes.size())
    {
        for (std::size_t n = 0; n < model.nodes.size(); ++n) {
            const Node& node = model.nodes[n];
            join(nodeBefore(file, node), n);
            const std::string_view writtenOf = metadataValue(node.metadata, kWrittenOfKey);
            if (!writtenOf.empty())
                join(file.findNode(writtenOf), n);
            for (const std::string_view name : fusedNames(node))
                join(file.findNode(name), n);
        }
    }

    /// Those that one name on both sides does not say.
    Json entries()
    {
        std::map<std::uint32_t, std::pair<Json, Json>> groups; // by the first node, which is of the file
        for (std::uint32_t n = 0; n < m_file.nodes.size(); ++n)
            groups.try_emplace(m_linked.of(n), Json::array(), Json::array())
                .first->second.first.push_back(m_file.nodes[n].name);
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            const auto group = groups.find(m_linked.of(ofModel(n)));
            if (group != groups.end())
                group->second.second.push_back(m_model.nodes[n].name);
        }
        Json entries = Json::array();
        for (auto& [root, sides] : groups) {
            auto& [left, right] = sides;
            if (!right.empty() && left != right)
                entries.push_back({{"leftNodeIds", std::move(left)}, {"rightNodeIds", std::move(right)}});
        }
        return entries;
    }

private:
    void join(NodeId before, std::size_t after)
    {
        if (before.valid())
            m_linked.join(before.index, ofModel(after));
    }

    /// Behind those of the file.
    [[nodiscard]] std::uint32_t ofModel(std::size_t node) const
    {
        return static_cast<std::uint32_t>(m_file.nodes.size() + node);
    }

    const Model& m_file;
    const Model& m_model;
    DisjointSets m_linked; // nodes of the file, then of the model
};

} // namespace

std::string modelExplorerText(const Model& model, const Placement& placement)
{
    Json results = Json::object();
    std::set<std::string_view> said; // bodies may name their values alike
    const std::size_t nodes = std::min(model.nodes.size(), placement.decisions.size());
    for (std::size_t n = 0; n < nodes; ++n) {
        const auto& outputs = model.nodes[n].outputs;
        if (outputs.empty() || !outputs.front().valid() || !said.insert(model.value(outputs.front()).name).second)
            continue;
        const NodeState state = placement.decisions[n].state;
        addMember(results, model.value(outputs.front()).name,
            {{"value", nodeStateText(state)}, {"bgColor", colourOf(state)}, {"textColor", "#1d2329"}});
    }
    return jsonText({{"results", std::move(results)}}, 1) + "\n";
}

std::string modelExplorerGraph(
    const Model& model, const Scopes& scopes, const Placement& placement, std::string_view label)
{
    return ExplorerGraph(model, scopes, placement).text(label);
}

std::string modelExplorerSync(const Model& file, const Model& model)
{
    return jsonText({{"type", "sync_navigation"}, {"mappingEntries", LinkedNodes(file, model).entries()},
                        {"disableMappingFallback", false}, {"showDiffHighlights", true}},
               1)
        + "\n";
}

} // namespace duo
