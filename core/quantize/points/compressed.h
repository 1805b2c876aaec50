// SPDX-License-Identifier: Apache-2.0
// Which states of a node mean that it is compressed, and which that a rule keeps it in float; the word for a decision.
#pragma once

#include "core/quantize/points/decision.h"

#include <string_view>

namespace duo {

inline bool isCompressed(NodeState state)
{
    return state == NodeState::Quantized || state == NodeState::WeightOnly || state == NodeState::Fused;
}

/// By a rule about it, or about what it is computed together with.
inline bool isIgnored(NodeState state)
{
    return state == NodeState::Ignored || state == NodeState::IgnoredInherited;
}

/// It is no node that could be quantized or not, but one of those that quantize.
inline bool isFileQuantizer(const Decision& decision)
{
    return decision.reason.code == ReasonCode::IsFileQuantizer;
}

inline constexpr std::string_view kQuantizerWord = "quantizer";

/// "ignored-inherited"; of a quantizer of the file "quantizer", for which there is no state.
inline std::string_view decisionWord(const Decision& decision)
{
    return isFileQuantizer(decision) ? kQuantizerWord : nodeStateText(decision.state);
}

} // namespace duo
