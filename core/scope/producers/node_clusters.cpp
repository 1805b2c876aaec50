// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/node_clusters.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

bool isWeight(const Tensor& tensor)
{
    return isFloating(tensor.type) && tensor.dims.size() > 1;
}

class Walk
{
public:
    Walk(const Model& model, const std::function<bool(NodeId)>& isMember)
        : m_model(model)
        , m_isMember(isMember)
        , m_wasSeen(model.nodes.size(), false)
    {
    }

    bool wasSeen(NodeId id) const { return m_wasSeen[id.index]; }

    NodeCluster from(NodeId start)
    {
        NodeCluster cluster;
        m_wasSeen[start.index] = true;
        m_open = {start};
        while (!m_open.empty()) {
            const NodeId id = m_open.back();
            m_open.pop_back();
            cluster.nodes.push_back(id);
            for (const ValueId input : m_model.node(id).inputs)
                lookAtInput(input, cluster);
            for (const ValueId output : m_model.node(id).outputs) {
                if (!output.valid())
                    continue;
                for (const Use& use : m_model.value(output).uses)
                    meet(use.node, cluster);
            }
        }
        return cluster;
    }

private:
    void lookAtInput(ValueId input, NodeCluster& cluster)
    {
        if (!input.valid())
            return;
        const Tensor* constant = m_model.constant(input);
        if (constant != nullptr)
            cluster.readsWeight = cluster.readsWeight || isWeight(*constant);
        else if (m_model.value(input).producer.valid())
            meet(m_model.value(input).producer, cluster);
    }

    void meet(NodeId id, NodeCluster& cluster)
    {
        if (!m_isMember(id))
            cluster.beside.push_back(id);
        else if (!m_wasSeen[id.index]) {
            m_wasSeen[id.index] = true;
            m_open.push_back(id);
        }
    }

    const Model& m_model;
    const std::function<bool(NodeId)>& m_isMember;
    std::vector<bool> m_wasSeen;
    std::vector<NodeId> m_open;
};

/// Which scope the results of nodes go to; invalid: several, none, or one that is not told.
class Destinations
{
public:
    Destinations(const Model& model, const NodeCluster& cluster, const std::function<SpellingId(NodeId)>& scopeOf)
        : m_model(model)
        , m_scopeOf(scopeOf)
    {
        for (const NodeId id : cluster.nodes)
            m_of[id.index] = SpellingId{};
    }

    bool isInside(NodeId id) const { return m_of.contains(id.index); }

    /// Readers inside the cluster must have been settled before.
    SpellingId settle(NodeId id)
    {
        SpellingId common;
        for (const ValueId output : m_model.node(id).outputs) {
            if (!output.valid())
                continue;
            if (m_model.value(output).isOutput)
                return {};
            for (const Use& use : m_model.value(output).uses) {
                const auto inside = m_of.find(use.node.index);
                const SpellingId scope = inside != m_of.end() ? inside->second : m_scopeOf(use.node);
                if (!scope.valid() || (common.valid() && common != scope))
                    return {};
                common = scope;
            }
        }
        m_of[id.index] = common;
        return common;
    }

private:
    const Model& m_model;
    const std::function<SpellingId(NodeId)>& m_scopeOf;
    std::unordered_map<std::uint32_t, SpellingId> m_of; // of the nodes of the cluster
};

/// Different weights among the constants that the products of these nodes read.
std::size_t countWeights(const Model& model, const std::vector<NodeId>& nodes)
{
    std::unordered_set<const Tensor*> weights;
    for (const NodeId id : nodes) {
        if (opFacts(model.node(id)).product == Product::None)
            continue;
        for (const ValueId input : model.node(id).inputs) {
            const Tensor* constant = input.valid() ? model.constant(input) : nullptr;
            if (constant != nullptr && isWeight(*constant))
                weights.insert(constant);
        }
    }
    return weights.size();
}

} // namespace

std::vector<NodeCluster> nodeClusters(const Model& model, const std::function<bool(NodeId)>& isMember)
{
    std::vector<NodeCluster> clusters;
    Walk walk(model, isMember);
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        if (isMember(NodeId(n)) && !walk.wasSeen(NodeId(n)))
            clusters.push_back(walk.from(NodeId(n)));
    }
    return clusters;
}

std::vector<ClusterPart> partsOf(const Model& model, const NodeCluster& cluster, std::span<const std::uint32_t> rank,
    const std::function<SpellingId(NodeId)>& scopeOf)
{
    std::vector<NodeId> nodes = cluster.nodes;
    std::ranges::sort(nodes, [&](NodeId a, NodeId b) { return rank[a.index] > rank[b.index]; });
    Destinations destinations(model, cluster, scopeOf);
    std::map<SpellingId, ClusterPart> parts;
    for (const NodeId id : nodes) {
        const SpellingId scope = destinations.settle(id);
        if (!scope.valid())
            continue;
        ClusterPart& part = parts[scope];
        part.scope = scope;
        part.nodes.push_back(id);
        for (const ValueId output : model.node(id).outputs) {
            if (!output.valid())
                continue;
            for (const Use& use : model.value(output).uses) {
                if (!destinations.isInside(use.node))
                    part.readers.push_back(use.node);
            }
        }
    }
    std::vector<ClusterPart> found;
    for (auto& [scope, part] : parts) {
        part.weights = countWeights(model, part.nodes);
        found.push_back(std::move(part));
    }
    return found;
}

} // namespace duo
