// SPDX-License-Identifier: Apache-2.0
// Evidence for reasons that lie in the calls a node runs in.
#pragma once

#include "core/scope/facts/scope_facts.h"
#include "core/scope/trees/evidence.h"

namespace duo {

/// Fills `evidence` for foreign-call, shared-module, container-skipped, bypassed-call and exporter-made.
void addCallEvidence(const Model& model, const Scopes& scopes, NodeId node, ReasonEvidence& evidence);

} // namespace duo
