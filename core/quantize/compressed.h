// SPDX-License-Identifier: Apache-2.0
// Which states of a node mean that it is compressed.
#pragma once

#include "core/quantize/placement.h"

namespace duo {

inline bool isCompressed(NodeState state)
{
    return state == NodeState::Quantized || state == NodeState::WeightOnly || state == NodeState::Fused;
}

} // namespace duo
