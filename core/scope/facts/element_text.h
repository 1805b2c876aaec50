// SPDX-License-Identifier: Apache-2.0
// Elements of an execution scope as text, with escapes (resources/docs/scopes.md, "Execution scopes as text").
#pragma once

#include <string>
#include <string_view>

namespace duo {

/// "p\#q" of "p#q".
std::string escapedElement(std::string_view text);

/// "p#q" of "p\#q#2": an element without the number of its call and without escapes.
std::string plainElement(std::string_view element);

} // namespace duo
