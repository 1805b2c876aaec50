// SPDX-License-Identifier: Apache-2.0
// Shapes of values, and the whole numbers that shapes are made of, as far as the operators tell; sizes that are not
// known are told apart.
#pragma once

#include "core/model/value_types.h"

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace duo {

/// A whole number that is known, or one that is the same wherever it has the same name.
struct Extent {
    enum class Kind : std::uint8_t {
        Number, // known
        Size, // of some dimension, and so not negative
        Term, // made of others
    };
    Kind kind = Kind::Number;
    std::int64_t number = 0; // the number, or the name
    [[nodiscard]] bool isKnown() const { return kind == Kind::Number; }
    auto operator<=>(const Extent&) const = default;
};
using Extents = std::vector<Extent>;

class KnownShapes
{
public:
    /// @param sizes of inputs and of what operators do not tell; null: all sizes of inputs are unknown. What a file
    /// says of values inside bodies is not believed. O(nodes).
    explicit KnownShapes(const Model& model, const ValueTypes* sizes = nullptr);

    /// Null: the rank is not known.
    [[nodiscard]] const Extents* of(ValueId value) const;
    /// Elements of a scalar or a vector of at most 64 whole numbers; null: not known.
    [[nodiscard]] const Extents* content(ValueId value) const;
    /// Nothing where a dimension is not known, or beyond 2^40.
    [[nodiscard]] std::optional<std::int64_t> elements(ValueId value) const;

private:
    friend class ShapeFinder;
    std::vector<std::optional<Extents>> m_shapes; // [values]
    std::vector<std::optional<Extents>> m_contents; // [values]
};

/// All of them known: their numbers.
std::optional<std::vector<std::int64_t>> numbersOf(const Extents& extents);

} // namespace duo
