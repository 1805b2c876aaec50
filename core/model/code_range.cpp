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

} // namespace duo
