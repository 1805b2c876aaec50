// SPDX-License-Identifier: Apache-2.0
// Element types as ONNX numbers them (TensorProto.DataType), with names and sizes.
#pragma once

#include <cstdint>
#include <string_view>

namespace duo {

enum class ElementType : std::int32_t {
    Undefined = 0,
    Float32 = 1,
    UInt8 = 2,
    Int8 = 3,
    UInt16 = 4,
    Int16 = 5,
    Int32 = 6,
    Int64 = 7,
    String = 8,
    Bool = 9,
    Float16 = 10,
    Float64 = 11,
    UInt32 = 12,
    UInt64 = 13,
    Complex64 = 14,
    Complex128 = 15,
    BFloat16 = 16,
    Float8E4M3FN = 17,
    Float8E4M3FNUZ = 18,
    Float8E5M2 = 19,
    Float8E5M2FNUZ = 20,
    UInt4 = 21,
    Int4 = 22,
    Float4E2M1 = 23,
    Float8E8M0 = 24,
    UInt2 = 25,
    Int2 = 26,
};

/// "float32", "int8"; "undefined" for numbers this program does not know.
std::string_view elementTypeName(ElementType type);

/// Bits per element; 0 for String, Undefined and unknown numbers.
int elementBits(ElementType type);

/// Any floating type, whatever its width.
bool isFloating(ElementType type);

/// A float of 16 bits, or of 64: what weights may be stored in, and values are not quantized in.
bool isOtherFloat(ElementType type);

} // namespace duo
