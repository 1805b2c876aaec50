// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/points/decision.h"

#include "core/support/enum_text.h"

namespace duo {

std::string_view nodeStateText(NodeState state)
{
    static constexpr auto kStates = enumTexts<NodeState::WeightOnly>(
        {"quantized", "ignored", "ignored-inherited", "preset", "unsupported", "blocked", "fused", "weight-only"});
    return enumText(kStates, state);
}

std::string_view reasonKindText(ReasonKind kind)
{
    static constexpr auto kKinds = enumTexts<ReasonKind::Neighbour>({"inputs", "weights", "movement", "group", "table",
        "file-quantizer", "rule", "no-target", "pattern", "model-type", "post-processing", "front-end", "range",
        "operator", "profile", "type", "constant", "shape", "body", "call", "neighbour"});
    return enumText(kKinds, kind);
}

} // namespace duo
