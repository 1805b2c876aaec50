// SPDX-License-Identifier: Apache-2.0
// What in the files shows a reason.
#pragma once

#include "core/scope/facts/scopes.h"
#include "core/scope/facts/sources.h"

#include <string>
#include <vector>

namespace duo {

/// Everything that speaks for one reason of one node. What does not apply is empty.
struct ReasonEvidence {
    Reason reason = Reason::AliasedParameter;
    std::vector<NodeId> nodes; // that show it, besides the node itself: who reads the result, the neighbours, the alias
    std::vector<TensorId> tensors; // of the model
    std::vector<std::string> keys; // as the checkpoint has them
    std::vector<std::string> modules; // first paths: called, passed by, or owning
    std::vector<ScopeId> calls; // execution scopes: the call that is special, or all calls of the module
    Metadata recorded; // what the exporter recorded that says so
    std::vector<std::string> findings; // of comparing values, sentences without a period
    Provenance from = Provenance::Recorded; // how it is known
};

/// Evidence for each reason of a node, in the order of NodeScope::reasons. Computed anew on each call; `scopes` must
/// have been found for this model with these sources. Scopes without facts have reasons only. O(calls + keys of the
/// node).
std::vector<ReasonEvidence> explainDifference(
    const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources = {});

} // namespace duo
