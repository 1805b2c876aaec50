// SPDX-License-Identifier: Apache-2.0
#include "core/model/op_facts.h"
#include "core/scope/frames/frame_repairs.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace duo {
namespace {

bool worksWithWeights(const Node& node)
{
    static constexpr std::array<std::string_view, 3> kNorms{
        "BatchNormalization", "LayerNormalization", "InstanceNormalization"};
    const OpFacts& facts = opFacts(node);
    const bool isOfFloats = facts.form == ProductForm::Float || facts.form == ProductForm::Fused;
    return (facts.product != Product::None && isOfFloats) || std::ranges::find(kNorms, node.opType) != kNorms.end();
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

} // namespace duo
