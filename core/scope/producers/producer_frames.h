// SPDX-License-Identifier: Apache-2.0
// Frames of nodes from the names that producers other than PyTorch give.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"
#include "core/scope/producers/producer_names.h"

#include <vector>

namespace duo {

/// Frames of nodes that are not scoped yet and whose names tell where they run. Reads get right what such names leave
/// open: a tensor of one or two values, which converters keep once for several layers, is
/// not told by its name unless the layer it names reads it, and what was folded into a layer's operation from the layer
/// beside it is marked as folded.
void readProducerFrames(const Model& model, const ProducerNames& names, Parameters& parameters, ModulePaths& paths,
    std::vector<FramedNode>& nodes);

} // namespace duo
