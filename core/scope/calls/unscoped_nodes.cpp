// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/unscoped_nodes.h"

#include "core/model/value_address.h"
#include "core/scope/facts/canonical_order.h"

#include <algorithm>
#include <array>

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

/// Work that exporters put between the program's own: shapes, layouts, types.
bool isPlumbing(const Node& node)
{
    static constexpr std::array<std::string_view, 17> kTypes{"Cast", "CastLike", "Concat", "Constant",
        "ConstantOfShape", "Expand", "Flatten", "Gather", "Identity", "Range", "Reshape", "Shape", "Slice", "Split",
        "Squeeze", "Transpose", "Unsqueeze"};
    return std::find(kTypes.begin(), kTypes.end(), node.opType) != kTypes.end();
}

/// All that the node reads from and is read by, as far as the file says where it runs, runs in the call the node was
/// given; and what does so is no work that a module of its own may have done.
bool isAgreedOn(const Model& model, const std::vector<FramedNode>& nodes, const std::vector<bool>& wasPlaced,
    const CallTree& tree, std::size_t n)
{
    const Side side = sideOf(model.nodes[n]);
    bool isAgreed = isPlumbing(model.nodes[n]);
    bool isAsked = false;
    const auto ask = [&](NodeId other) {
        if (!wasPlaced[other.index] || isConstantNode(model.node(other)))
            return;
        isAsked = true;
        isAgreed
            = isAgreed && nodes[other.index].from <= Provenance::Name && tree.callOf[other.index] == tree.callOf[n];
    };
    for (const ValueId input : model.nodes[n].inputs) {
        if (side != Side::OfReader && input.valid() && model.value(input).producer.valid())
            ask(model.value(input).producer);
    }
    for (const ValueId output : model.nodes[n].outputs) {
        if (side == Side::OfProducer || !output.valid())
            continue;
        for (const Use& use : model.value(output).uses)
            ask(use.node);
    }
    return isAgreed && isAsked;
}

} // namespace

std::vector<Provenance> placeUnscopedNodes(const Model& model, const std::vector<FramedNode>& nodes, CallTree& tree)
{
    std::vector<bool> wasPlaced(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n)
        wasPlaced[n] = tree.callOf[n].valid();
    Placer(model, tree).place();
    std::vector<Provenance> from(nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (wasPlaced[n])
            from[n] = nodes[n].from;
        else
            from[n] = tree.callOf[n].valid() && isAgreedOn(model, nodes, wasPlaced, tree, n) ? Provenance::Dataflow
                                                                                             : Provenance::Guess;
        if (!tree.callOf[n].valid())
            tree.callOf[n] = CallId(0);
    }
    return from;
}

} // namespace duo
