// SPDX-License-Identifier: Apache-2.0
// What classes of torch.nn are made with, where a node of theirs has it as an attribute.
#pragma once

#include <string_view>

namespace duo {

/// "eps" for `epsilon` of a LayerNormalization in torch.nn's LayerNorm; "" where the class declares no such constant,
/// or is not in the table (resources/docs/functions.md, "What a function is").
std::string_view classAttribute(std::string_view className, std::string_view opType, std::string_view attribute);

} // namespace duo
