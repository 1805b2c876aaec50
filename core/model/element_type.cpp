// SPDX-License-Identifier: Apache-2.0
#include "core/model/element_type.h"

#include <array>
#include <cstddef>

namespace duo {
namespace {

struct TypeRow {
    std::string_view name;
    int bits;
    bool floating;
};

constexpr std::array<TypeRow, 27> kTypes{{
    {"undefined", 0, false},
    {"float32", 32, true},
    {"uint8", 8, false},
    {"int8", 8, false},
    {"uint16", 16, false},
    {"int16", 16, false},
    {"int32", 32, false},
    {"int64", 64, false},
    {"string", 0, false},
    {"bool", 8, false},
    {"float16", 16, true},
    {"float64", 64, true},
    {"uint32", 32, false},
    {"uint64", 64, false},
    {"complex64", 64, false},
    {"complex128", 128, false},
    {"bfloat16", 16, true},
    {"float8e4m3fn", 8, true},
    {"float8e4m3fnuz", 8, true},
    {"float8e5m2", 8, true},
    {"float8e5m2fnuz", 8, true},
    {"uint4", 4, false},
    {"int4", 4, false},
    {"float4e2m1", 4, true},
    {"float8e8m0", 8, true},
    {"uint2", 2, false},
    {"int2", 2, false},
}};

const TypeRow& rowOf(ElementType type)
{
    const auto index = static_cast<std::size_t>(type);
    return index < kTypes.size() ? kTypes[index] : kTypes[0];
}

} // namespace

std::string_view elementTypeName(ElementType type)
{
    return rowOf(type).name;
}

int elementBits(ElementType type)
{
    return rowOf(type).bits;
}

bool isFloating(ElementType type)
{
    return rowOf(type).floating;
}

bool isOtherFloat(ElementType type)
{
    return type == ElementType::Float16 || type == ElementType::BFloat16 || type == ElementType::Float64;
}

} // namespace duo
