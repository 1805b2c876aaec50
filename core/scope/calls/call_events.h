// SPDX-License-Identifier: Apache-2.0
// What a module does while it runs, seen from itself: the children it calls and the operations it does.
#pragma once

#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"

#include <span>
#include <vector>

namespace duo {

/// One call of a child, or an operation done.
struct CallEvent {
    PathId child; // invalid: an operation of its own
    std::int32_t kind = kNoMark; // of the operation
    std::int32_t line = kNoMark; // of the module's program
    std::int32_t key = kNoKey; // that the operation reads
    std::vector<std::uint32_t> nodes; // that make it, in canonical order

    [[nodiscard]] bool isSame(const CallEvent& other) const
    {
        return child == other.child && kind == other.kind && line == other.line;
    }
};

/// The event that a node of the module belongs to; without `key` and `nodes`.
CallEvent eventOf(const FramedNode& node, std::size_t depth);

/// Equal numbers for events that are the same, from 0 in order of appearance. O(events).
std::vector<std::uint32_t> labelsOf(std::span<const CallEvent> events);

/// Number of a ModuleList's or Sequential's item: 3 for "3"; -1 for other names.
std::int64_t itemNumber(std::string_view atom);

} // namespace duo
