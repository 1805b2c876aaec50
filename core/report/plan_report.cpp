// SPDX-License-Identifier: Apache-2.0
#include "core/report/plan_report.h"

#include "core/quantize/points/compressed.h"
#include "core/quantize/points/point_index.h"
#include "core/quantize/points/setup_json.h"
#include "core/report/decision_sentences.h"
#include "core/report/forecast_report.h"
#include "core/report/inspect_report.h"
#include "core/report/json_pieces.h"
#include "core/report/note_groups.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kStates{NodeState::Quantized, NodeState::Fused, NodeState::WeightOnly, NodeState::Ignored,
    NodeState::IgnoredInherited, NodeState::Preset, NodeState::Blocked, NodeState::Unsupported};

Json decisionJson(const Model& model, const Placement& placement, NodeId id)
{
    const Decision& decision = placement.decisions[id.index];
    Json json{{"node", model.node(id).name}, {"state", nodeStateText(decision.state)},
        {"reason", whyText(model, placement, id)}, {"kind", reasonKindText(decision.kind())}};
    if (std::string would = wouldText(model, placement, id); !would.empty())
        json["counterfactual"] = std::move(would);
    return json;
}

std::string countsText(const Placement& placement)
{
    std::string text = "nodes:";
    const auto add = [&](std::string_view word) {
        if (const auto count = std::ranges::count(placement.decisions, word, decisionWord); count > 0)
            text += " " + countText(count) + " " + std::string(word) + ",";
    };
    for (const NodeState state : kStates)
        add(nodeStateText(state));
    add(kQuantizerWord);
    text.back() = '\n';
    return text;
}

std::string placeText(const Model& model, const QuantizationPoint& point)
{
    const std::string node = pointText(model, point);
    if (point.input.valid())
        return node;
    if (!point.port)
        return "behind " + node;
    return (point.isWeight ? "weight " : "input ") + std::to_string(*point.port) + " of " + node;
}

std::string configText(const QuantizerConfig& config)
{
    return std::to_string(config.numBits) + " bit "
        + (config.mode == QuantizationMode::Symmetric ? "symmetric" : "asymmetric")
        + (config.perChannel ? " per channel" : "");
}

std::string readersText(const Model& model, const QuantizationPoint& point)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < point.directlyQuantized.size() && i < kShown; ++i)
        text += (i == 0 ? " for '" : ", '") + model.node(point.directlyQuantized[i]).name + "'";
    if (point.directlyQuantized.size() > kShown)
        text += " and " + countText(point.directlyQuantized.size() - kShown) + " more";
    return text;
}

} // namespace

void writePlanJson(
    const Model& model, const Placement& placement, const std::optional<ForeseenSize>& size, const WriteText& write)
{
    const QuantizerSetup& setup = placement.setup;
    write("{\n  \"quantization_points\": {");
    bool isFirst = true;
    for (const auto& [id, point] : setup.points) {
        write(
            (isFirst ? "\n    \"" : ",\n    \"") + std::to_string(id) + "\": " + indented(pointJson(model, point), 4));
        isFirst = false;
    }
    write(isFirst ? "},\n" : "\n  },\n");
    write("  \"unified_scale_groups\": " + indented(groupsJson(setup.unifiedScaleGroups), 2));
    write(",\n  \"shared_input_operation_set_groups\": " + indented(groupsJson(setup.sharedInputGroups), 2));
    write(",\n  \"decisions\": [");
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        write((n == 0 ? "\n    " : ",\n    ") + indented(decisionJson(model, placement, NodeId(n)), 4));
    write(model.nodes.empty() ? "],\n" : "\n  ],\n");
    if (size) {
        write("  \"bytes_before\": " + std::to_string(size->before) + ",\n");
        write("  \"bytes_after\": " + std::to_string(size->after) + ",\n");
    }
    write("  \"notes\": " + indented(notesJson(placement.notes), 2) + "\n}");
}

void writePlanText(
    const Model& model, const Placement& placement, const std::optional<ForeseenSize>& size, const WriteText& write)
{
    if (const Note* nothing = noteOf(placement.notes, "nothing-quantized"))
        write(nothing->text + "\n");
    write(countsText(placement));
    if (size)
        write("size: " + sizeForeseenText(*size) + "\n");
    write("quantizers: " + countText(placement.setup.points.size()) + "\n");
    for (const auto& [id, point] : placement.setup.points) {
        write("  " + std::to_string(id) + ": " + placeText(model, point) + ": " + configText(point.config)
            + readersText(model, point) + "\n");
    }
    if (!placement.setup.unifiedScaleGroups.empty())
        write("groups with one scale: " + countText(placement.setup.unifiedScaleGroups.size()) + "\n");
}

} // namespace duo
