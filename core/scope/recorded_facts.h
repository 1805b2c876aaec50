// SPDX-License-Identifier: Apache-2.0
// Scope facts from the record that an export left in the model.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/scope_facts.h"
#include "core/scope/facts/sources.h"

#include <optional>

namespace duo {

/// Nodes are found by their names; those the record does not know (quantizers) are placed by dataflow, and read what
/// the tensors at their own ports are recorded to be. Calls that lost all their nodes are left out.
/// @return nothing if there is no record, it does not parse, none of its nodes is in the model, or it was made without
/// the checkpoint that `sources` have; then the facts are to be worked out
std::optional<ScopeFacts> recordedFacts(const Model& model, const ScopeSources& sources);

} // namespace duo
