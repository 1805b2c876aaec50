// SPDX-License-Identifier: Apache-2.0
// Shapes of what goes into control-flow bodies and comes out of them; for known_shapes.cpp.
#pragma once

#include "core/model/model.h"
#include "core/transform/shape_rules.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace duo {

/// What a Loop or Scan carries from one run of its body to the next is taken to keep the shape it starts with. After
/// all nodes were visited under that assumption, correct() gives up what a body does not keep, and they are visited
/// again: what is left holds for every run, by induction.
class BodyShapes
{
public:
    using Shape = std::optional<Extents>;

    /// @param shapes by value; they and the model must outlive it
    BodyShapes(const Model& model, ShapeRules& rules, std::vector<Shape>& shapes);

    /// Sets the inputs of its bodies. `owner` has none for most.
    void enter(NodeId owner);
    /// The owners whose bodies end with this node, as it stands in Model::order, the inner ones first; or itself.
    [[nodiscard]] const std::vector<NodeId>& endingWith(NodeId node) const;
    /// Sets its outputs, as far as its bodies tell.
    void leave(NodeId owner);
    /// Whether anything was given up; then all are to be visited again, a bounded number of times. O(values carried).
    bool correct();

private:
    struct Carried {
        ValueId first; // what it starts with
        ValueId before; // input of the body
        ValueId after; // output of the body
    };
    /// A body that runs several times.
    struct Repeated {
        std::size_t carriedAt = 0; // first port that is carried: of the owner and of the body's inputs
        std::size_t carriedOut = 0; // of the body's outputs
        std::size_t carried = 0;
        const Region* body = nullptr;
    };

    [[nodiscard]] std::optional<Repeated> repeated(NodeId id) const;
    [[nodiscard]] static std::vector<Carried> carriedBy(const Node& owner, const Repeated& loop);
    void enterLoop(const Repeated& loop);
    void enterScan(const Node& owner, const Repeated& scan);
    void leaveBranches(NodeId id);
    void leaveRepeated(const Node& owner, const Repeated& loop);
    [[nodiscard]] Shape keptOf(ValueId first, ValueId before);
    [[nodiscard]] Shape anew(const Extents& extents); // sizes that are not known are others
    [[nodiscard]] Shape shapeOf(ValueId value) const;
    void set(ValueId value, Shape shape);

    const Model& m_model;
    ShapeRules& m_rules;
    std::vector<Shape>& m_shapes;
    std::map<std::uint32_t, std::vector<RegionId>> m_bodies; // by owner
    std::map<std::uint32_t, std::vector<NodeId>> m_ending; // by the last node of all that stands in them
    std::map<std::uint32_t, std::optional<std::vector<bool>>> m_givenUp; // by carried input: dimensions; nothing: all
    int m_corrections = 0;
};

} // namespace duo
