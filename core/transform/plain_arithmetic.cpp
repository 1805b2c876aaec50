// SPDX-License-Identifier: Apache-2.0
#include "core/transform/plain_arithmetic.h"

#include "core/transform/walked_tensors.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

using Inputs = std::span<const Tensor* const>;
using Computed = std::optional<Tensor>;

bool has(Inputs inputs, std::size_t port)
{
    return port < inputs.size() && inputs[port] != nullptr;
}

/// Calls with a value of the C++ type of the elements; nothing for types that are left to the engine.
template <typename Visit> Computed byType(ElementType type, const Visit& visit)
{
    switch (type) {
    case ElementType::Float32:
        return visit(float{});
    case ElementType::Float64:
        return visit(double{});
    case ElementType::Int32:
        return visit(std::int32_t{});
    case ElementType::Int64:
        return visit(std::int64_t{});
    default:
        return std::nullopt;
    }
}

/// Both operands spread over each other, of one type; older opsets align them by attributes, which is left.
std::optional<TensorDims> operandDims(const Node& node, Inputs in)
{
    const bool areTwo = in.size() == 2 && has(in, 1) && in[0]->type == in[1]->type;
    if (!areTwo || node.attribute("axis") != nullptr || node.attribute("broadcast") != nullptr)
        return std::nullopt;
    return spreadShape(in[0]->dims, in[1]->dims);
}

/// One rounding at most; whole numbers go around.
template <typename T> std::optional<T> arithmetic(char op, T a, T b)
{
    if constexpr (std::is_integral_v<T>) {
        using Wide = std::make_unsigned_t<T>;
        const auto x = static_cast<Wide>(a);
        const auto y = static_cast<Wide>(b);
        if (op == 'D' && (b == 0 || (b == -1 && a == std::numeric_limits<T>::min())))
            return std::nullopt;
        return op == 'A' ? static_cast<T>(x + y)
            : op == 'S'  ? static_cast<T>(x - y)
            : op == 'M'  ? static_cast<T>(x * y)
                         : static_cast<T>(a / b);
    } else {
        return op == 'A' ? a + b : op == 'S' ? a - b : op == 'M' ? a * b : a / b;
    }
}

Computed compute(const Model&, const Node& node, Inputs in)
{
    const auto dims = operandDims(node, in);
    if (!dims)
        return std::nullopt;
    return byType(in[0]->type, [&](auto sample) -> Computed {
        using T = decltype(sample);
        std::vector<T> first = elementsOver<T>(*in[0], *dims);
        const std::vector<T> second = elementsOver<T>(*in[1], *dims);
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto value = arithmetic(node.opType[0], first[i], second[i]);
            if (!value)
                return std::nullopt;
            first[i] = *value;
        }
        return tensorOf(in[0]->type, *dims, first);
    });
}

/// Of the sign of the divisor.
Computed remainder(const Model&, const Node& node, Inputs in)
{
    const auto dims = operandDims(node, in);
    const bool isWhole = dims && (in[0]->type == ElementType::Int64 || in[0]->type == ElementType::Int32);
    if (!isWhole || node.intAttribute("fmod", 0) != 0)
        return std::nullopt;
    return byType(in[0]->type, [&](auto sample) -> Computed {
        using T = decltype(sample);
        std::vector<T> first = elementsOver<T>(*in[0], *dims);
        const std::vector<T> second = elementsOver<T>(*in[1], *dims);
        for (std::size_t i = 0; i < first.size(); ++i) {
            const auto x = static_cast<std::int64_t>(first[i]);
            const auto y = static_cast<std::int64_t>(second[i]);
            if (y == 0 || y == -1)
                return std::nullopt;
            const std::int64_t rest = x % y;
            first[i] = static_cast<T>(rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest);
        }
        return tensorOf(in[0]->type, *dims, first);
    });
}

Computed compare(const Model&, const Node& node, Inputs in)
{
    const auto dims = operandDims(node, in);
    if (!dims)
        return std::nullopt;
    return byType(in[0]->type, [&](auto sample) -> Computed {
        using T = decltype(sample);
        const std::vector<T> a = elementsOver<T>(*in[0], *dims);
        const std::vector<T> b = elementsOver<T>(*in[1], *dims);
        std::vector<std::uint8_t> results(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            results[i] = node.opType == "Equal" ? a[i] == b[i]
                : node.opType == "Less"         ? a[i] < b[i]
                : node.opType == "Greater"      ? a[i] > b[i]
                : node.opType == "LessOrEqual"  ? a[i] <= b[i]
                                                : a[i] >= b[i];
        }
        return tensorOf(ElementType::Bool, *dims, results);
    });
}

Computed combine(const Model&, const Node& node, Inputs in)
{
    const auto dims = operandDims(node, in);
    if (!dims || in[0]->type != ElementType::Bool)
        return std::nullopt;
    std::vector<std::uint8_t> a = elementsOver<std::uint8_t>(*in[0], *dims);
    const std::vector<std::uint8_t> b = elementsOver<std::uint8_t>(*in[1], *dims);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = node.opType == "And" ? a[i] != 0 && b[i] != 0 : a[i] != 0 || b[i] != 0;
    return tensorOf(ElementType::Bool, *dims, a);
}

Computed invert(const Model&, const Node&, Inputs in)
{
    if (in[0]->type != ElementType::Bool)
        return std::nullopt;
    std::vector<std::uint8_t> values = elementsOver<std::uint8_t>(*in[0], in[0]->dims);
    for (std::uint8_t& value : values)
        value = value == 0 ? 1 : 0;
    return tensorOf(ElementType::Bool, in[0]->dims, values);
}

Computed negate(const Model&, const Node&, Inputs in)
{
    return byType(in[0]->type, [&](auto sample) -> Computed {
        using T = decltype(sample);
        std::vector<T> values = elementsOver<T>(*in[0], in[0]->dims);
        for (T& value : values) {
            if constexpr (std::is_integral_v<T>)
                value = *arithmetic('S', T{}, value);
            else
                value = -value;
        }
        return tensorOf(in[0]->type, in[0]->dims, values);
    });
}

/// Of one element: kernels for many may round otherwise.
Computed root(const Model&, const Node&, Inputs in)
{
    if (in[0]->type != ElementType::Float32 || in[0]->elements() != 1)
        return std::nullopt;
    return tensorOf(
        in[0]->type, in[0]->dims, std::vector<float>{std::sqrt(elementsOver<float>(*in[0], in[0]->dims).front())});
}

Computed range(const Model&, const Node&, Inputs in)
{
    const auto isOne
        = [&](std::size_t port) { return has(in, port) && in[port]->elements() == 1 && in[port]->type == in[0]->type; };
    const bool isWhole = in[0]->type == ElementType::Int64 || in[0]->type == ElementType::Int32;
    if (!isWhole || !isOne(0) || !isOne(1) || !isOne(2))
        return std::nullopt;
    const std::int64_t from = toInts(*in[0])[0];
    const std::int64_t to = toInts(*in[1])[0];
    const std::int64_t by = toInts(*in[2])[0];
    const auto isSmall = [](std::int64_t number) { return number >= -kMostWalked && number <= kMostWalked; };
    if (by == 0 || !isSmall(from) || !isSmall(to) || !isSmall(by))
        return std::nullopt;
    TensorDims values;
    for (std::int64_t at = from; by > 0 ? at < to : at > to; at += by)
        values.push_back(at);
    const auto count = static_cast<std::int64_t>(values.size());
    if (in[0]->type == ElementType::Int64)
        return tensorOf(in[0]->type, {count}, values);
    return tensorOf(in[0]->type, {count}, std::vector<std::int32_t>(values.begin(), values.end()));
}

/// Nothing where the type does not hold the value, which machines answer in different ways.
template <typename To, typename From> std::optional<To> castOne(From value)
{
    if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
        constexpr auto kMost = static_cast<double>(std::numeric_limits<To>::max());
        const auto wide = static_cast<double>(value);
        if (!(wide > -kMost && wide < kMost))
            return std::nullopt;
    } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
        if (!std::in_range<To>(value))
            return std::nullopt;
    }
    return static_cast<To>(value);
}

Computed cast(const Model&, const Node& node, Inputs in)
{
    const auto to = static_cast<ElementType>(node.intAttribute("to", 0));
    if (to == in[0]->type)
        return withShape(*in[0], in[0]->dims);
    const bool isFromBool = in[0]->type == ElementType::Bool;
    const auto castFrom = [&](auto sample) -> Computed {
        using From = decltype(sample);
        const std::vector<From> values = elementsOver<From>(*in[0], in[0]->dims);
        if (to == ElementType::Bool) {
            std::vector<std::uint8_t> flags;
            std::ranges::transform(values, std::back_inserter(flags), [](From value) { return value != From{}; });
            return tensorOf(to, in[0]->dims, flags);
        }
        return byType(to, [&](auto wanted) -> Computed {
            using To = decltype(wanted);
            std::vector<To> results;
            for (const From value : values) {
                const auto result = castOne<To>(value);
                if (!result)
                    return std::nullopt;
                results.push_back(*result);
            }
            return tensorOf(to, in[0]->dims, results);
        });
    };
    return isFromBool ? castFrom(std::uint8_t{}) : byType(in[0]->type, castFrom);
}

} // namespace

PlainRule plainArithmetic(std::string_view opType)
{
    static const std::unordered_map<std::string_view, PlainRule> kRules{{"Add", compute}, {"Sub", compute},
        {"Mul", compute}, {"Div", compute}, {"Mod", remainder}, {"Equal", compare}, {"Less", compare},
        {"Greater", compare}, {"LessOrEqual", compare}, {"GreaterOrEqual", compare}, {"And", combine}, {"Or", combine},
        {"Not", invert}, {"Neg", negate}, {"Sqrt", root}, {"Range", range}, {"Cast", cast}};
    const auto found = kRules.find(opType);
    return found == kRules.end() ? nullptr : found->second;
}

} // namespace duo
