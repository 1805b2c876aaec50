// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/unscoped_nodes.h"

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/scope/facts/canonical_order.h"

#include <algorithm>

namespace duo {
namespace {

/// Layout work that optimizers put beside an operation of theirs and name after it.
enum class Side { Unknown, OfProducer, OfReader };

Side sideOf(const Node& node)
{
    struct Row {
        std::string_view mark;
        bool isEnd; // of the name, else its beginning
        Side side;
    };
    // ONNX Runtime's ReorderInput and ReorderOutput are of no module: they may stand far from what they are named
    // after.
    static constexpr std::array<Row, 3> kRows{{{"gemm_output_reshape", false, Side::OfProducer},
        {"gemm_input_reshape", false, Side::OfReader}, {"_new_reshape", true, Side::OfProducer}}};
    for (const Row& row : kRows) {
        if (row.isEnd ? node.localName.ends_with(row.mark) : node.localName.starts_with(row.mark))
            return row.side;
    }
    return Side::Unknown;
}

class Placer
{
public:
    Placer(const Model& model, CallTree& tree)
        : m_model(model)
        , m_tree(tree)
        , m_carrier(model.nodes.size())
        , m_ownsRegion(model.nodes.size(), false)
        , m_isNamed(model.nodes.size(), false)
    {
        for (std::size_t n = 0; n < model.nodes.size(); ++n)
            m_isNamed[n] = tree.callOf[n].valid();
        for (const Region& region : model.regions) {
            if (region.owner.valid())
                m_ownsRegion[region.owner.index] = true;
        }
        for (std::size_t n = 0; n < model.nodes.size(); ++n) { // owners come before their regions' nodes
            const NodeId owner = model.region(model.nodes[n].region).owner;
            const bool goesWithOwner = owner.valid() && !tree.callOf[n].valid();
            m_carrier[n] = goesWithOwner ? m_carrier[owner.index] : NodeId(n);
        }
    }

    void place()
    {
        for (auto id = m_model.order.rbegin(); id != m_model.order.rend(); ++id) {
            if (isOpen(*id))
                m_tree.callOf[id->index] = m_ownsRegion[id->index] ? callAround(*id) : callOfReaders(*id);
        }
        for (const NodeId id : m_model.order) {
            if (isOpen(id))
                m_tree.callOf[id.index] = callOfProducers(id);
        }
        for (std::size_t n = 0; n < m_carrier.size(); ++n) {
            if (!m_tree.callOf[n].valid())
                m_tree.callOf[n] = m_tree.callOf[m_carrier[n].index];
        }
        for (std::size_t n = 0; n < m_carrier.size(); ++n) {
            if (isConstantNode(m_model.nodes[n]) && !m_isNamed[n])
                m_tree.callOf[n] = callOfReaders(NodeId(n));
        }
    }

private:
    bool isOpen(NodeId id) const
    {
        return m_carrier[id.index] == id && !m_tree.callOf[id.index].valid() && !isConstantNode(m_model.node(id));
    }

    void include(CallId& common, NodeId node) const
    {
        const CallId call = m_tree.callOf[m_carrier[node.index].index];
        if (call.valid())
            common = common.valid() ? commonCall(m_tree, common, call) : call;
    }

    CallId callOfReaders(NodeId id) const
    {
        if (sideOf(m_model.node(id)) == Side::OfProducer)
            return {};
        CallId common;
        includeReaders(common, id);
        return common;
    }

    CallId callOfProducers(NodeId id) const
    {
        CallId common;
        includeProducers(common, id);
        return common;
    }

    /// A branch or a loop is the program's own, no helper of what reads it; if nothing does, the whole model does.
    CallId callAround(NodeId id) const
    {
        CallId common;
        includeReaders(common, id);
        if (!common.valid() && isResult(id))
            return CallId(0);
        includeProducers(common, id);
        return common;
    }

    bool isResult(NodeId id) const
    {
        const auto& outputs = m_model.node(id).outputs;
        return std::any_of(outputs.begin(), outputs.end(), [&](ValueId output) {
            return output.valid() && m_model.value(output).isOutput && !isBodyOutput(m_model, output);
        });
    }

    void includeReaders(CallId& common, NodeId id) const
    {
        for (const ValueId output : m_model.node(id).outputs) {
            if (!output.valid())
                continue;
            for (const Use& use : m_model.value(output).uses)
                include(common, use.node);
        }
    }

    void includeProducers(CallId& common, NodeId id) const
    {
        for (const ValueId input : m_model.node(id).inputs) {
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (producer.valid() && !isConstantNode(m_model.node(producer)))
                include(common, producer);
        }
    }

    const Model& m_model;
    CallTree& m_tree;
    std::vector<NodeId> m_carrier; // the node itself, or the outermost unscoped owner that takes it along
    std::vector<bool> m_ownsRegion; // a branch or a loop
    std::vector<bool> m_isNamed; // the file says where it runs
};

/// Work that exporters and quantizers put between the program's own: shapes, layouts, types.
bool isPlumbing(const Node& node)
{
    return passingOf(node) == Passing::Layout || isConstantNode(node)
        || isAnyOf(node, {"Concat", "ConstantOfShape", "Gather", "Range", "Shape"});
}

/// Which of the nodes that were placed by what is around them are known to run there: plumbing, of which all that it
/// reads from and is read by, as far as the file says where it runs, runs in the call that it was given. What hangs
/// together is asked together, unless other work hangs on it, which a module of its own may have done.
class Agreement
{
public:
    Agreement(const Model& model, const std::vector<FramedNode>& nodes, const std::vector<bool>& wasPlaced,
        const CallTree& tree)
        : m_model(model)
        , m_nodes(nodes)
        , m_wasPlaced(wasPlaced)
        , m_tree(tree)
        , m_wasSeen(nodes.size(), false)
        , m_isAgreed(nodes.size(), false)
    {
    }

    /// O(nodes + uses). @return [nodes]
    std::vector<bool> find()
    {
        for (std::size_t n = 0; n < m_nodes.size(); ++n) {
            if (isAsking(NodeId(n)) && !m_wasSeen[n])
                ask(NodeId(n));
        }
        return std::move(m_isAgreed);
    }

private:
    /// What is around some nodes: the one call of all that is told.
    struct Around {
        CallId call;
        bool isOne = true;
    };

    bool isAsking(NodeId id) const
    {
        return !m_wasPlaced[id.index] && m_tree.callOf[id.index].valid() && isPlumbing(m_model.node(id))
            && !isConstantNode(m_model.node(id)) && !m_nodes[id.index].mayBeModule;
    }

    /// An optimizer's layout work has no say on the side that it was not put on: neither asks the other.
    bool isApart(NodeId other, Side side) const
    {
        return isConstantNode(m_model.node(other))
            || (!m_wasPlaced[other.index] && sideOf(m_model.node(other)) == side);
    }

    template <typename Visit> void forNeighbours(NodeId id, Visit visit) const
    {
        const Side side = sideOf(m_model.node(id));
        for (const ValueId input : m_model.node(id).inputs) {
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (side != Side::OfReader && producer.valid() && !isApart(producer, Side::OfProducer))
                visit(producer);
        }
        for (const ValueId output : m_model.node(id).outputs) {
            if (side == Side::OfProducer || !output.valid())
                continue;
            for (const Use& use : m_model.value(output).uses) {
                if (!isApart(use.node, Side::OfReader))
                    visit(use.node);
            }
        }
    }

    void include(Around& around, NodeId told) const
    {
        const CallId call = m_tree.callOf[told.index];
        around.isOne = around.isOne && m_nodes[told.index].from <= Provenance::Name
            && (!around.call.valid() || around.call == call);
        around.call = call;
    }

    void ask(NodeId start)
    {
        std::vector<NodeId> together{start};
        Around around;
        m_wasSeen[start.index] = true;
        for (std::size_t i = 0; i < together.size(); ++i) {
            forNeighbours(together[i], [&](NodeId other) {
                if (m_wasPlaced[other.index]) {
                    include(around, other);
                } else if (!isAsking(other)) {
                    around.isOne = false;
                } else if (!m_wasSeen[other.index]) {
                    m_wasSeen[other.index] = true;
                    together.push_back(other);
                }
            });
        }
        for (const NodeId id : together)
            m_isAgreed[id.index] = around.isOne && around.call.valid() && around.call == m_tree.callOf[id.index];
    }

    const Model& m_model;
    const std::vector<FramedNode>& m_nodes;
    const std::vector<bool>& m_wasPlaced;
    const CallTree& m_tree;
    std::vector<bool> m_wasSeen;
    std::vector<bool> m_isAgreed;
};

} // namespace

std::vector<Provenance> placeUnscopedNodes(const Model& model, const std::vector<FramedNode>& nodes, CallTree& tree)
{
    std::vector<bool> wasPlaced(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n)
        wasPlaced[n] = tree.callOf[n].valid();
    Placer(model, tree).place();
    const std::vector<bool> isAgreed = Agreement(model, nodes, wasPlaced, tree).find();
    std::vector<Provenance> from(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (wasPlaced[n])
            from[n] = nodes[n].from;
        else
            from[n] = isAgreed[n] ? Provenance::Dataflow : Provenance::Guess;
        if (!tree.callOf[n].valid())
            tree.callOf[n] = CallId(0);
    }
    return from;
}

} // namespace duo
