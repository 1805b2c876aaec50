// SPDX-License-Identifier: Apache-2.0
#include "core/report/execution_doubt.h"

#include "core/scope/facts/scope_facts.h"

#include <algorithm>

namespace duo {
namespace {

/// The outermost call on the node's stack that may be several, or another's.
CallId doubtfulCall(const ScopeFacts& facts, NodeId node)
{
    CallId doubtful;
    for (CallId c = facts.tree.callOf[node.index]; c.valid(); c = facts.tree.calls[c.index].parent) {
        if (facts.tree.calls[c.index].from == Provenance::Guess)
            doubtful = c;
    }
    return doubtful;
}

std::string callDoubt(const ScopeFacts& facts, const Call& call)
{
    const Call& caller = facts.tree.calls[call.parent.index];
    const std::string whole = "the program itself (.pt2), or an export that keeps stack traces, would tell";
    const std::string name = "'" + facts.paths.text(call.module) + "'";
    if (caller.childrenFrom == Provenance::Guess && caller.from != Provenance::Guess)
        return "which call of '" + facts.paths.text(caller.module) + "' this call of " + name
            + " belongs to is a guess: the names do not say, and the calls do not do the same; " + whole;
    return "how often " + name + " runs is a guess: a loop inside one call would look the same as several calls; "
        + whole;
}

} // namespace

std::string executionDoubt(const Model& model, const Scopes& scopes, NodeId node)
{
    if (!scopes.facts || scopes.nodes[node.index].executionFrom != Provenance::Guess)
        return {};
    const ScopeFacts& facts = *scopes.facts;
    for (CallId c = facts.tree.callOf[node.index]; c.valid(); c = facts.tree.calls[c.index].parent) {
        const PathId path = facts.tree.calls[c.index].path;
        if (std::ranges::find(facts.inlinedModels, path) != facts.inlinedModels.end())
            return "'" + facts.paths.text(path)
                + "' is no module but what an inliner put in front of the names of one of "
                  "several models; the models before they were inlined would tell";
    }
    if (const CallId call = doubtfulCall(facts, node); call.valid())
        return callDoubt(facts, facts.tree.calls[call.index]);
    if (!facts.namesScopes)
        return "no node of this file says where it runs; a file as PyTorch's exporters write it, with the names of its "
               "nodes or their metadata, would tell";
    if (facts.frames[node.index].isScoped && !facts.frames[node.index].isMade)
        return "the number at the end of its scope may count calls or be a part of a module's name; a checkpoint that "
               "lists the modules would tell";
    return std::string("the file says nothing of this node itself, as when an optimizer made it")
        + (model.nodes[node.index].metadata.empty() ? "; the file before it was optimized would tell" : "");
}

} // namespace duo
