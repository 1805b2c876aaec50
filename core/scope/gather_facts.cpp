// SPDX-License-Identifier: Apache-2.0
#include "core/scope/gather_facts.h"

#include "core/model/held_tensors.h"
#include "core/model/key_names.h"
#include "core/model/model.h"
#include "core/model/op_facts.h"
#include "core/scope/calls/aliases.h"
#include "core/scope/calls/build_calls.h"
#include "core/scope/calls/unscoped_nodes.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/parameters.h"
#include "core/scope/frames/frame_repairs.h"
#include "core/scope/frames/function_frames.h"
#include "core/scope/frames/module_stacks.h"
#include "core/scope/frames/named_frames.h"
#include "core/scope/frames/recorded_frames.h"
#include "core/scope/frames/tagged_classes.h"
#include "core/scope/parameters/owners.h"
#include "core/scope/parameters/read_parameters.h"
#include "core/scope/producers/few_values.h"
#include "core/scope/producers/producer_names.h"
#include "core/scope/program_names.h"
#include "core/scope/recorded_facts.h"
#include "core/scope/structure/guessed_structure.h"
#include "core/scope/trees/merged_reads.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {
namespace {

/// Operators that a module's parameters go into at port 1, and that hardly anybody uses with other constants.
bool isOfModule(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    return facts.product != Product::None && facts.form == ProductForm::Float && facts.biasPort != kNoPort;
}

/// "/blk/Constant_1_output_0": TorchScript's tracer met a tensor that is no attribute of any module.
bool isTracedConstant(std::string_view name)
{
    const std::size_t last = name.rfind('/');
    return last != std::string_view::npos && name.substr(last + 1).starts_with("Constant");
}

bool hasNoKey(const std::vector<ParameterRead>& reads)
{
    return std::ranges::all_of(reads, [](const ParameterRead& read) { return read.key == kNoKey; });
}

bool hasKeylessWeight(const Model& model, const Node& node)
{
    if (node.inputs.size() < 2 || !node.inputs[1].valid())
        return false;
    const TensorId weight = heldTensor(model, node.inputs[1]);
    if (!weight.valid() || !isFloating(model.tensor(weight).type) || model.tensor(weight).dims.size() < 2)
        return false;
    const std::string& name = model.value(node.inputs[1]).name;
    return isLiftedTensor(name) || (isOfModule(node) && isTracedConstant(name));
}

/// Nodes in whose place a module ran that is not registered under the root (kept in a plain list): its weights are
/// constants without a key, or the program was in one more `forward` of PyTorch's own modules than there are modules on
/// the stack. O(nodes). @return [nodes]
std::vector<bool> findUnregisteredNodes(const Model& model, const ScopeFacts& facts)
{
    std::vector<bool> found(model.nodes.size(), false);
    for (std::size_t n = 0; n < found.size(); ++n) {
        const FramedNode& framed = facts.frames[n];
        if (!framed.isScoped)
            continue;
        found[n]
            = framed.isPastForward || (hasNoKey(facts.parameters.reads[n]) && hasKeylessWeight(model, model.nodes[n]));
    }
    return found;
}

PathId innermost(const FramedNode& node)
{
    return node.frames.empty() ? ModulePaths::root() : node.frames.back().path;
}

void settleReads(const Model& model, PathId module, const ModulePaths& paths, std::vector<ParameterRead>& reads)
{
    for (ParameterRead& read : reads) {
        if (read.key == kNoKey || read.owner == module || !read.tensor.valid()
            || !hasFewValues(model.tensor(read.tensor)))
            continue;
        read.key = kNoKey;
        read.owner = PathId{};
        read.isEqualValues = true;
    }
    const bool hasOwn = std::ranges::any_of(reads, [&](const ParameterRead& read) { return read.owner == module; });
    for (ParameterRead& read : reads) {
        const bool isBeside = read.owner.valid() && read.owner != module && module != ModulePaths::root()
            && read.owner != ModulePaths::root() && paths.parent(read.owner) == paths.parent(module);
        read.isFolded = read.isFolded || (hasOwn && isBeside);
    }
}

/// Frames of nodes that are not scoped yet and whose names tell where they run. Reads get right what such names leave
/// open: a tensor of one or two values, which converters keep once for several layers, is not told by its name unless
/// the layer it names reads it, and what was folded into a layer's operation from the layer beside it is marked as
/// folded.
void readProducerFrames(const Model& model, const ProducerNames& names, Parameters& parameters, ModulePaths& paths,
    std::vector<FramedNode>& nodes)
{
    std::unordered_map<std::string_view, std::int32_t> kinds;
    std::vector<bool> isNamed(nodes.size(), false);
    bool isAnyNamed = false;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto place = nodes[n].isScoped ? std::nullopt : names.place(NodeId(n));
        nodes[n].mayBeModule = !nodes[n].isScoped && !place && names.mayBeLayer(NodeId(n));
        if (!place)
            continue;
        FramedNode& framed = nodes[n];
        framed.isScoped = true;
        framed.from = place->from;
        framed.kind = kinds.try_emplace(model.nodes[n].opType, static_cast<std::int32_t>(kinds.size())).first->second;
        for (const ProducerNames::Step& step : place->steps)
            framed.frames.push_back({paths.intern(step.path), step.site});
        isNamed[n] = true;
        isAnyNamed = true;
    }
    if (!isAnyNamed)
        return;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (isNamed[n])
            settleReads(model, innermost(nodes[n]), paths, parameters.reads[n]);
    }
}

/// The model's path of a module that the checkpoint calls `path`: "encoder" for "module.encoder" under "module.".
std::string modelPath(const ContentMatches* matches, std::string_view path)
{
    if (matches == nullptr)
        return std::string(path);
    std::string_view prefix = matches->prefix;
    if (prefix.ends_with('.') && path == prefix.substr(0, prefix.size() - 1))
        path = {};
    else if (path.starts_with(prefix))
        path.remove_prefix(prefix.size());
    std::string above = matches->modelPrefix;
    if (path.empty() && above.ends_with('.'))
        above.pop_back();
    return above + std::string(path);
}

bool isUsablePath(std::string_view path)
{
    return path.size() <= ModulePaths::kLongest && !hasEmptyAtom(path);
}

/// The modules that the model records, else those of the checkpoint under the paths the model gives them; definition
/// order, none where neither records any.
std::vector<RecordedModule> recordedModules(const Model& model, const ScopeSources& sources)
{
    if (!model.modules.empty() || sources.checkpoint == nullptr)
        return model.modules;
    std::vector<RecordedModule> modules;
    for (const RecordedModule& stored : sources.checkpoint->modules) {
        RecordedModule module = stored;
        module.path = modelPath(sources.matches, stored.path);
        if (!stored.sameAs.empty())
            module.sameAs = modelPath(sources.matches, stored.sameAs);
        modules.push_back(std::move(module));
    }
    return modules;
}

/// Makes their paths and classes known.
void internModules(const std::vector<RecordedModule>& modules, ModulePaths& paths)
{
    for (const RecordedModule& module : modules) {
        if (isUsablePath(module.path))
            paths.setClassName(paths.intern(module.path), module.className);
    }
}

/// Whether the record tells objects from paths. State dictionaries list paths only, without classes; TorchScript saves
/// a module once for each path that leads to it, and only its tensors stay one.
bool recordsObjects(const std::vector<RecordedModule>& modules, const Checkpoint* checkpoint)
{
    if (checkpoint != nullptr && checkpoint->format == "torchscript")
        return false;
    return std::any_of(modules.begin(), modules.end(),
        [](const RecordedModule& module) { return !module.className.empty() || !module.sameAs.empty(); });
}

/// Paths that are recorded to lead to one object.
ModuleAliases recordedAliases(const std::vector<RecordedModule>& modules, ModulePaths& paths)
{
    ModuleAliases aliases;
    for (const RecordedModule& module : modules) {
        if (!module.sameAs.empty() && module.sameAs != module.path && isUsablePath(module.path)
            && isUsablePath(module.sameAs))
            aliases.add(paths.intern(module.sameAs), paths.intern(module.path));
    }
    return aliases;
}

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

ScopeFacts foundFacts(const Model& model, const ScopeSources& sources)
{
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
    if (model.format->recordsStacks)
        facts.code = readModuleStacks(model, facts.parameters, facts.paths, facts.frames);
    joinTiedKeys(facts.paths, facts.frames, facts.parameters);
    restoreFusedFrames(facts.parameters, facts.paths, facts.frames);
    readNamedFrames(model, facts.nodeOrder, names, facts.parameters, facts.paths, facts.frames);
    readTaggedClasses(model, facts.nodeOrder, facts.frames, facts.paths);
    readProducerFrames(model, names, facts.parameters, facts.paths, facts.frames);
    inheritFrames(model, facts.parameters, facts.paths, facts.frames);
    facts.namesScopes = namesScopes(model, facts.frames);
    const bool ownersTell = !facts.namesScopes && ownersTellModules(facts.parameters, facts.paths);
    const bool isOfFunctions = !facts.namesScopes && !ownersTell && functionsTellModules(model);
    if (isOfFunctions) {
        readFunctionFrames(model, facts.nodeOrder, facts.paths, facts.frames);
        giveOwners(facts.frames, facts.paths, facts.parameters);
        facts.namesScopes = true;
    }
    if (facts.namesScopes)
        frameReaders(model, facts.parameters, facts.paths, facts.frames);
    else if (ownersTell)
        guessFrames(facts.parameters, facts.paths, facts.frames);
    else
        guessStructure(model, facts.parameters, facts.paths, facts.frames);
    facts.aliases = recordsObjects(facts.modules, model.modules.empty() ? sources.checkpoint : nullptr)
        ? recordedAliases(facts.modules, facts.paths)
        : findAliases(facts.paths, facts.frames, facts.parameters);
    facts.tree
        = buildCalls(model, facts.nodeOrder, facts.frames, facts.code, facts.parameters, facts.aliases, facts.paths);
    releaseConstants(model, facts.tree, facts.frames);
    facts.executionFrom = placeUnscopedNodes(model, facts.frames, facts.tree);
    if (!facts.namesScopes) // what lies between guesses is one
        std::fill(facts.executionFrom.begin(), facts.executionFrom.end(), Provenance::Guess);
    facts.merged = findMergedReads(model, facts);
    facts.isUnregistered = findUnregisteredNodes(model, facts);
    if (facts.namesScopes && !isOfFunctions) // functions are given what is outside of them
        forgetBareNames(facts.tree, facts.executionFrom, facts.parameters);
    else
        doubtBareNames(facts.parameters);
    inferOwners(
        model, facts.nodeOrder, facts.tree, facts.executionFrom, facts.paths, facts.isUnregistered, facts.parameters);
    doubtInlinedModels(names, facts);
    return facts;
}

} // namespace

ScopeFacts gatherScopeFacts(const Model& model, const ScopeSources& sources)
{
    auto recorded = recordedFacts(model, sources);
    ScopeFacts facts = recorded ? std::move(*recorded) : foundFacts(model, sources);
    if (sources.checkpoint != nullptr && !sources.checkpoint->signatures.empty())
        facts.signatures = signaturesOf(model, *sources.checkpoint);
    if (sources.checkpoint != nullptr)
        facts.forwards = sources.checkpoint->forwards;
    return facts;
}

} // namespace duo
