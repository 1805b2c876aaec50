// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/frame_repairs.h"

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/scope/frames/called_modules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

class Inheritance
{
public:
    Inheritance(const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
        : m_model(model)
        , m_parameters(parameters)
        , m_paths(paths)
        , m_nodes(nodes)
        , m_modules(model, parameters, paths)
    {
    }

    void run()
    {
        dropNameOfWholeModel();
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            const NodeId owner = m_model.region(m_model.nodes[n].region).owner;
            if (owner.valid() && !m_nodes[n].isScoped && m_nodes[owner.index].isScoped)
                inherit(n, owner);
            if (isModuleCall(m_model.nodes[n]) && m_nodes[n].isScoped)
                m_paths.setClassName(innermost(n), m_model.nodes[n].domain + "." + m_model.nodes[n].opType);
        }
    }

private:
    PathId innermost(std::size_t n) const
    {
        const auto& frames = m_nodes[n].frames;
        return frames.empty() ? ModulePaths::root() : frames.back().path;
    }

    void inherit(std::size_t n, NodeId owner)
    {
        FramedNode& framed = m_nodes[n];
        framed = m_nodes[owner.index];
        if (!m_model.node(owner).isCall) {
            framed.from = Provenance::Guess; // modules may run in a body, too
            framed.isMade = true;
        }
        if (isModuleCall(m_model.nodes[n]))
            push(framed, m_modules.module(n), m_nextSite--);
        else if (isModuleCall(m_model.node(owner)))
            push(framed, childThatOwns(n), kNoMark);
    }

    static void push(FramedNode& framed, PathId module, std::int32_t site)
    {
        if (!module.valid() || module == ModulePaths::root())
            return;
        framed.frames.push_back({module, site});
        framed.from = Provenance::Dataflow;
    }

    /// Names in a function's body are bare: a node that works with the parameters of a module below the function's is
    /// taken to run in that module.
    PathId childThatOwns(std::size_t n) const
    {
        const auto& reads = m_parameters.reads[n];
        const bool isOne = std::all_of(
            reads.begin(), reads.end(), [&](const ParameterRead& read) { return read.owner == reads[0].owner; });
        if (reads.empty() || !isOne || !reads[0].owner.valid() || reads[0].owner == innermost(n)
            || !m_paths.contains(innermost(n), reads[0].owner))
            return {};
        return reads[0].owner;
    }

    /// Where the whole model is one function, its call is named after the last call inside: the name says nothing.
    void dropNameOfWholeModel()
    {
        NodeId call;
        for (const NodeId id : m_model.mainGraph().nodes) {
            if (isConstantNode(m_model.node(id)))
                continue;
            if (call.valid())
                return;
            call = id;
        }
        if (call.valid() && isModuleCall(m_model.node(call)) && m_modules.module(call.index).valid()
            && !m_paths.contains(innermost(call.index), m_modules.module(call.index)))
            m_nodes[call.index].frames.clear();
    }

    const Model& m_model;
    const Parameters& m_parameters;
    ModulePaths& m_paths;
    std::vector<FramedNode>& m_nodes;
    CalledModules m_modules;
    std::int32_t m_nextSite = -2; // below every spelling and kNoMark
};

} // namespace

void inheritFrames(const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    if (model.regions.size() > 1)
        Inheritance(model, parameters, paths, nodes).run();
}

namespace {

class RelativeFrames
{
public:
    RelativeFrames(ModulePaths& paths, std::size_t known)
        : m_paths(paths)
        , m_known(known)
    {
    }

    /// The path below its caller, where only that one is known.
    PathId whole(PathId caller, PathId path)
    {
        if (caller == ModulePaths::root() || path.index < m_known || m_paths.contains(caller, path))
            return path;
        const auto [entry, isNew] = m_whole.try_emplace({caller, path}, path);
        if (!isNew)
            return entry->second;
        const std::string text = m_paths.text(caller) + "." + m_paths.text(path);
        const PathId below = m_paths.find(text);
        if (below.valid() && below.index < m_known) {
            entry->second = below;
            m_callers.insert(caller);
        }
        return entry->second;
    }

    /// What stores nothing is known by no key: it lies below a caller whose other children do.
    PathId besideOthers(PathId caller, PathId path)
    {
        const bool isRelative = m_callers.contains(caller) && path.index >= m_known && !m_paths.contains(caller, path);
        const std::string text = m_paths.text(caller) + "." + m_paths.text(path);
        return isRelative && text.size() <= ModulePaths::kLongest ? m_paths.intern(text) : path;
    }

    [[nodiscard]] bool hasFound() const { return !m_callers.empty(); }

private:
    ModulePaths& m_paths;
    std::size_t m_known;
    std::map<std::pair<PathId, PathId>, PathId> m_whole;
    std::set<PathId> m_callers;
};

} // namespace

void completeRelativeFrames(std::size_t knownPaths, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    RelativeFrames relative(paths, knownPaths);
    for (FramedNode& node : nodes) {
        for (std::size_t i = 1; i < node.frames.size(); ++i)
            node.frames[i].path = relative.whole(node.frames[i - 1].path, node.frames[i].path);
    }
    if (!relative.hasFound())
        return;
    for (FramedNode& node : nodes) {
        for (std::size_t i = 1; i < node.frames.size(); ++i)
            node.frames[i].path = relative.besideOthers(node.frames[i - 1].path, node.frames[i].path);
    }
}

namespace {

bool worksWithWeights(const Node& node)
{
    const OpFacts& facts = opFacts(node);
    const bool isOfFloats = facts.form == ProductForm::Float || facts.form == ProductForm::Fused;
    return (facts.product != Product::None && isOfFloats)
        || (isNorm(node) && facts.form == ProductForm::Float); // a fused one does another module's work, too
}

class ReaderFrames
{
public:
    ReaderFrames(const Parameters& parameters, const ModulePaths& paths, const std::vector<FramedNode>& nodes)
        : m_parameters(parameters)
        , m_paths(paths)
        , m_isCalled(paths.size(), false)
        , m_holdsOthers(paths.size(), false)
    {
        m_isCalled[ModulePaths::root().index] = true;
        for (const FramedNode& node : nodes) {
            for (const Frame& frame : node.frames)
                m_isCalled[frame.path.index] = true;
        }
        for (const Key& key : parameters.keys) {
            for (PathId above = paths.parent(key.owner); above.valid() && !m_holdsOthers[above.index];
                 above = paths.parent(above))
                m_holdsOthers[above.index] = true;
        }
        for (const auto& reads : parameters.reads) {
            for (const ParameterRead& read : reads) {
                if (read.key != kNoKey)
                    ++m_readers[read.key];
            }
        }
    }

    /// The module that runs, from what the node reads; nothing where it may as well be another.
    [[nodiscard]] std::optional<std::vector<Frame>> frames(std::size_t n) const
    {
        const PathId runs = module(n);
        if (!runs.valid() || runs == ModulePaths::root())
            return std::nullopt;
        std::vector<Frame> stack;
        for (PathId path = runs; path != ModulePaths::root(); path = m_paths.parent(path)) {
            if (path == runs || m_isCalled[path.index])
                stack.push_back({path});
        }
        std::reverse(stack.begin(), stack.end());
        return stack;
    }

    /// Programs read weights of a module past it, too: only one that is known to run is known to run here.
    [[nodiscard]] bool isKnownToRun(const std::vector<Frame>& stack) const
    {
        return m_isCalled[stack.back().path.index];
    }

private:
    [[nodiscard]] PathId module(std::size_t n) const
    {
        PathId owner;
        for (const ParameterRead& read : m_parameters.reads[n]) {
            if (read.key == kNoKey || read.from > Provenance::Name)
                continue;
            if (read.isFolded || m_parameters.hasSeveralKeys(read.key) || m_readers.at(read.key) > 1
                || (owner.valid() && owner != read.owner))
                return {};
            owner = read.owner;
        }
        if (!owner.valid())
            return {};
        if (isAttention(owner))
            return owner;
        if (const PathId around = m_paths.parent(owner); around.valid() && isAttention(around))
            return around;
        return m_holdsOthers[owner.index] ? PathId{} : owner;
    }

    /// torch.nn.MultiheadAttention works with its out_proj without calling it.
    [[nodiscard]] bool isAttention(PathId path) const
    {
        const std::string& text = m_paths.text(path);
        return m_parameters.find(text.empty() ? "in_proj_weight" : text + ".in_proj_weight") != kNoKey;
    }

    const Parameters& m_parameters;
    const ModulePaths& m_paths;
    std::vector<bool> m_isCalled; // [ModulePaths]
    std::vector<bool> m_holdsOthers; // [ModulePaths] modules with parameters below it
    std::unordered_map<std::int32_t, int> m_readers; // of keys
};

} // namespace

void frameReaders(
    const Model& model, const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    const ReaderFrames readers(parameters, paths, nodes);
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (nodes[n].isScoped || model.region(model.nodes[n].region).owner.valid() || !worksWithWeights(model.nodes[n]))
            continue;
        auto stack = readers.frames(n);
        if (!stack)
            continue;
        nodes[n].isScoped = true;
        nodes[n].isMade = true;
        nodes[n].from = readers.isKnownToRun(*stack) ? Provenance::Dataflow : Provenance::Guess;
        nodes[n].frames = std::move(*stack);
    }
}

void guessFrames(const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    constexpr std::int32_t kOneCall = 0; // nothing tells calls of a module apart
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto& reads = parameters.reads[n];
        const auto owned
            = std::find_if(reads.begin(), reads.end(), [](const auto& read) { return read.owner.valid(); });
        if (nodes[n].isScoped || owned == reads.end())
            continue;
        nodes[n].isScoped = true;
        nodes[n].from = Provenance::Guess;
        for (PathId path = owned->owner; path != ModulePaths::root(); path = paths.parent(path))
            nodes[n].frames.push_back({path, kOneCall});
        std::reverse(nodes[n].frames.begin(), nodes[n].frames.end());
    }
}

void restoreFusedFrames(const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto& reads = parameters.reads[n];
        auto& frames = nodes[n].frames;
        const bool isFused = std::any_of(reads.begin(), reads.end(), [](const auto& read) { return read.isFolded; });
        const auto kept = std::find_if(
            reads.begin(), reads.end(), [](const auto& read) { return !read.isFolded && read.owner.valid(); });
        if (!isFused || kept == reads.end() || frames.empty())
            continue;
        const PathId caller = frames.size() > 1 ? frames[frames.size() - 2].path : ModulePaths::root();
        if (kept->owner == frames.back().path || kept->owner == caller || !paths.contains(caller, kept->owner))
            continue;
        frames.back().path = kept->owner;
        nodes[n].from = Provenance::Dataflow;
    }
}

} // namespace duo
