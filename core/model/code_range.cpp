// SPDX-License-Identifier: Apache-2.0
#include "core/model/code_range.h"

namespace duo {

std::optional<CodeRange> codeRange(ElementType type)
{
    const int bits = elementBits(type);
    const std::int32_t count = bits <= 16 ? 1 << bits : 0;
    switch (type) {
    case ElementType::UInt2:
    case ElementType::UInt4:
    case ElementType::UInt8:
    case ElementType::UInt16:
        return CodeRange{0, count - 1};
    case ElementType::Int2:
    case ElementType::Int4:
    case ElementType::Int8:
    case ElementType::Int16:
        return CodeRange{-count / 2, count / 2 - 1};
    default:
        return std::nullopt;
    }
}

std::optional<ElementType> codeType(int bits, bool isSigned)
{
    switch (bits) {
    case 2:
        return isSigned ? ElementType::Int2 : ElementType::UInt2;
    case 4:
        return isSigned ? ElementType::Int4 : ElementType::UInt4;
    case 8:
        return isSigned ? ElementType::Int8 : ElementType::UInt8;
    case 16:
        return isSigned ? ElementType::Int16 : ElementType::UInt16;
    default:
        return std::nullopt;
    }
}

std::optional<ElementType> codeTypeNamed(std::string_view name)
{
    for (const int bits : {2, 4, 8, 16}) {
        for (const bool isSigned : {false, true}) {
            if (elementTypeName(*codeType(bits, isSigned)) == name)
                return codeType(bits, isSigned);
        }
    }
    return std::nullopt;
}

} // namespace duo
