// SPDX-License-Identifier: Apache-2.0
// Metadata keys of our own that functions and models carry; those of calls are in call_record.h.
#pragma once

#include <string_view>

namespace duo {

inline constexpr std::string_view kProducerKey = "duoscope.producer"; // of an export: this program, and its version
inline constexpr std::string_view kScopeRecordKey = "duoscope.scopes"; // of the model: core/scope/scope_record.h
inline constexpr std::string_view kOutlinedKey = "duoscope.outlined"; // of a function: the version of the form
inline constexpr std::string_view kIrBeforeKey = "duoscope.outlined_from_ir"; // of the model
inline constexpr std::string_view kScopesBeforeKey = "duoscope.scopes_before_outline"; // of the model: "" for none

} // namespace duo
