// SPDX-License-Identifier: Apache-2.0
#include "core/outline/same_attribute.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace duo {
namespace {

bool isSameFloat(float a, float b)
{
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// The name of a tensor in an attribute is written down with it.
bool isSameNamed(const Model& model, TensorId a, TensorId b)
{
    return a == b || (model.tensor(a).name == model.tensor(b).name && isSameContent(model, a, b));
}

} // namespace

bool isSameContent(const Model& model, TensorId a, TensorId b)
{
    if (a == b || !a.valid() || !b.valid())
        return a == b;
    const Tensor& one = model.tensor(a);
    const Tensor& other = model.tensor(b);
    return one.type == other.type && one.dims == other.dims && !one.bytes().empty()
        && std::ranges::equal(one.bytes(), other.bytes());
}

bool isSameValue(const Model& model, const Attribute& a, const Attribute& b)
{
    if (const auto* tensor = std::get_if<TensorId>(&a.value))
        return std::holds_alternative<TensorId>(b.value) && isSameNamed(model, *tensor, std::get<TensorId>(b.value));
    if (const auto* number = std::get_if<float>(&a.value))
        return std::holds_alternative<float>(b.value) && isSameFloat(*number, std::get<float>(b.value));
    if (const auto* numbers = std::get_if<std::vector<float>>(&a.value))
        return std::holds_alternative<std::vector<float>>(b.value)
            && std::ranges::equal(*numbers, std::get<std::vector<float>>(b.value), isSameFloat);
    return a.value == b.value;
}

} // namespace duo
