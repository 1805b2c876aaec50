// SPDX-License-Identifier: Apache-2.0
#include "core/transform/walked_tensors.h"

#include <algorithm>

namespace duo {

bool isWalkable(const Tensor& tensor)
{
    const int bits = elementBits(tensor.type);
    const auto count = elementCount(tensor.dims);
    const bool isWhole = bits >= 8 && count && *count <= kMostWalked
        && static_cast<std::int64_t>(tensor.bytes().size()) == *count * (bits / 8);
    const auto isTruth = [](std::byte value) { return value <= std::byte{1}; }; // kernels differ on what others are
    return isWhole && (tensor.type != ElementType::Bool || std::ranges::all_of(tensor.bytes(), isTruth));
}

std::size_t bytesPerElement(ElementType type)
{
    return static_cast<std::size_t>(elementBits(type)) / 8;
}

Tensor tensorOf(ElementType type, TensorDims dims, std::vector<std::byte> bytes)
{
    Tensor tensor;
    tensor.type = type;
    tensor.dims = std::move(dims);
    tensor.data = SharedBytes::own(std::move(bytes));
    return tensor;
}

Tensor withShape(const Tensor& tensor, TensorDims dims)
{
    Tensor same;
    same.type = tensor.type;
    same.dims = std::move(dims);
    same.data = tensor.data;
    return same;
}

std::int64_t elementsOfShape(const TensorDims& dims)
{
    return elementCount(dims).value_or(kMostWalked + 1);
}

TensorDims stepsOf(const TensorDims& dims)
{
    TensorDims steps(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;)
        steps[i - 1] = steps[i] * dims[i];
    return steps;
}

std::optional<Tensor> walked(const Tensor& tensor, const Walk& way)
{
    if (elementsOfShape(way.dims) > kMostWalked)
        return std::nullopt;
    const std::size_t width = bytesPerElement(tensor.type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(elementsOfShape(way.dims)) * width);
    std::byte* to = bytes.data();
    walk(way, [&](std::size_t place) {
        std::memcpy(to, tensor.bytes().data() + place * width, width);
        to += width;
    });
    return tensorOf(tensor.type, way.dims, std::move(bytes));
}

std::optional<Walk> spreadOver(const Tensor& tensor, const TensorDims& dims)
{
    if (tensor.dims.size() > dims.size())
        return std::nullopt;
    Walk way{dims, TensorDims(dims.size(), 0)};
    const TensorDims steps = stepsOf(tensor.dims);
    const std::size_t ahead = dims.size() - tensor.dims.size();
    for (std::size_t i = 0; i < tensor.dims.size(); ++i) {
        if (tensor.dims[i] == dims[ahead + i])
            way.steps[ahead + i] = tensor.dims[i] == 1 ? 0 : steps[i];
        else if (tensor.dims[i] != 1)
            return std::nullopt;
    }
    return way;
}

std::optional<TensorDims> spreadShape(TensorDims a, TensorDims b)
{
    const std::size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), static_cast<std::ptrdiff_t>(rank - a.size()), 1);
    b.insert(b.begin(), static_cast<std::ptrdiff_t>(rank - b.size()), 1);
    for (std::size_t i = 0; i < rank; ++i) {
        if (a[i] != b[i] && a[i] != 1 && b[i] != 1)
            return std::nullopt;
        a[i] = a[i] == 1 ? b[i] : a[i];
    }
    return elementsOfShape(a) <= kMostWalked ? std::optional(a) : std::nullopt;
}

} // namespace duo
