// SPDX-License-Identifier: Apache-2.0
// Which states of a node mean that it is compressed, and which that a rule keeps it in float.
#pragma once

#include "core/quantize/points/decision.h"

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

} // namespace duo
