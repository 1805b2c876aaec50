// SPDX-License-Identifier: Apache-2.0
// Patterns that catch given names, from the names themselves to everything that begins alike.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace duo::ui {

/// A text as a pattern of Python's `re` that matches it and nothing else (but for what follows it).
std::string escaped(std::string_view text);

/// Patterns with Python's `re.match` meaning that catch every name, without repeats:
/// - exactly the names: `/layer1/(?:conv1|conv2)/Conv$`
/// - numbers left open where the names differ in them, all of them if nothing else differs: `/layers\.\d+/q/MatMul$`
/// - what they begin and end with: `/layer1/.*/Conv$`
/// - what they begin with, and one and two levels above: `/layer1/.*`
/// - what they end with, if they begin differently: `.*/Conv$`
/// Common beginnings and ends are cut at `/` and `.`. O(total length, and log of it).
std::vector<std::string> patternsFor(std::vector<std::string> names);

} // namespace duo::ui
