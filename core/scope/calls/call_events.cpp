// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/call_events.h"

#include <charconv>

namespace duo {

CallEvent eventOf(const FramedNode& node, std::size_t depth)
{
    CallEvent event;
    if (node.frames.size() > depth + 1) {
        event.child = node.frames[depth + 1].path;
        event.line = node.frames[depth + 1].line;
    } else {
        event.kind = node.kind;
        event.line = node.line;
    }
    return event;
}

std::size_t periodOf(std::span<const CallEvent> events)
{
    std::vector<std::size_t> border(events.size() + 1, 0);
    std::size_t length = 0;
    for (std::size_t i = 1; i < events.size(); ++i) {
        while (length > 0 && !events[i].isSame(events[length]))
            length = border[length];
        if (events[i].isSame(events[length]))
            ++length;
        border[i + 1] = length;
    }
    const std::size_t period = events.size() - border[events.size()];
    return events.size() % period == 0 ? period : events.size();
}

std::int64_t itemNumber(std::string_view atom)
{
    std::int64_t number = -1;
    const auto [rest, error] = std::from_chars(atom.data(), atom.data() + atom.size(), number);
    return error == std::errc{} && rest == atom.data() + atom.size() ? number : -1;
}

} // namespace duo
