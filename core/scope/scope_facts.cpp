// SPDX-License-Identifier: Apache-2.0
#include "core/scope/scope_facts.h"

#include "core/scope/calls/unscoped_nodes.h"
#include "core/scope/frames/frame_repairs.h"
#include "core/scope/names/named_frames.h"
#include "core/scope/parameters/owners.h"
#include "core/scope/reading/recorded_frames.h"

#include <algorithm>

namespace duo {

ScopeFacts gatherScopeFacts(const Model& model)
{
    ScopeFacts facts;
    facts.frames.resize(model.nodes.size());
    facts.parameters = readParameters(model, facts.paths);
    readRecordedFrames(model, facts.paths, facts.frames);
    facts.aliases = findAliases(facts.paths, facts.frames, facts.parameters);
    restoreFusedFrames(facts.parameters, facts.paths, facts.frames);
    readNamedFrames(model, facts.parameters, facts.paths, facts.frames);
    inheritFrames(model, facts.parameters, facts.paths, facts.frames);
    facts.namesScopes
        = std::any_of(facts.frames.begin(), facts.frames.end(), [](const FramedNode& node) { return node.isScoped; });
    if (!facts.namesScopes)
        guessFrames(facts.parameters, facts.paths, facts.frames);
    facts.tree = buildCalls(model, facts.frames, facts.parameters, facts.aliases, facts.paths);
    facts.executionFrom = placeUnscopedNodes(model, facts.frames, facts.tree);
    inferOwners(model, facts.tree, facts.executionFrom, facts.parameters);
    return facts;
}

} // namespace duo
