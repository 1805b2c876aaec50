// SPDX-License-Identifier: Apache-2.0
// Evidence for reasons that lie in the parameters a node reads, and in the values it makes.
#pragma once

#include "core/scope/facts/scope_facts.h"
#include "core/scope/trees/evidence.h"

namespace duo {

/// Fills `evidence` for aliased-parameter, functional-use, folded-producers, renamed-tensor, equal-values,
/// unregistered-module and merged-calls.
void addReadEvidence(
    const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources, ReasonEvidence& evidence);

} // namespace duo
