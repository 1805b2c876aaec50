// SPDX-License-Identifier: Apache-2.0
// CallGroups: which nodes of the main graph come together as calls of functions, and why others can not.
#pragma once

#include "core/outline/main_flow.h"
#include "core/outline/outline_request.h"
#include "core/scope/facts/scopes.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace duo {

inline constexpr std::size_t kNoGroup = static_cast<std::size_t>(-1);

/// A module call, or a part of one.
struct CallGroup {
    ScopeId scope; // in Scopes::execution
    int part = 0; // of `parts`, along the dataflow
    int parts = 1;
    std::size_t parent = kNoGroup;
    std::vector<std::size_t> children;
    std::vector<std::uint32_t> nodes; // MainFlow::nodes directly in it, not in a child
};

struct OutlineRefusal {
    std::string scope; // execution
    std::string why; // one sentence, which names the value and the nodes at fault
    bool operator==(const OutlineRefusal&) const = default;
};

struct CallGroups {
    std::vector<CallGroup> groups; // parents before children
    std::vector<std::size_t> groupOf; // [MainFlow::nodes] kNoGroup: none
    std::vector<OutlineRefusal> refusals; // module calls that were asked for
};

/// @return Usage for a scope or class that is none of the model's, and for a request of nothing
Result<CallGroups> groupCalls(
    const Model& model, const Scopes& scopes, const MainFlow& flow, const OutlineRequest& request);

} // namespace duo
