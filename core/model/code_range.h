// SPDX-License-Identifier: Apache-2.0
// CodeRange: the integers that codes of a quantized tensor can be.
#pragma once

#include "core/model/element_type.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace duo {

struct CodeRange {
    std::int32_t lowest = 0;
    std::int32_t highest = 0;

    [[nodiscard]] bool isSigned() const { return lowest < 0; }
    /// 256 for eight bits.
    [[nodiscard]] std::int32_t count() const { return highest - lowest + 1; }
};

/// Of integers of up to 16 bits; nothing for other types.
std::optional<CodeRange> codeRange(ElementType type);

/// The type of such codes: of 2, 4, 8 or 16 bits; nothing for others.
std::optional<ElementType> codeType(int bits, bool isSigned);
/// "uint4"; nothing for types that are none of these.
std::optional<ElementType> codeTypeNamed(std::string_view name);

} // namespace duo
