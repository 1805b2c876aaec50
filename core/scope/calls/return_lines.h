// SPDX-License-Identifier: Apache-2.0
// Lines of a program that end a call: what comes after `return self.fc(x)` belongs to the next one.
#pragma once

#include "core/scope/calls/call_events.h"
#include "core/scope/facts/module_paths.h"

#include <span>
#include <string_view>
#include <vector>

namespace duo {

/// A whole statement that returns: no bracket of it is open at the end of the line.
bool isReturnLine(std::string_view code);

/// Where calls begin after the first one, as far as lines that return show it: indices into the events. Empty if the
/// module does nothing on such a line, or only once.
std::vector<std::size_t> returnCuts(
    std::span<const CallEvent> events, const CodeLines& code, const Parameters& parameters, const ModulePaths& paths);

} // namespace duo
