// SPDX-License-Identifier: Apache-2.0
#include "core/content/witnesses.h"

#include "core/model/key_names.h"
#include "core/model/op_facts.h"
#include "core/support/phrases.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::size_t kMostAligned = 64; // equal keys compared with a path; with more of them a tail says nothing
constexpr int kMostPassed = 3; // nodes that only change layout, between a product and its sum

bool multiplies(const Node& node)
{
    return isFloatProduct(node) || node.opType == "Mul" || node.opType == "Div";
}

bool isSum(const Node& node)
{
    constexpr std::array<std::string_view, 4> kTypes{"Add", "Sub", "Mul", "BiasGelu"};
    return std::ranges::find(kTypes, node.opType) != kTypes.end();
}

/// Whether a key with this leaf is what operators read at this port: weights at 1, biases at 2.
bool fitsPort(std::string_view leaf, const Node& reader, std::uint32_t port)
{
    constexpr std::array<std::string_view, 5> kOfBatchNorm{"", "weight", "bias", "running_mean", "running_var"};
    if (reader.opType == "BatchNormalization" && port < kOfBatchNorm.size())
        return leaf == kOfBatchNorm[port];
    const bool isBias = leaf.find("bias") != std::string_view::npos;
    if (reader.opType == "Add" || reader.opType == "Sub")
        return isBias;
    return isBias == (port == 2);
}

/// "layer.0.lin" is the tail of "encoder.layer.0.lin".
bool endsWithPath(std::string_view path, std::string_view tail)
{
    return !tail.empty() && path.size() > tail.size() && path.ends_with(tail)
        && path[path.size() - tail.size() - 1] == '.';
}

} // namespace

Witnesses::Witnesses(const ContentSearch& search, const ContentPriors& priors)
    : m_search(search)
    , m_priors(priors)
{
}

bool Witnesses::isIn(std::uint32_t key, std::uint32_t set) const
{
    return m_search.stored.setOf(key) == set;
}

/// The only one of the keys; of several the only one that fits the port.
std::optional<std::uint32_t> Witnesses::only(
    std::vector<std::uint32_t> keys, const TensorUse& use, std::string_view leaf) const
{
    sortUniqueInPlace(keys);
    if (keys.size() > 1) {
        const Node& reader = m_search.model.node(use.reader);
        std::erase_if(keys, [&](std::uint32_t key) {
            const std::string_view own = m_search.names.leaf(key);
            return leaf.empty() ? !fitsPort(own, reader, use.port) : own != leaf;
        });
    }
    if (keys.size() != 1)
        return std::nullopt;
    return keys.front();
}

std::optional<std::uint32_t> Witnesses::onlyKeyOf(
    std::string_view module, const TensorUse& use, std::uint32_t set, std::string_view leaf) const
{
    std::vector<std::uint32_t> keys;
    for (const std::uint32_t key : m_search.names.keysOf(module)) {
        if (isIn(key, set))
            keys.push_back(firstOf(key));
    }
    return only(std::move(keys), use, leaf);
}

std::optional<WitnessedKey> Witnesses::byRecord(const TensorUse& use, std::uint32_t set, std::string_view leaf) const
{
    if (use.reader.index >= m_priors.keys.size())
        return std::nullopt;
    std::vector<std::uint32_t> keys;
    for (const std::string& name : m_priors.keys[use.reader.index]) {
        const auto key = m_search.names.find(name);
        if (key && isIn(*key, set))
            keys.push_back(firstOf(*key));
    }
    const auto key = only(std::move(keys), use, leaf);
    if (!key)
        return std::nullopt;
    return WitnessedKey{*key, Certainty::Witnessed,
        "the exporter recorded that " + inQuotes(m_search.model.node(use.reader).name) + " reads it"};
}

std::optional<WitnessedKey> Witnesses::byName(const ReadTensor& read, const TensorUse& use, std::uint32_t set) const
{
    const std::string_view name = nameBeforeTools(m_search.model.value(use.named).name);
    const auto key = m_search.names.find(name);
    if (!key || !isIn(*key, set))
        return std::nullopt;
    // A tensor with several readers may stand for several equal ones that a tool merged without saying so.
    const bool isOwnName = use.named != read.value;
    const bool isAlone = read.uses.front().reader == read.uses.back().reader;
    const bool isSure = isOwnName || isAlone || m_search.stored.owners(set).size() == 1;
    return WitnessedKey{
        firstOf(*key), isSure ? Certainty::Witnessed : Certainty::Guess, "the file names it " + inQuotes(name)};
}

std::optional<WitnessedKey> Witnesses::byModule(const TensorUse& use, std::uint32_t set, std::string_view leaf) const
{
    if (use.reader.index >= m_priors.modules.size() || !m_priors.modules[use.reader.index])
        return std::nullopt;
    const std::string& module = *m_priors.modules[use.reader.index];
    auto key = onlyKeyOf(module, use, set, leaf);
    if (!key && m_search.stored.owners(set).size() <= kMostAligned) {
        std::vector<std::uint32_t> aligned;
        for (const std::uint32_t owner : m_search.stored.owners(set)) {
            if (endsWithPath(m_search.names.module(owner), module))
                aligned.push_back(owner);
        }
        key = only(std::move(aligned), use, leaf);
    }
    if (!key)
        return std::nullopt;
    return WitnessedKey{*key, Certainty::Witnessed,
        module.empty() ? "it is read outside of all modules" : "the module that runs there is " + inQuotes(module)};
}

std::optional<WitnessedKey> Witnesses::direct(
    const ReadTensor& read, const TensorUse& use, std::uint32_t set, std::string_view leaf) const
{
    if (auto recorded = byRecord(use, set, leaf))
        return recorded;
    const auto named = byName(read, use, set);
    if (named && named->certainty == Certainty::Witnessed)
        return named;
    if (auto inModule = byModule(use, set, leaf))
        return inModule;
    return named;
}

/// Nodes whose other constants tell of the same module: itself, and the other half of a product and a sum.
std::vector<NodeId> Witnesses::neighbours(NodeId id) const
{
    const Model& model = m_search.model;
    const Node& node = model.node(id);
    std::vector<NodeId> result{id};
    if (isSum(node)) {
        for (const ValueId input : node.inputs) {
            NodeId from = input.valid() ? model.value(input).producer : NodeId{};
            for (int i = 0; i < kMostPassed && from.valid() && passesTensor(model.node(from), 0)
                 && !multiplies(model.node(from)) && !isSum(model.node(from));
                 ++i) {
                const auto& inputs = model.node(from).inputs;
                from = !inputs.empty() && inputs[0].valid() ? model.value(inputs[0]).producer : NodeId{};
            }
            if (from.valid() && multiplies(model.node(from)))
                result.push_back(from);
        }
    }
    if (multiplies(node)) {
        for (const ValueId output : node.outputs) {
            if (!output.valid() || model.value(output).uses.size() != 1)
                continue;
            if (const NodeId to = model.value(output).uses.front().node; isSum(model.node(to)))
                result.push_back(to);
        }
    }
    return result;
}

std::optional<WitnessedKey> Witnesses::byNeighbours(
    const TensorUse& use, std::uint32_t set, std::string_view leaf) const
{
    for (const NodeId neighbour : neighbours(use.reader)) {
        const auto decided = m_decided.find(neighbour.index);
        if (decided == m_decided.end())
            continue;
        for (const std::uint32_t known : decided->second) {
            const auto key = onlyKeyOf(m_search.names.module(known), use, set, leaf);
            if (key && *key != known)
                return WitnessedKey{*key, Certainty::Witnessed,
                    inQuotes(m_search.model.node(neighbour).name) + " reads " + inQuotes(m_search.names.name(known))};
        }
    }
    return std::nullopt;
}

void Witnesses::addDecided(NodeId reader, std::uint32_t key)
{
    auto& keys = m_decided[reader.index];
    if (std::ranges::find(keys, key) == keys.end())
        keys.push_back(key);
}

} // namespace duo
