// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/guessed_structure.h"

#include "core/model/op_facts.h"
#include "core/scope/structure/block_tree.h"
#include "core/scope/structure/work_label.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kMostWords = 4;
constexpr std::size_t kLongestWord = 24; // bytes

using Words = std::vector<std::string>;

/// What only moves or retypes data says nothing about a block; a Split is a step of the program.
bool isPlumbing(const Node& node)
{
    return (passingOf(node) == Passing::Layout && node.opType != "Split")
        || isAnyOf(node, {"Dropout", "DynamicQuantizeLinear"});
}

std::string wordOf(const Node& node)
{
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kShort{{
        {"BatchNormalization", "bn"},
        {"LayerNormalization", "ln"},
        {"InstanceNormalization", "in"},
        {"GroupNormalization", "gn"},
        {"SimplifiedLayerNormalization", "rmsnorm"},
        {"RMSNormalization", "rmsnorm"},
        {"GlobalAveragePool", "gap"},
        {"ConvTranspose", "deconv"},
    }};
    for (const auto& [type, word] : kShort) {
        if (node.opType == type)
            return std::string(word);
    }
    std::string word;
    for (const char c : node.opType) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0 && word.size() < kLongestWord)
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return (isGrouped(node) ? "dw" : "") + word;
}

/// What exporters write for one operation, told by the operators in a row.
struct Idiom {
    std::string_view word;
    std::vector<std::string_view> words;
};

void replaceIdioms(Words& words)
{
    static const std::array<Idiom, 7> kIdioms{{
        {"silu", {"sigmoid", "mul"}},
        {"hardswish", {"hardsigmoid", "mul"}},
        {"hardswish", {"add", "clip", "mul", "div"}},
        {"hardswish", {"add", "clip", "div", "mul"}},
        {"gelu", {"div", "erf", "add", "mul", "mul"}},
        {"ln", {"reducemean", "sub", "pow", "reducemean", "add", "sqrt", "div", "mul", "add"}},
        {"rmsnorm", {"pow", "reducemean", "add", "sqrt", "reciprocal", "mul", "mul"}},
    }};
    for (const Idiom& idiom : kIdioms) {
        const auto found = std::search(words.begin(), words.end(), idiom.words.begin(), idiom.words.end());
        if (found == words.end())
            continue;
        *found = std::string(idiom.word);
        words.erase(found + 1, found + static_cast<std::ptrdiff_t>(idiom.words.size()));
    }
}

std::string unitName(const Model& model, const WorkSequence& sequence, const Block& unit)
{
    constexpr std::uint32_t kMostRead = 32; // nodes; a name tells the first four
    Words words;
    for (std::uint32_t at = unit.begin; at < std::min(unit.end, unit.begin + kMostRead); ++at) {
        const Node& node = model.node(sequence.nodes[at].id);
        if (isPlumbing(node))
            continue;
        std::string word = wordOf(node);
        const bool isBias = word == "add" && words.size() == 1 && (words[0] == "matmul" || words[0] == "matmulinteger");
        if (!word.empty() && !isBias)
            words.push_back(std::move(word));
    }
    replaceIdioms(words);
    std::string name;
    for (std::size_t i = 0; i < std::min(words.size(), kMostWords); ++i)
        name += (i == 0 ? "" : "-") + words[i];
    return name.empty() ? "layer" : name;
}

/// A group is attention if it weighs values by a Softmax between two products of data.
bool isAttention(const Model& model, const WorkSequence& sequence, const Block& group)
{
    int products = 0;
    bool hasSoftmax = false;
    for (std::uint32_t at = group.begin; at < group.end; ++at) {
        const Node& node = model.node(sequence.nodes[at].id);
        hasSoftmax = hasSoftmax || node.opType == "Softmax";
        products += node.opType == "MatMul" && !sequence.nodes[at].kind.isHeavy ? 1 : 0;
        if (has(node, mark::kAttention))
            return true;
    }
    return hasSoftmax && products == 2;
}

/// A path atom: "conv-bn-relu", "attention", "block", "conv-relu×3". Blocks of equal hash have equal names, but for the
/// number of copies. O(nodes of the block).
std::string blockName(const Model& model, const WorkSequence& sequence, const BlockTree& tree, std::uint32_t block)
{
    const Block& named = tree.blocks[block];
    switch (named.kind) {
    case Block::Kind::Unit:
        return unitName(model, sequence, named);
    case Block::Kind::Group:
        return isAttention(model, sequence, named) ? "attention" : "block";
    case Block::Kind::Run:
        return blockName(model, sequence, tree, named.children.front()) + "×" + std::to_string(named.children.size());
    }
    return {};
}

constexpr std::int32_t kOneCall = 0; // every block runs once
constexpr std::size_t kLongestPath = 300; // bytes; below ModulePaths::kLongest with the longest name
constexpr std::uint32_t kManyNodes = 8; // a block without weights that is worth a box

/// Gives the blocks of one graph their paths and its nodes their frames.
class BlockFrames
{
public:
    BlockFrames(const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
        : m_model(model)
        , m_parameters(parameters)
        , m_paths(paths)
        , m_nodes(nodes)
    {
    }

    void place(const WorkSequence& sequence)
    {
        std::vector<bool> hasWeights(sequence.nodes.size());
        for (std::size_t at = 0; at < hasWeights.size(); ++at)
            hasWeights[at] = !m_parameters.reads[sequence.nodes[at].id.index].empty();
        const BlockTree tree = findBlocks(sequence, hasWeights);
        m_sequence = &sequence;
        m_tree = &tree;
        m_weights.assign(1, 0);
        for (const bool has : hasWeights)
            m_weights.push_back(m_weights.back() + (has ? 1 : 0));
        countUnits();
        std::vector<Frame> frames = around(sequence.region);
        Names names;
        placeRow(tree.top, frames, names);
    }

private:
    using Names = std::unordered_map<std::string, int>; // given in one scope so far

    /// A body lies where its owner does.
    std::vector<Frame> around(RegionId region)
    {
        const NodeId owner = m_model.region(region).owner;
        if (!owner.valid())
            return {};
        std::vector<Frame> frames = m_nodes[owner.index].frames;
        std::string name;
        for (const char c : m_model.node(owner).opType + "-" + m_model.region(region).attribute)
            name += c == '.' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        enter(frames, name, m_bodies[frames.empty() ? ModulePaths::root() : frames.back().path]);
        return frames;
    }

    /// Goes into a scope of this name, or one like it that is not taken. @return whether there was room for it
    bool enter(std::vector<Frame>& frames, const std::string& name, Names& names)
    {
        const PathId above = frames.empty() ? ModulePaths::root() : frames.back().path;
        if (m_paths.text(above).size() + name.size() > kLongestPath)
            return false;
        const int number = names[name]++;
        frames.push_back({m_paths.child(above, number == 0 ? name : name + "-" + std::to_string(number)), kOneCall});
        return true;
    }

    bool isWorthAScope(const Block& block) const
    {
        const bool isHeavy = m_weights[block.begin] != m_weights[block.end];
        return block.size() > 1 && (isHeavy || (block.kind != Block::Kind::Unit && block.size() >= kManyNodes));
    }

    std::string nameOf(const Block& block) const
    {
        return blockName(m_model, *m_sequence, *m_tree, static_cast<std::uint32_t>(&block - m_tree->blocks.data()));
    }

    void countUnits()
    {
        m_units.clear();
        for (const Block& block : m_tree->blocks) {
            if (block.kind == Block::Kind::Unit && isWorthAScope(block))
                ++m_units[nameOf(block)];
        }
    }

    /// A layer that comes once is no block.
    bool isRepeated(const Block& block, const std::string& name) const
    {
        return block.kind != Block::Kind::Unit || m_units.at(name) > 1;
    }

    void placeRow(const std::vector<std::uint32_t>& row, std::vector<Frame>& frames, Names& names)
    {
        for (const std::uint32_t id : row) {
            const Block& block = m_tree->blocks[id];
            const bool isOnlyChild = block.kind == Block::Kind::Group && block.children.size() == 1;
            const std::string name = isOnlyChild || !isWorthAScope(block) ? std::string() : nameOf(block);
            if (!name.empty() && isRepeated(block, name) && enter(frames, name, names)) {
                Names inner;
                placeInside(block, frames, inner);
                frames.pop_back();
            } else {
                placeInside(block, frames, names);
            }
        }
    }

    void placeInside(const Block& block, std::vector<Frame>& frames, Names& names)
    {
        if (block.kind == Block::Kind::Group)
            return placeRow(block.children, frames, names);
        if (block.kind == Block::Kind::Unit)
            return placeNodes(block, frames);
        for (std::size_t copy = 0; copy < block.children.size(); ++copy)
            placeCopy(m_tree->blocks[block.children[copy]], copy, frames, names);
    }

    void placeCopy(const Block& copy, std::size_t number, std::vector<Frame>& frames, Names& names)
    {
        Names inner;
        if (!isWorthAScope(copy) || !enter(frames, std::to_string(number), inner))
            return placeInside(copy, frames, names);
        inner.clear();
        placeInside(copy, frames, inner);
        frames.pop_back();
    }

    void placeNodes(const Block& unit, const std::vector<Frame>& frames)
    {
        for (std::uint32_t at = unit.begin; at < unit.end; ++at) {
            FramedNode& node = m_nodes[m_sequence->nodes[at].id.index];
            node.isScoped = true;
            node.from = Provenance::Guess;
            node.frames = frames;
        }
    }

    const Model& m_model;
    const Parameters& m_parameters;
    ModulePaths& m_paths;
    std::vector<FramedNode>& m_nodes;
    const WorkSequence* m_sequence = nullptr;
    const BlockTree* m_tree = nullptr;
    std::vector<std::uint32_t> m_weights; // [places + 1] nodes before that read a parameter
    Names m_units; // of one graph, by name
    std::unordered_map<PathId, Names> m_bodies; // names of bodies by what is around them
};

PathId commonPath(const ModulePaths& paths, PathId a, PathId b)
{
    while (a != b) {
        if (paths.depth(a) < paths.depth(b))
            std::swap(a, b);
        a = paths.parent(a);
    }
    return a;
}

/// A name without a dot says nothing about modules where nothing else does.
bool isTold(const Parameters& parameters, const ParameterRead& read)
{
    if (read.key != kNoKey && !parameters.key(read.key).isRecorded && !parameters.key(read.key).isListed)
        return parameters.key(read.key).owner != ModulePaths::root();
    return read.owner.valid();
}

} // namespace

bool ownersTellModules(const Parameters& parameters, const ModulePaths& paths)
{
    std::size_t reads = 0;
    std::size_t owned = 0;
    std::size_t deep = 0;
    for (const auto& ofNode : parameters.reads) {
        for (const ParameterRead& read : ofNode) {
            const int depth = read.owner.valid() ? paths.depth(read.owner) : 0;
            ++reads;
            owned += depth > 0 ? 1 : 0;
            deep += depth > 1 ? 1 : 0;
        }
    }
    constexpr std::size_t kSmall = 64; // a network that a flat list of modules shows well enough
    return 2 * owned > reads && (2 * deep > owned || owned <= kSmall);
}

void giveOwners(const std::vector<FramedNode>& nodes, const ModulePaths& paths, Parameters& parameters)
{
    std::unordered_map<TensorId, PathId> ownerOf;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const PathId path = nodes[n].frames.empty() ? ModulePaths::root() : nodes[n].frames.back().path;
        for (const ParameterRead& read : parameters.reads[n]) {
            if (!nodes[n].isScoped || isTold(parameters, read) || !read.tensor.valid())
                continue;
            const auto [known, isNew] = ownerOf.try_emplace(read.tensor, path);
            if (!isNew)
                known->second = commonPath(paths, known->second, path);
        }
    }
    std::vector<std::pair<std::int32_t, PathId>> moved; // keys
    for (auto& reads : parameters.reads) {
        for (ParameterRead& read : reads) {
            const auto owner = isTold(parameters, read) ? ownerOf.end() : ownerOf.find(read.tensor);
            if (owner == ownerOf.end())
                continue;
            const bool isKey = read.key != kNoKey;
            if (isKey && owner->second == ModulePaths::root())
                continue;
            read.owner = owner->second;
            read.from = Provenance::Guess;
            if (!isKey)
                continue;
            parameters.key(read.key).readBy = Provenance::Guess;
            moved.emplace_back(read.key, owner->second);
        }
    }
    for (const auto& [key, owner] : moved)
        parameters.key(key).owner = owner;
}

void guessStructure(const Model& model, Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    BlockFrames frames(model, parameters, paths, nodes);
    for (const WorkSequence& sequence : workSequences(model))
        frames.place(sequence);
    giveOwners(nodes, paths, parameters);
}

} // namespace duo
