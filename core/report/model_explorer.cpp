// SPDX-License-Identifier: Apache-2.0
#include "core/report/model_explorer.h"

#include "core/quantize/points/compressed.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace duo {
namespace {

constexpr const char* kCompressedColour = "#bfe3c6";
constexpr const char* kIgnoredColour = "#f3d0b5";
constexpr const char* kFloatColour = "#e3e6ea";

const char* colourOf(NodeState state)
{
    if (isCompressed(state))
        return kCompressedColour;
    return isIgnored(state) ? kIgnoredColour : kFloatColour;
}

} // namespace

std::string modelExplorerText(const Model& model, const Placement& placement)
{
    nlohmann::ordered_json results = nlohmann::ordered_json::object();
    const std::size_t nodes = std::min(model.nodes.size(), placement.decisions.size());
    for (std::size_t n = 0; n < nodes; ++n) {
        const auto& outputs = model.nodes[n].outputs;
        if (outputs.empty() || !outputs.front().valid())
            continue;
        const NodeState state = placement.decisions[n].state;
        results[model.value(outputs.front()).name]
            = {{"value", nodeStateText(state)}, {"bgColor", colourOf(state)}, {"textColor", "#1d2329"}};
    }
    return nlohmann::ordered_json{{"results", std::move(results)}}.dump(1) + "\n";
}

} // namespace duo
