// SPDX-License-Identifier: Apache-2.0
// How the shapes of an operator's outputs follow from its inputs; for known_shapes.cpp.
#pragma once

#include "core/transform/known_shapes.h"

#include <optional>
#include <vector>

namespace duo {

inline constexpr std::size_t kMostEntries = 64; // of a shape, and of what a shape is made of
inline constexpr std::int64_t kMostSize = std::int64_t{1} << 40;

inline Extent known(std::int64_t number)
{
    return {Extent::Kind::Number, number};
}

inline bool isSize(const Extent& extent)
{
    return extent.kind == Extent::Kind::Size || (extent.isKnown() && extent.number >= 0 && extent.number <= kMostSize);
}

/// An axis counted from the front; nothing where there is none.
std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank);

class ShapeRules
{
public:
    using Shape = std::optional<Extents>;
    using Numbers = std::vector<std::int64_t>;

    /// What is known so far, by value.
    ShapeRules(const std::vector<Shape>& shapes, const std::vector<Shape>& contents)
        : m_shapes(shapes)
        , m_contents(contents)
    {
    }

    /// Of the first output of a node of ONNX's.
    Shape shapeOf(const Node& node);
    /// Of all outputs of a Split; nothing where the rank is not known.
    std::optional<std::vector<Extents>> shapesOfSplit(const Node& node);

    /// A size that is not known.
    Extent fresh() { return {Extent::Kind::Size, m_next++}; }
    Extent freshTerm() { return {Extent::Kind::Term, m_next++}; }

    [[nodiscard]] const Extents* shapeAt(const Node& node, std::size_t port) const;
    [[nodiscard]] const Extents* contentAt(const Node& node, std::size_t port) const;
    /// A list that older opsets keep in an attribute, newer ones at an input.
    [[nodiscard]] std::optional<Numbers> listOf(const Node& node, const char* name, std::size_t port) const;
    /// The entries of a Shape.
    [[nodiscard]] Shape dimsOf(const Node& node) const;

private:
    using Rule = Shape (ShapeRules::*)(const Node&);

    static Rule ruleOf(const Node& node);
    Shape same(const Node& node);
    Shape likeSecond(const Node& node);
    /// Of sizes that are not known one may be 1, so that only equal ones and those beside 1 tell the result's.
    Extent joined(const Extent& a, const Extent& b);
    Extents joined(Extents a, Extents b);
    Shape broadcast(const Node& node);
    Shape matMul(const Node& node);
    Shape gemm(const Node& node);
    Shape transpose(const Node& node);
    Shape conv(const Node& node);
    Extent windows(const Node& node, const Extent& size, std::int64_t window, std::size_t at);
    /// Pools and transposed convolutions: batch, and channels where it keeps them.
    Shape window(const Node& node);
    Shape concat(const Node& node);
    Shape reshape(const Node& node);
    Extents freshOnes(std::size_t count);
    /// What is left of the elements for the entry that is open.
    Extent restOf(const Extents& all, const Extents& result, std::size_t open);
    static bool multiplyInPlace(std::int64_t& product, std::int64_t factor);
    Shape flatten(const Node& node);
    Shape squeeze(const Node& node);
    Shape unsqueeze(const Node& node);
    Shape gather(const Node& node);
    Shape gatherNd(const Node& node);
    Shape slice(const Node& node);
    Shape expand(const Node& node);
    Shape shape(const Node& node);
    Shape scalar(const Node&);
    Shape ofShape(const Node& node);
    Shape range(const Node& node);
    Shape pad(const Node& node);
    Shape tile(const Node& node);
    Shape reduce(const Node& node);
    [[nodiscard]] static bool isListed(const Node& node, const char* name, std::size_t port);

    const std::vector<Shape>& m_shapes; // [values]
    const std::vector<Shape>& m_contents; // [values]
    std::int64_t m_next = 0;
};

} // namespace duo
