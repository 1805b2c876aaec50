// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/profiles/profile_points.h"

#include <algorithm>
#include <unordered_map>

namespace duo {
namespace {

constexpr OpRoles kProducer = role::kPlainConv | role::kMatMul;

class OperandPoints
{
public:
    OperandPoints(DraftSetup& draft, const Model& model, const OpGraph& graph, bool likeNncf)
        : m_draft(draft)
        , m_model(model)
        , m_graph(graph)
        , m_likeNncf(likeNncf)
    {
        for (DraftIndex i = 0; i < draft.count(); ++i) {
            for (const NodeId reader : draft.at(i).isWeight ? draft.at(i).sinks : std::vector<NodeId>{})
                m_weightOf[reader] = i;
        }
    }

    void drop()
    {
        for (OpIndex op = 0; op < m_graph.ops.size(); ++op) {
            if (m_graph.isInference(op) && (m_graph.ops[op].traits.roles & role::kAdd) != 0)
                dropAt(op);
        }
    }

private:
    void dropAt(OpIndex add)
    {
        const auto operands = neighbours(m_graph.ops[add].in, true);
        if (operands.size() != 2)
            return;
        OpIndex first = operands[0];
        OpIndex second = operands[1];
        if (readers(second) > readers(first))
            std::swap(first, second);
        const DraftIndex firstPoint = pointOf(first, add);
        const DraftIndex secondPoint = pointOf(second, add);
        if (firstPoint == kNoIndex || secondPoint == kNoIndex)
            return;
        if (readers(first) > 1 && readers(second) == 1)
            remove(secondPoint, second);
        else if (followsProducer(first) && followsProducer(second))
            elements(first) >= elements(second) ? remove(firstPoint, first) : remove(secondPoint, second);
    }

    /// A weight that others read too stays for them.
    void remove(DraftIndex point, OpIndex operand)
    {
        auto& sinks = m_draft.at(point).sinks;
        if (m_draft.at(point).isWeight && sinks.size() > 1 && m_graph.ops[operand].kind == OpKind::Node) {
            std::erase(sinks, m_graph.ops[operand].node);
            if (m_draft.at(point).node == m_graph.ops[operand].node)
                moveToFirstReader(point);
        } else if (!m_draft.at(point).isGone)
            m_draft.remove(point);
    }

    void moveToFirstReader(DraftIndex weight)
    {
        const DraftPoint& point = m_draft.at(weight);
        const ValueId value = m_model.node(point.node).inputs[*point.port];
        const auto& inputs = m_model.node(point.sinks.front()).inputs;
        const auto port = std::find(inputs.begin(), inputs.end(), value) - inputs.begin();
        m_draft.moveWeight(weight, point.sinks.front(), static_cast<std::uint32_t>(port));
    }

    /// Distinct producers or readers, in the order of the file, inputs of the model last.
    [[nodiscard]] std::vector<OpIndex> neighbours(const std::vector<EdgeIndex>& edges, bool isProducer) const
    {
        std::vector<OpIndex> ops;
        for (const EdgeIndex e : edges)
            ops.push_back(isProducer ? m_graph.edges[e].from : m_graph.edges[e].to);
        const auto key = [this](OpIndex op) {
            return std::pair(m_graph.ops[op].kind != OpKind::Node, m_graph.ops[op].node.index);
        };
        std::sort(
            ops.begin(), ops.end(), [&](OpIndex a, OpIndex b) { return std::pair(key(a), a) < std::pair(key(b), b); });
        ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
        return ops;
    }

    [[nodiscard]] std::size_t readers(OpIndex op) const { return neighbours(m_graph.ops[op].out, false).size(); }

    [[nodiscard]] DraftIndex pointOf(OpIndex producer, OpIndex add) const
    {
        const Op& op = m_graph.ops[producer];
        if (op.kind != OpKind::Node)
            return m_draft.modelInputPoint(op.value);
        if (m_likeNncf)
            return lastPointOf(op.node);
        const DraftIndex behind = m_draft.outputPoint(op.node);
        if (behind != kNoIndex)
            return behind;
        for (const EdgeIndex e : m_graph.ops[add].in) {
            if (m_graph.edges[e].from == producer)
                return m_draft.inputPoint(m_graph.ops[add].node, m_graph.edges[e].port);
        }
        return kNoIndex;
    }

    /// The point NNCF finds by the name of a node: its weights come after activations.
    [[nodiscard]] DraftIndex lastPointOf(NodeId node) const
    {
        const auto ports = static_cast<std::uint32_t>(m_model.node(node).inputs.size());
        const auto weight = m_weightOf.find(node);
        DraftIndex found = weight != m_weightOf.end() ? weight->second : m_draft.outputPoint(node);
        for (std::uint32_t port = 0; port < ports && found == kNoIndex; ++port)
            found = m_draft.inputPoint(node, port);
        return found;
    }

    /// A chain of operators with one operand each leads up to a convolution or product.
    [[nodiscard]] bool followsProducer(OpIndex op) const
    {
        for (;;) {
            const auto operands = neighbours(m_graph.ops[op].in, true);
            if (operands.size() != 1)
                return false;
            op = operands.front();
            if ((m_graph.ops[op].traits.roles & kProducer) != 0)
                return true;
        }
    }

    /// Of its first result; unknown dimensions count as NNCF counts them.
    [[nodiscard]] std::int64_t elements(OpIndex op) const
    {
        const Op& producer = m_graph.ops[op];
        const ValueId value
            = producer.kind == OpKind::Node ? m_model.node(producer.node).outputs.front() : producer.value;
        std::uint64_t count = 1;
        if (value.valid() && m_model.value(value).type.shape) {
            for (const Dim& dim : *m_model.value(value).type.shape)
                count *= static_cast<std::uint64_t>(dim.size.value_or(-1));
        }
        return static_cast<std::int64_t>(count);
    }

    DraftSetup& m_draft;
    const Model& m_model;
    const OpGraph& m_graph;
    bool m_likeNncf;
    std::unordered_map<NodeId, DraftIndex> m_weightOf; // by every reader
};

} // namespace

void dropOperandPoints(DraftSetup& draft, const Model& model, const OpGraph& graph, bool likeNncf)
{
    OperandPoints(draft, model, graph, likeNncf).drop();
}

} // namespace duo
