// SPDX-License-Identifier: Apache-2.0
// NodesThere: the nodes that a state speaks of by name, in the model it is resumed on.
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/float_changes.h"
#include "core/rules/rule.h"
#include "core/scope/facts/scopes.h"
#include "core/state/find_nodes.h"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

class NodesThere
{
public:
    /// @param recorded nodes of the model that the state was made for; none: nodes go by their names alone
    /// It must outlive this.
    NodesThere(const Model& model, const Scopes& scopes, const std::vector<NodeRecord>& recorded);

    [[nodiscard]] NodeId find(const std::string& name) const; // invalid if the model has no such node
    [[nodiscard]] FoundBy foundBy(const std::string& name) const; // of a node that is there
    /// Behind "the model has no node 'a'": " (nearest: 'b', 'c')", or that the one of this name is another; "" where
    /// none is of its operator, or nothing is recorded.
    [[nodiscard]] std::string nearest(const std::string& name) const;

    /// The rules with the names that nodes have here.
    [[nodiscard]] RuleSet renamed(RuleSet rules) const;
    /// The changes with the names that nodes and values have here; those of nodes that are not there are told in
    /// `leftOut`.
    [[nodiscard]] std::vector<FloatChange> renamed(
        const std::vector<FloatChange>& changes, std::vector<std::string>& leftOut) const;

private:
    [[nodiscard]] std::string nameHere(const std::string& name) const; // `name` itself where it is not there

    const Model& m_model;
    std::span<const NodeRecord> m_recorded;
    std::vector<NodeRecord> m_present;
    std::vector<std::optional<FoundNode>> m_found; // [recorded]
    std::unordered_map<std::string, std::size_t> m_index; // of a recorded name
};

} // namespace duo
