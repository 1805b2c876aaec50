// SPDX-License-Identifier: Apache-2.0
#include "core/graph/quantizer_badges.h"

namespace duo {
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
    : m_model(&model)
    , m_setup(&setup)
    , m_index(std::in_place, model, setup)
{
}

std::string QuantizerBadges::text(std::optional<PointId> point) const
{
    return point ? quantizerBadge(m_setup->points.at(*point)) : std::string();
}

std::string QuantizerBadges::onRead(Use use) const
{
    return m_index ? text(m_index->at(use.node, use.port)) : std::string();
}

std::string QuantizerBadges::onValue(ValueId value) const
{
    return m_index ? text(m_index->onValue(value)) : std::string();
}

std::string QuantizerBadges::onWeight(NodeId node) const
{
    if (!m_index)
        return {};
    for (std::uint32_t port = 0; port < m_model->node(node).inputs.size(); ++port) {
        const auto point = m_index->at(node, port);
        if (point && m_setup->points.at(*point).isWeight)
            return text(point);
    }
    return {};
}

} // namespace duo
