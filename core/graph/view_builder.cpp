// SPDX-License-Identifier: Apache-2.0
#include "core/graph/view_builder.h"

#include "core/graph/bundles.h"
#include "core/graph/view_edges.h"
#include "core/quantize/points/compressed.h"
#include "core/scope/facts/scope_facts.h"
#include "core/support/digits.h"
#include "core/support/phrases.h"

#include <algorithm>

namespace duo {
namespace {

std::string typeText(const ValueType& type)
{
    std::string text(type.element == ElementType::Undefined ? "" : elementTypeName(type.element));
    if (!type.shape)
        return text;
    text += text.empty() ? "[" : " [";
    for (std::size_t i = 0; i < type.shape->size(); ++i) {
        const Dim& dim = (*type.shape)[i];
        text += i == 0 ? "" : ",";
        text += dim.size ? std::to_string(*dim.size) : dim.symbol.empty() ? "?" : dim.symbol;
    }
    return text + "]";
}

class Builder
{
public:
    Builder(const Model& model, const Scopes& scopes, const Placement* placement, const Containment& containment,
        const std::set<std::string>& open)
        : m_model(model)
        , m_scopes(scopes)
        , m_placement(placement)
        , m_containment(containment)
        , m_open(open)
        , m_badges(placement ? QuantizerBadges(model, placement->setup) : QuantizerBadges())
    {
        m_index.ofNode.assign(model.nodes.size(), BoxIndex::kNoBox);
        m_index.ofInput.assign(model.values.size(), BoxIndex::kNoBox);
        m_index.ofOutput.assign(model.values.size(), BoxIndex::kNoBox);
    }

    ViewGraph build()
    {
        count();
        enterAll({0, -1, true});
        addEdgesInPlace(m_view, m_model, m_containment.order, m_index, m_badges);
        return std::move(m_view);
    }

    ViewGraph buildInside(std::uint32_t container)
    {
        count();
        enterAll({container, addBox(containerBox(container, true), -1), true});
        if (!isBundle(m_containment.containers[container].key)) // whose edges to others are its own
            addEnds();
        addEdgesInPlace(m_view, m_model, m_containment.order, m_index, m_badges);
        return std::move(m_view);
    }

private:
    struct Visit {
        std::uint32_t container;
        std::int32_t box; // open box of the container (-1: the root), or the closed box that hides it
        bool open;
    };

    struct Counts {
        std::int64_t quantized = 0;
        std::int64_t ignored = 0;
        double parameters = 0;
    };

    /// Adds up over containers; a group's number is above its parent's or its scope's, so go by parent chains only once
    /// per node and then bottom-up by walking containers in reverse visiting order.
    void count()
    {
        m_counts.resize(m_containment.containers.size());
        const auto& tree = m_scopes.execution.scopes;
        m_isDrawn.assign(tree.size(), false);
        for (std::size_t n = 0; n < m_containment.ofNode.size(); ++n) {
            if (m_containment.ofNode[n] != Containment::kHidden)
                m_isDrawn[m_scopes.nodes[n].executionScope.index] = true;
        }
        for (std::size_t s = tree.size(); s-- > 1;)
            m_isDrawn[tree[s].parent.index] = m_isDrawn[tree[s].parent.index] || m_isDrawn[s];
        for (std::size_t n = 0; n < m_containment.ofNode.size(); ++n) {
            if (m_containment.ofNode[n] == Containment::kHidden)
                continue;
            Counts& counts = m_counts[m_containment.ofNode[n]];
            counts.parameters += parametersOf(n);
            if (!m_placement)
                continue;
            const NodeState state = m_placement->decisions[n].state;
            counts.quantized += state == NodeState::Quantized ? 1 : 0;
            counts.ignored += isIgnored(state) ? 1 : 0;
        }
        std::vector<std::uint32_t> order(1, 0);
        for (std::size_t i = 0; i < order.size(); ++i) {
            for (const ContainedItem& item : m_containment.containers[order[i]].items) {
                if (item.kind == ContainedItem::Kind::Container)
                    order.push_back(item.index);
            }
        }
        for (std::size_t i = order.size(); i-- > 1;) {
            Counts& parent = m_counts[m_containment.containers[order[i]].parent];
            parent.quantized += m_counts[order[i]].quantized;
            parent.ignored += m_counts[order[i]].ignored;
            parent.parameters += m_counts[order[i]].parameters;
        }
    }

    /// Elements that the node reads; where nobody knows what was learned (of kernels), of all matrices it is
    /// initialized with.
    [[nodiscard]] double parametersOf(std::size_t node) const
    {
        double elements = 0;
        TensorId last; // a tensor made of several parameters is read once for each
        const auto add = [&](TensorId tensor) {
            if (tensor.valid() && tensor != last)
                elements += static_cast<double>(m_model.tensor(tensor).elements());
            last = tensor;
        };
        if (m_scopes.facts) {
            for (const ParameterRead& read : m_scopes.facts->parameters.reads[node])
                add(read.tensor);
            return elements;
        }
        for (const ValueId input : m_model.nodes[node].inputs) {
            const TensorId held = input.valid() ? m_model.value(input).initializer : TensorId();
            if (held.valid() && m_model.tensor(held).dims.size() > 1)
                add(held);
        }
        return elements;
    }

    void enterAll(const Visit& first)
    {
        std::vector<Visit> stack{first};
        while (!stack.empty()) {
            const Visit visit = stack.back();
            stack.pop_back();
            enter(visit, stack);
        }
    }

    void enter(const Visit& visit, std::vector<Visit>& stack)
    {
        for (const ContainedItem& item : m_containment.containers[visit.container].items) {
            if (item.kind == ContainedItem::Kind::Container)
                enterContainer(item.index, visit, stack);
            else
                enterLeaf(item, visit);
        }
    }

    void enterContainer(std::uint32_t container, const Visit& visit, std::vector<Visit>& stack)
    {
        if (!visit.open) {
            stack.push_back({container, visit.box, false});
            return;
        }
        const bool open = m_open.contains(m_containment.containers[container].key);
        const std::int32_t box = addBox(containerBox(container, open), visit.box);
        m_isBundle.back() = open && isBundle(m_containment.containers[container].key);
        stack.push_back({container, box, open});
    }

    void enterLeaf(const ContainedItem& item, const Visit& visit)
    {
        const auto box = static_cast<std::uint32_t>(visit.open ? addBox(leafBox(item, visit), visit.box) : visit.box);
        if (item.kind == ContainedItem::Kind::Node)
            m_index.ofNode[item.index] = box;
        else
            (item.kind == ContainedItem::Kind::Input ? m_index.ofInput : m_index.ofOutput)[item.index] = box;
    }

    /// Values that come in and go out.
    void addEnds()
    {
        std::vector<bool> hasBox(m_model.values.size(), false); // by an input or output
        for (const Container& container : m_containment.containers) {
            for (const ContainedItem& item : container.items) {
                if (item.kind == ContainedItem::Kind::Input || item.kind == ContainedItem::Kind::Output)
                    hasBox[item.index] = true;
            }
        }
        const BodyBorders bodies(m_model);
        for (std::uint32_t v = 0; v < m_model.values.size(); ++v) {
            const Value& value = m_model.values[v];
            std::vector<NodeId> readers = bodies.ownersGiving(ValueId(v));
            for (const Use& use : value.uses)
                readers.push_back(use.node);
            for (const ValueId name : bodies.inputsOf(ValueId(v))) {
                for (const Use& use : m_model.value(name).uses)
                    readers.push_back(use.node);
            }
            const bool isMade = value.producer.valid();
            const bool isMadeInside = isMade ? isInside(value.producer) : m_index.ofInput[v] != BoxIndex::kNoBox;
            const bool isReadInside = m_index.ofOutput[v] != BoxIndex::kNoBox
                || std::ranges::any_of(readers, [this](NodeId node) { return isInside(node); });
            const bool isReadOutside = (hasBox[v] && isMade && m_index.ofOutput[v] == BoxIndex::kNoBox)
                || std::ranges::any_of(readers, [this](NodeId node) { return isOutside(node); });
            if (!isMadeInside && isReadInside && (isMade ? isOutside(value.producer) : bool{hasBox[v]}))
                m_index.ofInput[v] = addEnd(ViewBox::Kind::Input, ValueId(v));
            else if (isMadeInside && isReadOutside)
                m_index.ofOutput[v] = addEnd(ViewBox::Kind::Output, ValueId(v));
        }
    }

    [[nodiscard]] bool isInside(NodeId node) const { return m_index.ofNode[node.index] != BoxIndex::kNoBox; }
    [[nodiscard]] bool isOutside(NodeId node) const
    {
        return !isInside(node) && m_containment.ofNode[node.index] != Containment::kHidden;
    }

    std::uint32_t addEnd(ViewBox::Kind kind, ValueId value)
    {
        ViewBox box;
        box.kind = kind;
        box.value = value;
        box.title = m_model.value(value).name;
        box.total = 0;
        return static_cast<std::uint32_t>(addBox(std::move(box), -1));
    }

    std::int32_t addBox(ViewBox box, std::int32_t parent)
    {
        box.parent = parent;
        m_view.boxes.push_back(std::move(box));
        std::uint32_t bundle = BoxIndex::kNoBox;
        if (const auto around = static_cast<std::size_t>(parent); parent >= 0)
            bundle = m_index.bundle[around] == BoxIndex::kNoBox && m_isBundle[around]
                ? static_cast<std::uint32_t>(parent)
                : m_index.bundle[around];
        m_index.bundle.push_back(bundle);
        m_isBundle.push_back(false);
        return static_cast<std::int32_t>(m_view.boxes.size() - 1);
    }

    [[nodiscard]] ViewBox containerBox(std::uint32_t index, bool open) const
    {
        const Container& container = m_containment.containers[index];
        ViewBox box;
        box.kind = container.isGroup ? ViewBox::Kind::Group : ViewBox::Kind::Scope;
        box.scope = container.scope;
        box.key = container.key;
        box.open = open;
        box.total = container.nodes;
        box.quantized = m_counts[index].quantized;
        box.ignored = m_counts[index].ignored;
        box.parameters = m_counts[index].parameters;
        const std::string count = container.nodes > 0 ? nodesText(static_cast<std::size_t>(container.nodes))
                                                      : counted(container.items.size(), "item", "items");
        if (container.isGroup) {
            box.title = container.title;
            box.subtitle = count;
            return box;
        }
        const Scope& scope = m_scopes.execution.scope(container.scope);
        box.title = countedName(container.scope);
        box.subtitle = (scope.neverRuns ? "never runs, " : "")
            + (scope.className.empty() ? count : scope.className + ", " + count);
        return box;
    }

    /// Of repeated blocks the name with how many there are now: a guess counted those of the model as it came.
    [[nodiscard]] std::string countedName(ScopeId id) const
    {
        constexpr std::string_view kTimes = "×"; // "block×12" (guessed_structure.cpp)
        const Scope& scope = m_scopes.execution.scope(id);
        const std::size_t at = scope.name.rfind(kTimes);
        if (at == std::string::npos || !allDigits(std::string_view(scope.name).substr(at + kTimes.size())))
            return scope.name;
        const auto there
            = std::ranges::count_if(scope.children, [this](ScopeId child) { return m_isDrawn[child.index]; });
        return scope.name.substr(0, at) + (there > 1 ? std::string(kTimes) + std::to_string(there) : std::string());
    }

    [[nodiscard]] ViewBox leafBox(const ContainedItem& item, const Visit& visit) const
    {
        ViewBox box;
        if (item.kind == ContainedItem::Kind::Node) {
            const Node& node = m_model.nodes[item.index];
            box.node = NodeId(item.index);
            box.scope = m_scopes.nodes[item.index].executionScope;
            box.title = node.opType;
            box.subtitle = node.name;
            box.around = m_scopes.execution.scope(m_containment.containers[visit.container].scope).name;
            box.badge = m_badges.onWeight(box.node);
            box.parameters = parametersOf(item.index);
            if (m_placement)
                box.state = m_placement->decisions[item.index].state;
            box.quantized = box.state == NodeState::Quantized ? 1 : 0;
            box.ignored = isIgnored(box.state) ? 1 : 0;
            return box;
        }
        box.kind = item.kind == ContainedItem::Kind::Input ? ViewBox::Kind::Input : ViewBox::Kind::Output;
        box.scope = m_containment.containers[visit.container].scope;
        box.value = ValueId(item.index);
        box.title = m_model.values[item.index].name;
        box.subtitle = typeText(m_model.values[item.index].type);
        box.total = 0;
        return box;
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const Placement* m_placement;
    const Containment& m_containment;
    const std::set<std::string>& m_open;
    QuantizerBadges m_badges;
    std::vector<Counts> m_counts; // [containers]
    std::vector<bool> m_isDrawn; // [scopes] a node in them is
    BoxIndex m_index;
    std::vector<bool> m_isBundle; // [boxes] open ones
    ViewGraph m_view;
};

} // namespace

ViewGraph buildView(const Model& model, const Scopes& scopes, const Placement* placement,
    const Containment& containment, const std::set<std::string>& open)
{
    return Builder(model, scopes, placement, containment, open).build();
}

ViewGraph buildInside(const Model& model, const Scopes& scopes, const Placement* placement,
    const Containment& containment, std::uint32_t container)
{
    return Builder(model, scopes, placement, containment, {}).buildInside(container);
}

} // namespace duo
