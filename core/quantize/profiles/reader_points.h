// SPDX-License-Identifier: Apache-2.0
// Reader points: one quantizer behind a node instead of several in front of its readers, and readers that leave one.
#pragma once

#include "core/quantize/propagate/draft_setup.h"

namespace duo {

/// One needed quantizer behind a node for all readers of its first output; those at single readers join it.
DraftIndex needOutputPoint(DraftSetup& draft, NodeId node, const QuantizerConfig& config);

/// `node` no longer wants what it reads at a port quantized; a point that nobody wants goes.
void dropReader(DraftSetup& draft, NodeId node, std::uint32_t port);

} // namespace duo
