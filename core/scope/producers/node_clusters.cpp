// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/node_clusters.h"

namespace duo {
namespace {

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
                for (const Use& use : m_model.value(output).uses) {
                    if (!m_isMember(use.node))
                        cluster.readers.push_back(use.node);
                    meet(use.node, cluster);
                }
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
            cluster.readsWeight = cluster.readsWeight || (isFloating(constant->type) && constant->dims.size() > 1);
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

} // namespace duo
