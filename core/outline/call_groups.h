// SPDX-License-Identifier: Apache-2.0
// CallGroups: which nodes come together as calls of functions, and why others can not.
#pragma once

#include "core/outline/node_flow.h"
#include "core/outline/outline_request.h"
#include "core/scope/facts/scopes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duo {

inline constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);

/// A module call, or a part of one.
struct CallGroup {
    ScopeId scope; // in Scopes::execution
    int part = 0; // of `parts`, along the dataflow
    int parts = 1;
    RegionId region; // in which it is called: the main graph, or a body
    std::size_t parent = kNoGroup; // the innermost one around, maybe around the node that the body belongs to
    std::vector<std::size_t> children; // in the same region
    std::vector<std::uint32_t> nodes; // NodeFlow::nodes directly in it, of its region, not in a child
};

struct OutlineRefusal {
    std::string scope; // execution
    std::string why; // one sentence, which names the value and the nodes at fault
    bool operator==(const OutlineRefusal&) const = default;
};

struct CallGroups {
    std::vector<CallGroup> groups; // parents before children
    std::vector<std::size_t> groupOf; // [NodeFlow::nodes] the innermost one around; kNoGroup: none
    std::vector<OutlineRefusal> refusals; // module calls that were asked for

    /// Whether a group is another one or lies in it; kNoGroup lies in none. O(nesting)
    [[nodiscard]] bool isIn(std::size_t group, std::size_t outer) const
    {
        while (group != kNoGroup && group > outer) // parents have smaller numbers
            group = groups[group].parent;
        return group == outer;
    }

    /// Whether it is called in the function of its parent, and not in a body or the main graph.
    [[nodiscard]] bool isPart(std::size_t group) const
    {
        const std::size_t parent = groups[group].parent;
        return parent != kNoGroup && groups[parent].region == groups[group].region;
    }
};

/// @return Usage for a scope or class that is none of the model's, and for a request of nothing
Result<CallGroups> groupCalls(
    const Model& model, const Scopes& scopes, const NodeFlow& flow, const OutlineRequest& request);

/// Whether calls of these groups can be put in order where some also wait for values that their nodes do not read.
/// @param waits a group, and a value made outside it. O(nodes * nesting + reads)
bool canBeOrdered(const Model& model, const NodeFlow& flow, const CallGroups& groups,
    const std::vector<std::pair<std::size_t, ValueId>>& waits);

} // namespace duo
