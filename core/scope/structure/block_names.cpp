// SPDX-License-Identifier: Apache-2.0
#include "core/scope/structure/block_names.h"

#include "core/scope/structure/work_label.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kMostWords = 4;
constexpr std::size_t kLongestWord = 24; // bytes

using Words = std::vector<std::string>;

/// What only moves or retypes data says nothing about a block.
bool isPlumbing(std::string_view opType)
{
    static constexpr std::array<std::string_view, 14> kTypes{"Reshape", "Transpose", "Identity", "Cast", "CastLike",
        "Squeeze", "Unsqueeze", "Flatten", "Slice", "Dropout", "Expand", "QuantizeLinear", "DequantizeLinear",
        "DynamicQuantizeLinear"};
    return std::find(kTypes.begin(), kTypes.end(), opType) != kTypes.end();
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
        if (isPlumbing(node.opType))
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
        const std::string& type = model.node(sequence.nodes[at].id).opType;
        hasSoftmax = hasSoftmax || type == "Softmax";
        products += type == "MatMul" && !sequence.nodes[at].kind.isHeavy ? 1 : 0;
        if (type == "Attention" || type == "MultiHeadAttention")
            return true;
    }
    return hasSoftmax && products == 2;
}

} // namespace

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

} // namespace duo
