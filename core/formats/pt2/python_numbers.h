// SPDX-License-Identifier: Apache-2.0
// Numbers that Python's json writes and JSON does not know.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace duo {

/// The document with `NaN`, `Infinity` and `-Infinity` in quotes; nothing if it has none. O(length).
std::optional<std::string> quotePythonNumbers(std::string_view json);

} // namespace duo
