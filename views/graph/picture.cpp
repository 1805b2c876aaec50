// SPDX-License-Identifier: Apache-2.0
#include "views/graph/picture.h"

#include "core/model/value_address.h"
#include "core/support/sorted.h"
#include "views/style/line_distance.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace duo::ui {
namespace {

std::vector<NodeId> nodesInside(const Containment& containment, const std::string& key)
{
    const auto found = std::find_if(containment.containers.begin(), containment.containers.end(),
        [&](const Container& container) { return container.key == key; });
    std::vector<NodeId> nodes;
    std::vector<const Container*> pending;
    if (found != containment.containers.end())
        pending.push_back(&*found);
    while (!pending.empty()) {
        const Container* container = pending.back();
        pending.pop_back();
        for (const ContainedItem& item : container->items) {
            if (item.kind == ContainedItem::Kind::Node)
                nodes.emplace_back(item.index);
            else if (item.kind == ContainedItem::Kind::Container)
                pending.push_back(&containment.containers[item.index]);
        }
    }
    return nodes;
}

} // namespace

DrawnGraph Picture::drawn() const
{
    return drawnGraph(form, *snapshot->model, *snapshot->scopes, snapshot->placement.get(), run.get());
}

bool Picture::isGone(const ViewBox& box) const
{
    return isOpened() && box.kind == ViewBox::Kind::Node && run->origins[box.node.index].empty()
        && !run->kernels->node(box.node).isCall;
}

QRectF Picture::frame(int box) const
{
    const auto& frame = layout.frames[static_cast<std::size_t>(box)];
    return {frame.topLeft.x, frame.topLeft.y, frame.size.width, frame.size.height};
}

QRectF Picture::bounds() const
{
    return {0, 0, layout.size.width, layout.size.height};
}

bool Picture::isInside(int box, int container) const
{
    while (box != kNoBox && box != container)
        box = graph.boxes[static_cast<std::size_t>(box)].parent;
    return box == container;
}

bool Picture::leadsOn(const ViewEdge& edge) const
{
    const auto isParent = [this](std::uint32_t box, std::uint32_t of) {
        return graph.boxes[of].parent == static_cast<std::int32_t>(box);
    };
    return isParent(edge.from, edge.to) || isParent(edge.to, edge.from);
}

int Picture::boxAt(const QPointF& point) const
{
    for (std::size_t i = graph.boxes.size(); i-- > 0;) { // parents come first: the last hit is the innermost
        if (frame(static_cast<int>(i)).contains(point))
            return static_cast<int>(i);
    }
    return kNoBox;
}

const ViewEdge* Picture::edgeAt(const QPointF& point, double reach) const
{
    const ViewEdge* nearest = nullptr;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto& line = layout.lines[e];
        for (std::size_t p = 1; p < line.size(); ++p) {
            const double distance = distanceOf(point, {line[p - 1].x, line[p - 1].y, line[p].x, line[p].y});
            if (distance > reach)
                continue;
            reach = distance;
            nearest = &graph.edges[e];
        }
    }
    return nearest;
}

int Picture::boxOfKey(const std::string& key) const
{
    const auto found = std::find_if(graph.boxes.begin(), graph.boxes.end(), [&](const ViewBox& box) {
        return (box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group) && box.key == key;
    });
    return found == graph.boxes.end() ? kNoBox : static_cast<int>(found - graph.boxes.begin());
}

int Picture::boxLike(const ViewBox& box) const
{
    const auto found = std::ranges::find_if(graph.boxes, [&](const ViewBox& other) {
        return other.kind == box.kind && other.node == box.node && other.key == box.key && other.value == box.value
            && other.scope == box.scope;
    });
    return found == graph.boxes.end() ? kNoBox : static_cast<int>(found - graph.boxes.begin());
}

Selection Picture::selectionOf(int index) const
{
    const ViewBox& box = graph.boxes[static_cast<std::size_t>(index)];
    const Model& model = run ? *run->kernels : *snapshot->model;
    switch (box.kind) {
    case ViewBox::Kind::Node:
        return selectDrawn({box.node});
    case ViewBox::Kind::Quantizer:
        return box.node.valid() ? selectDrawn({box.node}) : readersOf(index);
    case ViewBox::Kind::Scope:
        return selectScope(*snapshot->scopes, TreeKind::Execution, box.scope);
    case ViewBox::Kind::Group:
        return selectDrawn(nodesInside(*containment, box.key));
    case ViewBox::Kind::Input:
    case ViewBox::Kind::Output:
    case ViewBox::Kind::Stub: {
        const Value& value = model.value(box.value);
        std::vector<NodeId> nodes;
        if (value.producer.valid() && box.kind != ViewBox::Kind::Input)
            nodes.push_back(value.producer);
        else
            for (const Use& use : value.uses)
                nodes.push_back(use.node);
        return selectDrawn(std::move(nodes));
    }
    }
    return {};
}

/// Nodes of what is drawn, as those of the model.
Selection Picture::selectDrawn(std::vector<NodeId> nodes) const
{
    return selectNodes(run ? run->nodesOf(nodes) : std::move(nodes));
}

/// What is drawn of nodes of the model. Pictures are made in the background: what is selected, found or previewed may
/// be of a model that was opened before or since, and is in none then.
std::vector<NodeId> Picture::drawnOf(const std::vector<NodeId>& nodes) const
{
    std::vector<NodeId> known;
    std::ranges::copy_if(
        nodes, std::back_inserter(known), [&](NodeId node) { return node.index < snapshot->model->nodes.size(); });
    return run ? run->kernelsFrom(known) : known;
}

std::vector<std::string> Picture::keysAround(const std::vector<NodeId>& nodes) const
{
    return keysAroundDrawn(drawnOf(nodes));
}

std::vector<std::string> Picture::keysAroundDrawn(const std::vector<NodeId>& nodes) const
{
    for (const NodeId node : nodes) {
        if (containment->ofNode[node.index] != Containment::kHidden)
            return containment->keysTo(containment->ofNode[node.index]);
    }
    return {};
}

ValueId Picture::valueInModel(ValueId drawn) const
{
    return run && drawn.valid() ? snapshot->model->findValue(addressOf(*run->kernels, drawn)) : drawn;
}

/// The nodes in the boxes that read what a quantizer gives.
Selection Picture::readersOf(int quantizer) const
{
    std::vector<NodeId> nodes;
    for (const ViewEdge& edge : graph.edges) {
        if (edge.from != static_cast<std::uint32_t>(quantizer) || graph.boxes[edge.to].kind == ViewBox::Kind::Quantizer)
            continue;
        const Selection reader = selectionOf(static_cast<int>(edge.to));
        nodes.insert(nodes.end(), reader.nodes.begin(), reader.nodes.end());
    }
    return selectNodes(std::move(nodes));
}

std::vector<int> Picture::boxesOf(const Selection& selection) const
{
    if (selection.scope && selection.scope->tree == TreeKind::Execution) {
        for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
            if (graph.boxes[i].kind == ViewBox::Kind::Scope && graph.boxes[i].scope == selection.scope->scope)
                return {static_cast<int>(i)};
        }
    }
    return boxesOfDrawn(drawnOf(selection.nodes));
}

std::vector<int> Picture::boxesOfDrawn(const std::vector<NodeId>& nodes) const
{
    std::unordered_map<std::string, int> ofKey;
    std::unordered_map<NodeId, int> ofNode;
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
        if (graph.boxes[i].kind == ViewBox::Kind::Node)
            ofNode.emplace(graph.boxes[i].node, static_cast<int>(i));
        else if (!graph.boxes[i].key.empty() && !graph.boxes[i].open)
            ofKey.emplace(graph.boxes[i].key, static_cast<int>(i));
    }
    // Walks up from each container once: what shows it does not depend on the node.
    std::vector<int> ofContainer(containment->containers.size(), kNoBox - 1);
    const auto boxOfContainer = [&](std::uint32_t container) {
        std::vector<std::uint32_t> path;
        int box = kNoBox;
        for (std::uint32_t at = container;; at = containment->containers[at].parent) {
            if (ofContainer[at] >= kNoBox) {
                box = ofContainer[at];
                break;
            }
            path.push_back(at);
            if (const auto found = ofKey.find(containment->containers[at].key); found != ofKey.end()) {
                box = found->second;
                break;
            }
            if (containment->containers[at].parent == at)
                break;
        }
        for (const std::uint32_t at : path)
            ofContainer[at] = box;
        return box;
    };
    std::vector<int> boxes;
    for (const NodeId node : nodes) {
        if (const auto found = ofNode.find(node); found != ofNode.end())
            boxes.push_back(found->second);
        else if (containment->ofNode[node.index] != Containment::kHidden)
            boxes.push_back(boxOfContainer(containment->ofNode[node.index]));
    }
    sortUniqueInPlace(boxes);
    std::erase(boxes, kNoBox);
    return boxes;
}

} // namespace duo::ui
