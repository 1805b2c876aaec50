// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/call_events.h"

#include <charconv>
#include <map>
#include <tuple>

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

std::vector<std::uint32_t> labelsOf(std::span<const CallEvent> events)
{
    std::map<std::tuple<PathId, std::int32_t, std::int32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> labels;
    labels.reserve(events.size());
    for (const CallEvent& event : events) {
        const auto next = static_cast<std::uint32_t>(known.size());
        labels.push_back(known.try_emplace({event.child, event.kind, event.line}, next).first->second);
    }
    return labels;
}

std::int64_t itemNumber(std::string_view atom)
{
    std::int64_t number = -1;
    const auto [rest, error] = std::from_chars(atom.data(), atom.data() + atom.size(), number);
    return error == std::errc{} && rest == atom.data() + atom.size() ? number : -1;
}

} // namespace duo
