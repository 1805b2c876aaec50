// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/owners.h"

#include "core/model/key_names.h"
#include "core/model/op_facts.h"
#include "core/scope/parameters/aten_operators.h"
#include "core/scope/parameters/parameter_origins.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

/// Operators that modules are made for: they have a port for weights, or look something up.
bool hasWeights(const Node& node)
{
    if (node.domain == kTorchOperators || node.opType == "Gather")
        return node.opType == "Gather";
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        if (operandOf(node, port) >= Operand::Affine)
            return true;
    }
    return false;
}

/// What a nameless parameter has beside it: the owner of one that kept its name.
struct Neighbour {
    PathId owner;
    Provenance from = Provenance::Dataflow;
};

/// What is left of linear layers once their weights lost their names: modules that own a bias and nothing else.
std::vector<bool> bareBiasOwners(const Parameters& parameters, std::size_t paths)
{
    std::vector<int> keys(paths, 0);
    std::vector<bool> ownsBias(paths, false);
    for (const Key& key : parameters.keys) {
        if (!key.tensor.valid())
            continue;
        ++keys[key.owner.index];
        ownsBias[key.owner.index] = ownsBias[key.owner.index] || keyLeaf(key.name) == "bias";
    }
    for (std::size_t p = 0; p < paths; ++p)
        ownsBias[p] = ownsBias[p] && keys[p] == 1;
    return ownsBias;
}

class Owners
{
public:
    Owners(const Model& model, const CallTree& tree, std::span<const Provenance> executionFrom, std::size_t paths,
        Parameters& parameters)
        : m_model(model)
        , m_tree(tree)
        , m_executionFrom(executionFrom)
        , m_parameters(parameters)
        , m_isBareBias(bareBiasOwners(parameters, paths))
    {
    }

    void infer(std::size_t n)
    {
        auto& reads = m_parameters.reads[n];
        if (std::all_of(reads.begin(), reads.end(), [](const auto& read) { return read.owner.valid(); }))
            return;
        Neighbour found = neighbour(reads);
        if (!found.owner.valid())
            found = neighbourBehind(n);
        if (!found.owner.valid() && hasWeights(m_model.nodes[n]) && m_executionFrom[n] <= Provenance::Name)
            found = {m_tree.calls[m_tree.callOf[n].index].module, Provenance::Guess};
        give(reads, found.owner, found.from);
    }

    /// A tensor has one owner: where its readers have different neighbours, all is a guess.
    void doubtContradictions()
    {
        std::unordered_map<TensorId, PathId> ownerOf;
        std::unordered_set<TensorId> doubtful;
        for (const auto& reads : m_parameters.reads) {
            for (const ParameterRead& read : reads) {
                const bool isInferred = read.key == kNoKey && read.tensor.valid() && read.owner.valid();
                if (isInferred && ownerOf.try_emplace(read.tensor, read.owner).first->second != read.owner)
                    doubtful.insert(read.tensor);
            }
        }
        for (auto& reads : m_parameters.reads) {
            for (ParameterRead& read : reads) {
                if (read.key == kNoKey && doubtful.contains(read.tensor))
                    read.from = Provenance::Guess;
            }
        }
    }

    /// An Identity alias of a parameter without a name owns it where its first reader does.
    void inferAlias(std::size_t n, const NodeOrder& order)
    {
        const Node& node = m_model.nodes[n];
        if (m_parameters.reads[n].empty() || !isIdentityAlias(m_model, node))
            return;
        const auto& uses = m_model.value(node.outputs[0]).uses;
        if (uses.empty())
            return;
        const auto first = std::min_element(
            uses.begin(), uses.end(), [&](const Use& a, const Use& b) { return order.isBefore(a.node, b.node); });
        for (const ParameterRead& read : m_parameters.reads[first->node.index]) {
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

    /// The owner of a parameter that kept its name; it says much only where it keeps nothing but a bias: a module with
    /// more of its own may work with the weight of another.
    Neighbour neighbour(const std::vector<ParameterRead>& reads) const
    {
        for (const ParameterRead& read : reads) {
            if (read.owner.valid() && read.from != Provenance::Guess)
                return {read.owner, m_isBareBias[read.owner.index] ? Provenance::Dataflow : Provenance::Guess};
        }
        return {};
    }

    /// MatMul -> Add(bias): the exporter transposed and renamed the weight, but the bias kept its key.
    Neighbour neighbourBehind(std::size_t n) const
    {
        const Node& node = m_model.nodes[n];
        if (node.opType != "MatMul" || node.outputs.size() != 1 || !node.outputs[0].valid())
            return {};
        const auto& uses = m_model.value(node.outputs[0]).uses;
        if (uses.size() != 1 || m_model.node(uses[0].node).opType != "Add"
            || m_tree.callOf[uses[0].node.index] != m_tree.callOf[n])
            return {};
        return neighbour(m_parameters.reads[uses[0].node.index]);
    }

    const Model& m_model;
    const CallTree& m_tree;
    std::span<const Provenance> m_executionFrom;
    Parameters& m_parameters;
    std::vector<bool> m_isBareBias; // [ModulePaths]
};

/// Nothing but a name without a module says that it is a parameter of the whole model.
bool isBareName(const Parameters& parameters, const ParameterRead& read)
{
    if (read.key == kNoKey || read.owner != ModulePaths::root() || read.from != Provenance::Name)
        return false;
    const Key& key = parameters.key(read.key);
    return !key.isRecorded && !key.isListed;
}

} // namespace

void inferOwners(const Model& model, const NodeOrder& order, const CallTree& tree,
    std::span<const Provenance> executionFrom, const ModulePaths& paths, const std::vector<bool>& isUnregistered,
    Parameters& parameters)
{
    Owners owners(model, tree, executionFrom, paths.size(), parameters);
    for (const NodeId id : order.sequence) {
        if (!isUnregistered[id.index])
            owners.infer(id.index);
    }
    owners.doubtContradictions();
    for (const NodeId id : order.sequence)
        owners.inferAlias(id.index, order);
}

void doubtBareNames(Parameters& parameters)
{
    for (auto& reads : parameters.reads) {
        for (ParameterRead& read : reads) {
            if (isBareName(parameters, read))
                read.from = Provenance::Guess;
        }
    }
}

void forgetBareNames(const CallTree& tree, std::span<const Provenance> executionFrom, Parameters& parameters)
{
    for (std::size_t n = 0; n < parameters.reads.size(); ++n) {
        const bool isInModule = tree.callOf[n] != CallId(0);
        for (ParameterRead& read : parameters.reads[n]) {
            if (!isBareName(parameters, read) || (!isInModule && executionFrom[n] <= Provenance::Name))
                continue;
            read.key = kNoKey;
            read.owner = {};
            read.isRenamed = true;
        }
    }
}

} // namespace duo
