// SPDX-License-Identifier: Apache-2.0
#include "tests/core/quantize/placed.h"
#include "tests/support/placing.h"

#include "core/quantize/points/point_index.h"
#include "core/report/decision_sentences.h"

#include <gtest/gtest.h>

namespace duo::test {

RuleHits ignoring(const Model& model, const std::vector<std::string>& names)
{
    RuleHits hits;
    hits.ignoredBy.assign(model.nodes.size(), RuleHits::kNoRule);
    hits.targeted.assign(model.nodes.size(), true);
    for (const std::string& name : names) {
        RuleHit hit;
        hit.rule.value = name;
        const NodeId node = model.findNode(name);
        EXPECT_TRUE(node.valid()) << name;
        hit.nodes.push_back(node);
        hits.ignoredBy[node.index] = static_cast<int>(hits.hits.size());
        hits.hits.push_back(hit);
    }
    return hits;
}

QuantizationSettings likeNncf()
{
    QuantizationSettings settings;
    settings.nncfCompatible = true;
    return settings;
}

Placement placed(const Model& model, const QuantizationSettings& settings, const std::vector<std::string>& ignored)
{
    auto placement = test::placeOnce(model, ignoring(model, ignored), settings);
    EXPECT_TRUE(placement) << (placement ? "" : placement.error().line());
    return placement ? *std::move(placement) : Placement{};
}

namespace {

std::string whereText(const Model& model, const QuantizationPoint& point)
{
    if (point.input.valid())
        return "model input " + model.value(point.input).name;
    const std::string& name = model.node(point.node).name;
    if (!point.port)
        return name + " behind";
    return name + (point.isWeight ? " weight " : " input ") + std::to_string(*point.port);
}

} // namespace

std::vector<std::string> pointLines(const Model& model, const QuantizerSetup& setup)
{
    std::vector<std::string> lines;
    for (const auto& [id, point] : setup.points) {
        std::string line = whereText(model, point) + ": ";
        line += point.config.mode == QuantizationMode::Symmetric ? "S" : "A";
        line += std::to_string(point.config.numBits);
        line += point.config.perChannel ? " per channel ->" : " ->";
        for (const NodeId node : point.directlyQuantized)
            line += " " + model.node(node).name;
        lines.push_back(line);
    }
    for (const auto& [id, members] : setup.unifiedScaleGroups) {
        std::string line = "one scale:";
        for (const PointId member : members)
            line += " " + std::to_string(member);
        lines.push_back(line);
    }
    return lines;
}

std::string decisionLine(const Model& model, const Placement& placement, const std::string& node)
{
    const NodeId id = model.findNode(node);
    return std::string(nodeStateText(placement.decisions[id.index].state)) + ": " + whyText(model, placement, id);
}

} // namespace duo::test
