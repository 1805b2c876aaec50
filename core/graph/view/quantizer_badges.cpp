// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view/quantizer_badges.h"

namespace duo {
namespace {

std::uint64_t readKey(NodeId node, std::uint32_t port)
{
    return (std::uint64_t{node.index} << 32U) | port;
}

template <typename Map, typename Key> std::string_view textAt(const Map& map, const Key& key)
{
    const auto found = map.find(key);
    return found == map.end() ? std::string_view() : std::string_view(found->second);
}

} // namespace

std::string quantizerBadge(const QuantizationPoint& point)
{
    const QuantizerConfig& config = point.config;
    std::string text = std::to_string(config.numBits);
    if (config.signednessToForce)
        text.insert(0, *config.signednessToForce ? "s" : "u");
    else if (point.isWeight)
        text.insert(0, "s");
    else if (config.mode == QuantizationMode::Asymmetric)
        text.insert(0, "u");
    else
        text += " bit";
    return config.perChannel ? text + " per channel" : text;
}

QuantizerBadges::QuantizerBadges(const Model& model, const QuantizerSetup& setup)
{
    for (const auto& [id, point] : setup.points) {
        if (point.node.index >= model.nodes.size())
            continue;
        const Node& node = model.node(point.node);
        if (point.isWeight) {
            m_weights.try_emplace(point.node, quantizerBadge(point));
        } else if (point.port) {
            m_reads.try_emplace(readKey(point.node, *point.port), quantizerBadge(point));
        } else {
            for (const ValueId value : node.outputs) {
                if (value.valid())
                    m_values.try_emplace(value, quantizerBadge(point));
            }
        }
    }
}

std::string_view QuantizerBadges::onRead(ValueId value, Use use) const
{
    const std::string_view own = textAt(m_reads, readKey(use.node, use.port));
    return own.empty() ? onValue(value) : own;
}

std::string_view QuantizerBadges::onValue(ValueId value) const
{
    return textAt(m_values, value);
}

std::string_view QuantizerBadges::onWeight(NodeId node) const
{
    return textAt(m_weights, node);
}

} // namespace duo
