// SPDX-License-Identifier: Apache-2.0
// readParameters: which state_dict keys there are, and which of them each node reads.
#pragma once

#include "core/scope/facts/parameters.h"
#include "core/scope/facts/sources.h"
#include "core/scope/producers/producer_names.h"

namespace duo {

/// Keys from records, from the checkpoint, from names of learned tensors and from the exporter's Identity aliases;
/// reads followed from every node input back to these tensors, their keys by name, record or content. O(nodes + uses).
Parameters readParameters(
    const Model& model, const ScopeSources& sources, const ProducerNames& names, ModulePaths& paths);

} // namespace duo
