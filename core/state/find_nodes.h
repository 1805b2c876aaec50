// SPDX-License-Identifier: Apache-2.0
// findNodes: the nodes of a recorded model in another one, whose nodes may have other names and another order
// (resources/docs/state.md, "Nodes with other names").
#pragma once

#include "core/state/node_records.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class FoundBy { Name, Scope, Storage, Position };

std::string_view foundByText(FoundBy by); // "name"

struct FoundNode {
    std::uint32_t index = 0; // in `present`
    FoundBy by = FoundBy::Name;
    bool givesTheSame = true; // not where it, or what it follows, reads the value of another node than it did, or a
                              // bias or a norm is a part of it on one side only
    bool takesTheSame = true; // not of an Add that a Gemm has taken in with its product
    bool operator==(const FoundNode&) const = default;
};

/// [recorded] where each is: by its name, else by the scope and the operator that it alone has (of several, by what
/// gives or reads their values), else by the parameters or weights that it alone reads, else by where it stands beside
/// nodes that were found, and outputs of the model; "scope" counts where that leads within one scope. The operator is
/// the same, but for those that exporters take for one another, in one scope; no node is two, and what a name leads to
/// must not run in another scope, or read other parameters or weights, that are there. Inputs of what commutes are told
/// apart by what gives them. A MatMul and the Add of its bias may both be one Gemm. Where products came or went,
/// surroundings prove nothing. What was found by a name or a position, and reads what another node of its operator
/// gives, is given up again. O((nodes + inputs) log nodes). Inputs and outputs of the model go by samePorts().
/// @param isSameGraph they are of one graph by its hash: then nodes are those at the same place of the list, whatever
/// they are called
std::vector<std::optional<FoundNode>> findNodes(
    const GraphRecord& recorded, const GraphRecord& present, bool isSameGraph = false);

/// At most three nodes of the same operator that no recorded node was found to be, those of a scope or name with the
/// longest common beginning first.
std::vector<std::string> nearestNodes(const NodeRecord& missing, const std::vector<NodeRecord>& present,
    const std::vector<std::optional<FoundNode>>& found);

} // namespace duo
