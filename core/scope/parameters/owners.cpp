// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/owners.h"

#include "core/scope/parameters/parameter_origins.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

bool hasWeights(const Node& node)
{
    static constexpr std::array<std::string_view, 12> kTypes{"Conv", "ConvTranspose", "Gemm", "MatMul", "LSTM", "GRU",
        "RNN", "BatchNormalization", "InstanceNormalization", "LayerNormalization", "PRelu", "Gather"};
    return std::find(kTypes.begin(), kTypes.end(), node.opType) != kTypes.end();
}

PathId knownOwner(const std::vector<ParameterRead>& reads)
{
    for (const ParameterRead& read : reads) {
        if (read.owner.valid() && read.from != Provenance::Guess)
            return read.owner;
    }
    return {};
}

class Owners
{
public:
    Owners(const Model& model, const CallTree& tree, std::span<const Provenance> executionFrom, Parameters& parameters)
        : m_model(model)
        , m_tree(tree)
        , m_executionFrom(executionFrom)
        , m_parameters(parameters)
    {
    }

    void infer(std::size_t n)
    {
        auto& reads = m_parameters.reads[n];
        if (std::all_of(reads.begin(), reads.end(), [](const auto& read) { return read.owner.valid(); }))
            return;
        PathId owner = knownOwner(reads);
        Provenance from = Provenance::Dataflow;
        if (!owner.valid())
            owner = ownerOfBias(n);
        if (!owner.valid() && hasWeights(m_model.nodes[n]) && m_executionFrom[n] <= Provenance::Name) {
            owner = m_tree.calls[m_tree.callOf[n].index].module;
            from = Provenance::Guess;
        }
        give(reads, owner, from);
    }

    /// An Identity alias of a parameter without a name owns it where its first reader does.
    void inferAlias(std::size_t n)
    {
        const Node& node = m_model.nodes[n];
        if (m_parameters.reads[n].empty() || !isIdentityAlias(m_model, node))
            return;
        const auto& uses = m_model.value(node.outputs[0]).uses;
        if (uses.empty())
            return;
        for (const ParameterRead& read : m_parameters.reads[uses.front().node.index]) {
            if (read.tensor == m_parameters.reads[n].front().tensor)
                give(m_parameters.reads[n], read.owner, read.from);
        }
    }

private:
    static void give(std::vector<ParameterRead>& reads, PathId owner, Provenance from)
    {
        for (ParameterRead& read : reads) {
            if (read.owner.valid() || !owner.valid())
                continue;
            read.owner = owner;
            read.from = from;
        }
    }

    /// MatMul -> Add(bias): the exporter transposed and renamed the weight, but the bias kept its key.
    PathId ownerOfBias(std::size_t n) const
    {
        const Node& node = m_model.nodes[n];
        if (node.opType != "MatMul" || node.outputs.size() != 1 || !node.outputs[0].valid())
            return {};
        const auto& uses = m_model.value(node.outputs[0]).uses;
        if (uses.size() != 1 || m_model.node(uses[0].node).opType != "Add"
            || m_tree.callOf[uses[0].node.index] != m_tree.callOf[n])
            return {};
        return knownOwner(m_parameters.reads[uses[0].node.index]);
    }

    const Model& m_model;
    const CallTree& m_tree;
    std::span<const Provenance> m_executionFrom;
    Parameters& m_parameters;
};

} // namespace

void inferOwners(
    const Model& model, const CallTree& tree, std::span<const Provenance> executionFrom, Parameters& parameters)
{
    Owners owners(model, tree, executionFrom, parameters);
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        owners.infer(n);
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        owners.inferAlias(n);
}

} // namespace duo
