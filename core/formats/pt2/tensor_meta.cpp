// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/tensor_meta.h"

#include "core/formats/pt2/json_fields.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kStrided = 7; // Layout of schema.py
constexpr std::size_t kLongestSymbol = 200;
constexpr std::size_t kMostDims = 4096;

/// `Symbol('s6', positive=True)` -> `s6`, `Integer(2)` -> `2`, wherever they stand.
std::string shortened(std::string_view expression)
{
    constexpr std::string_view kSymbol = "Symbol('";
    constexpr std::string_view kInteger = "Integer(";
    std::string text;
    std::size_t i = 0;
    while (i < expression.size() && text.size() < kLongestSymbol) {
        const bool isSymbol = expression.substr(i).starts_with(kSymbol);
        if (!isSymbol && !expression.substr(i).starts_with(kInteger)) {
            text += expression[i++];
            continue;
        }
        const std::size_t start = i + (isSymbol ? kSymbol : kInteger).size();
        const std::size_t end = std::min(expression.find(isSymbol ? '\'' : ')', start), expression.size());
        text += expression.substr(start, end - start);
        i = std::min(expression.find(')', end), expression.size() - 1) + 1;
    }
    return text;
}

/// Concrete numbers of a list of SymInts; nothing if one is symbolic.
std::optional<std::vector<std::int64_t>> concrete(const Json* list)
{
    if (list == nullptr || !list->is_array() || list->size() > kMostDims)
        return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Json& item : *list) {
        const auto number = jsonInteger(jsonField(item, "as_int"));
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

} // namespace

ElementType elementTypeOfScalar(std::int64_t scalarType)
{
    static constexpr std::array<ElementType, 14> kTypes{ElementType::Undefined, ElementType::UInt8, ElementType::Int8,
        ElementType::Int16, ElementType::Int32, ElementType::Int64, ElementType::Float16, ElementType::Float32,
        ElementType::Float64, ElementType::Undefined, ElementType::Complex64, ElementType::Complex128,
        ElementType::Bool, ElementType::BFloat16};
    static constexpr std::array<ElementType, 8> kLater{ElementType::UInt16, ElementType::Float8E4M3FN,
        ElementType::Float8E5M2, ElementType::Float8E4M3FNUZ, ElementType::Float8E5M2FNUZ, ElementType::Float8E8M0,
        ElementType::UInt32, ElementType::UInt64};
    constexpr std::int64_t kFirstLater = 28;
    if (scalarType >= 0 && scalarType < std::ssize(kTypes))
        return kTypes[static_cast<std::size_t>(scalarType)];
    if (scalarType >= kFirstLater && scalarType < kFirstLater + std::ssize(kLater))
        return kLater[static_cast<std::size_t>(scalarType - kFirstLater)];
    return ElementType::Undefined;
}

Dim readSymbolicSize(const Json& json)
{
    Dim dim;
    const JsonUnion set = jsonUnion(json);
    if (set.kind == "as_int") {
        const auto size = jsonInteger(set.value);
        if (size && *size >= 0)
            dim.size = size;
    } else if (set.kind == "as_expr") {
        dim.symbol = shortened(jsonText(*set.value, "expr_str"));
    }
    return dim;
}

std::optional<ExportTensorMeta> readTensorMeta(const Json& json)
{
    const auto scalarType = jsonInteger(jsonField(json, "dtype"));
    const Json* sizes = jsonField(json, "sizes");
    if (!scalarType || sizes == nullptr || !sizes->is_array() || sizes->size() > kMostDims)
        return std::nullopt;
    ExportTensorMeta meta;
    meta.element = elementTypeOfScalar(*scalarType);
    for (const Json& size : *sizes)
        meta.sizes.push_back(readSymbolicSize(size));
    meta.strides = concrete(jsonField(json, "strides"));
    if (const Json* offset = jsonField(json, "storage_offset"))
        meta.storageOffset = jsonInteger(jsonField(*offset, "as_int")).value_or(-1);
    meta.isStrided = jsonInteger(jsonField(json, "layout")).value_or(kStrided) == kStrided;
    return meta;
}

} // namespace duo
