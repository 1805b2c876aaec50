// SPDX-License-Identifier: Apache-2.0
// Metadata keys by which a file says what was outlined; those of calls are in call_record.h.
#pragma once

#include <string_view>

namespace duo {

inline constexpr std::string_view kOutlinedKey = "duoscope.outlined"; // of a function: the version of the form
inline constexpr std::string_view kIrBeforeKey = "duoscope.outlined_from_ir"; // of the model

inline constexpr std::string_view kScopesBeforeKey = "duoscope.scopes_before_outline"; // of the model: "" for none

} // namespace duo
