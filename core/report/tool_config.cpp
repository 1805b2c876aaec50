// SPDX-License-Identifier: Apache-2.0
#include "core/report/tool_config.h"

#include "core/support/json.h"
#include "core/support/phrases.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// What most quantizers of a kind have, and how many have something else.
struct Usual {
    QuantizerConfig config;
    std::size_t others = 0;

    [[nodiscard]] bool isSymmetric() const { return config.mode == QuantizationMode::Symmetric; }
    /// Of codes that follow from the data: signed where they are symmetric.
    [[nodiscard]] std::string type() const
    {
        return (config.signednessToForce.value_or(isSymmetric()) ? "int" : "uint") + std::to_string(config.numBits);
    }
};

Usual usualOf(const QuantizerSetup& setup, bool isWeight)
{
    std::map<QuantizerConfig, std::size_t> counts;
    std::size_t all = 0;
    for (const auto& [id, point] : setup.points) {
        if (point.isWeight == isWeight) {
            ++counts[point.config];
            ++all;
        }
    }
    if (counts.empty())
        return {};
    const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
    return {most->first, all - most->second};
}

class Config
{
public:
    Config(const Model& file, const Model& model, const Placement& placement, const QuantizationSettings& settings)
        : m_settings(settings)
        , m_activations(usualOf(placement.setup, false))
        , m_weights(usualOf(placement.setup, true))
    {
        findTypes(file, model, placement);
        excludeOthers(file, model, placement);
        tell(m_activations, "quantizer of an activation", "quantizers of activations");
        tell(m_weights, "quantizer of a weight", "quantizers of weights");
        if (settings.overflowFix == OverflowFix::FirstLayer)
            m_made.losses.emplace_back("half the range for the weights of the first layer alone");
    }

    ToolConfigText text(ConfiguredTool tool)
    {
        m_made.text = jsonText(tool == ConfiguredTool::Olive ? olive() : winMl(), 1) + "\n";
        return std::move(m_made);
    }

private:
    /// The tools see neither into bodies nor into calls.
    static bool isSeen(const Model& file, NodeId node)
    {
        return node.valid() && file.node(node).region.index == 0 && !file.node(node).isCall;
    }

    void findTypes(const Model& file, const Model& model, const Placement& placement)
    {
        std::size_t hidden = 0;
        std::size_t weightOnly = 0;
        for (std::size_t n = 0; n < placement.decisions.size(); ++n) {
            const NodeState state = placement.decisions[n].state;
            weightOnly += state == NodeState::WeightOnly ? 1 : 0;
            if (state != NodeState::Quantized)
                continue;
            const NodeId before = nodeBefore(file, model.nodes[n]);
            if (isSeen(file, before))
                m_types.insert(file.node(before).opType);
            else
                ++hidden;
        }
        lose(hidden, "of bodies, of calls or not in the file by this name, which may stay in float");
        lose(weightOnly, "with nothing but weights quantized, which stay in float");
    }

    void excludeOthers(const Model& file, const Model& model, const Placement& placement)
    {
        std::size_t unnamed = 0;
        for (std::size_t n = 0; n < placement.decisions.size(); ++n) {
            const NodeState state = placement.decisions[n].state;
            if (state == NodeState::Quantized || state == NodeState::Fused)
                continue;
            std::vector<NodeId> parts{nodeBefore(file, model.nodes[n])};
            for (const std::string_view name : fusedNames(model.nodes[n]))
                parts.push_back(file.findNode(name));
            for (const NodeId part : parts) {
                if (!isSeen(file, part) || !m_types.contains(file.node(part).opType))
                    continue;
                if (file.node(part).localName == file.node(part).name)
                    m_excluded.push_back(file.node(part).name);
                else
                    ++unnamed;
            }
        }
        lose(unnamed, "to be left in float without a name of their own in the file, which would be quantized");
    }

    void lose(std::size_t nodes, const char* what)
    {
        if (nodes > 0)
            m_made.losses.push_back(nodesText(nodes) + " " + what);
    }

    void tell(const Usual& usual, const char* one, const char* many)
    {
        if (usual.others > 0)
            m_made.losses.push_back(
                counted(usual.others, one, many) + " with another type, granularity or symmetry than most");
    }

    [[nodiscard]] Json olive() const
    {
        return {{"passes",
            {{"quantization",
                {{"type", "OnnxStaticQuantization"}, {"quant_format", "QDQ"}, {"precision", m_weights.type()},
                    {"activation_type", m_activations.type()}, {"per_channel", m_weights.config.perChannel},
                    {"weight_symmetric", m_weights.isSymmetric()},
                    {"activation_symmetric", m_activations.isSymmetric()}, {"reduce_range", isReduced()},
                    {"calibrate_method", "MinMax"}, {"quant_preprocess", false}, {"prepare_qdq_config", false},
                    {"op_types_to_quantize", m_types}, {"nodes_to_exclude", m_excluded}}}}}};
    }

    [[nodiscard]] Json winMl()
    {
        if (isReduced())
            m_made.losses.emplace_back("half the range for weights");
        Json quant{{"mode", "static"}, {"calibration_method", "minmax"}, {"weight_type", m_weights.type()},
            {"activation_type", m_activations.type()}, {"per_channel", m_weights.config.perChannel},
            {"weight_symmetric", m_weights.isSymmetric()}, {"activation_symmetric", m_activations.isSymmetric()},
            {"op_types_to_quantize", m_types}, {"nodes_to_exclude", m_excluded}};
        if (m_settings.subsetSize)
            addMember(quant, "samples", *m_settings.subsetSize);
        return {{"quant", std::move(quant)}};
    }

    [[nodiscard]] bool isReduced() const { return m_settings.overflowFix == OverflowFix::Enable; }

    const QuantizationSettings& m_settings;
    Usual m_activations;
    Usual m_weights;
    std::set<std::string> m_types;
    std::vector<std::string> m_excluded;
    ToolConfigText m_made;
};

} // namespace

ToolConfigText toolConfigText(const Model& file, const Model& model, const Placement& placement,
    const QuantizationSettings& settings, ConfiguredTool tool)
{
    return Config(file, model, placement, settings).text(tool);
}

} // namespace duo
