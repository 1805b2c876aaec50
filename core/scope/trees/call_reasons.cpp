// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/call_reasons.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

/// Whether a module that was not called is one that would not be: a list, a dictionary, or one of unknown kind.
bool isContainer(const ScopeFacts& facts, PathId path)
{
    const std::string& className = facts.paths.className(path);
    return className.empty() || className.starts_with("torch.nn.modules.container.")
        || className == "torch.nn.modules.module.Module";
}

/// Whether the caller holds the module itself, under a path that the file has not kept.
bool isHeldByCaller(const ScopeFacts& facts, const Call& call, PathId caller)
{
    if (facts.frames[call.firstNode].from == Provenance::Recorded)
        return false; // the path used is known
    const std::vector<PathId> others = facts.aliases.others(call.module);
    return std::any_of(others.begin(), others.end(), [&](PathId other) { return facts.paths.parent(other) == caller; });
}

/// The first call of a module in which a tensor is read: module and tensor to call.
using SharedTensors = std::map<std::pair<std::uint32_t, std::uint32_t>, CallId>;

/// A tensor without an owner that several calls of one module read is that module's as far as its calls go.
void markSharing(const ScopeFacts& facts, SharedTensors& shared, CallId id, TensorId tensor, std::vector<bool>& holds)
{
    for (; facts.tree.calls[id.index].parent.valid(); id = facts.tree.calls[id.index].parent) {
        const std::uint32_t module = facts.tree.calls[id.index].module.index;
        if (facts.tree.runs[module] > 1 && shared.try_emplace({module, tensor.index}, id).first->second != id)
            holds[module] = true;
    }
}

} // namespace

std::vector<PathId> skippedModules(const ScopeFacts& facts, const Call& call)
{
    std::vector<PathId> skipped;
    if (!call.parent.valid() || call.isForeign)
        return skipped;
    const PathId caller = facts.tree.calls[call.parent.index].path;
    if (!facts.paths.contains(caller, call.path) || isHeldByCaller(facts, call, caller))
        return skipped;
    for (PathId between = facts.paths.parent(call.path); between.valid() && between != caller;
         between = facts.paths.parent(between))
        skipped.push_back(between);
    return skipped;
}

bool isBypassed(const ScopeFacts& facts, PathId path)
{
    const bool runs = path.index < facts.tree.runs.size() && facts.tree.runs[path.index] > 0;
    return runs || !isContainer(facts, path);
}

std::vector<bool> modulesWithParameters(const ScopeFacts& facts)
{
    std::vector<bool> holds(facts.paths.size(), false);
    const auto mark = [&](PathId path) {
        for (; path.valid() && !holds[path.index]; path = facts.paths.parent(path))
            holds[path.index] = true;
    };
    for (const Key& key : facts.parameters.keys)
        mark(key.owner);
    SharedTensors shared;
    for (std::size_t n = 0; n < facts.parameters.reads.size(); ++n) {
        for (const ParameterRead& read : facts.parameters.reads[n]) {
            mark(read.owner);
            if (!read.owner.valid() && read.tensor.valid())
                markSharing(facts, shared, facts.tree.callOf[n], read.tensor, holds);
        }
    }
    return holds;
}

bool ReasonSet::isHarmless() const
{
    ReasonSet rest = *this;
    for (const Reason reason :
        {Reason::RenamedTensor, Reason::ContainerSkipped, Reason::ExporterMade, Reason::EqualValues})
        rest.m_bits.reset(static_cast<std::size_t>(reason));
    return rest.m_bits.none();
}

std::vector<Reason> ReasonSet::sorted() const
{
    std::vector<Reason> reasons;
    for (std::size_t i = 0; i < kReasons; ++i) {
        if (m_bits.test(i))
            reasons.push_back(static_cast<Reason>(i));
    }
    return reasons;
}

std::vector<ReasonSet> callReasons(const ScopeFacts& facts)
{
    const std::vector<bool> holds = modulesWithParameters(facts);
    std::vector<ReasonSet> all(facts.tree.calls.size());
    for (std::size_t i = 1; i < all.size(); ++i) {
        const Call& call = facts.tree.calls[i];
        all[i] = all[call.parent.index];
        if (call.isForeign)
            all[i].insert(Reason::ForeignCall);
        if (facts.tree.runs[call.module.index] > 1 && holds[call.module.index])
            all[i].insert(Reason::SharedModule);
        for (const PathId path : skippedModules(facts, call))
            all[i].insert(isBypassed(facts, path) ? Reason::BypassedCall : Reason::ContainerSkipped);
    }
    return all;
}

} // namespace duo
