// SPDX-License-Identifier: Apache-2.0
#include "core/transform/body_shapes.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kLoopPorts = 2; // count and condition, in front of what is carried
constexpr std::int64_t kScanWithoutBatch = 9; // opset: Scan's form before is another one
constexpr int kMostCorrections = 6; // each visits all nodes; loops behind one another may need one each

std::size_t asCount(std::int64_t number)
{
    return number < 0 ? 0 : static_cast<std::size_t>(number);
}

} // namespace

BodyShapes::BodyShapes(const Model& model, ShapeRules& rules, std::vector<Shape>& shapes)
    : m_model(model)
    , m_rules(rules)
    , m_shapes(shapes)
{
    for (std::size_t r = 1; r < model.regions.size(); ++r) {
        const NodeId owner = model.regions[r].owner;
        if (owner.valid() && !model.node(owner).isCall)
            m_bodies[owner.index].emplace_back(r);
    }
    if (m_bodies.empty())
        return;
    std::map<std::uint32_t, NodeId> last; // by owner
    for (const NodeId node : model.order) {
        NodeId around = node;
        if (m_bodies.contains(node.index))
            last[node.index] = node; // of an empty body
        while ((around = model.region(model.node(around).region).owner).valid())
            last[around.index] = node;
    }
    for (const auto& [owner, node] : last) {
        if (m_bodies.contains(owner))
            m_ending[node.index].emplace_back(owner);
    }
    for (auto& [node, owners] : m_ending)
        std::ranges::reverse(owners); // an inner one has a higher index
}

const std::vector<NodeId>& BodyShapes::endingWith(NodeId node) const
{
    static const std::vector<NodeId> kNone;
    const auto found = m_ending.find(node.index);
    return found == m_ending.end() ? kNone : found->second;
}

BodyShapes::Shape BodyShapes::shapeOf(ValueId value) const
{
    return value.valid() ? m_shapes[value.index] : std::nullopt;
}

void BodyShapes::set(ValueId value, Shape shape)
{
    if (value.valid() && shape)
        m_shapes[value.index] = std::move(shape);
}

/// Nothing where ports and bodies do not fit.
std::optional<BodyShapes::Repeated> BodyShapes::repeated(NodeId id) const
{
    const Node& owner = m_model.node(id);
    const auto bodies = m_bodies.find(id.index);
    if (bodies == m_bodies.end() || bodies->second.size() != 1 || !owner.domain.empty())
        return std::nullopt;
    Repeated result;
    result.body = &m_model.region(bodies->second.front());
    const std::size_t inputs = owner.inputs.size();
    if (result.body->inputs.size() != inputs)
        return std::nullopt;
    if (owner.opType == "Loop" && inputs >= kLoopPorts) {
        result.carriedAt = kLoopPorts;
        result.carriedOut = 1;
        result.carried = inputs - kLoopPorts;
    } else if (owner.opType == "Scan" && m_model.opset() >= kScanWithoutBatch) {
        const std::size_t scanned = asCount(owner.intAttribute("num_scan_inputs", 0));
        if (scanned == 0 || scanned > inputs)
            return std::nullopt;
        result.carried = inputs - scanned;
    } else {
        return std::nullopt;
    }
    if (result.body->outputs.size() < result.carriedOut + result.carried)
        return std::nullopt;
    return result;
}

std::vector<BodyShapes::Carried> BodyShapes::carriedBy(const Node& owner, const Repeated& loop)
{
    std::vector<Carried> all;
    for (std::size_t i = 0; i < loop.carried; ++i)
        all.push_back({owner.inputs[loop.carriedAt + i], loop.body->inputs[loop.carriedAt + i],
            loop.body->outputs[loop.carriedOut + i]});
    return all;
}

void BodyShapes::enter(NodeId owner)
{
    const auto loop = repeated(owner);
    if (!loop)
        return;
    const Node& node = m_model.node(owner);
    for (const Carried& carried : carriedBy(node, *loop))
        set(carried.before, keptOf(carried.first, carried.before));
    if (node.opType == "Loop")
        enterLoop(*loop);
    else
        enterScan(node, *loop);
}

BodyShapes::Shape BodyShapes::keptOf(ValueId first, ValueId before)
{
    Shape shape = shapeOf(first);
    const auto givenUp = m_givenUp.find(before.index);
    if (!shape || givenUp == m_givenUp.end())
        return shape;
    if (!givenUp->second || givenUp->second->size() != shape->size())
        return std::nullopt;
    for (std::size_t axis = 0; axis < shape->size(); ++axis) {
        if ((*givenUp->second)[axis])
            (*shape)[axis] = m_rules.fresh();
    }
    return shape;
}

/// The number of the run and the condition: the runtime makes lists of one of them where the body declares these.
void BodyShapes::enterLoop(const Repeated& loop)
{
    for (std::size_t i = 0; i < kLoopPorts; ++i) {
        const ValueId input = loop.body->inputs[i];
        if (!input.valid())
            continue;
        const auto& declared = m_model.value(input).type.shape;
        if (!declared || declared->empty())
            set(input, Extents());
        else if (declared->size() == 1)
            set(input, Extents{known(1)});
    }
}

/// Slices of the others.
void BodyShapes::enterScan(const Node& owner, const Repeated& scan)
{
    const Attribute* attribute = owner.attribute("scan_input_axes");
    const auto* axes = attribute != nullptr ? std::get_if<std::vector<std::int64_t>>(&attribute->value) : nullptr;
    for (std::size_t i = scan.carried; i < owner.inputs.size(); ++i) {
        Shape shape = shapeOf(owner.inputs[i]);
        const std::size_t at = i - scan.carried;
        const std::int64_t axis = axes != nullptr && at < axes->size() ? (*axes)[at] : 0;
        const auto place = shape ? axisOf(axis, shape->size()) : std::nullopt;
        if (!place)
            continue;
        shape->erase(shape->begin() + static_cast<std::ptrdiff_t>(*place));
        set(scan.body->inputs[i], std::move(shape));
    }
}

void BodyShapes::leave(NodeId owner)
{
    const Node& node = m_model.node(owner);
    if (const auto loop = repeated(owner))
        leaveRepeated(node, *loop);
    else if (node.opType == "If" && node.domain.empty())
        leaveBranches(owner);
}

/// What both branches give; sizes that they give differently are not known.
void BodyShapes::leaveBranches(NodeId id)
{
    const Node& owner = m_model.node(id);
    const auto bodies = m_bodies.find(id.index);
    constexpr std::size_t kBranches = 2;
    if (bodies == m_bodies.end() || bodies->second.size() != kBranches)
        return;
    const Region& one = m_model.region(bodies->second[0]);
    const Region& other = m_model.region(bodies->second[1]);
    const std::size_t outputs = std::min({owner.outputs.size(), one.outputs.size(), other.outputs.size()});
    for (std::size_t i = 0; i < outputs; ++i) {
        Shape shape = shapeOf(one.outputs[i]);
        const Shape second = shapeOf(other.outputs[i]);
        if (!shape || !second || shape->size() != second->size())
            continue;
        for (std::size_t axis = 0; axis < shape->size(); ++axis) {
            if ((*shape)[axis] != (*second)[axis])
                (*shape)[axis] = m_rules.fresh();
        }
        set(owner.outputs[i], std::move(shape));
    }
}

BodyShapes::Shape BodyShapes::anew(const Extents& extents)
{
    Extents result;
    for (const Extent& extent : extents)
        result.push_back(extent.isKnown() ? extent : m_rules.fresh());
    return result;
}

/// What is carried, and of each run a slice of the others.
void BodyShapes::leaveRepeated(const Node& owner, const Repeated& loop)
{
    const std::size_t outputs = std::min(owner.outputs.size(), loop.body->outputs.size() - loop.carriedOut);
    const auto all = carriedBy(owner, loop);
    for (std::size_t i = 0; i < std::min(outputs, loop.carried); ++i)
        set(owner.outputs[i], keptOf(all[i].first, all[i].before));
    const bool isScan = owner.opType == "Scan";
    if (isScan && owner.attribute("scan_output_axes") != nullptr)
        return;
    for (std::size_t i = loop.carried; i < outputs; ++i) {
        const Shape slice = shapeOf(loop.body->outputs[loop.carriedOut + i]);
        if (!slice)
            continue;
        Shape whole = anew(*slice);
        whole->insert(whole->begin(), m_rules.fresh());
        set(owner.outputs[i], std::move(whole));
    }
}

bool BodyShapes::correct()
{
    bool isAny = false;
    const bool isLast = ++m_corrections > kMostCorrections;
    for (const auto& [owner, bodies] : m_bodies) {
        const auto loop = repeated(NodeId(owner));
        for (const Carried& carried : loop ? carriedBy(m_model.nodes[owner], *loop) : std::vector<Carried>()) {
            const Shape before = shapeOf(carried.before);
            if (!before)
                continue;
            const Shape after = shapeOf(carried.after);
            auto& givenUp
                = m_givenUp.try_emplace(carried.before.index, std::vector<bool>(before->size())).first->second;
            if (isLast || !after || after->size() != before->size()) {
                givenUp.reset();
                isAny = true;
                continue;
            }
            for (std::size_t axis = 0; axis < before->size(); ++axis) {
                const bool isKept = (*before)[axis] == (*after)[axis] || (*givenUp)[axis];
                isAny = isAny || !isKept;
                (*givenUp)[axis] = (*givenUp)[axis] || !isKept;
            }
        }
    }
    return isAny;
}

} // namespace duo
