// SPDX-License-Identifier: Apache-2.0
// Tensors in memory that are read in another order, or spread over a larger shape, and new ones made of them.
#pragma once

#include "core/model/tensor.h"

#include <cstring>
#include <optional>
#include <vector>

namespace duo {

/// The most elements of a tensor that is made so.
inline constexpr std::int64_t kMostWalked = std::int64_t{1} << 24;

using TensorDims = std::vector<std::int64_t>;

/// Elements of whole bytes, not too many, whose data are there.
bool isWalkable(const Tensor& tensor);
std::size_t bytesPerElement(ElementType type);

/// Elements of a shape; beyond kMostWalked where they are not to be counted.
std::int64_t elementsOfShape(const TensorDims& dims);
/// The shape that two have when they are spread over each other; nothing where they do not fit, or it is too large.
std::optional<TensorDims> spreadShape(TensorDims a, TensorDims b);

Tensor tensorOf(ElementType type, TensorDims dims, std::vector<std::byte> bytes);
Tensor withShape(const Tensor& tensor, TensorDims dims); // the same elements

template <typename T> Tensor tensorOf(ElementType type, TensorDims dims, const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return tensorOf(type, std::move(dims), std::move(bytes));
}

/// An order to read a tensor in: how far a step along each axis of the result goes in it, in elements.
struct Walk {
    TensorDims dims;
    TensorDims steps;
    std::int64_t start = 0;
};

TensorDims stepsOf(const TensorDims& dims); // of elements that lie one after the other
/// How a tensor is spread over a larger shape; nothing where it does not fit.
std::optional<Walk> spreadOver(const Tensor& tensor, const TensorDims& dims);

/// Calls with the place of each element, in the order of the result.
template <typename Visit> void walk(const Walk& way, const Visit& visit)
{
    const std::int64_t count = elementsOfShape(way.dims);
    TensorDims at(way.dims.size(), 0);
    std::int64_t place = way.start;
    for (std::int64_t i = 0; i < count; ++i) {
        visit(static_cast<std::size_t>(place));
        for (std::size_t axis = at.size(); axis-- > 0;) {
            place += way.steps[axis];
            if (++at[axis] < way.dims[axis])
                break;
            place -= way.steps[axis] * at[axis];
            at[axis] = 0;
        }
    }
}

/// What is read so; nothing where it is too large.
std::optional<Tensor> walked(const Tensor& tensor, const Walk& way);

/// The elements spread over a shape that they fit.
template <typename T> std::vector<T> elementsOver(const Tensor& tensor, const TensorDims& dims)
{
    std::vector<T> values;
    walk(*spreadOver(tensor, dims), [&](std::size_t place) {
        std::memcpy(&values.emplace_back(), tensor.bytes().data() + place * sizeof(T), sizeof(T));
    });
    return values;
}

} // namespace duo
