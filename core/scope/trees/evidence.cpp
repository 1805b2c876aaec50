// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/evidence.h"

#include "core/scope/trees/call_evidence.h"
#include "core/scope/trees/read_evidence.h"

namespace duo {
namespace {

bool isOfCalls(Reason reason)
{
    return reason == Reason::ForeignCall || reason == Reason::SharedModule || reason == Reason::ContainerSkipped
        || reason == Reason::BypassedCall || reason == Reason::ExporterMade;
}

} // namespace

std::vector<ReasonEvidence> explainDifference(
    const Model& model, const Scopes& scopes, NodeId node, const ScopeSources& sources)
{
    std::vector<ReasonEvidence> all;
    for (const Reason reason : scopes.nodes[node.index].reasons) {
        ReasonEvidence evidence;
        evidence.reason = reason;
        if (!scopes.facts)
            evidence.from = scopes.nodes[node.index].executionFrom;
        else if (isOfCalls(reason))
            addCallEvidence(model, scopes, node, evidence);
        else
            addReadEvidence(model, scopes, node, sources, evidence);
        all.push_back(std::move(evidence));
    }
    return all;
}

} // namespace duo
