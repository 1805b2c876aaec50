// SPDX-License-Identifier: Apache-2.0
#include "core/scope/gather_facts.h"

#include "core/scope/calls/aliases.h"
#include "core/scope/calls/build_calls.h"
#include "core/scope/calls/recorded_modules.h"
#include "core/scope/calls/unscoped_nodes.h"
#include "core/scope/frames/frame_repairs.h"
#include "core/scope/frames/module_stacks.h"
#include "core/scope/frames/named_frames.h"
#include "core/scope/frames/recorded_frames.h"
#include "core/scope/parameters/owners.h"
#include "core/scope/parameters/read_parameters.h"
#include "core/scope/producers/producer_frames.h"
#include "core/scope/recorded_facts.h"
#include "core/scope/structure/guessed_structure.h"
#include "core/scope/trees/merged_reads.h"
#include "core/scope/trees/unregistered_nodes.h"

#include <algorithm>

namespace duo {

namespace {

bool namesScopes(const Model& model, const std::vector<FramedNode>& frames)
{
    for (std::size_t n = 0; n < frames.size(); ++n) {
        if (frames[n].isScoped && !isConstantNode(model.nodes[n]))
            return true;
    }
    return false;
}

/// The name of a constant says nothing where no call is known by it: it goes with what reads it.
void releaseConstants(const Model& model, const CallTree& tree, std::vector<FramedNode>& frames)
{
    for (std::size_t n = 0; n < frames.size(); ++n) {
        if (frames[n].isScoped && isConstantNode(model.nodes[n]) && !tree.callOf[n].valid())
            frames[n] = FramedNode{};
    }
}

bool isBelow(const ModulePaths& paths, PathId path, const std::vector<PathId>& modules)
{
    return path.valid() && std::ranges::any_of(modules, [&](PathId module) { return paths.contains(module, path); });
}

/// What stands below an inliner's prefix is known by name, but not the module it lies in.
void doubtInlinedModels(const ProducerNames& names, ScopeFacts& facts)
{
    for (const std::string& module : names.madeModules()) {
        if (const PathId path = facts.paths.find(module); path.valid())
            facts.inlinedModels.push_back(path);
    }
    if (facts.inlinedModels.empty())
        return;
    for (Call& call : facts.tree.calls) {
        if (isBelow(facts.paths, call.path, facts.inlinedModels))
            call.from = Provenance::Guess;
    }
    for (auto& reads : facts.parameters.reads) {
        for (ParameterRead& read : reads) {
            if (isBelow(facts.paths, read.owner, facts.inlinedModels))
                read.from = Provenance::Guess;
        }
    }
}

} // namespace

ScopeFacts gatherScopeFacts(const Model& model, const ScopeSources& sources)
{
    if (auto recorded = recordedFacts(model, sources))
        return std::move(*recorded);
    ScopeFacts facts;
    facts.nodeOrder = canonicalOrder(model);
    facts.frames.resize(model.nodes.size());
    facts.modules = recordedModules(model, sources);
    internModules(facts.modules, facts.paths);
    const ProducerNames names(model);
    facts.parameters = readParameters(model, sources, names, facts.paths);
    const std::size_t knownPaths = facts.paths.size();
    facts.code = readRecordedFrames(model, facts.nodeOrder, facts.paths, facts.frames);
    completeRelativeFrames(knownPaths, facts.paths, facts.frames);
    if (model.format == ModelFormat::TorchExport)
        facts.code = readModuleStacks(model, facts.parameters, facts.paths, facts.frames);
    joinTiedKeys(facts.paths, facts.frames, facts.parameters);
    restoreFusedFrames(facts.parameters, facts.paths, facts.frames);
    readNamedFrames(model, facts.nodeOrder, names, facts.parameters, facts.paths, facts.frames);
    readProducerFrames(model, names, facts.parameters, facts.paths, facts.frames);
    inheritFrames(model, facts.parameters, facts.paths, facts.frames);
    facts.namesScopes = namesScopes(model, facts.frames);
    if (facts.namesScopes)
        frameReaders(model, facts.parameters, facts.paths, facts.frames);
    else if (ownersTellModules(facts.parameters, facts.paths))
        guessFrames(facts.parameters, facts.paths, facts.frames);
    else
        guessStructure(model, facts.parameters, facts.paths, facts.frames);
    facts.aliases = recordsObjects(facts.modules) ? recordedAliases(facts.modules, facts.paths)
                                                  : findAliases(facts.paths, facts.frames, facts.parameters);
    facts.tree
        = buildCalls(model, facts.nodeOrder, facts.frames, facts.code, facts.parameters, facts.aliases, facts.paths);
    releaseConstants(model, facts.tree, facts.frames);
    facts.executionFrom = placeUnscopedNodes(model, facts.frames, facts.tree);
    if (!facts.namesScopes) // what lies between guesses is one
        std::fill(facts.executionFrom.begin(), facts.executionFrom.end(), Provenance::Guess);
    facts.merged = findMergedReads(model, facts);
    facts.isUnregistered = findUnregisteredNodes(model, facts);
    if (facts.namesScopes)
        forgetBareNames(facts.tree, facts.executionFrom, facts.parameters);
    else
        doubtBareNames(facts.parameters);
    inferOwners(
        model, facts.nodeOrder, facts.tree, facts.executionFrom, facts.paths, facts.isUnregistered, facts.parameters);
    doubtInlinedModels(names, facts);
    return facts;
}

} // namespace duo
