// SPDX-License-Identifier: Apache-2.0
// annotate: which modules marks come to, with the meaning of PyTorch's _annotate_modules_for_dynamo
// (resources/docs/marks.md, "What a mark does").
#pragma once

#include "core/marks/mark.h"
#include "core/marks/module_tree.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

/// What one mark comes to; numbers of ModuleTree::modules.
struct MarkOutcome {
    std::uint32_t root = ModuleTree::kNone;
    std::vector<std::uint32_t> marked; // each once, in the order in which they are reached
    std::vector<std::uint32_t> ignored; // reached and left out, in that order
    std::string problem; // why it marks nothing, a sentence without a period; "" if it can be evaluated
    std::vector<std::string> suggestions; // paths that were perhaps meant
};

enum class MarkState : std::uint8_t { None, Marked, Ignored };

struct MarkCounts {
    std::int64_t modules = 0;
    std::int64_t paths = 0; // that lead to them
    std::int64_t aliases = 0; // of these all but the first of each
    std::int64_t nodes = 0; // each once
    bool operator==(const MarkCounts&) const = default;
};

struct Marked {
    std::vector<MarkOutcome> marks; // [marks]
    std::vector<MarkState> states; // [modules] Ignored: left out by some mark, and marked by none
    std::vector<std::vector<MarkSetting>> settings; // [modules] of those marked
    std::vector<NodeId> nodes; // of marked modules, in node order
    MarkCounts counts;
};

/// Each enabled mark walks from its root depth first and marks every object it meets once, by whatever path; one that
/// is ignored is left out, and its children are visited all the same. A later mark sets its settings over those of
/// earlier ones. A mark that names a module there is not marks nothing and says so. O(marks * modules + nodes).
Marked annotate(const ModuleTree& tree, const std::vector<Mark>& marks);

/// "12 modules, 14 paths, 2 aliases, 31 nodes".
std::string markCountsText(const MarkCounts& counts);

} // namespace duo
