// SPDX-License-Identifier: Apache-2.0
// PyTorch's names of element types.
#include "core/formats/torch/pickled_tensor.h"

#include <algorithm>
#include <iterator>

namespace duo {
namespace {

struct NamedType {
    std::string_view name;
    ElementType type;
};

template <std::size_t N> std::optional<ElementType> typeIn(const NamedType (&table)[N], std::string_view name)
{
    const auto* const found = std::ranges::find(table, name, &NamedType::name);
    return found == std::end(table) ? std::nullopt : std::optional(found->type);
}

constexpr NamedType kStorageClasses[] = {
    {"FloatStorage", ElementType::Float32},
    {"DoubleStorage", ElementType::Float64},
    {"HalfStorage", ElementType::Float16},
    {"BFloat16Storage", ElementType::BFloat16},
    {"LongStorage", ElementType::Int64},
    {"IntStorage", ElementType::Int32},
    {"ShortStorage", ElementType::Int16},
    {"CharStorage", ElementType::Int8},
    {"ByteStorage", ElementType::UInt8},
    {"BoolStorage", ElementType::Bool},
    {"ComplexFloatStorage", ElementType::Complex64},
    {"ComplexDoubleStorage", ElementType::Complex128},
    {"UntypedStorage", ElementType::UInt8},
    {"_UntypedStorage", ElementType::UInt8},
};

constexpr NamedType kDtypes[] = {
    {"float32", ElementType::Float32},
    {"float64", ElementType::Float64},
    {"float16", ElementType::Float16},
    {"bfloat16", ElementType::BFloat16},
    {"int64", ElementType::Int64},
    {"int32", ElementType::Int32},
    {"int16", ElementType::Int16},
    {"int8", ElementType::Int8},
    {"uint64", ElementType::UInt64},
    {"uint32", ElementType::UInt32},
    {"uint16", ElementType::UInt16},
    {"uint8", ElementType::UInt8},
    {"bool", ElementType::Bool},
    {"complex64", ElementType::Complex64},
    {"complex128", ElementType::Complex128},
    {"float8_e4m3fn", ElementType::Float8E4M3FN},
    {"float8_e4m3fnuz", ElementType::Float8E4M3FNUZ},
    {"float8_e5m2", ElementType::Float8E5M2},
    {"float8_e5m2fnuz", ElementType::Float8E5M2FNUZ},
    {"float8_e8m0fnu", ElementType::Float8E8M0},
};

} // namespace

std::optional<ElementType> storageClassType(std::string_view name)
{
    return typeIn(kStorageClasses, name);
}

std::optional<ElementType> dtypeByName(std::string_view name)
{
    return typeIn(kDtypes, name);
}

} // namespace duo
